/**
 * Where a value that was read back is not what its schema says. It knows the keywords that `json-schema.ts` writes and
 * no others; a test holds it against a full validator. Loaded only when something is read back.
 */
import type { JsonSchema, Schema } from './json-schema.ts'
import { isJsonObject } from './json-value.ts'

/** The first value that is wrong. */
export interface Mismatch {
  /** A JSON Pointer: `/steps/3/kind`; empty for the whole document. */
  readonly pointer: string
  /** What should be there, and what is: `expected text, found a number`. */
  readonly problem: string
}

/** Whether the value is what the schema says; `mismatchIn` tells where it is not. */
export function isOf<Type>(schema: Schema<Type>, value: unknown): value is Type {
  return mismatchIn(schema, value) === undefined
}

/** The keywords that are looked at. */
interface Keywords {
  readonly title?: string
  readonly anyOf?: readonly Keywords[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: keyof typeof TYPES
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Keywords
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Keywords>>
  readonly additionalProperties?: Keywords
}

/** Each type: whether a value is of it, and its name for people. */
const TYPES = {
  string: [(value: unknown): boolean => typeof value === 'string', 'text'],
  integer: [Number.isInteger, 'a whole number'],
  number: [(value: unknown): boolean => typeof value === 'number', 'a number'],
  boolean: [(value: unknown): boolean => typeof value === 'boolean', 'true or false'],
  array: [Array.isArray, 'a list'],
  object: [isJsonObject, 'an object'],
} as const

/** @param schema - its references are to its `$defs`. */
export function mismatchIn(schema: JsonSchema, value: unknown): Mismatch | undefined {
  const { $defs, ...described } = schema
  return mismatchAt(inlined(described, isJsonObject($defs) ? $defs : {}) as Keywords, value, '')
}

/** The schema with what its references are to in their place. Definitions of ours are not recursive. */
function inlined(part: unknown, definitions: JsonSchema): unknown {
  if (Array.isArray(part)) return part.map((item) => inlined(item, definitions))
  if (!isJsonObject(part)) return part
  if (typeof part.$ref === 'string')
    return inlined(definitions[part.$ref.slice('#/$defs/'.length)], definitions)
  return Object.fromEntries(
    Object.entries(part).map(([keyword, value]) => [keyword, inlined(value, definitions)]),
  )
}

function mismatchAt(schema: Keywords, value: unknown, pointer: string): Mismatch | undefined {
  if (schema.anyOf !== undefined) return mismatchInAny(schema.anyOf, value, pointer)
  if (!isAlone(schema, value)) {
    return { pointer, problem: `expected ${wordsFor(schema)}, found ${kindOf(value)}` }
  }
  if (Array.isArray(value)) return mismatchInItems(schema, value, pointer)
  return isJsonObject(value) ? mismatchInMembers(schema, value, pointer) : undefined
}

/** Whether the value is right apart from what it holds. */
function isAlone(
  { const: constant, enum: words, type, pattern, minimum, maximum }: Keywords,
  value: unknown,
): boolean {
  if (constant !== undefined && value !== constant) return false
  if (words !== undefined && !words.includes(value)) return false
  if (type !== undefined && !TYPES[type][0](value)) return false
  if (typeof value === 'string') return pattern === undefined || new RegExp(pattern, 'u').test(value)
  if (typeof value !== 'number') return true
  return (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum)
}

function mismatchInItems(
  { items }: Keywords,
  value: readonly unknown[],
  pointer: string,
): Mismatch | undefined {
  if (items === undefined) return undefined
  for (const [index, item] of value.entries()) {
    const found = mismatchAt(items, item, `${pointer}/${index}`)
    if (found !== undefined) return found
  }
  return undefined
}

function mismatchInMembers(keywords: Keywords, value: object, pointer: string): Mismatch | undefined {
  const { properties = {}, required = [], additionalProperties } = keywords
  for (const name of required) {
    if (Object.hasOwn(value, name)) continue
    const expected = wordsFor(properties[name] ?? {})
    return { pointer: `${pointer}/${escaped(name)}`, problem: `expected ${expected}, found nothing` }
  }
  for (const [name, member] of Object.entries(value)) {
    const at = `${pointer}/${escaped(name)}`
    const described = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    const found = described === undefined ? undefined : mismatchAt(described, member, at)
    if (found !== undefined) return found
  }
  return undefined
}

/** The problem is that of the one choice whose constant members are there, when there is one. */
function mismatchInAny(choices: readonly Keywords[], value: unknown, pointer: string): Mismatch | undefined {
  const meant: Mismatch[] = []
  for (const choice of choices) {
    const found = mismatchAt(choice, value, pointer)
    if (found === undefined) return undefined
    if (isMeant(choice, value)) meant.push(found)
  }
  const [only, ...others] = meant
  if (only !== undefined && others.length === 0) return only
  return { pointer, problem: `expected ${wordsFor({ anyOf: choices })}, found ${kindOf(value)}` }
}

function isMeant({ properties }: Keywords, value: unknown): boolean {
  if (properties === undefined || !isJsonObject(value)) return false
  const constants = Object.entries(properties).filter(([, member]) => 'const' in member)
  return constants.every(([name, member]) => value[name] === member.const)
}

function wordsFor({ title, anyOf, const: constant, enum: words, type }: Keywords): string {
  if (title !== undefined) return title
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => wordsFor(each)))].join(' or ')
  if (constant !== undefined) return JSON.stringify(constant)
  if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(' or ')
  return type === undefined ? 'a value' : TYPES[type][1]
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return value.length <= MOST_SHOWN ? JSON.stringify(value) : 'a long text'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'a list' : 'an object'
}

const MOST_SHOWN = 60

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
