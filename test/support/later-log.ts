/**
 * Small logs of formats 2 to 4, written row by row like those of `log-builder.ts`: a clean log needs no care, and
 * what a test wants broken it breaks with `event`, `edit` or `raw`.
 */
import type { JsonObject, JsonValue } from '../../src/core/json/json-value.ts'
import type { Row } from './log-builder.ts'

export type LaterVersion = 2 | 3 | 4

export interface LaterExtra {
  readonly sources?: readonly JsonValue[]
  readonly op?: JsonValue
  readonly data?: JsonObject
  /** Members of the message. */
  readonly message?: JsonObject
}

export interface Call {
  readonly id: string
  readonly name?: string
  readonly arguments?: string
}

const START = 1_790_000_000_000
const MODEL = { provider: 'p', model: 'm' }
const ID = 'session-00000000-0000-4000-8000-000000000004'

export function later(version: LaterVersion = 4): LaterLog {
  return new LaterLog(version)
}

export class LaterLog {
  readonly #version: LaterVersion
  readonly #header: Row
  readonly #lines: (Row | string)[] = []
  readonly #callSeqs = new Map<string, number>()
  #seq = 0
  #turn = 0
  #step = 0

  constructor(version: LaterVersion) {
    this.#version = version
    this.#header = {
      type: 'session',
      version,
      id: ID,
      createdAt: START,
      cwd: '/w',
      isSeeded: false,
      delegationDepth: 0,
    }
  }

  get nextSeq(): number {
    return this.#seq
  }

  // The file -------------------------------------------------------------------------------------------------------

  header(fields: Row): this {
    Object.assign(this.#header, fields)
    return this
  }

  /** A line as it is. */
  raw(line: string): this {
    this.#lines.push(line)
    return this
  }

  /** Changes the row of `seq` in place. */
  edit(seq: number, change: (row: Row) => Row): this {
    const index = this.#lines.findIndex((line) => typeof line !== 'string' && line.seq === seq)
    this.#lines[index] = change(structuredClone(this.#lines[index] as Row))
    return this
  }

  // Events ---------------------------------------------------------------------------------------------------------

  event(type: string, data: JsonValue = {}, extra: Row = {}): this {
    const seq = this.#seq++
    this.#lines.push({ type, seq, time: START + seq, data, ...extra })
    return this
  }

  turn(build: (turn: this) => unknown = () => {}): this {
    return this.openTurn(build).event('turn/end', { turn: this.#turn, reason: { kind: 'completed' } })
  }

  openTurn(build: (turn: this) => unknown = () => {}): this {
    this.#step = 0
    this.event('turn/start', { turn: ++this.#turn })
    build(this)
    return this
  }

  step(build: (step: this) => unknown = () => {}): this {
    return this.openStep(build).event('step/end', this.place())
  }

  openStep(build: (step: this) => unknown = () => {}): this {
    this.#step++
    this.event('step/start', this.place())
    build(this)
    return this
  }

  /** Turn and step that events of a step name. */
  place(): { turn: number; step: number } {
    return { turn: this.#turn, step: this.#step }
  }

  system(text = 'You are DSH.', extra: LaterExtra = {}): this {
    const source =
      this.#version === 3
        ? { kind: 'plugin', plugin: '@deepseek-ai/dsh-system-prompt' }
        : { kind: 'system-prompt' }
    return this.#message('system/message', 'system', source, [textBlock(text)], extra)
  }

  developer(content: readonly JsonObject[], data: JsonObject = {}): this {
    return this.#message('developer/message', 'developer', { kind: 'tools' }, content, { data })
  }

  user(text: string, extra: LaterExtra & { readonly source?: JsonObject } = {}): this {
    return this.content([textBlock(text)], extra)
  }

  /** A user message of any content. */
  content(content: readonly JsonValue[], extra: LaterExtra & { readonly source?: JsonObject } = {}): this {
    const { source = { kind: 'user' } } = extra
    const message = { id: this.#id('u'), role: 'user', source, content: [...content], ...extra.message }
    return this.event('user/message', message, marks(extra))
  }

  request(tools: readonly JsonObject[] = []): this {
    const header = { config: MODEL, ...(tools.length > 0 && { tools: [...tools] }) }
    return this.event('request/header', { header, reason: 'initial' })
  }

  assistant(text: string, calls: readonly Call[] = [], extra: LaterExtra = {}): this {
    const blocks = calls.map(({ id, name = 'bash', arguments: args = '{}' }) => ({
      type: 'tool-call',
      id,
      name,
      arguments: args,
    }))
    const content = [...(text === '' ? [] : [textBlock(text)]), ...blocks]
    const data = { stream: this.#streamOf(text, blocks), ...extra.data }
    return this.#message('assistant/message', 'assistant', { kind: 'model', ...MODEL }, content, {
      ...extra,
      data,
    })
  }

  /** Records the start of a call. */
  call(callId: string, name = 'bash', args = '{}'): this {
    this.#callSeqs.set(callId, this.#seq)
    return this.event('tool/call', { ...this.place(), callId, name, arguments: args })
  }

  result(callId: string, text = 'done', extra: LaterExtra = {}): this {
    const started = this.#callSeqs.get(callId)
    const sources = extra.sources ?? (started === undefined ? undefined : [started])
    const source = { kind: 'tool', callId }
    const content = [textBlock(text)]
    const isTool = this.#version === 4
    const message = isTool
      ? { id: this.#id('r'), role: 'tool', toolCallId: callId, source, content }
      : {
          id: this.#id('r'),
          role: 'user',
          source,
          content: [{ type: 'tool-result', toolCallId: callId, content }],
        }
    const data = { ...this.place(), message: { ...message, ...extra.message }, ...extra.data }
    return this.event('tool/result', data, marks({ ...extra, ...(sources && { sources }) }))
  }

  /** Announces, starts and answers one call. */
  tool(callId: string): this {
    return this.assistant('', [{ id: callId }])
      .call(callId)
      .result(callId)
  }

  /** Replaces the nodes from `start` through `end`. */
  replace(start: number, end: number = start): JsonObject {
    return this.#version === 2
      ? { op: 'replace', start, end }
      : { op: 'replace', startSeq: start, endSeq: end }
  }

  /** A whole compaction outside any turn; `shadowed` are the nodes in surface order. */
  compaction(id: string, shadowed: readonly number[]): this {
    const [start, end] = [shadowed[0] as number, shadowed.at(-1) as number]
    this.event('compaction/start', { compactionId: id, turn: null })
    const range = { shadowedRange: { start, end }, shadowedSeqs: [...shadowed], shadowedTokenCount: 1 }
    this.event('compaction/summary', { compactionId: id, summary: [textBlock('s')], ...range, ...MODEL })
    const source = { kind: 'compact-checkpoint', compactionId: id }
    const sources = [this.#seq - 2, this.#seq - 1, ...shadowed]
    this.user('summary', { source, op: this.replace(start, end), sources })
    return this.event('compaction/end', { compactionId: id, turn: null })
  }

  // What comes out -------------------------------------------------------------------------------------------------

  text(): string {
    const lines = [this.#header, ...this.#lines]
    return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  }

  bytes(): Buffer {
    return Buffer.from(this.text())
  }

  #message(
    type: string,
    role: string,
    source: JsonObject,
    content: readonly JsonValue[],
    extra: LaterExtra,
  ): this {
    const message = { id: this.#id(role[0] as string), role, source, content: [...content], ...extra.message }
    return this.event(type, { ...this.place(), message, ...extra.data }, marks(extra))
  }

  /** Format 2 compares an answer with the stream that it embeds. */
  #streamOf(text: string, calls: readonly { id: string; name: string; arguments: string }[]): JsonValue[] {
    if (this.#version !== 2) return []
    const time0 = START + this.#seq
    const spoken = text === '' ? [] : [{ type: 'text-chunks', time0, index: 0, dt: [], texts: [text] }]
    const called = calls.map(({ id, name, arguments: args }, index) => ({
      type: 'tool-call-chunks',
      time0,
      index: index + spoken.length,
      dt: [],
      id,
      name,
      args: [args],
    }))
    return [...spoken, ...called]
  }

  #id(prefix: string): string {
    return `${prefix}${this.#seq}`
  }
}

export function textBlock(text: string): { type: string; text: string } {
  return { type: 'text', text }
}

export function imageBlock(name = 'a'): JsonObject {
  const attachment = {
    attachmentId: `sha256:${name.repeat(64).slice(0, 64)}`,
    mediaType: 'image/png',
    bytes: 10,
    width: 2,
    height: 2,
  }
  return { type: 'image', attachment }
}

function marks({ op = 'append', sources }: LaterExtra): Row {
  return { surfaceOp: op, ...(sources && { sourceEventSeqs: [...sources] }) }
}

/** One whole turn of format 2 to 4 with one tool call. */
export function laterBase(version: LaterVersion = 4): LaterLog {
  return later(version).turn((turn) => {
    turn.step((step) => {
      if (version >= 3) step.system()
      step.user('list files').request().tool('c1')
    })
  })
}
