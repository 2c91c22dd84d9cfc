/** Which logs a command on several is about, besides those that are named: lists of names, and patterns that leave out. */
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { reasonOf } from '../../storage/reason-of.ts'
import { ToolError } from '../../storage/tool-error.ts'

export interface InputList {
  /** A file with names, or `-` for standard input. */
  readonly filesFrom?: string
  /** Whether the names end with NUL, as `find -print0` writes them, and not with a line feed. */
  readonly endsWithNul: boolean
  readonly exclude: readonly string[]
  /** Whether there may be nothing to do. */
  readonly allowEmpty: boolean
}

export async function namesIn(
  { filesFrom, endsWithNul }: InputList,
  stdin: Readable,
): Promise<readonly string[]> {
  if (filesFrom === undefined) return []
  const content = await contentOf(filesFrom, stdin)
  if (!endsWithNul && content.includes('\0')) {
    const hint = 'With -0 names end with NUL, as "find -print0" writes them.'
    throw new ToolError('input', `${filesFrom} is no list of names, one a line: it has NUL characters`, hint)
  }
  return content.split(endsWithNul ? '\0' : /\r?\n/).filter((name) => name !== '')
}

async function contentOf(filesFrom: string, stdin: Readable): Promise<string> {
  try {
    return filesFrom === '-' ? await text(stdin) : await readFile(filesFrom, 'utf8')
  } catch (error) {
    throw new ToolError('input', `cannot read the list of files ${filesFrom}: ${reasonOf(error)}`)
  }
}

/**
 * Whether a pattern takes a path out. `*` is any part of a name, `**` any folders, `?` one character; a pattern without a
 * slash is about any folder or file on the way, one with slashes about the end of the path, and both about all below.
 */
export function isExcluded(path: string, patterns: readonly string[]): boolean {
  const whole = path.replaceAll('\\', '/')
  return patterns.some((pattern) => expressionOf(pattern).test(whole))
}

function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replaceAll('\\', '/')
    .replace(/^\.?\//, '')
    .replace(/\/$/, '')
    .replace(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]]/g, (part) => PARTS[part] ?? `\\${part}`)
  return new RegExp(`(?:^|/)${source}(?:/|$)`, 'u')
}

const PARTS: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }
