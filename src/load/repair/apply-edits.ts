/**
 * The one way in which a repair changes a log: edits are data, and the log with them is a source of records like any
 * other, so what is planned can be replayed and judged before a byte of it is written. Records that stay keep their
 * place in the file; what is new or rewritten has none.
 */
import { isCount, isJsonObject, type JsonObject, sameJson } from '../../core/json/json-value.ts'
import type { MemberEdit } from '../../core/json/member-edit.ts'
import type { EventEdits } from '../../core/repair/event-edits.ts'
import { NOTHING_MOVES } from '../../core/repair/event-edits.ts'
import { renumberRow } from '../../core/repair/renumber-row.ts'
import { patchRow } from '../../core/repair/row-patch.ts'
import type { SeqMap } from '../../core/repair/seq-map.ts'
import { rowsOf } from '../../storage/packed-rows/expand-row.ts'
import {
  jsonLine,
  type RecordContent,
  type RecordSource,
  type StoredItem,
  type StoredRecord,
} from '../../storage/record-source.ts'
import { rowIn } from '../reading/stored-row.ts'
import type { Quarantine } from './quarantine.ts'

/** What becomes of a record. */
export type RecordChange =
  /** Other lines in its place; its first `lost` bytes belong to none of them. */
  | {
      readonly kind: 'replace'
      readonly lines: readonly Buffer[]
      readonly lost: number
      readonly why: string
    }
  /** Its rows from one seq up to another stay, the rest is taken out. */
  | { readonly kind: 'keep'; readonly from: number; readonly until: number; readonly why: string }
  /** Numbered anew from `seq` on; `from` is what the first of them carries. */
  | { readonly kind: 'number'; readonly seq: number; readonly from: number | undefined }

/** Changes of records by their positions, rising and without overlap. */
export interface RecordSpan {
  readonly first: number
  readonly last: number
  readonly change: RecordChange
}

export interface RecordEdits {
  readonly spans: readonly RecordSpan[]
  /** A header in front of the first record, for a log that has lost its own. */
  readonly header?: JsonObject
  /** Records that come in another place, in the order in which they are to come. */
  readonly moves?: readonly RecordMove[]
}

/** The records from `first` to `last` come before the record `before`, or at the end where there is none. */
export interface RecordMove {
  readonly first: number
  readonly last: number
  readonly before: number | undefined
}

/** A log with changes of its records. Bytes that no record could be made of go to quarantine as well. */
export function applyRecordEdits(
  source: RecordSource,
  { spans, header, moves = [] }: RecordEdits,
  quarantine: Quarantine,
): RecordSource {
  const edited = editedRecords(source, spans, header, quarantine)
  return moves.length === 0 ? edited : movedRecords(edited, moves)
}

function editedRecords(
  source: RecordSource,
  spans: readonly RecordSpan[],
  header: JsonObject | undefined,
  quarantine: Quarantine,
): RecordSource {
  return rewritten(source, quarantine, () => {
    let next = 0
    let front = header
    return {
      edit(record): EditedLines {
        while (next < spans.length && (spans[next] as RecordSpan).last < record.line) next++
        const span = spans[next]
        const isMeant = span !== undefined && span.first <= record.line
        const lines = isMeant ? changed(record, span.change, quarantine) : undefined
        if (front === undefined) return lines
        const first = jsonLine(front)
        front = undefined
        return [first, ...(lines ?? [KEPT])]
      },
    }
  })
}

/** Records in another order. Those that move are held in memory, which the plan has bounded. */
function movedRecords(source: RecordSource, moves: readonly RecordMove[]): RecordSource {
  const spans = moves.toSorted((a, b) => a.first - b.first)
  let held: Promise<ReadonlyMap<number, StoredRecord>> | undefined
  return {
    async *items(fromLine = 1): AsyncIterable<readonly StoredItem[]> {
      held ??= heldRecords(source, spans)
      const records = await held
      let line = 0
      let next = 0
      const due = (before: number): StoredRecord[] => {
        const taken: StoredRecord[] = []
        for (; next < moves.length && ((moves[next] as RecordMove).before ?? Infinity) <= before; next++) {
          const { first, last } = moves[next] as RecordMove
          for (let at = first; at <= last; at++)
            taken.push({ ...(records.get(at) as StoredRecord), line: ++line })
        }
        return taken
      }
      for await (const batch of source.items()) {
        const wanted: StoredRecord[] = []
        for (const item of batch) {
          if (item.kind !== 'record') continue
          for (const one of due(item.line)) wanted.push(one)
          if (!records.has(item.line)) wanted.push({ ...item, line: ++line })
        }
        const shown = wanted.filter((record) => record.line >= fromLine)
        if (shown.length > 0) yield shown
      }
      const end = due(Number.POSITIVE_INFINITY).filter((record) => record.line >= fromLine)
      if (end.length > 0) yield end
    },
  }
}

async function heldRecords(
  source: RecordSource,
  spans: readonly RecordMove[],
): Promise<ReadonlyMap<number, StoredRecord>> {
  const held = new Map<number, StoredRecord>()
  let next = 0
  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind !== 'record') continue
      while (next < spans.length && (spans[next] as RecordMove).last < item.line) next++
      const span = spans[next]
      if (span === undefined || item.line < span.first) continue
      const { content } = item
      const was = item.was && { ...item.was, content: ownContent(item.was.content) }
      held.set(item.line, { ...item, content: ownContent(content), ...(was !== undefined && { was }) })
    }
  }
  return held
}

/** Content that stays valid after its batch. */
function ownContent(content: RecordContent): RecordContent {
  return content.kind === 'bytes' ? { kind: content.kind, bytes: Buffer.from(content.bytes) } : content
}

/** A log with changes of its events. */
export function applyEventEdits(
  source: RecordSource,
  { names = NOTHING_MOVES, why = 'dropped', patches, header: changes = [], inserted = [] }: EventEdits,
  quarantine: Quarantine,
): RecordSource {
  const { map } = names
  return rewritten(source, undefined, () => {
    let next = 0
    const insertedBefore = (seq: number): Buffer[] => {
      const lines: Buffer[] = []
      for (; next < inserted.length && ((inserted[next] as JsonObject).seq as number) < seq; next++)
        lines.push(jsonLine(inserted[next] as JsonObject))
      return lines
    }
    return {
      edit(record): EditedLines {
        if (record.line === 1) {
          const header = changedHeader(record, map, changes)
          if (header !== undefined) quarantine.changed(record, 'changed')
          return header
        }
        const row = rowIn(record)?.value
        const seq = isJsonObject(row) ? (row.seq0 ?? row.seq) : undefined
        if (!isJsonObject(row) || !isCount(seq)) return undefined
        const rows = rowsOf(row)
        const last = seq + rows.length - 1
        const isPatched = patches !== undefined && rows.some((_, member) => patches.has(seq + member))
        if (map.keepsBelow(last + 1) && !isPatched) return undefined
        const renamed = map.of(seq)
        // The members of a packed row move together, or each of them becomes a row of its own.
        if (!isPatched && renamed !== undefined && map.of(last) === renamed + rows.length - 1) {
          const moved = renumberRow(row, renamed, names)
          if (sameJson(moved, row)) return [...insertedBefore(renamed), KEPT]
          quarantine.changed(record, 'renumbered')
          return [...insertedBefore(renamed), jsonLine(moved)]
        }
        if (isPatched) quarantine.changed(record, 'changed')
        const lines: Buffer[] = []
        for (const [member, one] of rows.entries()) {
          const own = map.of(seq + member)
          if (own === undefined) {
            quarantine.record(record, why, jsonLine(one))
            continue
          }
          const patched = (patches?.get(seq + member) ?? []).reduce(patchRow, one)
          const isSame = own === seq + member && map.keepsBelow(own + 1)
          for (const inserted of insertedBefore(own)) lines.push(inserted)
          lines.push(jsonLine(isSame ? patched : renumberRow(patched, own, names)))
        }
        return lines
      },
      end: () => insertedBefore(Number.POSITIVE_INFINITY),
    }
  })
}

/** In the place of a line: the record as it is. */
const KEPT = 'kept' as const

type EditedLines = readonly (Buffer | typeof KEPT)[] | undefined

interface Editor {
  /** The lines that stand for a record from now on; `undefined` keeps it as it is. */
  edit(record: StoredRecord): EditedLines
  /** Lines after the last record. */
  end?(): readonly Buffer[]
}

/** @param begin - a fresh editor for every reading. @param lost - where bytes of the container go that are no record. */
function rewritten(source: RecordSource, lost: Quarantine | undefined, begin: () => Editor): RecordSource {
  return {
    async *items(fromLine = 1): AsyncIterable<readonly StoredItem[]> {
      const editor = begin()
      let line = 0
      for await (const batch of source.items()) {
        const records: StoredRecord[] = []
        for (const item of batch) {
          if (item.kind === 'fault') lost?.fault(item)
          else {
            const lines = editor.edit(item)
            // In a log that is written anew no frame hides anything.
            const { standing: _, ...kept } = item
            for (const bytes of lines ?? [KEPT])
              records.push(bytes === KEPT ? { ...kept, line: ++line } : newRecord(bytes, ++line, item))
          }
        }
        const wanted = fromLine > 1 ? records.filter((record) => record.line >= fromLine) : records
        if (wanted.length > 0) yield wanted
      }
      const end = editor.end?.() ?? []
      if (end.length > 0) yield end.map((bytes) => newRecord(bytes, ++line))
    },
  }
}

/** @param from - the record that it stands for. */
function newRecord(bytes: Buffer, line: number, from?: StoredRecord): StoredRecord {
  const was = from && (from.was ?? { origin: from.origin, content: from.content })
  const content = { kind: 'bytes', bytes } as const
  return { kind: 'record', line, origin: {}, content, ended: true, ...(was !== undefined && { was }) }
}

function changed(
  record: StoredRecord,
  change: RecordChange,
  quarantine: Quarantine,
): readonly Buffer[] | undefined {
  const { content } = record
  switch (change.kind) {
    case 'replace': {
      const { lines, lost, why } = change
      if (lines.length > 0 && record.was !== undefined) return lines
      if (content.kind !== 'bytes') quarantine.record(record, why)
      else if (lost > 0) quarantine.record(record, why, content.bytes.subarray(0, lost))
      return lines
    }
    case 'keep': {
      const { from, until, why } = change
      const row = rowIn(record)?.value
      const seq = isJsonObject(row) ? (row.seq0 ?? row.seq) : undefined
      const rows = isJsonObject(row) && isCount(seq) ? rowsOf(row) : []
      const kept = rows.filter(({ seq: own }) => (own as number) >= from && (own as number) < until)
      if (rows.length > 0 && kept.length === rows.length) return undefined
      const rest = rows.filter((one) => !kept.includes(one))
      quarantine.record(record, why, kept.length === 0 ? undefined : joined(rest))
      return kept.map(jsonLine)
    }
    case 'number': {
      const row = rowIn(record)?.value
      if (!isJsonObject(row)) return undefined
      quarantine.changed(record, 'renumbered')
      const own = row.seq0 ?? row.seq
      const isRun = change.from !== undefined && isCount(own)
      const seq = isRun ? own - (change.from as number) + change.seq : change.seq
      return [jsonLine(row.seq0 === undefined ? { ...row, seq } : { ...row, seq0: seq })]
    }
  }
}

function joined(rows: readonly JsonObject[]): Buffer {
  return Buffer.from(rows.map((row) => jsonLine(row).toString('utf8')).join('\n'))
}

/** A fork counts its inherited events in the header. */
function changedHeader(
  record: StoredRecord,
  map: SeqMap,
  changes: readonly MemberEdit[],
): readonly Buffer[] | undefined {
  const stored = rowIn(record)?.value
  if (!isJsonObject(stored)) return undefined
  const header = patchRow(stored, { kind: 'members', changes })
  const seedLength = isCount(header.seedLength) ? map.countBelow(header.seedLength) : undefined
  if (changes.length === 0 && seedLength === header.seedLength) return undefined
  return [jsonLine({ ...header, ...(seedLength !== undefined && { seedLength }) })]
}
