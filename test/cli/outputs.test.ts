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
    ['check', '@log.jsonl', '--report', 'json=FILE'],
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

describe('no output replaces what the run reads or writes besides', () => {
  const BASELINE = ['--baseline', '@baseline.json']
  test.each<readonly string[]>([
    ['check', '--files-from', '@logs.txt', '-o', '@logs.txt'],
    ['info', '--files-from', '@logs.txt', '--report', 'json=@logs.txt'],
    ['check', '--files-from', '@logs.txt', '--update-baseline', '--baseline', '@logs.txt'],
    ['transcript', '@log.jsonl', '--redact', '--secrets-from', '@.env', '-o', '@.env'],
    ['anonymize', '@log.jsonl', '--only', 'secrets', '--secrets-from', '@.env', '-o', '@dir/../.env'],
    ['check', '@log.jsonl', ...BASELINE, '-o', '@baseline.json'],
    ['repair', '@log.jsonl', '--apply', '@baseline.json', '-o', '@baseline.json'],
  ])('read: %j', (...args) => refused(args, /is read by this command/))

  test.each<readonly string[]>([
    ['check', '@log.jsonl', '--update-baseline', ...BASELINE, '-o', '@baseline.json'],
    ['check', '@log.jsonl', '-o', '@new.txt', '--report', 'json=@dir/../new.txt'],
    ['convert', '@log.jsonl', '-o', '@new.jsonl', '--report', 'json=@new.jsonl'],
    ['repair', '@log.jsonl', '--plan', '@plan.json', '--report', 'json=@plan.json'],
  ])('written: %j', (...args) => refused(args, /two outputs cannot both be written to/))

  test('the configuration', async () => {
    const { root, contents } = folder()
    const config = join(root, 'resurface.json')
    writeFileSync(config, '{}')
    const before = contents()
    const { exitCode } = await runMain(['check', join(root, 'log.jsonl'), '-o', config], { cwd: root })
    expect(exitCode).toBe(2)
    expect(contents()).toEqual(before)
  })

  test('a report that cannot be written is known before the log is replaced', () =>
    refused(['repair', '@log.jsonl', '--in-place', '--report', 'json=@other.jsonl'], /holds a session/))

  test('a device is no file', async () => {
    const { words } = folder()
    const args = words(['check', '--files-from', '/dev/null', '--allow-empty', '-o', '/dev/null'])
    expect(await runMain(args)).toMatchObject({ exitCode: 0, stderr: '' })
  })
})
