/**
 * JSON Schema (draft 2020-12) in few words. A schema knows the TypeScript type of what it describes, so a shape is
 * written once. Objects may hold more than is listed: readers ignore what they do not know.
 */
import type { MadeList } from './made-list.ts'

/** A schema, or a part of one, as plain JSON. */
export type JsonSchema = { readonly [keyword: string]: unknown }

declare const TYPE: unique symbol

/** A schema of values of type `Type`. The type is known to the compiler only. */
export interface Schema<Type> extends JsonSchema {
  readonly [TYPE]?: Type
}

/** The type of the values that a schema describes. */
export type Static<Described> = Described extends Schema<infer Type> ? Type : never

export type Members = Readonly<Record<string, JsonSchema>>

type Flat<Type> = { [Member in keyof Type]: Type[Member] }

type Shape<Required extends Members, Optional extends Members> = Flat<
  { readonly [Member in keyof Required]: Static<Required[Member]> } & {
    readonly [Member in keyof Optional]?: Static<Optional[Member]>
  }
>

export const text: Schema<string> = { type: 'string' }
export const whole: Schema<number> = { type: 'integer' }
/** A seq, a length, a position. */
export const count: Schema<number> = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
}
export const number: Schema<number> = { type: 'number' }
/** A number that is given as the log has it: whole in an intact log, and anything in a damaged one. */
export const logNumber: Schema<number> = { type: 'number' }
export const flag: Schema<boolean> = { type: 'boolean' }
/** What a file can be called. */
export const path: Schema<string> = { type: 'string', pattern: '^[^\\u0000]+$', title: 'a path' }
/** Any JSON value: content of a log, which may be damaged. */
export const anything: Schema<unknown> = {}
/** Any JSON object, for the same reason. */
export const anyObject: Schema<{ readonly [key: string]: unknown }> = { type: 'object' }

export interface RecordSchema<Type> extends Schema<Type> {
  readonly properties: Members
}

export function record<Required extends Members, Optional extends Members = Record<never, never>>(
  required: Required,
  optional?: Optional,
): RecordSchema<Shape<Required, Optional>> {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } }
}

export function listOf<Item extends JsonSchema>(items: Item): Schema<readonly Static<Item>[]> {
  return { type: 'array', items }
}

/** A list of known length. */
export function madeListOf<Item extends JsonSchema>(items: Item): Schema<MadeList<Static<Item>>> {
  return { type: 'array', items }
}

/** A list that may be made while it is printed, and then can be read once only. */
export function streamOf<Item extends JsonSchema>(items: Item): Schema<Iterable<Static<Item>>> {
  return { type: 'array', items }
}

export function mapOf<Value extends JsonSchema>(
  values: Value,
): Schema<{ readonly [key: string]: Static<Value> }> {
  return { type: 'object', additionalProperties: values }
}

export function oneOf<const Word extends string>(...values: readonly Word[]): Schema<Word> {
  return { enum: values }
}

export function constant<const Value extends string | boolean>(value: Value): Schema<Value> {
  return { const: value }
}

/** Any of several shapes. Records are distinguished by their constant members. */
export function anyOf<const Choices extends readonly JsonSchema[]>(
  ...choices: Choices
): Schema<Static<Choices[number]>> {
  return { anyOf: choices }
}

/** References into a table of definitions, each with the type of what it refers to. */
export function referencesTo<Definitions extends Members>() {
  return <Name extends keyof Definitions & string>(name: Name): Schema<Static<Definitions[Name]>> => ({
    $ref: `#/$defs/${name}`,
  })
}
