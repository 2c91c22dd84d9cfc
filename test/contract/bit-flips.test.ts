/**
 * Every bit of a small log turned round: a compressed log always says so, and no container makes the reader fail. And
 * a file that ends at any byte gets a report. How many flips each container notices is counted by
 * `test/bench/detection-rate.mjs`.
 */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { command } from '../../src/commands/check.ts'
import { wholeOutcome } from '../../src/commands/definition/whole-outcome.ts'
import { loadLog } from '../../src/load/sessions/load-log.ts'
import { plainFile } from '../../src/storage/jsonl/plain-file.ts'
import { DEFAULT_LIMITS, type RecordSource } from '../../src/storage/record-source.ts'
import { ToolError } from '../../src/storage/tool-error.ts'
import { writeStoredFrame } from '../../src/storage/zstd/frame-writer.ts'
import { zstdFile } from '../../src/storage/zstd/zstd-file.ts'
import { readBack, wholeLog, written } from '../support/containers.ts'
import { commandContext } from '../support/context.ts'
import { stride } from '../support/effort.ts'
import { log } from '../support/log-builder.ts'
import { base } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

/** Primes, so that a stride meets every bit of a byte. */
const DATABASE_STRIDE = stride(151)
const PLAIN_STRIDE = stride(11)

/** Turns one bit after the other round in a file and looks at what comes of it. */
async function flipBits(path: string, stride: number, look: (bit: number) => Promise<void>): Promise<number> {
  const bytes = readFileSync(path)
  const file = openSync(path, 'r+')
  let flips = 0
  try {
    for (let bit = 0; bit < bytes.length * 8; bit += stride) {
      const at = bit >> 3
      const whole = bytes[at] as number
      writeSync(file, Buffer.from([whole ^ (1 << (bit & 7))]), 0, 1, at)
      await look(bit)
      writeSync(file, Buffer.from([whole]), 0, 1, at)
      flips++
    }
  } finally {
    closeSync(file)
  }
  return flips
}

async function findingsIn(source: RecordSource): Promise<number> {
  const { findings } = await loadLog(source, {}, { limits: DEFAULT_LIMITS })
  return findings.counts().length
}

/** Findings of the command `check` but what newer releases mind, which no reader notices; a run that cannot go on says one sentence. */
async function checked(path: string): Promise<readonly string[]> {
  try {
    const context = commandContext({ stdin: Readable.from([]) })
    const { reportSet } = await wholeOutcome(await command.call([[path]], {}).run(context))
    const codes = reportSet.reports.flatMap(({ findings }) => findings.map(({ code }) => code))
    return codes.filter((code) => !code.startsWith('upgrade/'))
  } catch (error) {
    if (error instanceof ToolError) return [error.message]
    throw error
  }
}

/** A database as small as SQLite makes it. */
async function smallDatabase(schema: 'SQLite 14' | 'SQLite 17', built = base()): Promise<string> {
  const path = await written(schema, await wholeLog(built.bytes()))
  const db = new Database(path)
  db.pragma('page_size = 512')
  db.exec('VACUUM')
  db.close()
  return path
}

test('every flip in stored frames is noticed', async () => {
  const built = log().turn((turn) => turn.user('list files'))
  const [header, ...rows] = built.lines().map((line) => `${line}\n`) as [string, ...string[]]
  const frames = [header, rows.slice(0, 2).join(''), rows.slice(2).join('')]
  const stored = await Promise.all(frames.map((text) => writeStoredFrame(Buffer.from(text))))
  const path = tempFile(Buffer.concat(stored), 'session.jsonl.zstd')
  expect(await findingsIn(zstdFile(path, DEFAULT_LIMITS))).toBe(0)
  const unnoticed: number[] = []
  const flips = await flipBits(path, stride(1), async (bit) => {
    if ((await findingsIn(zstdFile(path, DEFAULT_LIMITS))) === 0) unnoticed.push(bit)
  })
  expect(flips).toBeGreaterThan(4000 / stride(1))
  expect(unnoticed).toEqual([])
})

test('no flip in the frames of the writer silently changes what is read', async () => {
  const path = await written('zstd', await wholeLog(base().bytes()))
  const silent: number[] = []
  await flipBits(path, stride(7), async (bit) => {
    if ((await findingsIn(zstdFile(path, DEFAULT_LIMITS))) > 0) return
    const { events } = await readBack(path)
    if (JSON.stringify(events) !== JSON.stringify(base().events())) silent.push(bit)
  })
  expect(silent).toEqual([])
})

test('no flip in a plain log makes the reader fail', async () => {
  const path = await written('plain', await wholeLog(base().bytes()))
  let noticed = 0
  const flips = await flipBits(path, PLAIN_STRIDE, async () => {
    if ((await findingsIn(plainFile(path, DEFAULT_LIMITS))) > 0) noticed++
  })
  expect(noticed / flips).toBeGreaterThan(0.5)
})

test.each(['SQLite 14', 'SQLite 17'] as const)(
  'no flip in a database makes the reader fail: %s',
  async (schema) => {
    const path = await smallDatabase(schema)
    expect(await checked(path)).toEqual([])
    let noticed = 0
    const flips = await flipBits(path, DATABASE_STRIDE, async () => {
      if ((await checked(path)).length > 0) noticed++
    })
    expect(noticed / flips).toBeGreaterThan(0.2)
  },
)

/** Places where a file may end before its last byte, the one in `always` among them. */
function endsOf(whole: Buffer, always = 0): readonly number[] {
  const distance = stride(1)
  return Array.from({ length: whole.length }, (_, end) => end).filter(
    (end) => end % distance === 0 || end === always,
  )
}

/** A shorter file cannot be told from any other. */
const MAGIC_BYTES = 4

test('a compressed log that ends at any byte gets a report', async () => {
  const whole = readFileSync(await written('zstd', await wholeLog(base().bytes())))
  const path = join(tempDir(), 'session.jsonl.zstd')
  // Between two frames nothing is missing: a log of the header alone is a log.
  const [header] = base().lines() as [Buffer]
  const headerFrame = await written('zstd', await wholeLog(Buffer.concat([header, Buffer.from('\n')])))
  const between = readFileSync(headerFrame).length
  const silent: number[] = []
  for (const end of endsOf(whole, between)) {
    writeFileSync(path, whole.subarray(0, end))
    const isFrame = end >= MAGIC_BYTES
    const findings = isFrame ? await findingsIn(zstdFile(path, DEFAULT_LIMITS)) : (await checked(path)).length
    if (findings === 0) silent.push(end)
  }
  expect(silent).toEqual([between])
})

test('a database that ends at any byte gets a report', async () => {
  const path = await smallDatabase('SQLite 17', log().user('hi'))
  const whole = readFileSync(path)
  const silent: number[] = []
  for (const end of endsOf(whole)) {
    writeFileSync(path, whole.subarray(0, end))
    if ((await checked(path)).length === 0) silent.push(end)
  }
  expect(silent).toEqual([])
}, 240_000)
