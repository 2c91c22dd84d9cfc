/** A report that a model can be given: whole where it fits, and otherwise with its texts and lists cut. */
import type { JsonValue } from '../../core/json/json-value.ts'

export interface BoundedText {
  readonly text: string
  /** What was cut, in words; absent where nothing was. */
  readonly cut?: string
}

/** What is left of texts, in UTF-16 units, and of lists, from generous to short. */
const SIZES: readonly (readonly [units: number, items: number])[] = [
  [4000, 1000],
  [1000, 500],
  [500, 200],
  [200, 100],
  [200, 30],
  [100, 10],
  [40, 3],
]

/** @param most - bytes of the text. */
export function boundedText(whole: string, most: number): BoundedText {
  if (Buffer.byteLength(whole) <= most) return { text: whole }
  const value = JSON.parse(whole) as JsonValue
  for (const [units, items] of SIZES) {
    const text = JSON.stringify(shortened(value, units, items))
    if (Buffer.byteLength(text) <= most)
      return {
        text,
        cut: `The answer was cut: lists after ${items} items, texts after ${units} characters. Ask for a part of it.`,
      }
  }
  return { text: '{}', cut: `The answer is longer than ${most} bytes. Ask for a part of it.` }
}

function shortened(value: JsonValue, units: number, items: number): JsonValue {
  if (typeof value === 'string') return value.length > units ? `${whole(value.slice(0, units))}…` : value
  if (Array.isArray(value))
    return value.slice(0, items).map((item: JsonValue) => shortened(item, units, items))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, shortened(inner as JsonValue, units, items)]),
  )
}

/** Half a character is none. */
function whole(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '')
}
