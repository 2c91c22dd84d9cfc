/** JSON Schema (draft 2020-12) in few words. Objects may hold more than is listed: readers ignore what they do not know. */

export type JsonSchema = { readonly [keyword: string]: unknown }

type Members = { readonly [name: string]: JsonSchema }

export const text: JsonSchema = { type: 'string' }
export const whole: JsonSchema = { type: 'integer' }
export const number: JsonSchema = { type: 'number' }
export const flag: JsonSchema = { type: 'boolean' }
/** Any JSON value: content of a log, which may be damaged. */
export const anything: JsonSchema = {}

export function record(required: Members, optional: Members = {}): JsonSchema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } }
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

export function mapOf(values: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: values }
}

export function oneOf(...values: readonly string[]): JsonSchema {
  return { enum: values }
}

/** A definition that all schemas share. */
export function shared(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` }
}
