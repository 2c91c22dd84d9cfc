/** Secrets that the user names: values of environment variables, and lines of files. Their values are shown nowhere. */
import { readFileSync } from 'node:fs'
import type { KnownSecret } from '../../core/redact/known-secret.ts'
import { reasonOf } from '../../storage/reason-of.ts'
import { ToolError } from '../../storage/tool-error.ts'

export interface NamedSources {
  /** Names of environment variables. */
  readonly variables: readonly string[]
  readonly files: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Shorter values are parts of other words everywhere. */
const LEAST = 4

/** Throws a `ToolError` for a variable that is not set, a file that cannot be read, and a value that is too short. */
export function namedSecrets({ variables, files, env }: NamedSources): readonly KnownSecret[] {
  return [
    ...variables.flatMap((name) => ofVariable(name, env[name])),
    ...files.flatMap((file) => ofFile(file)),
  ]
}

function ofVariable(name: string, value = ''): readonly KnownSecret[] {
  const trimmed = value.trim()
  if (trimmed === '') throw new ToolError('usage', `there is no environment variable ${name}, or it is empty`)
  return spellings(name, trimmed)
}

/** A line of a file that assigns a value to a name, as `.env` files do. */
const ASSIGNMENT = /^(?:export\s+)?([A-Za-z_]\w{0,79})\s*=\s*(?:"(.*)"|'(.*)'|(.*?))$/

function ofFile(file: string): readonly KnownSecret[] {
  const secrets: KnownSecret[] = []
  for (const [index, line] of linesOf(file).entries()) {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const [, name = '', ...values] = ASSIGNMENT.exec(text) ?? []
    const value = values.find((one) => one !== undefined) ?? ''
    // What ends in = may be base64, and is a value then.
    const isAssignment = name !== '' && value.replace(/=/g, '') !== ''
    if (!isAssignment && text.length < LEAST)
      throw new ToolError('usage', `line ${index + 1} of ${file} ${TOO_SHORT}`)
    // Settings such as DEBUG=1 are in such files, too.
    if (isAssignment && value.length < LEAST) continue
    secrets.push(...spellings(isAssignment ? name : 'named-value', isAssignment ? value : text))
  }
  if (secrets.length === 0) throw new ToolError('usage', `${file} names no secret`)
  return secrets
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    throw new ToolError('input', `cannot read ${file}: ${reasonOf(error)}`)
  }
}

const TOO_SHORT = `is shorter than ${LEAST} characters: it would be replaced inside of other words`

/** A value as it is, and as URLs have it. */
function spellings(kind: string, value: string): readonly KnownSecret[] {
  if (value.length < LEAST) throw new ToolError('usage', `the value of ${kind} ${TOO_SHORT}`)
  const inUrls = encodeURIComponent(value)
  return [...new Set([value, inUrls])].map((find) => ({ kind, find, identity: value, isNamed: true }))
}
