/**
 * What a watcher is told of a log that is written in pieces is what is read of the whole log, however it was cut into
 * pieces, whatever it holds, and however it is damaged.
 */
import { readFileSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { ALL } from '../corpus/all-cases.ts'
import { isOfLines } from '../corpus/case.ts'
import { writeCase } from '../corpus/write-case.ts'
import { wholeLog, written } from '../support/containers.ts'
import { part, runs } from '../support/effort.ts'
import { framed } from '../support/frames-of-lines.ts'
import { type Answer, choppedWrites, framedAnyhow, readWhole, watched } from '../support/growing-log.ts'
import { crashed, rich } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const answer = ({ entries, findings }: Pick<Answer, 'entries' | 'findings'>) => ({ entries, findings })

/** The file is taken away and written again, piece by piece, before the eyes of a watcher. */
async function watchRewritten(
  path: string,
  named: string,
  cuts: readonly number[],
  reading = {},
): Promise<void> {
  const whole = await readWhole(named, reading)
  const bytes = readFileSync(path)
  rmSync(path)
  const live = await watched(named, choppedWrites(path, bytes, cuts), reading)
  expect(statSync(path).size).toBe(bytes.length)
  expect(answer(live)).toEqual(answer(whole))
}

/** Those of one text log. */
const CASES = ALL.filter((each) => {
  const { name, file = 'log.jsonl', named } = each
  const grows = !/\.(?:db|gz)$/.test(file) && name !== 'gzip-in-a-compressed-name'
  return grows && named === undefined && isOfLines(each)
})

describe('every case of the corpus', () => {
  test.each(part(CASES))('$name', async (wanted) => {
    const { maxRecord, dialect } = wanted
    const { path, named } = await writeCase(wanted, tempDir())
    const limits = { ...DEFAULT_LIMITS, ...(maxRecord !== undefined && { maxRecord }) }
    const size = statSync(path).size
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(Math.max(size, 1)), { maxLength: 8 }), (cuts) =>
        watchRewritten(path, named, cuts, { limits, dialect }),
      ),
      { numRuns: 2 },
    )
  })
})

const STORED = {
  plain: async () => crashed().bytes(),
  packed: async () => readFileSync(await written('packed', await wholeLog(rich().bytes()))),
  'zstd, a frame a line': async () => framed(crashed().lines()),
  'zstd, lines over several frames': async () => framedAnyhow(crashed().bytes(), 150),
  'zstd, one frame': async () => readFileSync(await written('zstd', await wholeLog(crashed().bytes()))),
} as const

describe.each(Object.entries(STORED))('%s', (name, bytesOf) => {
  const file = name.startsWith('zstd') ? 'log.jsonl.zstd' : 'log.jsonl'

  test('byte by byte', async () => {
    const bytes = await bytesOf()
    const path = tempFile(bytes, file)
    await watchRewritten(path, path, [...bytes.keys()])
  })

  test('in pieces of any size', async () => {
    const bytes = await bytesOf()
    const path = tempFile(bytes, file)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 40 }), (cuts) =>
        watchRewritten(path, path, cuts),
      ),
      { numRuns: runs(15) },
    )
  })
})

/** A byte of a log changed, or some taken out: what happens to a file that a disk or a careless program has damaged. */
test.each(Object.entries(STORED))('%s, damaged anywhere', async (name, bytesOf) => {
  const file = name.startsWith('zstd') ? 'log.jsonl.zstd' : 'log.jsonl'
  const whole = await bytesOf()
  const damage = fc.record({
    at: fc.nat(whole.length - 1),
    byte: fc.nat(255),
    lost: fc.constantFrom(0, 0, 1, 40),
  })
  await fc.assert(
    fc.asyncProperty(
      damage,
      fc.array(fc.nat(whole.length), { maxLength: 12 }),
      async ({ at, byte, lost }, cuts) => {
        const bytes = Buffer.concat([whole.subarray(0, at), Buffer.of(byte), whole.subarray(at + 1 + lost)])
        const path = tempFile(bytes, file)
        await watchRewritten(path, path, cuts)
      },
    ),
    { numRuns: runs(60) },
  )
})

test.each(['SQLite 14', 'SQLite 17'] as const)(
  '%s, row by row, while its log is written ahead',
  async (schema) => {
    const { header, events } = await wholeLog(crashed().bytes())
    const full = await written(schema, { header, events })
    const whole = await readWhole(full)
    const piece = fc.record({ rows: fc.integer({ min: 1, max: 6 }), checkpoints: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const path = await written(schema, { header, events: [] }, tempDir())
        const writer = new Database(path)
        try {
          writer.pragma('journal_mode = WAL')
          writer.prepare('ATTACH ? AS whole').run(full)
          const rows = writer.prepare('SELECT rowid AS id FROM whole.events ORDER BY seq').pluck().all()
          const insert = writer.prepare('INSERT INTO main.events SELECT * FROM whole.events WHERE rowid = ?')
          const steps = [...pieces, { rows: rows.length, checkpoints: false }].map(
            ({ rows: count, checkpoints }) =>
              () => {
                writer.transaction(() => {
                  for (const id of rows.splice(0, count)) insert.run(id)
                })()
                if (checkpoints) writer.pragma('main.wal_checkpoint(TRUNCATE)')
              },
          )
          const live = await watched(path, steps)
          expect(rows).toEqual([])
          expect(answer(live)).toEqual(answer(whole))
        } finally {
          writer.close()
        }
      }),
      { numRuns: runs(5) },
    )
  },
)
