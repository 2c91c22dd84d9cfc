/**
 * Rich logs of formats 2 to 4, written from the specification of the formats: parallel calls and calls that never began,
 * prunes, images and offloads, compactions in turns and between them, commands, titles, retries, dispatches, an inbox,
 * forks. The same seed gives the same log, and every row has a time of its own.
 */
import { Random } from '../oracle/random.ts'
import { imageBlock, type LaterVersion, textBlock } from './later-log.ts'

type Data = Record<string, unknown>

interface Node {
  readonly seq: number
  readonly data: Data
  /** Images that can still be offloaded. */
  images: number
  readonly calls?: readonly string[]
  readonly answers?: string
}

const START = 1_795_000_000_000
const MODEL = { provider: 'deepseek', model: 'v4' }
const TOOLS = ['bash', 'read'].map((name) => ({ name, description: name, parameters: { type: 'object' } }))
const NOT_STARTED =
  'The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed.'

/** The lines of a log, the header first. */
export function specifiedLaterLog(version: LaterVersion, seed: string, turns = 3): readonly string[] {
  return new Writer(version, new Random(seed)).write(turns)
}

class Writer {
  readonly #version: LaterVersion
  readonly #random: Random
  readonly #rows: Data[] = []
  readonly #humans: number[] = []
  #nodes: Node[] = []
  #turn = 0
  #step = 0
  #ids = 0
  #hasHead = false
  #header: number | undefined

  constructor(version: LaterVersion, random: Random) {
    this.#version = version
    this.#random = random
  }

  write(turns: number): readonly string[] {
    const isSeeded = this.#random.chance(0.2)
    for (let turn = 1; turn <= turns; turn++) {
      this.#oneTurn()
      if (turn === 1 && isSeeded) this.#event('session/end-seed', { inherited: true })
      this.#idle()
    }
    this.#oneTurn()
    const header = {
      type: 'session',
      version: this.#version,
      id: this.#sessionId,
      createdAt: START,
      cwd: '/home/me/project',
      isSeeded,
      delegationDepth: 0,
      ...(isSeeded && { parentSession: 'session-of-the-parent' }),
    }
    return [header, ...this.#rows].map((row) => JSON.stringify(row))
  }

  get #sessionId(): string {
    return `session-0c0ffee0-0000-4000-8000-00000000000${this.#version}`
  }

  get #next(): number {
    return this.#rows.length
  }

  get #place(): Data {
    return { turn: this.#turn, step: this.#step }
  }

  #id(prefix: string): string {
    return `${prefix}-${++this.#ids}`
  }

  #event(type: string, data: Data, more: Data = {}): number {
    const seq = this.#next
    this.#rows.push({ type, seq, time: START + 10 * seq, data, ...more })
    return seq
  }

  #node(type: string, data: Data, more: Data = {}, about: Partial<Node> = {}): number {
    const seq = this.#event(type, data, { surfaceOp: 'append', ...more })
    this.#nodes.push({ seq, data, images: 0, ...about })
    return seq
  }

  #replacing(start: number, end: number): Data {
    return this.#version === 2
      ? { op: 'replace', start, end }
      : { op: 'replace', startSeq: start, endSeq: end }
  }

  #source(kind: string, plugin: string, more: Data = {}): Data {
    return this.#version === 4 ? { kind, ...more } : { kind: 'plugin', plugin, ...more }
  }

  // Turns ------------------------------------------------------------------------------------------------------------

  #oneTurn(): void {
    const queued = this.#random.chance(0.4) ? this.#queue() : undefined
    this.#turn++
    this.#event('turn/start', { turn: this.#turn })
    if (queued !== undefined)
      this.#event('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 1, inserted: [] })
    if (this.#random.chance(0.2))
      this.#event('hook/invoked', { turn: this.#turn, point: 'prompt', dialect: 'codex', handlerId: 'h' })
    const steps = this.#random.whole(1, 3)
    for (let step = 1, calls = 1; step <= steps && calls > 0; step++) calls = this.#oneStep(step, queued)
    this.#step = 0
    const reasons = [
      { kind: 'completed' },
      { kind: 'aborted', reason: { kind: 'user' } },
      { kind: 'max-tokens' },
    ]
    this.#event('turn/end', { turn: this.#turn, reason: this.#random.pick(reasons) })
  }

  #oneStep(step: number, queued: Data | undefined): number {
    this.#step = step
    this.#event('step/start', this.#place)
    if (step === 1) this.#begin(queued)
    else if (this.#random.chance(0.3)) this.#prune()
    if (this.#random.chance(0.2)) this.#offload()
    if (this.#random.chance(0.15)) this.#attempt()
    const calls = this.#answer()
    if (this.#random.chance(0.3)) this.#note()
    this.#event('step/end', this.#place)
    if (this.#random.chance(0.15)) this.#compaction(this.#turn)
    if (this.#random.chance(0.2)) this.#note()
    return calls
  }

  #begin(queued: Data | undefined): void {
    const isFirst = this.#turn === 1
    if (isFirst || this.#random.chance(0.2)) this.#system()
    this.#user(queued)
    if (this.#random.chance(0.2)) this.#context()
    if (isFirst || this.#random.chance(0.2)) {
      const header = { config: MODEL, tools: TOOLS }
      this.#header = this.#event('request/header', { header, reason: isFirst ? 'initial' : 'change' })
      if (this.#random.chance(0.6)) this.#event('request/context', { ...MODEL, contextWindow: 64_000 })
    }
    if (this.#random.chance(0.3)) this.#developer()
  }

  #idle(): void {
    for (let count = this.#random.whole(0, 2); count > 0; count--) this.#note()
    if (this.#random.chance(0.3)) this.#compaction(null)
    if (this.#random.chance(0.15)) {
      const commandId = this.#id('command')
      this.#event('command/run', { commandId, name: 'compact', source: { kind: 'user' } })
      const summary = this.#compaction(null, { sourceCommandId: commandId })
      const outcome = summary === undefined ? { kind: 'error' } : { kind: 'success', sourceEventSeq: summary }
      this.#event('command/done', { commandId, ...outcome })
    }
    if (this.#random.chance(0.1)) this.#event('session/end-seed', {})
  }

  // Messages ---------------------------------------------------------------------------------------------------------

  #system(): void {
    if (this.#version < 3) return
    const source = this.#source('system-prompt', '@deepseek-ai/dsh-system-prompt')
    const message = { id: this.#id('system'), role: 'system', source, content: [textBlock('Be brief.')] }
    const data = { ...this.#place, message }
    const [head] = this.#nodes
    if (head === undefined) {
      this.#node('system/message', data)
      this.#hasHead = true
    } else if (this.#hasHead) {
      const { seq: old } = head
      const op = this.#replacing(old, old)
      const seq = this.#event('system/message', data, { surfaceOp: op, sourceEventSeqs: [old] })
      this.#nodes[0] = { seq, data, images: 0 }
    }
  }

  #user(queued?: Data): void {
    const images = queued === undefined && this.#random.chance(0.25) ? this.#random.whole(1, 2) : 0
    const pictures = Array.from({ length: images }, () => imageBlock(this.#random.pick(['a', 'b', 'c'])))
    const content = [textBlock(this.#id('words')), ...pictures]
    const message = queued ?? { id: this.#id('user'), role: 'user', source: { kind: 'user' }, content }
    this.#humans.push(this.#node('user/message', message, {}, { images }))
  }

  #context(): void {
    const form = { form: 'snapshot', sections: [{ name: 'n', text: 't' }] }
    const source = this.#source('runtime-context', '@deepseek-ai/dsh-system-prompt', form)
    this.#node('user/message', {
      id: this.#id('user'),
      role: 'user',
      source,
      content: [textBlock('context')],
    })
  }

  #developer(): void {
    if (this.#version < 4) return
    const adds = this.#random.chance(0.5)
    const content = adds
      ? [textBlock('a tool'), { type: 'tool-addition', toolName: 'bash' }]
      : [{ type: 'tool-removal', toolName: 'read' }]
    const message = { id: this.#id('developer'), role: 'developer', source: { kind: 'tools' }, content }
    this.#node('developer/message', { ...this.#place, message, ...(adds && { headerSeq: this.#header }) })
  }

  #attempt(): void {
    this.#event('assistant/attempt', { ...this.#place, stream: this.#stream([textBlock('half')]) })
    const retryId = this.#id('retry')
    const place = this.#place
    const failure = { message: 'no', code: 'NETWORK' }
    const rest = { mode: 'normal', policyKey: retryId, maxRetries: 3, delayMs: 5, failure }
    this.#event('llm/retry', { retryId, ...place, provider: MODEL.provider, retry: 1, ...rest })
    this.#event('llm/retry-started', { retryId, ...place, retry: 1 })
  }

  /** @returns how many calls it made. */
  #answer(): number {
    const count = this.#random.pick([0, 1, 1, 2, 3])
    const calls = Array.from({ length: count }, () => {
      const id = this.#id('call')
      return { id, name: this.#random.pick(['bash', 'read']), arguments: `{"of":"${id}"}` }
    })
    const blocks: Data[] = []
    if (this.#random.chance(0.4)) blocks.push({ type: 'reasoning', text: this.#id('thought') })
    if (count === 0 || this.#random.chance(0.5)) blocks.push(textBlock(this.#id('answer')))
    blocks.push(...calls.map((call) => ({ type: 'tool-call', ...call })))
    const source = { kind: 'model', ...MODEL }
    const message = { id: this.#id('message'), role: 'assistant', source, content: blocks }
    const data = { ...this.#place, message, stream: this.#stream(blocks) }
    this.#node('assistant/message', data, {}, { calls: calls.map(({ id }) => id) })
    const unstarted = this.#random.chance(0.12) ? calls.at(-1) : undefined
    const started = new Map<string, number>()
    const start = ({ id: callId, name, arguments: args }: (typeof calls)[number]): void => {
      if (unstarted?.id === callId) return
      if (this.#random.chance(0.2)) this.#approval(callId, name)
      started.set(callId, this.#event('tool/call', { ...this.#place, callId, name, arguments: args }))
      if (this.#random.chance(0.2)) this.#dispatch(callId)
    }
    if (this.#random.chance(0.5)) {
      for (const call of calls) start(call)
      for (const { id } of calls) this.#result(id, started.get(id))
    } else
      for (const call of calls) {
        start(call)
        this.#result(call.id, started.get(call.id))
      }
    return count
  }

  #stream(blocks: readonly Data[]): Data[] {
    const time0 = START + 10 * this.#next
    return blocks.map(({ type, id, name, arguments: args, text }, index) =>
      type === 'tool-call'
        ? { type: 'tool-call-chunks', time0, index, dt: [], id, name, args: [args] }
        : {
            type: type === 'reasoning' ? 'reasoning-chunks' : 'text-chunks',
            time0,
            index,
            dt: [],
            texts: [text],
          },
    )
  }

  #approval(callId: string, toolName: string): void {
    const id = this.#id('approval')
    this.#event('approval/asked', { id, toolName, callId })
    this.#event('approval/decided', { id, outcome: 'allowed-once' })
  }

  #dispatch(rootCallId: string): void {
    if (this.#version < 3) return
    const subCallId = this.#id('sub')
    const data = { rootCallId, parentCallId: rootCallId, subCallId, name: 'read', arguments: { a: 1 } }
    this.#event('tool/ptc-dispatch-start', data)
    this.#event('tool/ptc-dispatch', { ...data, isError: false, content: [textBlock('out')] })
  }

  /** @param started - seq of the `tool/call`; without one the result says that the call never began. */
  #result(callId: string, started: number | undefined): void {
    const failed = started !== undefined && this.#random.chance(0.2)
    const images = started !== undefined && !failed && this.#random.chance(0.3) ? 1 : 0
    const said = started === undefined ? NOT_STARTED : this.#id('output')
    const content = [textBlock(said), ...(images === 1 ? [imageBlock('d')] : [])]
    const id = started === undefined ? `interrupted-tool-result-${callId}-${this.#next}` : this.#id('result')
    const source = { kind: 'tool', callId }
    const mark = started === undefined || failed ? { isError: true } : {}
    const message =
      this.#version === 4
        ? { id, role: 'tool', toolCallId: callId, ...mark, source, content }
        : {
            id,
            role: 'user',
            source,
            content: [{ type: 'tool-result', toolCallId: callId, content, ...mark }],
          }
    const error =
      started === undefined
        ? { error: { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' } }
        : failed
          ? { error: { name: 'ToolError', code: 'FAILED' } }
          : {}
    const sources = started === undefined ? {} : { sourceEventSeqs: [started] }
    this.#node('tool/result', { ...this.#place, message, ...error }, sources, { images, answers: callId })
  }

  // What changes the surface ----------------------------------------------------------------------------------------

  #prune(): void {
    const index = this.#nodes.findIndex(({ answers }) => answers !== undefined && this.#random.chance(0.5))
    const node = this.#nodes[index]
    if (node === undefined) return
    const { seq: old } = node
    const shadowed = { shadowedRange: { start: old, end: old }, shadowedSeqs: [old], shadowedTokenCount: 4 }
    this.#event('compaction/prune', shadowed)
    const data = structuredClone(node.data)
    const message = data.message as { content: Data[] }
    const content = [textBlock('[pruned]')]
    message.content = this.#version === 4 ? content : [{ ...message.content[0], content }]
    const op = this.#replacing(old, old)
    const seq = this.#event('tool/result', data, { surfaceOp: op, sourceEventSeqs: [old] })
    this.#nodes[index] = { ...node, seq, data, images: 0 }
  }

  #offload(): void {
    if (this.#version < 3) return
    const nodes = this.#nodes.filter(({ images }) => images > 0).slice(0, 2)
    if (nodes.length === 0) return
    const targets = nodes.map(({ seq, images }) => ({
      seq,
      imageIndexes: Array.from({ length: images }, (_, index) => index),
    }))
    for (const node of nodes) node.images = 0
    this.#event('image/offload', { targets })
  }

  /** @returns the seq of the summary, if it succeeded. */
  #compaction(turn: number | null, more: Data = {}): number | undefined {
    const from = this.#hasHead ? 1 : 0
    let count = Math.min(this.#nodes.length - from, this.#random.whole(2, 6))
    while (count > 0 && isCut(this.#nodes.slice(from, from + count))) count--
    const seqs = this.#nodes.slice(from, from + count).map(({ seq }) => seq)
    const [start, end] = [seqs[0], seqs.at(-1)]
    if (start === undefined || end === undefined) return undefined
    const compactionId = this.#id('compaction')
    const named = { compactionId, ...more }
    const begin = this.#event('compaction/start', { ...named, turn })
    if (this.#random.chance(0.2)) {
      this.#event('compaction/end', { ...named, turn, error: 'it failed' })
      return undefined
    }
    const content = [textBlock(`summary of ${compactionId}`)]
    const shadowed = { shadowedRange: { start, end }, shadowedSeqs: seqs, shadowedTokenCount: 10 }
    const summary = this.#event('compaction/summary', { ...named, summary: content, ...shadowed, ...MODEL })
    const source = this.#source('compact-checkpoint', 'compact', named)
    const data = { id: this.#id('checkpoint'), role: 'user', source, content }
    const sources = [begin, summary, ...seqs]
    const op = this.#replacing(start, end)
    const seq = this.#event('user/message', data, { surfaceOp: op, sourceEventSeqs: sources })
    this.#nodes.splice(from, count, { seq, data, images: 0 })
    this.#event('compaction/end', { ...named, turn })
    return summary
  }

  // What makes no message --------------------------------------------------------------------------------------------

  #queue(): Data {
    const source = { kind: 'user' }
    const message = { id: this.#id('queued'), role: 'user', source, content: [textBlock(this.#id('words'))] }
    this.#event('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [message] })
    return message
  }

  #note(): void {
    const [type, data] = this.#random.pick(this.#notes())
    if (type !== 'command/run') this.#event(type, data)
    else {
      const commandId = this.#id('command')
      this.#event(type, { commandId, ...data })
      this.#event('command/done', { commandId, kind: 'success', text: 'ok' })
    }
  }

  #notes(): readonly (readonly [type: string, data: Data])[] {
    const version = this.#version
    const messageSeqs = this.#humans.slice(-2)
    const request = {
      titleProvider: 'p',
      messageSeqs: messageSeqs.slice(-1),
      route: MODEL,
      system: 'name it',
      messages: [
        {
          id: this.#id('request'),
          role: 'user',
          source: this.#source('dsh-session-title-llm', 'dsh-session-title-llm'),
          content: [textBlock('what')],
        },
      ],
      maxTokens: 20,
    }
    const mark = {
      sessionId: this.#sessionId,
      ...(version !== 3 && { sessionFormatVersion: version }),
      throughSeq: this.#next - 1,
    }
    const entry = { version: 0, childId: this.#id('child'), childCreatedAt: START, mode: 'one-shot' }
    return [
      ['session/title', { title: this.#id('title'), messageSeqs: [], source: { kind: 'user' } }],
      ['session/title', { title: this.#id('title'), messageSeqs, source: { kind: 'fallback' } }],
      ['session/title-llm-request', request],
      ['plan/mode', { active: true }],
      ['model/selection', MODEL],
      ['feedback/record', { text: 'good' }],
      ['command/run', { name: 'model', source: { kind: 'user' } }],
      ['session-log-deepseek/delivery-accepted', mark],
      ...(version >= 3 ? [['subagent/catalog', entry] as const] : []),
      ...(version === 4 ? [['working-directory/change', { cwd: `/home/me/${this.#id('w')}` }] as const] : []),
    ]
  }
}

/** Whether a call of these nodes has its result elsewhere. */
function isCut(nodes: readonly Node[]): boolean {
  const open = new Set<string>()
  for (const { calls = [], answers } of nodes) {
    for (const call of calls) open.add(call)
    if (answers !== undefined) open.delete(answers)
  }
  return open.size > 0
}
