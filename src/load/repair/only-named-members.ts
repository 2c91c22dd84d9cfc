/**
 * Whether a log differs from the one before in what an edit names, and in nothing else: the two are read side by side,
 * event by event. What the edit does is not asked of the code that does it.
 */
import {
  isCount,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  sameJson,
} from '../../core/json/json-value.ts'
import { type EventEdits, NOTHING_MOVES } from '../../core/repair/event-edits.ts'
import { renumberRow } from '../../core/repair/renumber-row.ts'
import type { RowPatch } from '../../core/repair/row-patch.ts'
import { expandRow } from '../../storage/packed-rows/expand-row.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { rowIn } from '../reading/stored-row.ts'

/** @returns the seq of an event that differs in something else; `undefined` when there is none. */
export async function strayChange(
  before: RecordSource,
  after: RecordSource,
  { names = NOTHING_MOVES, patches, inserted = [] }: EventEdits,
): Promise<number | undefined> {
  const added = new Set(inserted.map(({ seq }) => seq))
  const rest = eventsOf(after)
  for await (const [seq, row] of eventsOf(before)) {
    const moved = names.map.of(seq)
    if (moved === undefined) continue
    let next = await rest.next()
    while (next.done !== true && added.has(next.value[0])) next = await rest.next()
    if (next.done === true || next.value[0] !== moved) return seq
    const expected = renumberRow(row, moved, names)
    const ways = (patches?.get(seq) ?? []).flatMap(waysOf)
    if (!isSameBut(expected, renumberRow(next.value[1], moved, NOTHING_MOVES), ways)) return seq
  }
  for (let next = await rest.next(); next.done !== true; next = await rest.next())
    if (!added.has(next.value[0])) return next.value[0]
  return undefined
}

type Key = string | number | '*'

function waysOf(patch: RowPatch): readonly (readonly Key[])[] {
  switch (patch.kind) {
    case 'members':
      return patch.changes.map(({ at }) => at)
    case 'call-id':
      return [
        ['data', 'callId'],
        ['data', 'message', 'toolCallId'],
        ['data', 'message', 'source', 'callId'],
        ['data', 'message', 'content', '*', 'toolCallId'],
      ]
    default:
      return []
  }
}

function isSameBut(
  one: JsonValue | undefined,
  other: JsonValue | undefined,
  ways: readonly (readonly Key[])[],
): boolean {
  if (ways.some((way) => way.length === 0)) return true
  if (ways.length === 0) return sameJson(one, other)
  const below = (key: string | number): readonly (readonly Key[])[] =>
    ways.flatMap(([first, ...rest]) => (first === key || first === '*' ? [rest] : []))
  if (Array.isArray(one) && Array.isArray(other)) {
    const list = other
    return (
      one.length === list.length && one.every((item, index) => isSameBut(item, list[index], below(index)))
    )
  }
  if (!isJsonObject(one as JsonValue) || !isJsonObject(other as JsonValue)) return sameJson(one, other)
  const [left, right] = [one as JsonObject, other as JsonObject]
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].every((key) => isSameBut(left[key], right[key], below(key)))
}

async function* eventsOf(source: RecordSource): AsyncGenerator<readonly [seq: number, row: JsonObject]> {
  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind === 'fault' || item.line === 1) continue
      const row = rowIn(item)?.value
      if (row === undefined || !isJsonObject(row)) continue
      const expanded = expandRow(row)
      if (expanded.kind !== 'row') continue
      for (const one of expanded.rows) if (isJsonObject(one) && isCount(one.seq)) yield [one.seq, one]
    }
  }
}
