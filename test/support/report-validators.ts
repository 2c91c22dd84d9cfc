/** The published schemas as a full validator reads them. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { type JsonSchema, lineSchemaOf, schemaOf } from '../../src/report/published-schemas.ts'

const ajv = new Ajv2020({ allErrors: true, strictTypes: false })
const compiled = new Map<string, ValidateFunction>()

/** Validates a whole answer; members that the schema does not list are refused, as readers must not. */
export function reportValidator(schema: string): ValidateFunction {
  return remembered(`report ${schema}`, () => closed(schemaOf(schema)) as JsonSchema)
}

export function lineValidator(schema: string): ValidateFunction {
  return remembered(`line ${schema}`, () => lineSchemaOf(schema) as JsonSchema)
}

/** As readers do it: what is not listed is let through. */
export function openValidator(schema: string): ValidateFunction {
  return remembered(`open ${schema}`, () => schemaOf(schema) as JsonSchema)
}

function remembered(name: string, schema: () => JsonSchema): ValidateFunction {
  const validate = compiled.get(name) ?? ajv.compile(schema())
  compiled.set(name, validate)
  return validate
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in copy && 'required' in copy ? { ...copy, additionalProperties: false } : copy
}

export function mustFit(validate: ValidateFunction, value: unknown, what?: string): void {
  validate(value)
  const errors = validate.errors ?? []
  const problems = errors.map(({ instancePath, message, params }) => ({ instancePath, message, params }))
  expect(problems, what).toEqual([])
}

/** @param text - what `--json` printed. */
export function answerMustFit(text: string, what?: string): void {
  const answer = JSON.parse(text)
  mustFit(reportValidator(answer.schema), answer, what)
}

/** @param text - what `--format ndjson` printed; its last line says what the lines are of. */
export function linesMustFit(text: string, what?: string): void {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const validate = lineValidator(lines.at(-1).schema)
  for (const line of lines) mustFit(validate, line, what)
}
