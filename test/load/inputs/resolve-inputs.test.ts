import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolveInputs } from '../../../src/load/inputs/resolve-inputs.ts'
import { ToolError } from '../../../src/storage/tool-error.ts'
import { tempDir } from '../../support/temp-dir.ts'

function folderOf(...names: string[]): string {
  const root = tempDir()
  for (const name of names) {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), '')
  }
  return root
}

const pathsOf = async (...names: string[]): Promise<string[]> =>
  (await resolveInputs(names, tempDir())).map(({ path }) => path)

test('a file is itself, whatever its name, and so is one that is not there', async () => {
  const root = folderOf('notes.txt')
  const names = [join(root, 'notes.txt'), join(root, 'none.jsonl'), '-']
  expect(await pathsOf(...names)).toEqual(names)
})

test('a folder is every log below it, in a stable order', async () => {
  const root = folderOf('b/session.jsonl', 'a/session.jsonl', 'a/notes.txt', 'a/session.jsonl.0a1b.tmp')
  expect(await pathsOf(root)).toEqual([join(root, 'a/session.jsonl'), join(root, 'b/session.jsonl')])
})

test('a folder without logs is an error', async () => {
  await expect(resolveInputs([tempDir()], tempDir())).rejects.toThrow(ToolError)
})
