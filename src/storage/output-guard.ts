/**
 * What an output may not do: take the place of a log. A report or a copy is written to a new file, to an empty one, or
 * over an earlier report, never over something that holds a session.
 */
import { open, stat } from 'node:fs/promises'
import { containerOf } from './detect.ts'
import { linkTarget } from './link-target.ts'
import { ToolError } from './tool-error.ts'

const HEADER_START = /^\s*\{\s*"type"\s*:\s*"session"/

/** What SQLite takes for a part of the database next to it, whether it is there or not. */
const BESIDE_DATABASE = ['', '-wal', '-shm', '-journal']

/** @param inputs - real paths of what was read, which no output may replace. */
export async function mustNotReplaceLog(output: string, inputs: ReadonlySet<string>): Promise<void> {
  const real = await linkTarget(output)
  if ([...inputs].some((input) => BESIDE_DATABASE.some((suffix) => real === input + suffix))) {
    throw new ToolError('usage', `${output} belongs to the log that is read`, 'Give the output another name.')
  }
  if (await looksLikeLog(real)) {
    throw new ToolError('usage', `${output} holds a session already`, 'Give the output another name.')
  }
}

/**
 * A copy of a log goes to a new file, or to one that is there and empty.
 *
 * @param inputs - real paths of what was read.
 */
export async function mustBeVacant(output: string, inputs: ReadonlySet<string>): Promise<void> {
  await mustNotReplaceLog(output, inputs)
  const status = await stat(output).catch(() => undefined)
  if (status === undefined) return
  if (!status.isFile())
    throw new ToolError('usage', `${output} is not a regular file`, 'A copy is written to a new file only.')
  if (status.size > 0)
    throw new ToolError('usage', `${output} exists already`, 'A copy is written to a new file only.')
}

/** Only a regular file may be opened to see what it holds: a pipe would wait for its writer. */
export async function isRegularFile(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isFile(),
    () => false,
  )
}

async function looksLikeLog(path: string): Promise<boolean> {
  if (!(await isRegularFile(path))) return false
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(256)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    if (HEADER_START.test(head.toString('latin1', 0, bytesRead))) return true
  } finally {
    await file.close()
  }
  return (await containerOf(path)) !== 'jsonl'
}
