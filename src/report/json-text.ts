/**
 * JSON in pieces: iterables become arrays element by element, so a list of a million rows is never held.
 */
import { stringifyJson } from '../core/json/stringify-json.ts'
import { replaceUnsafe } from './escape-text.ts'

/** @param indent - levels to indent the outer structure by; the elements of long lists stay on one line each. */
export function* jsonText(value: unknown): Iterable<string> {
  yield* member(value, '')
  yield '\n'
}

function* member(value: unknown, indent: string): Iterable<string> {
  if (isStream(value)) {
    yield* list(value, indent)
  } else if (Array.isArray(value)) {
    yield* value.length === 0 ? ['[]'] : list(value, indent)
  } else if (typeof value === 'object' && value !== null && indent.length < 10) {
    yield* object(value, indent)
  } else yield compact(value)
}

function* object(value: object, indent: string): Iterable<string> {
  const members = Object.entries(value).filter(([, child]) => child !== undefined)
  if (members.length === 0) {
    yield '{}'
    return
  }
  const inner = `${indent}  `
  let separator = '{\n'
  for (const [key, child] of members) {
    yield `${separator}${inner}${compact(key)}: `
    yield* member(child, inner)
    separator = ',\n'
  }
  yield `\n${indent}}`
}

function* list(items: Iterable<unknown>, indent: string): Iterable<string> {
  const inner = `${indent}  `
  let separator = '[\n'
  for (const item of items) {
    yield `${separator}${inner}`
    if (holdsStream(item)) yield* member(item, inner)
    else yield compact(item)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]' : `\n${indent}]`
}

function isStream(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Symbol.iterator in value
}

/** Reports inside a set hold streams of their own. */
function holdsStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'schema' in value && 'data' in value
}

/** A value on one line, with every character that could act on a terminal escaped: still the same JSON. */
export function compact(value: unknown): string {
  return escapeJson(stringifyJson(value))
}

function escapeJson(text: string): string {
  return replaceUnsafe(text, (character) =>
    [...Array(character.length).keys()]
      .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** A value over several lines for a person; on one line when it nests deeply, because each line would be indented. */
export function pretty(value: unknown): string {
  return isDeeper(value, DEEPEST_INDENT) ? stringifyJson(value) : JSON.stringify(value, null, 2)
}

const DEEPEST_INDENT = 60

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}
