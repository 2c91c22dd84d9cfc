/**
 * The rows of a log of one of the formats 0 to 3, written event by event: numbers, times, turns and steps are kept here, and
 * what the formats write in different ways is written in the way of the format.
 */
export type Member = string | number | boolean | null | readonly Member[] | { readonly [key: string]: Member }
export type Members = Readonly<Record<string, Member>>

export type Version = 0 | 1 | 2 | 3

export const SESSION = 'session-of-the-campaign'
export const MODEL = { provider: 'deepseek', model: 'deepseek-chat' }
const SYSTEM_PROMPT = '@deepseek-ai/dsh-system-prompt'
const CREATED = 1_760_000_000_000

export interface Envelope {
  readonly surfaceOp?: Member
  readonly sourceEventSeqs?: readonly Member[]
  readonly ignorable?: true
}

export interface Answer {
  readonly content: readonly Members[]
  /** Chunks of the stream, in order; without them the answer streams its content. */
  readonly chunks?: readonly Members[]
  readonly usage?: Members
  readonly interrupted?: true
  readonly replayState?: Members
}

export class LogDraft {
  readonly rows: Members[]
  turn = 0
  step = 0
  #time = CREATED
  #head: number | undefined

  readonly version: Version

  constructor(version: Version, header: Members = {}) {
    this.version = version
    const fork = version < 2 ? {} : { isSeeded: false }
    const base = { type: 'session', version, id: SESSION, createdAt: CREATED, ...fork, delegationDepth: 0 }
    this.rows = [{ ...base, ...header }]
  }

  get next(): number {
    return this.rows.length - 1
  }

  event(type: string, data: Member, envelope: Envelope = {}): number {
    const seq = this.next
    this.#time += 10
    this.rows.push({ type, seq, time: this.#time, data, ...(envelope as Members) })
    return seq
  }

  startTurn(): number {
    this.turn++
    this.step = 0
    return this.event('turn/start', { turn: this.turn })
  }

  startStep(): number {
    this.step++
    const seq = this.event('step/start', this.place())
    if (this.version === 3 && this.#head === undefined) this.#head = this.#system('', undefined)
    return seq
  }

  endStep(): number {
    return this.event('step/end', this.place())
  }

  endTurn(reason: Members = { kind: 'completed' }): number {
    return this.event('turn/end', { turn: this.turn, reason })
  }

  place(): { readonly turn: number; readonly step: number } {
    return { turn: this.turn, step: this.step }
  }

  message(role: string, content: readonly Member[], source: Members): Members {
    return { id: `message-${this.next}`, role, content, source }
  }

  user(content: readonly Member[] = [text('hello')], source: Members = { kind: 'user' }): number {
    return this.event('user/message', this.message('user', content, source), { surfaceOp: 'append' })
  }

  /** A replacement in the words of the format. */
  replacement(start: number, end: number): Member {
    return this.version === 3
      ? { op: 'replace', startSeq: start, endSeq: end }
      : { op: 'replace', start, end }
  }

  requestHeader(header: Members = { config: MODEL }, reason = 'initial', more: Members = {}): number {
    if (this.version < 3) return this.event('request/header', { header, reason, ...more })
    const { system, ...rest } = header
    if (typeof system === 'string' && system !== '') this.#head = this.#system(system, this.#head)
    return this.event('request/header', { header: rest, reason, ...more })
  }

  #system(prompt: string, head: number | undefined): number {
    const source = { kind: 'plugin', plugin: SYSTEM_PROMPT }
    const message = this.message('system', prompt === '' ? [] : [text(prompt)], source)
    const envelope =
      head === undefined
        ? { surfaceOp: 'append' }
        : { surfaceOp: this.replacement(head, head), sourceEventSeqs: [head] }
    return this.event('system/message', { ...this.place(), message }, envelope)
  }

  /** Chunks that no answer follows. */
  attempt(chunks: readonly Members[]): void {
    if (this.version < 2) this.#chunks(chunks)
    else this.event('assistant/attempt', { ...this.place(), stream: this.#stream(chunks) })
  }

  answer(answer: Answer): number {
    const { content, chunks = content.flatMap(chunksOf), usage, interrupted, replayState } = answer
    const sources = this.version < 2 ? this.#chunks(chunks) : undefined
    const source = { kind: 'model', ...MODEL, ...(replayState === undefined ? {} : { replayState }) }
    const message = this.message('assistant', content, source)
    const data: Members = {
      ...this.place(),
      message,
      ...(sources === undefined ? { stream: this.#stream(chunks) } : {}),
      ...(usage === undefined ? {} : { usage }),
      ...(interrupted === undefined ? {} : { interrupted }),
    }
    return this.event('assistant/message', data, {
      surfaceOp: 'append',
      ...(sources === undefined ? {} : { sourceEventSeqs: sources }),
    })
  }

  #chunks(chunks: readonly Members[]): number[] {
    return chunks.map((chunk) => this.event('assistant/chunk', { ...this.place(), chunk }))
  }

  /** Every chunk in a record of its own, packed where it is a delta. */
  #stream(chunks: readonly Members[]): Members[] {
    return chunks.map((chunk) => {
      this.#time += 1
      const { type, index = 0, text: delta, argumentsDelta, ...rest } = chunk
      const packed = { time0: this.#time, index, dt: [] }
      if (type === 'text-delta') return { type: 'text-chunks', ...packed, texts: [delta ?? ''] }
      if (type === 'reasoning-delta') return { type: 'reasoning-chunks', ...packed, texts: [delta ?? ''] }
      if (type === 'tool-call-delta')
        return { type: 'tool-call-chunks', ...packed, ...rest, args: [argumentsDelta ?? ''] }
      return { type: 'chunk', time: this.#time, chunk }
    })
  }

  call(callId: string, name = 'bash', args = '{}'): number {
    return this.event('tool/call', { ...this.place(), callId, name, arguments: args })
  }

  result(callId: string, call: number, more: Members = {}, isError?: boolean): number {
    const block = {
      type: 'tool-result',
      toolCallId: callId,
      content: [text('done')],
      ...(isError === undefined ? {} : { isError }),
    }
    const message = this.message('user', [block], { kind: 'tool', callId })
    return this.event(
      'tool/result',
      { ...this.place(), message, ...more },
      { surfaceOp: 'append', sourceEventSeqs: [call] },
    )
  }

  /** A turn of one step in which nothing special happens: damage before it is no damaged tail. */
  plainTurn(): void {
    this.startTurn()
    this.startStep()
    this.user([text('and then')])
    this.requestHeader({ config: MODEL }, this.turn === 1 ? 'initial' : 'resume')
    this.answer({ content: [text('well')] })
    this.endStep()
    this.endTurn()
  }
}

export function text(words: string): Members {
  return { type: 'text', text: words }
}

export function toolCall(id: string, name = 'bash', args = '{}'): Members {
  return { type: 'tool-call', id, name, arguments: args }
}

function chunksOf(block: Members, index: number): Members[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text-delta', index, text: block.text ?? '' }]
    case 'reasoning':
      return [{ type: 'reasoning-delta', index, text: block.text ?? '' }]
    case 'tool-call': {
      const { id = '', name = '', arguments: argumentsDelta = '' } = block
      return [{ type: 'tool-call-delta', index, id, name, argumentsDelta }]
    }
    default:
      return []
  }
}
