/**
 * What an output may not do: take the place of a log. A report or a copy is written to a new file, to an empty one, or
 * over an earlier report, never over something that holds a session.
 */
import { open, realpath } from 'node:fs/promises'
import { containerOf } from './detect.ts'
import { ToolError } from './tool-error.ts'

const HEADER_START = /^\s*\{\s*"type"\s*:\s*"session"/

/** @param inputs - real paths of what was read, which no output may replace. */
export async function mustNotReplaceLog(output: string, inputs: ReadonlySet<string>): Promise<void> {
  const real = await realpath(output).catch(() => undefined)
  if (real === undefined) return
  if (inputs.has(real)) {
    throw new ToolError('usage', `${output} is the log that is read`, 'Give the output another name.')
  }
  if (await looksLikeLog(real)) {
    throw new ToolError('usage', `${output} holds a session already`, 'Give the output another name.')
  }
}

/** A copy of a log goes to a new file, or to one that is there and empty. */
export async function mustBeVacant(output: string): Promise<void> {
  const file = await open(output, 'r').catch(() => undefined)
  if (file === undefined) return
  try {
    const { size } = await file.stat()
    if (size > 0)
      throw new ToolError('usage', `${output} exists already`, 'A copy is written to a new file only.')
  } finally {
    await file.close()
  }
}

async function looksLikeLog(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    if (!(await file.stat()).isFile()) return false
    const head = Buffer.alloc(256)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    if (HEADER_START.test(head.toString('latin1', 0, bytesRead))) return true
  } finally {
    await file.close()
  }
  return (await containerOf(path)) !== 'jsonl'
}
