/**
 * What is wrong inside the rows of a log whose rows are in their order, each mended from what it says itself and what the
 * rows before it say. A row that no reader could take is taken out.
 */
import type { Dialect } from '../../core/dialect/dialect.ts'
import { isCount, isJsonObject, type JsonObject } from '../../core/json/json-value.ts'
import { placeOf } from '../../core/repair/mend-relations.ts'
import { RowMender } from '../../core/repair/mend-row.ts'
import { MENDED_RULE, type RowContext, type RowMend } from '../../core/repair/row-mend.ts'
import { bytesIn, jsonLine, type RecordSource } from '../../storage/record-source.ts'
import { rowIn } from '../reading/stored-row.ts'
import type { RecordSpan } from './apply-edits.ts'
import type { LineMend } from './scan-records.ts'

export interface RowMends {
  readonly spans: readonly RecordSpan[]
  /** By the number of the line in the file. */
  readonly mends: ReadonlyMap<number, LineMend>
  /** Seqs of rows that are taken out. */
  readonly dropped: readonly number[]
}

export interface MendOptions {
  readonly dialect: Dialect
  readonly sessionId: string
  readonly createdAt: number
  readonly model: RowContext['model']
}

export async function mendRows(
  source: RecordSource,
  { dialect, sessionId, createdAt, model }: MendOptions,
): Promise<RowMends> {
  const mender = new RowMender(dialect, sessionId, createdAt, model)
  const spans: RecordSpan[] = []
  const mends = new Map<number, LineMend>()
  const dropped: number[] = []
  for await (const { record, value, next, deltas } of rowsWithNext(source, dialect)) {
    if (deltas > 0) {
      mender.passDeltas(value.seq0 as number, deltas)
      continue
    }
    const mend = mendOf(value, mender, dialect, record.bytes, next)
    if (mend === undefined) continue
    const { line } = record
    const { code: why, lines, lostBytes: lost } = mend
    spans.push({ first: line, last: line, change: { kind: 'replace', lines, lost, why } })
    mends.set(record.lineInFile, mend)
    if (lines.length === 0) dropped.push(value.seq as number)
  }
  return { spans, mends, dropped }
}

function mendOf(
  value: JsonObject,
  mender: RowMender,
  dialect: Dialect,
  lostBytes: number,
  next: RowContext['next'],
): LineMend | undefined {
  const seq = value.seq as number
  const mended = mender.mend(value, seq, next)
  const row = mended?.row ?? value
  if (dialect.rowDamage(row, seq) !== undefined) return { code: 'bytes/bad-line', lines: [], lostBytes }
  const empty = mender.emptyFault(value, row, seq)
  if (empty !== undefined) return { code: empty, lines: [], lostBytes }
  if (mended === undefined) return undefined
  const { mends } = mended
  const code = MENDED_RULE[mends[0] as RowMend]
  return { code, lines: [jsonLine(row)], lostBytes, row: { mends, seq } }
}

interface LocatedRow {
  readonly record: { readonly line: number; readonly lineInFile: number; readonly bytes: number }
  readonly value: JsonObject
  /** The deltas that a packed row stands for. */
  readonly deltas: number
}

/** Most rows that are held until one names a turn. */
const MOST_HELD = 100

/** In a format whose readers follow the turns, each with the next row that names one. */
async function* rowsWithNext(
  source: RecordSource,
  dialect: Dialect,
): AsyncGenerator<LocatedRow & { readonly next: RowContext['next'] }> {
  let held: LocatedRow[] = []
  for await (const row of rowsOf(source)) {
    const place = dialect.relations ? placeOf(row.value, dialect) : undefined
    const last = held.at(-1)?.value.seq
    const isGap = last !== undefined && row.value.seq !== (last as number) + 1
    if (isGap || place !== undefined || held.length >= MOST_HELD) {
      const next = isGap ? undefined : place
      for (const one of held) yield { ...one, next }
      held = []
    }
    if (dialect.relations) held.push(row)
    else yield { ...row, next: undefined }
  }
  for (const one of held) yield { ...one, next: 'end' }
}

async function* rowsOf(source: RecordSource): AsyncGenerator<LocatedRow> {
  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind !== 'record' || item.line === 1) continue
      const stored = rowIn(item)
      if (stored === undefined || !isJsonObject(stored.value) || !isCount(stored.seq)) continue
      const { line } = item
      const lineInFile = (item.was ?? item).origin.line ?? line
      yield {
        record: { line, lineInFile, bytes: bytesIn(item) },
        value: stored.value,
        deltas: stored.isPacked ? stored.events.length : 0,
      }
    }
  }
}
