/** A log that somebody is at work on is not replaced: real processes that hold it, its lock, or neither. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mustHaveNoWriter } from '../../src/storage/rewrite/live-writer.ts'
import { listing } from '../support/listing.ts'
import { log } from '../support/log-builder.ts'
import { resting } from '../support/resting.ts'
import { runCli } from '../support/run-cli.ts'
import { repair, undo } from '../support/run-repair.ts'
import { base, torn } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'

const notLinux = process.platform === 'linux' ? undefined : 'only Linux tells who is at work on a file'

async function refused(path: string, said: string | RegExp): Promise<void> {
  const before = listing(dirname(path))
  const { exitCode, stderr } = await repair(path, '--in-place')
  expect(exitCode).toBe(5)
  expect(stderr).toMatch(said)
  expect(listing(dirname(path))).toEqual(before)
  expect(readFileSync(path)).toEqual(torn())
}

/** A process that says that it is ready and then waits to be told to end. */
async function started(command: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('error', reject)
  })
  return child
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/** Holds a file open as `flags` say. */
function holder(path: string, flags: string): Promise<ChildProcess> {
  const script = `require('node:fs').openSync(process.argv[1], process.argv[2]); process.stdout.write('open'); setInterval(() => {}, 1000)`
  return started(process.execPath, ['-e', script, path, flags])
}

describe('written a moment ago', () => {
  const now = 1_700_000_000

  test.each([0, 1, 2.9, -1])('by %d seconds', async (age) => {
    const path = tempFile(torn())
    utimesSync(path, now - age, now - age)
    await refused(path, 'was written a moment ago')
  })

  test.each([3.1, 3600])('by %d seconds is long enough ago', async (age) => {
    const path = tempFile(torn())
    utimesSync(path, now - age, now - age)
    expect((await repair(path, '--in-place')).exitCode).toBe(0)
  })

  test('a copy may be made all the same', async () => {
    const path = tempFile(torn())
    utimesSync(path, now, now)
    expect((await repair(path, '-o', join(tempDir(), 'copy.jsonl'))).exitCode).toBe(0)
  })
})

describeUnlessMissing(notLinux, 'open in another process', () => {
  test.each(['a', 'r+'])('for writing (%s)', async (flags) => {
    const path = tempFile(torn())
    const writer = await holder(path, flags)
    await refused(path, new RegExp(`process ${writer.pid} has .* open for writing`))
    await ended(writer)
    expect((await repair(path, '--in-place')).exitCode).toBe(0)
  })

  test('under the name of a link', async () => {
    const path = tempFile(torn())
    const link = join(tempDir(), 'link.jsonl')
    symlinkSync(path, link)
    await holder(link, 'a')
    await refused(path, 'open for writing')
    expect((await repair(link, '--in-place')).exitCode).toBe(5)
  })

  test('for reading is no harm, nor is another file of that name', async () => {
    const path = tempFile(torn())
    await holder(path, 'r')
    await holder(tempFile('other'), 'a')
    expect((await repair(path, '--in-place')).exitCode).toBe(0)
  })

  test('undo is refused as well', async () => {
    const path = tempFile(torn())
    await repair(path, '--in-place')
    const writer = await holder(path, 'a')
    const before = listing(dirname(path))
    const { exitCode, stderr } = await undo(path)
    expect(exitCode).toBe(5)
    expect(stderr).toContain(`process ${writer.pid} has`)
    expect(listing(dirname(path))).toEqual(before)
    await ended(writer)
    expect((await undo(path)).exitCode).toBe(0)
  })
})

/** How a lock can be taken here, as DSH takes it (flock). */
const LOCKERS: Readonly<Record<string, (file: string) => readonly string[]>> = {
  flock: (file) => ['-o', '-x', file, '-c', 'echo locked; exec cat'],
  python3: (file) => [
    '-c',
    'import fcntl,sys,time; f=open(sys.argv[1],"w"); fcntl.flock(f, fcntl.LOCK_EX); print("locked",flush=True); time.sleep(600)',
    file,
  ],
}
const locker = Object.keys(LOCKERS).find((name) => spawnSync(name, ['--version']).status === 0)
const noLock = notLinux ?? (locker === undefined ? 'neither flock nor python3 is here' : undefined)

describeUnlessMissing(noLock, 'session.lock', () => {
  function session(): { path: string; lock: string } {
    const folder = join(tempDir(), '--w--', 'session-1')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'session.jsonl')
    const lock = join(folder, 'session.lock')
    writeFileSync(path, torn())
    writeFileSync(lock, '')
    return { path, lock }
  }

  const lockedBy = (file: string): Promise<ChildProcess> =>
    started(locker as string, LOCKERS[locker as string]?.(file) ?? [])

  test('that is held refuses, and one that was left behind does not', async () => {
    const { path, lock } = session()
    const owner = await lockedBy(lock)
    await refused(path, /process \d+ holds the lock of the session directory/)
    await ended(owner)
    expect((await repair(path, '--in-place')).data.output).toBe(path)
    const later = await lockedBy(lock)
    expect((await undo(path)).exitCode).toBe(5)
    await ended(later)
    expect((await undo(path)).exitCode).toBe(0)
  })

  test('of another session is none of ours', async () => {
    const { path } = session()
    await lockedBy(session().lock)
    expect((await repair(path, '--in-place')).data.output).toBe(path)
  })

  test('the table of locks names the device and the file as stat does', async () => {
    const { lock } = session()
    const owner = await lockedBy(lock)
    const { ino } = statSync(lock)
    const row = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .find((line) => line.includes(`:${ino} `))
    expect(row).toMatch(/^\d+: FLOCK\s+ADVISORY\s+WRITE \d+ [0-9a-f]+:[0-9a-f]+:\d+ 0 EOF$/)
    await ended(owner)
    await mustHaveNoWriter(lock)
  })
})

/** What `check`, `info`, `ls` and a repair plan say of who is at work on a log. */
async function saidOf(path: string): Promise<Record<'check' | 'info' | 'ls' | 'repair', boolean>> {
  const reports = await Promise.all(
    ['check', 'info', 'ls', 'repair'].map(async (command) => {
      const { stdout } = await runCli([command, path, '--json'])
      return (JSON.parse(stdout) as { reports: { findings: { code: string }[]; data: object }[] }).reports[0]
    }),
  )
  const runs = reports.map((report, index) => {
    if (index === 2) return JSON.stringify(report?.data).includes('"health":"running"')
    return report?.findings.some(({ code }) => code === 'store/running') === true
  })
  const [check = false, info = false, ls = false, repair = false] = runs
  return { check, info, ls, repair }
}

const RUNS = { check: true, info: true, ls: true, repair: true }
const ENDED = { check: false, info: false, ls: false, repair: false }

describeUnlessMissing(noLock, 'whether the session runs', () => {
  const crashed = () =>
    tempFile(
      log()
        .openTurn((turn) => turn.openStep((step) => step.user('hi')))
        .bytes(),
    )

  test('while a process has the log open for writing, and no longer', async () => {
    const path = crashed()
    expect(await saidOf(path)).toEqual(ENDED)
    const writer = await holder(path, 'a')
    expect(await saidOf(path)).toEqual(RUNS)
    const { stdout } = await runCli(['info', path])
    expect(stdout).toContain(`process ${writer.pid}`)
    await ended(writer)
    expect(await saidOf(path)).toEqual(ENDED)
  })

  test('a process that reads it is not at work on it', async () => {
    const path = crashed()
    await holder(path, 'r')
    expect(await saidOf(path)).toEqual(ENDED)
  })

  test('while its folder is locked', async () => {
    const path = crashed()
    const lock = join(dirname(path), 'session.lock')
    writeFileSync(lock, '')
    expect(await saidOf(path)).toEqual(ENDED)
    const owner = await started(locker as string, LOCKERS[locker as string]?.(lock) ?? [])
    expect(await saidOf(path)).toEqual(RUNS)
    await ended(owner)
  })

  test('a database in use', async () => {
    const path = join(tempDir(), 'sessions.db')
    const source = crashed()
    expect((await runCli(['convert', source, '-o', path])).exitCode).toBe(0)
    const writer = await holder(path, 'r+')
    const { stdout } = await runCli(['check', path])
    expect(stdout).toContain(`process ${writer.pid} has the database open for writing`)
  })

  test('of a log that is closed at its end nothing is said', async () => {
    const path = tempFile(base().bytes())
    await holder(path, 'a')
    expect(await saidOf(path)).toEqual(ENDED)
  })
})

describeUnlessMissing(notLinux, 'several runs at once', () => {
  // Several times, for what they do to each other is a matter of who is first.
  test.each([1, 2, 3])(
    'some may be refused, and nothing is lost, neither log, backup nor quarantine (%i)',
    async () => {
      const path = resting(tempFile(torn()))
      const runs = await Promise.all(
        Array.from({ length: 6 }, () => runCli(['repair', path, '--in-place', '--json'])),
      )
      for (const { exitCode, stderr } of runs) {
        expect([0, 5], stderr).toContain(exitCode)
        expect(stderr).not.toMatch(/\n\s+at |bug/)
      }
      const { data } = await repair(path, '--in-place')
      const isDone = runs.some(({ exitCode }) => exitCode === 0)
      expect(isDone ? data.steps : []).toEqual([])
      const names = readdirSync(dirname(path)).map((name) => name.replace(/[0-9a-f]{16}/g, 'HASH'))
      expect(names.toSorted()).toEqual([
        'log.jsonl',
        'log.jsonl.HASH.quarantine',
        'log.jsonl.before-HASH-HASH',
      ])
      expect((await undo(path)).exitCode).toBe(0)
      expect(readFileSync(path)).toEqual(torn())
    },
  )

  test('a temporary file that nobody holds is a leftover, one that is held is not', async () => {
    const path = tempFile(torn())
    const temporary = join(dirname(path), '.log.jsonl.0123456789ab.tmp')
    writeFileSync(temporary, 'half')
    const other = await holder(temporary, 'a')
    await refused(path, `process ${other.pid} is replacing`)
    await ended(other)
    expect((await repair(path, '--in-place')).exitCode).toBe(0)
    expect(existsSync(temporary)).toBe(false)
  })
})
