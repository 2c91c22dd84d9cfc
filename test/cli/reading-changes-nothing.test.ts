/** Looking at logs leaves every byte, name and time in their folder as it was. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { log } from '../support/log-builder.ts'
import { runMain } from '../support/run-main.ts'
import { base, rich } from '../support/sample-logs.ts'
import { tempDir } from '../support/temp-dir.ts'

const CONTENT: Readonly<Record<string, Buffer>> = {
  'good/session.jsonl': rich().bytes(),
  'torn/session.jsonl': base().torn('{"type":').bytes(),
  'open/session.jsonl': log().openTurn().bytes(),
  'damaged/session.jsonl': base().drop(5).bytes(),
  'newer/session.jsonl': log().header({ version: 99 }).bytes(),
  'empty/session.jsonl': Buffer.alloc(0),
  'other/session.jsonl.1a2b3c.tmp': Buffer.from('left behind'),
}

function folder(): string {
  const root = tempDir()
  for (const [name, bytes] of Object.entries(CONTENT)) {
    const path = join(root, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, bytes)
    utimesSync(path, 1_700_000_000, 1_700_000_000)
  }
  return root
}

/** Everything that another program could see of a folder, but for the times of last access. */
function listing(root: string): unknown[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const path = join(root, name)
      const { ino, mode, size, mtimeNs, ctimeNs, nlink } = statSync(path, { bigint: true })
      const hash = statSync(path).isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : ''
      return { name, ino, mode, size, mtimeNs, ctimeNs, nlink, hash }
    })
}

const CALLS: readonly (readonly string[])[] = [
  ['info'],
  ['surface'],
  ['surface', '--at', '0'],
  ['surface', '--messages'],
  ['surface', '--messages'],
  ['transcript'],
  ['surface', '--digest'],
  ['transcript', '--digest'],
  ['events'],
  ['classify'],
  ['crash-points'],
  ['why', '0'],
  ['check'],
  ['check', '--max-record', '100'],
  ['bisect', '--rule', 'turn/open'],
  ['bisect', '--exec', 'test ! -s {}'],
  ['watch', '--idle', '0'],
  ['watch', '--findings', '--idle', '0'],
  ['repair'],
  ['report'],
]

test.each(CALLS)('%s %s %s', async (command, ...more) => {
  const root = folder()
  const before = listing(root)
  for (const name of Object.keys(CONTENT)) {
    await runMain([command as string, join(root, name), ...more.filter((arg) => arg !== undefined)])
  }
  expect(listing(root)).toEqual(before)
})

test('diff of every two of them', async () => {
  const root = folder()
  const before = listing(root)
  const paths = Object.keys(CONTENT).map((name) => join(root, name))
  for (const a of paths) for (const b of paths) await runMain(['diff', a, b])
  for (const path of paths) await runMain(['diff', path, '--from', '0'])
  expect(listing(root)).toEqual(before)
})

test.each(['check', 'info'])('%s of the whole folder', async (command) => {
  const root = folder()
  const before = listing(root)
  for (const format of ['text', 'json', 'ndjson', 'markdown', 'html'])
    await runMain([command, root, '--format', format])
  expect(listing(root)).toEqual(before)
})

test('a report, a repaired copy and one without content elsewhere leave the log alone', async () => {
  const root = folder()
  const elsewhere = tempDir()
  const before = listing(root)
  await runMain(['check', root, '-o', join(elsewhere, 'report.txt')])
  for (const name of Object.keys(CONTENT)) {
    const to = (what: string): string => join(elsewhere, `${dirname(name)}-${what}.jsonl`)
    await runMain(['repair', join(root, name), '-o', to('copy')])
    await runMain(['anonymize', join(root, name), '-o', to('shared')])
    for (const rule of ['turn/open', 'bytes/torn-tail', 'order/seq-gap'])
      await runMain(['minimize', join(root, name), '--rule', rule, '-o', to(rule.replace('/', '-'))])
  }
  const written = [
    'torn-copy.jsonl',
    'open-shared.jsonl',
    'open-turn-open.jsonl',
    'damaged-order-seq-gap.jsonl',
  ]
  expect(readdirSync(elsewhere)).toEqual(expect.arrayContaining(written))
  expect(listing(root)).toEqual(before)
  expect(readdirSync(elsewhere).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
