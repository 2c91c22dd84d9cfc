/**
 * Small logs of format 0, written row by row. Without further ado the builder writes what a shipped DSH would:
 * seqs, times, turn and step numbers and sources follow by themselves. What a test wants broken it breaks with
 * `row`, `raw`, `edit` or `drop`.
 */
import type { SessionEvent } from '../../src/core/event/session-event.ts'
import type { JsonObject, JsonValue } from '../../src/core/json/json-value.ts'

export type Row = Record<string, JsonValue | undefined>

export interface MessageExtra {
  readonly sources?: readonly JsonValue[]
  readonly op?: JsonValue
}

const START = 1_700_000_000_000
const MODEL = { provider: 'p', model: 'm' }

export function log(): LogBuilder {
  return new LogBuilder()
}

export class LogBuilder {
  readonly #header: Row = {
    type: 'session',
    version: 0,
    id: 'session-00000000-0000-4000-8000-000000000001',
    createdAt: START,
    cwd: '/w',
    delegationDepth: 0,
  }
  /** Rows as objects, lines and bytes as they are. */
  readonly #lines: (Row | string | Buffer)[] = []
  #tail = Buffer.alloc(0)
  #headerLine: string | Buffer | undefined
  #seq = 0
  #turn = 0
  #step = 0
  #compactions = 0
  #assistant: Row | undefined
  #surface: number[] = []
  readonly #callSeqs = new Map<string, number>()

  get nextSeq(): number {
    return this.#seq
  }

  /** The surface as the rows so far give it. */
  get surface(): readonly number[] {
    return this.#surface
  }

  // The file -------------------------------------------------------------------------------------------------------

  /** Changes header fields; `undefined` removes one. */
  header(fields: Row): this {
    Object.assign(this.#header, fields)
    return this
  }

  /** A first line of one's own instead of the header. */
  firstLine(line: string | Buffer): this {
    this.#headerLine = line
    return this
  }

  /** A line as it is; a line feed follows it. */
  raw(line: string | Buffer): this {
    this.#lines.push(line)
    return this
  }

  /** A row as it is: anyone who writes it answers for its seq. */
  row(row: Row): this {
    this.#lines.push(row)
    return this
  }

  /** Bytes after the last line feed. */
  torn(bytes: string | Buffer): this {
    this.#tail = Buffer.from(bytes)
    return this
  }

  /** Changes the row of `seq` in place, or replaces it. */
  edit(seq: number, change: (row: Row) => Row | undefined): this {
    const index = this.#lines.findIndex((line) => isRow(line) && line.seq === seq)
    const row = structuredClone(this.#lines[index] as Row)
    this.#lines[index] = change(row) ?? row
    return this
  }

  /** Takes the row of `seq` out and leaves the others as they are. */
  drop(seq: number): this {
    const index = this.#lines.findIndex((line) => isRow(line) && line.seq === seq)
    this.#lines.splice(index, 1)
    return this
  }

  /** The next event gets this seq. */
  jumpTo(seq: number): this {
    this.#seq = seq
    return this
  }

  // Events ---------------------------------------------------------------------------------------------------------

  event(type: string, data: JsonValue = {}, extra: Row = {}): this {
    const seq = this.#seq++
    this.#lines.push({ type, seq, time: START + seq, data, ...extra })
    return this
  }

  turn(build: (turn: this) => unknown = () => {}, reason: JsonObject = { kind: 'completed' }): this {
    return this.openTurn(build).event('turn/end', { turn: this.#turn, reason })
  }

  openTurn(build: (turn: this) => unknown = () => {}): this {
    this.#step = 0
    this.event('turn/start', { turn: ++this.#turn })
    build(this)
    return this
  }

  step(build: (step: this) => unknown = () => {}): this {
    return this.openStep(build).event('step/end', this.#place())
  }

  openStep(build: (step: this) => unknown = () => {}): this {
    this.#step++
    this.event('step/start', this.#place())
    build(this)
    return this
  }

  request(): this {
    return this.event('request/header', { header: { config: MODEL, system: 's' }, reason: 'initial' })
  }

  user(text: string, source: JsonObject = { kind: 'user' }, extra: MessageExtra = {}): this {
    const content = [{ type: 'text', text }]
    return this.#surfaceEvent('user/message', { id: this.#id('u'), role: 'user', source, content }, extra)
  }

  chunk(text: string, type: 'text-delta' | 'reasoning-delta' = 'text-delta'): this {
    return this.event('assistant/chunk', { ...this.#place(), chunk: { type, index: 0, text } })
  }

  /** A packed row that stands for one chunk per text. */
  packed(texts: readonly string[]): this {
    const seq0 = this.#seq
    this.#seq += texts.length
    const data = { ...this.#place(), index: 0, dt: texts.slice(1).map(() => 1), texts: [...texts] }
    return this.row({ type: 'text-chunks', seq0, time0: START + seq0, data })
  }

  assistant(text: string, extra: MessageExtra & { readonly data?: JsonObject } = {}): this {
    const content = text === '' ? [] : [{ type: 'text', text }]
    const source = { kind: 'model', ...MODEL }
    const message = { id: this.#id('a'), role: 'assistant', source, content }
    this.#surfaceEvent('assistant/message', { ...this.#place(), message, ...extra.data }, extra)
    this.#assistant = this.#lines.at(-1) as Row
    return this
  }

  /** Adds a tool call to the last answer and records its start. */
  call(callId: string, name: string, args = '{}'): this {
    this.announce(callId, name, args)
    this.#callSeqs.set(callId, this.#seq)
    return this.event('tool/call', { ...this.#place(), callId, name, arguments: args })
  }

  /** Adds a tool call to the last answer; it is never recorded as started. */
  announce(id: string, name: string, args = '{}'): this {
    const data = this.#assistant?.data as { message: { content: JsonValue[] } } | undefined
    data?.message.content.push({ type: 'tool-call', id, name, arguments: args })
    return this
  }

  result(
    callId: string,
    text: string,
    extra: MessageExtra & { readonly data?: JsonObject; readonly isError?: boolean } = {},
  ): this {
    const started = this.#callSeqs.get(callId)
    const content = [{ type: 'text', text }]
    const block = {
      type: 'tool-result',
      toolCallId: callId,
      content,
      ...(extra.isError && { isError: true }),
    }
    const source = { kind: 'tool', callId }
    const message = { id: this.#id('r'), role: 'user', source, content: [block] }
    const sources = extra.sources ?? (started === undefined ? undefined : [started])
    return this.#surfaceEvent(
      'tool/result',
      { ...this.#place(), message, ...extra.data },
      { ...extra, ...(sources && { sources }) },
    )
  }

  /** A whole compaction of the nodes from `start` through `end`, which are positions on the surface by seq. */
  compaction(start: number, end: number = start, text = 'summary'): this {
    const compactionId = `x${++this.#compactions}`
    const shadowedSeqs = this.shadowedBy(start, end)
    this.event('compaction/start', { compactionId, turn: null })
    const range = {
      shadowedRange: { start, end },
      shadowedSeqs,
      shadowedTokenCount: 10 * shadowedSeqs.length,
    }
    const summary = [{ type: 'text', text }]
    this.event('compaction/summary', { compactionId, summary, ...range, ...MODEL })
    this.checkpoint(start, end, { sources: [this.#seq - 2, this.#seq - 1, ...shadowedSeqs] }, text)
    return this.event('compaction/end', { compactionId, turn: null })
  }

  /** The checkpoint of a compaction alone. */
  checkpoint(start: number, end: number = start, extra: MessageExtra = {}, text = 'summary'): this {
    const sources = extra.sources ?? this.shadowedBy(start, end)
    const source = { kind: 'plugin', plugin: 'compact', compactionId: `x${this.#compactions}` }
    return this.user(text, source, { op: { op: 'replace', start, end }, sources, ...extra })
  }

  /** Rewrites the result at `seq` with shorter text, as the pruner does. */
  prune(seq: number, text = '[pruned]'): this {
    const old = this.#lines.find((line): line is Row => isRow(line) && line.seq === seq)
    const data = structuredClone(old?.data) as { message: { content: [{ content: JsonValue }] } }
    data.message.content[0].content = [{ type: 'text', text }]
    const range = { shadowedRange: { start: seq, end: seq }, shadowedSeqs: [seq], shadowedTokenCount: 1 }
    this.event('compaction/prune', range)
    const op = { op: 'replace', start: seq, end: seq }
    return this.#surfaceEvent('tool/result', data as unknown as JsonObject, { op, sources: [seq] })
  }

  /** The current nodes from `start` through `end`. */
  shadowedBy(start: number, end: number): number[] {
    return this.#surface.slice(this.#surface.indexOf(start), this.#surface.indexOf(end) + 1)
  }

  // What comes out -------------------------------------------------------------------------------------------------

  /** The events, when every row is one. */
  events(): SessionEvent[] {
    return this.#lines.filter(isRow).map((row) => structuredClone(row) as unknown as SessionEvent)
  }

  lines(): Buffer[] {
    const first = this.#headerLine ?? JSON.stringify(this.#header)
    return [first, ...this.#lines].map((line) =>
      isRow(line) ? Buffer.from(JSON.stringify(line)) : Buffer.from(line as string),
    )
  }

  bytes(): Buffer {
    const lineFeed = Buffer.from('\n')
    return Buffer.concat([...this.lines().flatMap((line) => [line, lineFeed]), this.#tail])
  }

  text(): string {
    return this.bytes().toString('utf8')
  }

  #surfaceEvent(type: string, data: JsonObject, { op = 'append', sources }: MessageExtra): this {
    const seq = this.#seq
    if (isRow(op) && op.op === 'replace') {
      const [from, to] = [op.start, op.end].map((node) => this.#surface.indexOf(node as number))
      if (from !== undefined && to !== undefined && from >= 0 && to >= from)
        this.#surface.splice(from, to - from + 1, seq)
    } else if (op === 'append') this.#surface.push(seq)
    return this.event(type, data, { surfaceOp: op, ...(sources && { sourceEventSeqs: [...sources] }) })
  }

  #place(): { turn: number; step: number } {
    return { turn: this.#turn, step: this.#step }
  }

  #id(prefix: string): string {
    return `${prefix}${this.#seq}`
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value) && !Array.isArray(value)
}
