/**
 * Logs that are made to be slow or large, in real processes: each command comes to its end, and memory stays within bounds.
 * How long it takes is measured by `bench`, not here: what grows with the square does not end in the time that it has.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { Random } from '../oracle/random.ts'
import { wholeLog, written } from '../support/containers.ts'
import { log } from '../support/log-builder.ts'
import { BIN } from '../support/run-cli.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const PRELOAD = fileURLToPath(new URL('../support/peak-memory.mjs', import.meta.url))
const MOST_KILOBYTES = 500 * 1024
const PATIENCE = 600_000

async function mustStayWithinBounds(args: readonly string[]): Promise<void> {
  const file = join(tempDir(), 'peak')
  const { exitCode, stderr } = await execa(process.execPath, ['--import', PRELOAD, BIN, ...args, '--quiet'], {
    reject: false,
    env: { PEAK_FILE: file },
    timeout: PATIENCE,
  })
  // `why` asks for an event that some of the logs do not have.
  expect([0, 1, 2, 3, 4, 5], stderr).toContain(exitCode)
  expect(Number(readFileSync(file, 'utf8'))).toBeLessThan(MOST_KILOBYTES)
}

const HEADER = log().text()
const row = (seq: number, type: string, data: unknown, more: object = {}): string =>
  `${JSON.stringify({ type, seq, time: 1, data, ...more })}\n`
const message = (seq: number, id = `m${seq}`): string =>
  row(
    seq,
    'user/message',
    { id, role: 'user', source: { kind: 'user' }, content: [] },
    { surfaceOp: 'append' },
  )
const messages = (count: number): string[] => Array.from({ length: count }, (_, seq) => message(seq))
/** What makes the damage before it more than a torn tail. */
const end = (seq: number): string => row(seq, 'turn/end', { turn: 1, reason: { kind: 'completed' } })

const SHAPES: Readonly<Record<string, { readonly count: number; readonly text: (count: number) => string }>> =
  {
    'rows in any order': {
      count: 20_000,
      text: (count) => new Random('shuffled').shuffled(messages(count)).join('') + end(count),
    },
    'rows in reverse': { count: 20_000, text: (count) => messages(count).toReversed().join('') + end(count) },
    'every row twice': {
      count: 40_000,
      text: (count) =>
        messages(count)
          .flatMap((line) => [line, line])
          .join('') + end(count),
    },
    'a gap after every row': {
      count: 40_000,
      text: (count) => Array.from({ length: count }, (_, n) => message(2 * n)).join('') + end(2 * count),
    },
    'the same message id': {
      count: 100_000,
      text: (count) => Array.from({ length: count }, (_, seq) => message(seq, 'same')).join(''),
    },
    'members that no event has': {
      count: 200_000,
      text: (count) =>
        row(0, 'plan/mode', {}, Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, 1]))),
    },
    'members of data': {
      count: 200_000,
      text: (count) =>
        row(0, 'plan/mode', Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, 1]))),
    },
    'levels of nesting': {
      count: 400_000,
      text: (count) =>
        `{"type":"plan/mode","seq":0,"time":1,"data":${'['.repeat(count)}${']'.repeat(count)}}\n`,
    },
    garbage: { count: 80_000, text: (count) => '%%%\n'.repeat(count) },
    'open turns': {
      count: 40_000,
      text: (count) =>
        Array.from({ length: count }, (_, seq) => row(seq, 'turn/start', { turn: 1 })).join(''),
    },
    'a replacement of everything': {
      count: 20_000,
      text: (count) => {
        const sourceEventSeqs = Array.from({ length: count }, (_, seq) => seq)
        const surfaceOp = { op: 'replace', start: 0, end: count - 1 }
        const data = { id: 'all', role: 'user', source: { kind: 'user' }, content: [] }
        return messages(count).join('') + row(count, 'user/message', data, { surfaceOp, sourceEventSeqs })
      },
    },
  }

const CALLS: Readonly<Record<string, (path: string) => readonly string[]>> = {
  check: (path) => ['check', path],
  repair: (path) => ['repair', path, '-o', join(tempDir(), 'out.jsonl')],
  anonymize: (path) => ['anonymize', path, '-o', join(tempDir(), 'out.jsonl')],
  why: (path) => ['why', path, '0'],
  'info --sizes': (path) => ['info', path, '--sizes'],
}

describe.each(Object.entries(SHAPES))('%s', (_name, { count, text }) => {
  test.each(Object.entries(CALLS))('%s', { timeout: PATIENCE }, (_command, call) =>
    mustStayWithinBounds(call(tempFile(HEADER + text(count)))),
  )
})

describe('sessions of one database', () => {
  test.each(['ls', 'check'])('%s', { timeout: PATIENCE }, async (command) =>
    mustStayWithinBounds([command, await databaseOf(2000)]),
  )

  async function databaseOf(sessions: number): Promise<string> {
    const path = await written('SQLite 14', await wholeLog(log().turn().bytes()))
    const db = new Database(path)
    const session = db.prepare(
      'INSERT INTO sessions SELECT ?, version, created_at, cwd, NULL, NULL, NULL, 0, NULL, ?, 1 FROM sessions LIMIT 1',
    )
    const events = db.prepare(
      "INSERT INTO events SELECT ?, seq, type, time, data, NULL, NULL FROM events WHERE session_id NOT LIKE 's-%'",
    )
    db.transaction(() => {
      for (let n = 0; n < sessions; n++) {
        session.run(`s-${n}`, `incarnation-${n}`)
        events.run(`s-${n}`)
      }
    })()
    db.close()
    return path
  }
})
