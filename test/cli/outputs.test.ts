/** What an output may not be: something that a run reads or writes besides, anything that holds a session, or a folder. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runMain } from '../support/run-main.ts'
import { base, crashed } from '../support/sample-logs.ts'
import { tempDir } from '../support/temp-dir.ts'

const NOT_REPLACED = {
  'log.jsonl': crashed().bytes(),
  'other.jsonl': base().bytes(),
  'torn.jsonl': Buffer.from('{"seq":7,"ty'),
  'store.db': Buffer.from(`SQLite format 3\0${'\0'.repeat(100)}`),
  'baseline.json': Buffer.from('{"schema":"resurface/baseline@1","findings":[]}'),
}

/** A folder of files of which every run has to leave every byte. */
function folder(): { root: string; words: (args: readonly string[]) => string[]; contents: () => object } {
  const root = tempDir()
  mkdirSync(join(root, 'dir'))
  for (const [name, bytes] of Object.entries(NOT_REPLACED)) writeFileSync(join(root, name), bytes)
  writeFileSync(join(root, 'logs.txt'), join(root, 'log.jsonl'))
  writeFileSync(join(root, '.env'), 'TOKEN=abcdefgh')
  const contents = (): object =>
    Object.fromEntries(
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'latin1')]),
    )
  return { root, contents, words: (args) => args.map((word) => word.replace('@', `${root}/`)) }
}

async function refused(args: readonly string[], said: RegExp): Promise<void> {
  const { words, contents } = folder()
  const before = contents()
  const { exitCode, stdout, stderr } = await runMain(words(args))
  expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(said)
  expect(contents()).toEqual(before)
}

describe('what holds a session is not replaced', () => {
  const OUTPUTS: readonly (readonly [...string[]])[] = [
    ['check', '@log.jsonl', '--update-baseline', '--baseline'],
    ['check', '@log.jsonl', '-o'],
    ['transcript', '@log.jsonl', '-o'],
    ['check', '@log.jsonl', '--quiet', '--report', 'json=FILE'],
    ['repair', '@log.jsonl', '--plan'],
    ['repair', '@log.jsonl', '-o'],
    ['convert', '@log.jsonl', '--to', 'jsonl', '-o'],
    ['anonymize', '@log.jsonl', '-o'],
  ]
  const FILES = ['@log.jsonl', '@other.jsonl', '@store.db']
  test.each(OUTPUTS.flatMap((args) => FILES.map((file) => [args, file] as const)))(
    '%j %s',
    async (args, file) => {
      const last = args.at(-1) === 'json=FILE' ? [...args.slice(0, -1), `json=${file}`] : [...args, file]
      await refused(last, /holds a session already|belongs to the log|names something else/)
    },
  )

  test.each([
    ['check', '--update-baseline', '--baseline'],
    ['repair', '--plan'],
  ])('%s %s: nor what cannot be told from a torn log', async (command, ...options) =>
    refused([command, '@log.jsonl', ...options, '@torn.jsonl'], /exists already\nOnly an earlier/),
  )
})

describe('a folder is no output', () => {
  test.each<readonly string[]>([
    ['check', '@log.jsonl', '--update-baseline', '--baseline'],
    ['check', '@log.jsonl', '-o'],
    ['repair', '@log.jsonl', '--plan'],
    ['repair', '@log.jsonl', '-o'],
    ['convert', '@log.jsonl', '--to', 'jsonl', '-o'],
    ['anonymize', '@log.jsonl', '-o'],
  ])('%j', async (...args) => {
    for (const name of ['@dir', '@dir/', '@new/']) await refused([...args, name], /is a folder, not a file/)
  })
})
