/** Runs of streamed deltas as the replay knows them, and the single events that they stand for. */
import type { Origin } from '../../core/findings/origin.ts'
import { isCount, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { DELTA_TYPE, type DeltaRun, type DeltaSpan } from '../../core/replay/delta-run.ts'
import { expandRow, packedSpan } from '../../storage/packed-rows/expand-row.ts'
import type { StoredDeltas, StoredRecord } from '../../storage/record-source.ts'
import type { EventDecoder } from './event-decoder.ts'
import type { LocatedEvent, QuietItem } from './log-item.ts'
import { rowIn } from './stored-row.ts'

const LF = 10

/** The run of lines that were recognised by their bytes. */
export function runOfLines(stored: StoredDeltas): DeltaRun {
  const { first, count, turn, step, firstTime, lastTime, bytes } = stored
  return {
    first,
    count,
    turn,
    step,
    firstTime,
    lastTime,
    *deltas() {
      for (const { content } of recordsIn(stored)) {
        const { bytes: line } = content as { bytes: Buffer }
        yield* chunksOf(JSON.parse(line.toString('utf8')))
      }
    },
    keep: () => runOfLines({ ...stored, bytes: Buffer.from(bytes) }),
  }
}

/** The deltas of a row, single or packed. */
function* chunksOf(value: JsonValue): Iterable<JsonObject> {
  const expanded = expandRow(value)
  const rows = expanded.kind === 'row' ? expanded.rows : []
  for (const row of rows) yield (row as { readonly data: { readonly chunk: JsonObject } }).data.chunk
}

/** The lines of a run as the records that they are. */
export function* recordsIn(stored: StoredDeltas): Iterable<StoredRecord> {
  const { bytes, byteOffset, frame, standing } = stored
  let line = stored.line
  let start = 0
  for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
    const place = frame === undefined ? { byteOffset: byteOffset + start } : { byteOffset, frame }
    const origin = { line, ...place, byteLength: end - start }
    const content = { kind: 'bytes' as const, bytes: bytes.subarray(start, end) }
    yield { kind: 'record', line, origin, content, ended: true, ...(standing !== undefined && { standing }) }
    line++
    start = end + 1
  }
}

/** The run of a packed row; absent when the value is none, or when its times go back. */
export function runOfPackedRow(value: JsonValue): DeltaRun | undefined {
  const span = packedSpan(value)
  if (span === undefined) return undefined
  const run: DeltaRun = {
    ...span,
    deltas: () => chunksOf(value),
    keep: () => run,
  }
  return run
}

/** A run that grows row by row, for containers whose rows have been decoded already. */
export class RowRun implements DeltaRun {
  readonly first: number
  readonly turn: number
  readonly step: number
  readonly firstTime: number
  lastTime: number
  readonly #records: StoredRecord[] = []

  constructor({ first, turn, step, firstTime, lastTime }: DeltaSpan, record: StoredRecord) {
    this.first = first
    this.turn = turn
    this.step = step
    this.firstTime = firstTime
    this.lastTime = lastTime
    this.#records.push(record)
  }

  get count(): number {
    return this.#records.length
  }

  /** Takes the next row when it continues the run. */
  takes(span: DeltaSpan, record: StoredRecord): boolean {
    const { first, turn, step, firstTime, lastTime } = span
    const goesOn =
      first === this.first + this.count &&
      turn === this.turn &&
      step === this.step &&
      firstTime >= this.lastTime
    if (!goesOn) return false
    this.lastTime = lastTime
    this.#records.push(record)
    return true
  }

  records(): readonly StoredRecord[] {
    return this.#records
  }

  *deltas(): Iterable<JsonObject> {
    for (const { content } of this.#records) {
      if (content.kind === 'value') yield* chunksOf(content.value)
    }
  }

  keep(): DeltaRun {
    return this
  }
}

/** A run as an item, with the single events it stands for. */
export function quietItem(
  run: DeltaRun,
  origin: Origin,
  records: () => Iterable<StoredRecord>,
  decoder: EventDecoder,
): QuietItem {
  function* events(): Iterable<LocatedEvent> {
    let seq = run.first
    for (const record of records()) {
      const rows = rowIn(record, decoder.dialect)?.events ?? []
      for (const [member, row] of rows.entries()) {
        const place = rows.length === 1 ? record.origin : { ...record.origin, member }
        yield { kind: 'event', event: decoder.decode(row as JsonObject, seq++, place), origin: place }
      }
    }
  }
  return { kind: 'deltas', run, origin, events }
}

const DELTAS: ReadonlySet<unknown> = new Set(['text-delta', 'reasoning-delta', 'tool-call-delta'])

/** What the row of one delta spans; absent for any other row, and for one with anything more to it. */
export function spanOfRow(value: JsonValue): DeltaSpan | undefined {
  if (!isJsonObject(value) || value.type !== DELTA_TYPE || Object.keys(value).length !== 4) return undefined
  const { seq, time, data } = value
  if (!isCount(seq) || !isCount(time) || !isJsonObject(data) || Object.keys(data).length !== 3)
    return undefined
  const { turn, step, chunk } = data
  if (!isCount(turn) || !isCount(step) || !isJsonObject(chunk) || !DELTAS.has(chunk.type)) return undefined
  return { first: seq, count: 1, turn, step, firstTime: time, lastTime: time }
}
