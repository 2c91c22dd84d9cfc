/** Files below a folder of a test's own, and the place that a session has in a store. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { encodeSegment, NO_CWD, projectKey } from '../../src/load/inputs/store-layout.ts'
import { tempDir } from './temp-dir.ts'

export type FileContent = string | Buffer | { bytes(): Buffer }

export function fileTree(files: Readonly<Record<string, FileContent>>, root = tempDir()): string {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' || Buffer.isBuffer(content) ? content : content.bytes())
  }
  return root
}

/** Where the log of a session belongs below the root of a store. */
export function placeOf(id: string, cwd?: string, file = 'session.jsonl'): string {
  return join(cwd === undefined ? NO_CWD : projectKey(cwd), encodeSegment(id), file)
}
