/**
 * What was named on the command line → the logs it means: a file is itself, `-` is standard input, a directory is
 * every log below it. Files that only look like logs by name are listed too: a bad one must not go unnoticed.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from '../storage/tool-error.ts'

export interface LogInput {
  /** Path to read, or `-`. */
  readonly path: string
}

const LOG_NAME = /\.jsonl$/

export async function resolveInputs(names: readonly string[]): Promise<readonly LogInput[]> {
  const inputs: LogInput[] = []
  for (const name of names) {
    if (name === '-') inputs.push({ path: name })
    else if (await isDirectory(name)) inputs.push(...(await logsBelow(name)))
    else inputs.push({ path: name })
  }
  return inputs
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    // A missing or unreadable path is the business of whoever opens it.
    return false
  }
}

async function logsBelow(directory: string): Promise<readonly LogInput[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && LOG_NAME.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  if (paths.length === 0) throw new ToolError('input', `no session log in ${directory}`)
  return paths.toSorted().map((path) => ({ path }))
}
