/** A JSON document with one thing in it changed: every member removed, or of every other type. */
import { isJsonObject } from '../../src/core/json/json-value.ts'

export interface JsonMutant {
  /** What was changed: a JSON Pointer, and how. */
  readonly change: string
  readonly value: unknown
}

/** The values that take the place of another. */
const OTHERS = [null, true, -1, 1.5, 1e300, 'text', '', '\0', [], [null], {}, { a: 1 }]

/** Of long lists the first items are changed. */
const MOST_ITEMS = 3

export function* jsonMutants(value: unknown, place = ''): Iterable<JsonMutant> {
  for (const other of OTHERS) yield { change: `${place || 'all'} is ${JSON.stringify(other)}`, value: other }
  if (!isJsonObject(value) && !Array.isArray(value)) return
  for (const [name, member] of Object.entries(value).slice(
    0,
    Array.isArray(value) ? MOST_ITEMS : undefined,
  )) {
    const at = `${place}/${name}`
    yield { change: `${at} is gone`, value: changed(value, name, undefined) }
    for (const mutant of jsonMutants(member, at))
      yield { change: mutant.change, value: changed(value, name, mutant.value) }
  }
}

function changed(value: object, name: string, member: unknown): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      if (String(index) !== name) return [item]
      return member === undefined ? [] : [member]
    })
  }
  const { [name]: _old, ...others } = value as Readonly<Record<string, unknown>>
  return member === undefined ? others : { ...others, [name]: member }
}
