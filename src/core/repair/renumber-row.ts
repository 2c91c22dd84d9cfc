/**
 * A stored row under its new number, with every reference to another event renamed (format.md §4.2, §4.3, §9.3):
 * sources, the ends of a replacement, the lists of a compaction, titles, command results, image targets, tools of a
 * developer message. An upload watermark (`throughSeq`) counts what another machine has, and stays, unless it would name
 * its own event or a later one, which readers refuse.
 */
import { readSources } from '../dialect/source-ranges.ts'
import { CLOSING_RESULT_ID, isForkedResultId } from '../event-types/closers.ts'
import { renamedData } from '../event-types/references.ts'
import { isCount, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { SeqMap } from './seq-map.ts'

export interface Renaming {
  readonly map: Pick<SeqMap, 'of'>
  /** New events that go with an old one wherever it is cited or shadowed. */
  readonly followers: ReadonlyMap<number, readonly number[]>
  /** Old last node of a range → the new event that ends it, where the range holds the event `with` too. */
  readonly rangeEnds: ReadonlyMap<number, { readonly end: number; readonly with: number }>
}

export function renaming(map: Renaming['map']): Renaming {
  return { map, followers: new Map(), rangeEnds: new Map() }
}

/** @param seq - the new number. @returns the row as it has to be stored. */
export function renumberRow(row: JsonObject, seq: number, names: Renaming): JsonObject {
  const renamed: Record<string, JsonValue | undefined> = { ...row }
  if (row.seq0 === undefined) renamed.seq = seq
  else renamed.seq0 = seq
  const cited = citedBy(row)
  if (cited !== undefined) {
    const sources = renameList(cited, seq, names)
    // A list that has lost all its members says nothing any more; the empty list says something else.
    if (sources.length > 0 || cited.length === 0) renamed.sourceEventSeqs = sources
    else delete renamed.sourceEventSeqs
  }
  if (isJsonObject(row.surfaceOp)) renamed.surfaceOp = renameOperation(row.surfaceOp, cited ?? [], names)
  if (typeof row.type === 'string' && row.data !== undefined)
    renamed.data = renamedData(row.type, row.data, {
      seq: (named) => names.map.of(named),
      list: (seqs, grows) => renameList(seqs, seq, grows ? names : renaming(names.map)),
      range: (range, listed) => renameRange(range, listed, names),
    })
  return withEarlierMark(withForkedId(renamed as JsonObject, names), row.seq, seq)
}

function withEarlierMark(row: JsonObject, before: JsonValue | undefined, seq: number): JsonObject {
  if (row.type !== 'session-log-deepseek/delivery-accepted' || !isJsonObject(row.data)) return row
  const { throughSeq } = row.data
  if (!isCount(throughSeq) || !isCount(before) || throughSeq >= before || throughSeq < seq || seq === 0)
    return row
  return { ...row, data: { ...row.data, throughSeq: seq - 1 } }
}

/** A result that a fork wrote names its own seq in its id, and a rewrite of it the seq of that (format.md §7.3). */
function withForkedId(row: JsonObject, { map }: Renaming): JsonObject {
  const message = isJsonObject(row.data) ? row.data.message : undefined
  if (row.type !== 'tool/result' || !isJsonObject(message) || !isForkedResultId(message.id)) return row
  const [, prefix, callId, seq] = CLOSING_RESULT_ID.exec(message.id as string) ?? []
  const moved = seq === undefined ? undefined : map.of(-Number(seq))
  if (moved === undefined) return row
  const data = { ...(row.data as JsonObject), message: { ...message, id: `${prefix}${callId}-${moved}` } }
  return { ...row, data }
}

function citedBy(row: JsonObject): readonly number[] | undefined {
  if (row.sourceEventSeqs === undefined) return undefined
  const sources = readSources(row.sourceEventSeqs, Number.MAX_SAFE_INTEGER)
  return sources.kind === 'list' ? sources.seqs : undefined
}

/** @param own - the new number of the event that gives the list: it cannot name what comes after it. */
function renameList(seqs: readonly number[], own: number, { map, followers }: Renaming): readonly number[] {
  const renamed: number[] = []
  for (const seq of seqs) {
    const name = map.of(seq)
    if (name === undefined) continue
    renamed.push(name, ...(followers.get(seq) ?? []).filter((follower) => follower < own))
  }
  return renamed
}

/** A replacement of nodes that are all gone replaces nothing: what it says comes last. */
function renameOperation(op: JsonObject, cited: readonly number[], names: Renaming): JsonValue {
  const first = op.start ?? op.startSeq
  const isLost = isCount(first) && cited.includes(first) && endOf(first, false, cited, names) === undefined
  return isLost ? 'append' : renameRange(op, cited, names)
}

function renameRange(range: JsonObject, cited: readonly number[], names: Renaming): JsonObject {
  const renamed: Record<string, JsonValue | undefined> = { ...range }
  for (const key of ['start', 'startSeq', 'end', 'endSeq']) {
    const seq = range[key]
    if (isCount(seq)) renamed[key] = endOf(seq, key.startsWith('end'), cited, names) ?? seq
  }
  return renamed as JsonObject
}

/**
 * A range whose first or last node is gone begins or ends with the next one that the event still cites. Writers cite in
 * the order of the surface, which is not that of the numbers once a checkpoint is before older messages.
 */
function endOf(
  seq: number,
  isLast: boolean,
  cited: readonly number[],
  { map, rangeEnds }: Renaming,
): number | undefined {
  const longer = isLast ? rangeEnds.get(seq) : undefined
  if (longer !== undefined && cited.includes(longer.with)) return longer.end
  const at = cited.indexOf(seq)
  if (at === -1) return map.of(seq)
  const inner = isLast ? cited.slice(0, at + 1).toReversed() : cited.slice(at)
  const nearest = inner.find((source) => map.of(source) !== undefined)
  return nearest === undefined ? undefined : map.of(nearest)
}
