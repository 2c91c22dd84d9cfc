/** A packed row with members of the wrong shape, as one that readers take: every text that it holds stays (format.md §2.4). */
import { isCount, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { expandRow, isPackedRow } from '../../storage/packed-rows/expand-row.ts'

export interface MendedPackedRow {
  readonly row: JsonObject
  /** Absent where the row has no usable one: its place in the log tells it. */
  readonly seq: number | undefined
  /** Number of events that it stands for. */
  readonly count: number
}

/** Whether a row holds what packed rows hold, whatever it calls itself. */
export function looksPacked({ data, seq0 }: JsonObject): boolean {
  return seq0 !== undefined && isJsonObject(data) && [data.texts, data.args].some(isTexts)
}

export function mendPackedRow(row: JsonObject): MendedPackedRow | undefined {
  const { data } = row
  if (!isJsonObject(data)) return undefined
  const type = tagOf(row, data)
  const isCall = type === 'tool-call-chunks'
  const texts = [data.texts, data.args].find(isTexts)
  const [seq] = [row.seq0, row.seq].filter(isCount)
  const time0 = wholeNumber(row.time0) ?? wholeNumber(row.time)
  const [turn, step, index] = [data.turn, data.step, data.index].map(wholeNumber)
  if (texts === undefined || time0 === undefined) return undefined
  if (turn === undefined || step === undefined || index === undefined) return undefined
  const stored = Array.isArray(data.dt) ? data.dt : []
  const dt = texts.slice(1).map((_, member) => wholeNumber(stored[member]) ?? 0)
  const id = typeof data.id === 'string' ? data.id : ''
  const name = typeof data.name === 'string' ? { name: data.name } : {}
  const mended = {
    type,
    seq0: seq ?? 0,
    time0,
    data: { turn, step, index, ...(isCall && { id, ...name }), dt, [isCall ? 'args' : 'texts']: texts },
  } as JsonObject
  return expandRow(mended).kind === 'row' ? { row: mended, seq, count: texts.length } : undefined
}

/** Where nothing says whether texts are reasoning, they are taken for what most texts are. */
function tagOf(row: JsonObject, { args }: JsonObject): string {
  if (isPackedRow(row)) return row.type
  return isTexts(args) ? 'tool-call-chunks' : 'text-chunks'
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string')
}

function wholeNumber(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  const whole = typeof number === 'number' ? Math.trunc(number) : undefined
  return Number.isSafeInteger(whole) ? whole : undefined
}
