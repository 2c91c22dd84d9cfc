/**
 * Packed chunk rows (format.md §2.4): one stored line that stands for a run of `assistant/chunk` events. A row is
 * not an event, so a line number is not a seq. Any length from one member on is legal.
 */
import { isCount, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import type { DeltaSpan } from '../../core/replay/delta-run.ts'

const PAYLOAD: Readonly<Record<string, string>> = {
  'text-chunks': 'texts',
  'reasoning-chunks': 'texts',
  'tool-call-chunks': 'args',
}

export type ExpandedRow =
  | { readonly kind: 'row'; readonly rows: readonly JsonValue[] }
  | { readonly kind: 'malformed'; readonly problem: string }

interface PackedRow extends JsonObject {
  readonly type: string
}

/** Whether a row calls itself packed, well made or not. */
export function isPackedRow(value: JsonValue): value is PackedRow {
  return isJsonObject(value) && typeof value.type === 'string' && Object.hasOwn(PAYLOAD, value.type)
}

/** The event rows that a stored row stands for: itself, or the members of a packed row. */
export function expandRow(value: JsonValue): ExpandedRow {
  if (!isPackedRow(value)) return { kind: 'row', rows: [value] }
  const problem = rowProblem(value, value.type, PAYLOAD[value.type] as string)
  if (problem !== undefined) return { kind: 'malformed', problem: `malformed ${value.type} row: ${problem}` }
  return { kind: 'row', rows: members(value, value.type) }
}

/** The same, as far as they are objects; none of a malformed row. */
export function rowsOf(value: JsonValue): readonly JsonObject[] {
  const expanded = expandRow(value)
  return expanded.kind === 'row' ? expanded.rows.filter(isJsonObject) : []
}

/** What a packed row spans; absent when the value is none, is malformed, or when the times of its members go back. */
export function packedSpan(value: JsonValue): DeltaSpan | undefined {
  if (!isPackedRow(value)) return undefined
  const payload = PAYLOAD[value.type] as string
  if (rowProblem(value, value.type, payload) !== undefined) return undefined
  const data = value.data as JsonObject
  const gaps = data.dt as readonly number[]
  const firstTime = value.time0 as number
  let lastTime = firstTime
  for (const gap of gaps) {
    if (gap < 0) return undefined
    lastTime += gap
  }
  const { turn, step } = data as { readonly turn: number; readonly step: number }
  return { first: value.seq0 as number, count: gaps.length + 1, turn, step, firstTime, lastTime }
}

function rowProblem(row: JsonObject, tag: string, payload: string): string | undefined {
  const { seq0, time0, data } = row
  if (Object.keys(row).length !== 4 || !isJsonObject(data))
    return 'it needs exactly type, seq0, time0 and data'
  if (!isCount(seq0)) return 'seq0 is no seq'
  if (!Number.isSafeInteger(time0)) return 'time0 is no whole number'
  const keys = ['turn', 'step', 'index', 'dt', payload]
  if (tag === 'tool-call-chunks') {
    keys.push('id')
    if (Object.hasOwn(data, 'name')) keys.push('name')
  }
  if (Object.keys(data).length !== keys.length || keys.some((key) => !Object.hasOwn(data, key))) {
    return `data needs exactly ${keys.join(', ')}`
  }
  for (const key of ['turn', 'step', 'index']) if (typeof data[key] !== 'number') return `${key} is no number`
  if (tag === 'tool-call-chunks') {
    if (typeof data.id !== 'string') return 'id is no string'
    if (data.name !== undefined && typeof data.name !== 'string') return 'name is no string'
  }
  const texts = data[payload]
  const gaps = data.dt
  if (!Array.isArray(texts) || texts.length === 0 || !texts.every((text) => typeof text === 'string')) {
    return `${payload} is no list of strings`
  }
  if (!Array.isArray(gaps) || gaps.length !== texts.length - 1) return 'dt does not fit the number of members'
  let time = time0 as number
  for (const gap of gaps) {
    if (!Number.isSafeInteger(gap)) return 'dt holds something that is no whole number'
    time += gap as number
    if (!Number.isSafeInteger(time)) return 'a time is out of range'
  }
  return isCount(seq0 + (texts.length - 1)) ? undefined : 'a seq is out of range'
}

function members(row: JsonObject, tag: string): JsonObject[] {
  const data = row.data as JsonObject
  const { turn, step, index, id, name } = data
  const texts = data[PAYLOAD[tag] as string] as readonly string[]
  const gaps = data.dt as readonly number[]
  const seq0 = row.seq0 as number
  let time = row.time0 as number
  return texts.map((text, member) => {
    if (member > 0) time += gaps[member - 1] as number
    const chunk =
      tag === 'tool-call-chunks'
        ? { type: 'tool-call-delta', index, id, ...(name !== undefined && { name }), argumentsDelta: text }
        : { type: tag === 'text-chunks' ? 'text-delta' : 'reasoning-delta', index, text }
    return { type: 'assistant/chunk', seq: seq0 + member, time, data: { turn, step, chunk } } as JsonObject
  })
}
