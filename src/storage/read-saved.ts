/** A file of ours that is read back: JSON, and what its schema says. Anything else is an error that names the place. */
import { readFile } from 'node:fs/promises'
import type { Schema } from '../core/json/json-schema.ts'
import { reasonOf } from './reason-of.ts'
import { ToolError, type ToolErrorCode } from './tool-error.ts'

export interface SavedKind<Type> {
  /** `baseline`, as in "is not a baseline". */
  readonly name: string
  readonly schema: Schema<Type>
  readonly error: ToolErrorCode
  /** Where such a file comes from. */
  readonly hint?: string
}

export async function readSaved<Type>(path: string, kind: SavedKind<Type>): Promise<Type> {
  const { name, schema, error, hint } = kind
  const value = await readJson(path, kind)
  const { isOf, mismatchIn } = await import('../core/json/mismatch.ts')
  if (isOf(schema, value)) return value
  const { pointer, problem } = mismatchIn(schema, value) ?? { pointer: '', problem: '' }
  throw new ToolError(
    error,
    `${path} is not a ${name}: ${pointer === '' ? '' : `${pointer}: `}${problem}`,
    hint,
  )
}

async function readJson(path: string, { name, error, hint }: SavedKind<unknown>): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'it is not JSON' : reasonOf(cause)
    throw new ToolError(error, `cannot read the ${name} ${path}: ${reason}`, hint)
  }
}
