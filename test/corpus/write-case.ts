/** The files of a corpus case, on disk. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bytesOf, type Case } from './case.ts'

export interface WrittenCase {
  /** The log itself. */
  readonly path: string
  /** What is named on the command line: the log, or a folder above it. */
  readonly named: string
}

export async function writeCase(wanted: Case, root: string): Promise<WrittenCase> {
  const { log, file = 'log.jsonl', named = file, others = {} } = wanted
  for (const [name, content] of Object.entries({ ...others, [file]: log })) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, await bytesOf(content))
  }
  return { path: join(root, file), named: join(root, named) }
}
