/**
 * What an output may not do: take the place of a log. A report or a copy is written to a new file, to an empty one, or
 * over an earlier report, never over something that holds a session.
 */
import { open, stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { containerOf } from './detect.ts'
import { linkTarget } from './link-target.ts'
import { ToolError } from './tool-error.ts'

/** What SQLite takes for a part of the database next to it, whether it is there or not. */
const DATABASE_ENDINGS = ['', '-wal', '-shm', '-journal']

/** @param inputs - real paths of what was read, which no output may replace. */
export async function mustNotReplaceLog(output: string, inputs: ReadonlySet<string>): Promise<void> {
  await mustNotBeFolder(output)
  const real = await linkTarget(output)
  if ([...inputs].some((input) => DATABASE_ENDINGS.some((suffix) => real === input + suffix))) {
    throw new ToolError('usage', `${output} belongs to the log that is read`, 'Give the output another name.')
  }
  if (await looksLikeLog(real)) {
    throw new ToolError('usage', `${output} holds a session already`, 'Give the output another name.')
  }
}

/** A name that ends with a slash is that of a folder, whether it is there or not. */
async function mustNotBeFolder(output: string): Promise<void> {
  if (output === '') throw new ToolError('usage', 'an empty name names no file')
  const isFolder = await stat(output).then(
    (status) => status.isDirectory(),
    () => output.endsWith('/') || output.endsWith(sep),
  )
  if (isFolder) throw new ToolError('usage', `${output} is a folder, not a file`, 'Name a file in it.')
}

/**
 * A copy of a log goes to a new file, or to one that is there and empty.
 *
 * @param inputs - real paths of what was read.
 * @param kind - what is written, and what the hint says of files that are there.
 */
export async function mustBeVacant(
  output: string,
  inputs: ReadonlySet<string>,
  kind = { name: 'log', hint: 'A copy is written to a new file only.' },
): Promise<void> {
  if (output === '-')
    throw new ToolError('usage', `a ${kind.name} is written to a file, not to -`, 'Name a file.')
  await mustNotReplaceLog(output, inputs)
  const status = await stat(output).catch(() => undefined)
  if (status === undefined) return
  if (!status.isFile()) throw new ToolError('usage', `${output} is not a regular file`, kind.hint)
  if (status.size > 0) throw new ToolError('usage', `${output} exists already`, kind.hint)
}

/** Only a regular file may be opened to see what it holds: a pipe would wait for its writer. */
export async function isRegularFile(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isFile(),
    () => false,
  )
}

/** More than any header, and than what may be before one. */
const HEAD_BYTES = 64 * 1024

/** Whether it holds, or belongs to, what a reader would still find records in, however damaged it is. */
async function looksLikeLog(path: string): Promise<boolean> {
  if (!(await isRegularFile(path))) return false
  if (path.endsWith('.quarantine') || (await belongsToDatabase(path))) return true
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    const text = head.toString('utf8', 0, bytesRead)
    // No report of this program has a NUL, and a log that was padded begins with nothing else.
    if (text.includes('\0') || text.split('\n').some(isRecord)) return true
  } finally {
    await file.close()
  }
  return (await containerOf(path)) !== 'jsonl'
}

async function belongsToDatabase(path: string): Promise<boolean> {
  const suffix = DATABASE_ENDINGS.find((end) => end !== '' && path.endsWith(end))
  return suffix !== undefined && (await isRegularFile(path.slice(0, -suffix.length)))
}

/** A header or an event at the beginning of a line; lines of our own reports begin with their kind. */
function isRecord(line: string): boolean {
  const start = line.replace(/^\ufeff/, '').slice(0, LONGEST_START)
  if (!start.startsWith('{') || start.startsWith('{"kind"')) return false
  return /"type"\s*:\s*"/.test(start) && /"(?:seq0?|version|createdAt)"\s*:/.test(start)
}
const LONGEST_START = 1024
