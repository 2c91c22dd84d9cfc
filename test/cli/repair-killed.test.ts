/**
 * `repair --in-place` and `undo`, killed at every change they make to files, and refused every one of them by the
 * system: the log is the old one or the new one, whole, the backup is the old one, and another run finishes the work.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { writeFrame } from '../../src/storage/zstd/frame-writer.ts'
import { wholeLog, written } from '../support/containers.ts'
import { part } from '../support/effort.ts'
import { type Change, type Fault, type FaultyRun, faultyRun } from '../support/faulty-run.ts'
import { reportIn } from '../support/report-in.ts'
import { resting } from '../support/resting.ts'
import { runMain } from '../support/run-main.ts'
import { crashed, torn } from '../support/sample-logs.ts'
import { tempDir } from '../support/temp-dir.ts'

const patience = 120_000
/** Runs at the same time: they wait for the disk more than they compute. */
const AT_ONCE = 4

type Make = () => Promise<readonly [name: string, content: Buffer]>

const CONTAINERS = ['plain', 'zstd', 'SQLite'] as const

const LOGS: Readonly<Record<(typeof CONTAINERS)[number], Make>> = {
  plain: async () => ['session.jsonl', torn()],
  zstd: async () => {
    const rows = crashed()
      .events()
      .map((event) => `${JSON.stringify(event)}\n`)
    const batches = [`${crashed().lines()[0]}\n`, rows.slice(0, 9).join(''), rows.slice(9).join('')]
    const frames = await Promise.all(batches.map((batch) => writeFrame(Buffer.from(batch))))
    const half = (await writeFrame(Buffer.from('{"type":"tool/result"}\n'))).subarray(0, 9)
    return ['session.jsonl.zstd', Buffer.concat([...frames, half])]
  },
  SQLite: async () => {
    const path = await written('SQLite 14', await wholeLog(crashed().bytes()))
    const db = new Database(path)
    const { id } = db.prepare('SELECT id FROM sessions').get() as { id: string }
    db.prepare('INSERT INTO events VALUES (?, 14, ?, 5, ?, NULL, NULL)').run(id, 'plan/mode', '{"half":')
    db.close()
    return ['sessions.db', readFileSync(path)]
  },
}

type Files = Readonly<Record<string, Buffer>>

function filesIn(folder: string): Files {
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name))]),
  )
}

/** A folder with these files, which nobody has written to for a while. */
function folderWith(files: Files): string {
  const folder = tempDir()
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content)
    resting(join(folder, name))
  }
  return folder
}

interface Job {
  readonly args: (log: string) => readonly string[]
  readonly log: string
  readonly before: Files
  readonly after: Files
  readonly changes: readonly Change[]
}

/** The job undisturbed: what it starts from and what it comes to. */
async function jobOf(before: Files, log: string, args: Job['args']): Promise<Job> {
  const folder = folderWith(before)
  const run = await faultyRun(args(join(folder, log)))
  expect(run).toMatchObject({ exitCode: 0, stderr: '' })
  // Without changes there would be nothing to disturb, and everything that follows would hold.
  expect(run.changes.filter(({ isSeen }) => isSeen)).not.toEqual([])
  return { args, log, before, after: filesIn(folder), changes: run.changes }
}

interface Disturbed {
  readonly fault: Fault
  readonly run: FaultyRun
  readonly files: Files
  readonly path: string
}

async function disturbed({ args, log, before }: Job, fault: Fault): Promise<Disturbed> {
  const folder = folderWith(before)
  const path = join(folder, log)
  const run = await faultyRun(args(path), fault)
  return { fault, run, files: filesIn(folder), path }
}

/** Both kinds of a kill, at every change that anybody else can see. */
function kills({ changes }: Job): readonly Fault[] {
  return changes.flatMap(({ name, isSeen }, index) => {
    const at = index + 1
    if (!isSeen) return []
    return [{ at, what: 'kill' }, ...(name.startsWith('write') ? [{ at, what: 'half' }] : [])]
  })
}

async function each<Item>(items: readonly Item[], use: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await use(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Old or new, and the files that have their names are what they are to be; only temporary ones may be half. */
function mustBeWhole({ log, before, after }: Job, { fault, files }: Disturbed): void {
  const why = JSON.stringify(fault)
  const content = files[log] as Buffer
  expect(
    [before[log], after[log]].some((whole) => whole?.equals(content)),
    why,
  ).toBe(true)
  for (const [name, bytes] of Object.entries(files)) {
    if (name === log || /^\..*\.[0-9a-f]{12}\.tmp$/.test(name)) continue
    expect(bytes.equals(after[name] as Buffer), `${name} ${why}`).toBe(true)
  }
}

async function repairJob(container: keyof typeof LOGS): Promise<Job> {
  const [name, content] = await LOGS[container]()
  return jobOf({ [name]: content }, name, (log) => ['repair', log, '--in-place'])
}

describe('repair', { timeout: patience }, () => {
  test.each(CONTAINERS)('of a log in %s, killed at every change', async (container) => {
    const job = await repairJob(container)
    expect(
      Object.keys(job.after)
        .map((name) => name.replace(job.log, 'LOG').replace(/[0-9a-f]{16}/g, 'HASH'))
        .toSorted(),
    ).toEqual(['LOG', 'LOG.HASH.quarantine', 'LOG.before-HASH-HASH'])
    const faults = kills(job)
    expect(faults.length).toBeGreaterThan(15)
    await each(part(faults), async (fault) => {
      const end = await disturbed(job, fault)
      expect(end.run.signal, JSON.stringify(fault)).toBe('SIGKILL')
      mustBeWhole(job, end)
      const again = await runMain(['repair', end.path, '--in-place'])
      expect(again.exitCode, again.stderr).toBe(0)
      expect(filesIn(dirname(end.path))).toEqual(job.after)
    })
  })

  test('undo, killed at every change', async () => {
    const { after, log } = await repairJob('plain')
    const job = await jobOf(after, log, (path) => ['undo', path])
    await each(part(kills(job)), async (fault) => {
      const end = await disturbed(job, fault)
      expect(end.run.signal, JSON.stringify(fault)).toBe('SIGKILL')
      mustBeWhole(job, end)
      const isDone = (end.files[log] as Buffer).equals(job.after[log] as Buffer)
      const again = await runMain(['undo', end.path])
      expect(again.exitCode, again.stderr).toBe(isDone ? 5 : 0)
      expect(filesIn(dirname(end.path))).toEqual(job.after)
    })
  })

  test.each(['plain', 'SQLite'] as const)(
    'of a log in %s, refused every change by the system',
    async (container) => {
      const job = await repairJob(container)
      const codes = ['ENOSPC', 'EIO', 'EACCES']
      const faults = job.changes.map((_, index) => ({
        at: index + 1,
        what: `fail:${codes[index % codes.length]}`,
      }))
      let failed = 0
      await each(part(faults), async (fault) => {
        const end = await disturbed(job, fault)
        const why = JSON.stringify([fault, job.changes[fault.at - 1]?.name])
        const { exitCode, stderr } = end.run
        mustBeWhole(job, end)
        expect(stderr, why).not.toMatch(/\n\s+at |bug/)
        if (exitCode === 0) {
          expect(end.files, why).toEqual(job.after)
          return
        }
        expect(exitCode, why).toBe(3)
        failed++
        expect(stderr, why).toMatch(/^resurface: .*(session|copy)/)
        const isOld = (end.files[job.log] as Buffer).equals(job.before[job.log] as Buffer)
        // What failed leaves nothing; where the log was replaced before, everything is there and is said to be.
        expect(end.files, why).toEqual(isOld ? job.before : job.after)
        if (isOld) expect(stderr, why).toMatch(/The original log is as it was|private copy/)
        else expect(stderr, why).toContain('is written whole')
      })
      expect(failed).toBeGreaterThan(0)
    },
  )

  test.each(['plain', 'SQLite'] as const)(
    'of a log in %s, overtaken by another writer before every change',
    async (container) => {
      const job = await repairJob(container)
      // Between the last look and the rename nobody can look; after it the repaired log is appended to.
      const faults = Array.from(
        { length: job.changes.findLastIndex(({ name }) => name === 'rename') },
        (_, index) => ({
          at: index + 1,
          what: 'append',
        }),
      )
      await each(part(faults), async (fault) => {
        const folder = folderWith(job.before)
        const path = join(folder, job.log)
        const run = await faultyRun(job.args(path), { ...fault, what: `append:${path}` })
        const why = JSON.stringify([fault, job.changes[fault.at - 1]?.name])
        const longer = Buffer.concat([job.before[job.log] as Buffer, Buffer.from('x')])
        expect(run.exitCode, why + run.stderr + run.stdout).toBe(5)
        expect(filesIn(folder), why).toEqual({ [job.log]: longer })
      })
    },
  )

  test('ended by a signal at every change', async () => {
    const job = await repairJob('plain')
    const faults = job.changes.map((_, index) => ({
      at: index + 1,
      what: `signal:${index % 2 === 0 ? 'SIGINT' : 'SIGTERM'}`,
    }))
    const exitCodes: (number | undefined)[] = []
    await each(part(faults), async (fault) => {
      const end = await disturbed(job, fault)
      mustBeWhole(job, end)
      exitCodes.push(end.run.exitCode)
      expect(
        Object.keys(end.files).filter((name) => name.endsWith('.tmp')),
        JSON.stringify(fault),
      ).toEqual([])
    })
    expect(exitCodes.filter((code) => ![0, 130, 143].includes(code as number))).toEqual([])
    expect(exitCodes.filter((code) => code === 130)).not.toEqual([])
    expect(exitCodes.filter((code) => code === 143)).not.toEqual([])
  })

  test('into a copy, ended by a signal at every change: all of it or nothing', async () => {
    const [name, content] = await LOGS.plain()
    const job = await jobOf({ [name]: content }, name, (log) => [
      'repair',
      log,
      '-o',
      join(dirname(log), 'copy.jsonl'),
    ])
    expect(Object.keys(job.after)).toEqual(['copy.jsonl', 'copy.jsonl.quarantine', name])
    const faults = job.changes.map((_, index) => ({
      at: index + 1,
      what: `signal:${index % 2 === 0 ? 'SIGINT' : 'SIGTERM'}`,
    }))
    let stopped = 0
    await each(faults, async (fault) => {
      const { run, files } = await disturbed(job, fault)
      expect([0, 130, 143], JSON.stringify(fault)).toContain(run.exitCode)
      const isWritten = files['copy.jsonl'] !== undefined
      if (!isWritten) stopped++
      expect(files, JSON.stringify(fault)).toEqual(isWritten ? job.after : job.before)
    })
    expect(stopped).toBeGreaterThan(0)
  })
})

test('the name of a temporary file that is left is one that readers of a store pass over', async () => {
  const { files, path } = await disturbed(await repairJob('plain'), { at: 3, what: 'kill' })
  expect(Object.keys(files).length).toBe(2)
  const { stdout } = await runMain(['check', dirname(path), '--json'])
  expect(reportIn(stdout).subject.path).toBe(path)
})
