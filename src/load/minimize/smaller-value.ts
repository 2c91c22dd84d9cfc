/**
 * A JSON value with less in it: members and items are left out and strings cut short, one after the other, as long as
 * what is left is good enough. What makes an event the event it is (types, roles, numbers, ids) stays what it is.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { fewest } from '../../core/search/fewest.ts'

/** Whether the whole is still good enough with this in the place of the old value. */
type Attempt = (value: JsonValue) => Promise<boolean>

/** Members that are neither left out nor changed. */
const FIXED: ReadonlySet<string> = new Set([
  ...['type', 'role', 'kind', 'version', 'id', 'op'],
  ...['seq', 'seq0', 'time', 'time0', 'turn', 'step', 'createdAt'],
])
/** Those of a row; what is in them may change. */
const KEPT: ReadonlySet<string> = new Set(['data'])
const ID_NAME = /Id$/
/** A string up to this length costs nobody anything, and may mean something. */
const SHORT = 8
const DEEPEST = 12

export async function smallerRow(
  row: JsonObject,
  attempt: (row: JsonObject) => Promise<boolean>,
): Promise<void> {
  await smallerObject(row, attempt as Attempt, 0)
}

async function smaller(value: JsonValue, attempt: Attempt, depth: number): Promise<void> {
  if (typeof value === 'string') await shorter(value, attempt)
  else if (depth >= DEEPEST) return
  else if (Array.isArray(value)) await smallerList(value, attempt, depth)
  else if (isJsonObject(value)) await smallerObject(value, attempt, depth)
}

async function smallerObject(object: JsonObject, attempt: Attempt, depth: number): Promise<void> {
  let left = object
  const change = async (changed: JsonObject): Promise<boolean> => {
    const holds = await attempt(changed)
    if (holds) left = changed
    return holds
  }
  for (const name of Object.keys(object).toReversed()) {
    if (FIXED.has(name)) continue
    const member = left[name] as JsonValue
    const isKept = depth === 0 && KEPT.has(name)
    if (!isKept && (await change(lacking(left, name)))) continue
    if (typeof member === 'string' && ID_NAME.test(name)) continue
    await smaller(member, (value) => change({ ...left, [name]: value }), depth + 1)
  }
}

function lacking(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([member]) => member !== name))
}

async function smallerList(list: readonly JsonValue[], attempt: Attempt, depth: number): Promise<void> {
  let left = await fewest(list, attempt)
  for (const index of [...left.keys()].toReversed()) {
    const change = async (item: JsonValue): Promise<boolean> => {
      const changed = left.with(index, item)
      const holds = await attempt(changed)
      if (holds) left = changed
      return holds
    }
    await smaller(left[index] as JsonValue, change, depth + 1)
  }
}

async function shorter(text: string, attempt: Attempt): Promise<void> {
  if (text.length <= SHORT || (await attempt(''))) return
  for (let left = text; left.length > SHORT; ) {
    const half = left.slice(0, left.length / 2)
    if (!(await attempt(half))) return
    left = half
  }
}
