/** What takes the bytes of a log. The sizes are those of its records as lines of text; a packed row counts once. */

import { SeqIndex } from '../../core/event/seq-index.ts'
import { answeredCallId, blocksOf, messageOf, type SessionEvent } from '../../core/event/session-event.ts'
import { isCount, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { stringifyJson } from '../../core/json/stringify-json.ts'
import { LastItems } from '../../core/projections/last-items.ts'
import type { LogSizes, SizeOf } from '../../core/projections/log-sizes.ts'
import { DELTA_TYPE } from '../../core/replay/delta-run.ts'
import type { Reducer } from '../../core/replay/reducer.ts'
import { Replay } from '../../core/replay/replay.ts'
import { textIn } from '../../core/replay/turn-cursor.ts'
import { isCompactCheckpoint } from '../../core/surface/surface-predicates.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { SessionReader } from '../reading/session-reader.ts'
import { Largest } from './largest.ts'
import { type RecordSizes, recordSizes } from './record-sizes.ts'
import { RepeatedPayloads } from './repeated-payloads.ts'

const MOST_RECORDS = 50
const MOST_TURNS = 1000
const MOST_COMPACTIONS = 1000

/** Reads the log for them alone: what a check remembers of every message is not held at the same time. */
export async function logSizes(source: RecordSource, limits: ReadLimits): Promise<LogSizes> {
  const sizes = sizesOf(await recordSizes(source))
  const replay = new Replay([sizes], () => {})
  for await (const items of new SessionReader(source, limits).items()) {
    for (const item of items) {
      if (item.kind === 'header') replay.begin(item.header)
      else if (item.kind === 'event') replay.push(item.event, item.origin)
    }
  }
  return sizes.finish(replay.end())
}

function sizesOf(records: RecordSizes): Reducer<LogSizes> {
  const types = new Map<string, { events: number; bytes: number }>()
  const tools = new ToolSizes()
  const payloads = new RepeatedPayloads()
  const images = { count: 0, bytes: 0, attachmentBytes: 0 }
  const largest = new Largest<SizeOf<'records'>>(MOST_RECORDS, ({ bytes }) => bytes)
  const turns = new Largest<SizeOf<'turns'>>(MOST_TURNS, ({ bytes }) => bytes)
  const compactions = new LastItems<SizeOf<'compactions'>>(MOST_COMPACTIONS)
  /** Bytes of the events that are on the surface. */
  const nodes = new SeqIndex()
  let inAnswers = 0
  let events = 0
  let lastLine: number | undefined
  let part:
    | { turn: number | undefined; seq: number; lastSeq: number; events: number; bytes: number }
    | undefined

  const endPart = (): void => {
    if (part === undefined) return
    const { turn, ...sizes } = part
    turns.add(turn === undefined ? sizes : { turn, ...sizes })
    part = undefined
  }

  return {
    on({ event, origin, effect, before, cursor }) {
      const { type, seq } = event
      // The events of a packed row come from one line, the first of them with all of it.
      const bytes = origin.line === lastLine ? 0 : records.of(origin)
      lastLine = origin.line
      events += bytes
      const known = types.get(type) ?? { events: 0, bytes: 0 }
      types.set(type, known)
      known.events++
      known.bytes += bytes

      const turn = cursor.openTurn ?? before.openTurn
      if (part !== undefined && part.turn !== turn) endPart()
      part ??= { turn, seq, lastSeq: seq, events: 0, bytes: 0 }
      part.lastSeq = seq
      part.events++
      part.bytes += bytes

      if (bytes > 0) largest.add({ seq, line: origin.line ?? 0, type, bytes })
      if (effect.kind === 'replace') {
        let removed = 0
        for (const shadowed of effect.replacement.shadowed) {
          removed += nodes.get(shadowed) ?? 0
          nodes.delete(shadowed)
        }
        if (isCompactCheckpoint(event))
          compactions.push({ seq, messages: effect.replacement.shadowed.length, removed, added: bytes })
      }
      if (effect.kind !== 'log-only') nodes.set(seq, bytes)
      if (type === DELTA_TYPE) return

      tools.take(event, bytes)
      takeImages(messageOf(event), images)
      const { stream, rest } = withoutStream(event.data)
      if (stream !== undefined) inAnswers += sizeOfJson(stream)
      payloads.take(rest, type, seq)
    },
    finish() {
      endPart()
      const deltas = types.get(DELTA_TYPE) ?? { events: 0, bytes: 0 }
      return {
        bytes: records.bytes,
        header: records.of({ line: 1 }),
        events,
        deltas: { ...deltas, inAnswers },
        types: [...types].map(([type, sizes]) => ({ type, ...sizes })).toSorted(byBytes),
        tools: tools.sizes(),
        images,
        repeated: payloads.sizes(),
        records: largest.items(),
        turns: turns.items(),
        turnsLeftOut: turns.leftOut,
        compactions: compactions.items(),
        compactionsLeftOut: compactions.leftOut,
      }
    },
  }
}

/** Bytes of calls and results by the name of the tool. */
class ToolSizes {
  readonly #tools = new Map<
    string,
    { calls: number; callBytes: number; results: number; resultBytes: number }
  >()
  /** Names of the calls that have no result yet. */
  readonly #open = new Map<string, string>()

  take(event: SessionEvent, bytes: number): void {
    if (event.type === 'tool/call') {
      const name = textIn(event, 'name')
      this.#open.set(textIn(event, 'callId'), name)
      const tool = this.#of(name)
      tool.calls++
      tool.callBytes += bytes
    } else if (event.type === 'tool/result') {
      const callId = answeredCallId(event) ?? ''
      const tool = this.#of(this.#open.get(callId) ?? '')
      this.#open.delete(callId)
      tool.results++
      tool.resultBytes += bytes
    }
  }

  /** Those that take most come first. A result without a call has no name. */
  sizes(): LogSizes['tools'] {
    return [...this.#tools]
      .map(([tool, sizes]) => ({ tool, ...sizes }))
      .toSorted((a, b) => b.callBytes + b.resultBytes - a.callBytes - a.resultBytes)
  }

  #of(name: string): { calls: number; callBytes: number; results: number; resultBytes: number } {
    const known = this.#tools.get(name) ?? { calls: 0, callBytes: 0, results: 0, resultBytes: 0 }
    this.#tools.set(name, known)
    return known
  }
}

function takeImages(
  message: JsonObject | undefined,
  sum: { count: number; bytes: number; attachmentBytes: number },
): void {
  for (const block of blocksOf(message)) {
    if (block.type === 'tool-result') takeImages(block, sum)
    if (block.type !== 'image') continue
    sum.count++
    sum.bytes += sizeOfJson(block)
    const { attachment } = block
    if (isJsonObject(attachment) && isCount(attachment.bytes)) sum.attachmentBytes += attachment.bytes
  }
}

/** The stream that answers of format 2 and later carry. Its texts are short, and are in the answer once more. */
function withoutStream(data: JsonValue): { stream?: JsonValue; rest: JsonValue } {
  if (!isJsonObject(data) || !Array.isArray(data.stream)) return { rest: data }
  const { stream, ...rest } = data
  return { stream, rest }
}

function sizeOfJson(value: JsonValue): number {
  return Buffer.byteLength(stringifyJson(value))
}

function byBytes(a: SizeOf<'types'>, b: SizeOf<'types'>): number {
  return b.bytes - a.bytes || (a.type < b.type ? -1 : 1)
}
