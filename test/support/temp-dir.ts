/** A folder of a test's own, gone when the test is over. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export function tempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'resurface-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A file with this content in a folder of its own. */
export function tempFile(content: string | Buffer, name = 'log.jsonl'): string {
  const path = join(tempDir(), name)
  writeFileSync(path, content)
  return path
}
