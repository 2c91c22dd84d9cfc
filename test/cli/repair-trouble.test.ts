/** What the system refuses: a sentence that says what happened and what state the files are in, and no half of a file. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { wholeLog, written } from '../support/containers.ts'
import { listing } from '../support/listing.ts'
import { resting } from '../support/resting.ts'
import { BIN, type RunResult, runCli } from '../support/run-cli.ts'
import { runMain } from '../support/run-main.ts'
import { repair, undo } from '../support/run-repair.ts'
import { crashed, torn } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'
import { describeUnlessMissing, testUnlessMissing } from '../support/unless-missing.ts'

/** Some pages long, so that a disk can be too small for it. */
function long(): Buffer {
  const built = crashed()
  for (let n = 0; n < 300; n++) built.event('plan/mode', { text: 'x'.repeat(100) })
  return built.torn('{"type":"tool/re').bytes()
}

function mustSay({ exitCode, stdout, stderr }: RunResult, code: number, ...said: readonly string[]): void {
  expect({ exitCode, stdout }, stderr).toEqual({ exitCode: code, stdout: '' })
  expect(stderr).toMatch(/^resurface: /)
  expect(stderr).not.toMatch(/\n\s+at |bug/)
  for (const words of said) expect(stderr).toContain(words)
}

const NOBODY = 65534
const isRoot = process.getuid?.() === 0
const notRoot = isRoot ? undefined : 'only root may give files away'
const onWindows = process.platform === 'win32' ? 'Windows has no such thing' : undefined

/** Runs as somebody whom permissions bind, for they do not bind root. */
async function runBound(args: readonly string[]): Promise<RunResult> {
  const { stdout, stderr, exitCode } = await execa(process.execPath, [BIN, ...args], {
    reject: false,
    stdin: 'ignore',

    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  })
  return { stdout, stderr, exitCode }
}

const canBeBound =
  process.platform !== 'win32' &&
  (!isRoot || spawnSync(process.execPath, [BIN, '--version'], { uid: NOBODY, gid: NOBODY }).status === 0)
const unbound = canBeBound ? undefined : 'nobody may run the built command here'

/** A log in a folder that both belong to anyone who runs the command. */
function ownLog(content: Buffer = torn(), name = 'log.jsonl'): string {
  const path = resting(tempFile(content, name))
  if (isRoot) for (const file of [dirname(path), path]) chownSync(file, NOBODY, NOBODY)
  return path
}

describeUnlessMissing(unbound, 'permissions', () => {
  test.each([
    ['plain', 'log.jsonl'],
    ['SQLite 17', 'log.db'],
  ] as const)('a folder that cannot be written, %s', async (container, name) => {
    const content = readFileSync(await written(container, await wholeLog(crashed().bytes())))
    const path = ownLog(content, name)
    chmodSync(dirname(path), 0o500)
    const before = listing(dirname(path))
    mustSay(
      await runBound(['repair', path, '--in-place']),
      3,
      `cannot write ${path}: permission denied`,
      'The original log is as it was.',
    )
    mustSay(await runBound(['repair', path, '--write']), 3, 'cannot write', 'The original log is as it was.')
    mustSay(
      await runBound(['repair', path, '--plan', join(dirname(path), 'plan.json')]),
      3,
      'cannot write',
      'The original log is as it was.',
    )
    expect(listing(dirname(path))).toEqual(before)
    chmodSync(dirname(path), 0o700)
    expect((await runBound(['repair', path, '--in-place'])).exitCode).toBe(0)
    chmodSync(dirname(path), 0o500)
    const after = listing(dirname(path))
    mustSay(
      await runBound(['undo', path]),
      3,
      `cannot write ${path}: permission denied`,
      'The original log is as it was.',
    )
    expect(listing(dirname(path))).toEqual(after)
    chmodSync(dirname(path), 0o700)
  })

  test('a log that cannot be read', async () => {
    const path = ownLog()
    chmodSync(path, 0)
    mustSay(await runBound(['repair', path, '--in-place']), 3, `cannot read ${path}: permission denied`)
    mustSay(await runBound(['undo', path]), 3, 'permission denied')
    expect(readdirSync(dirname(path))).toEqual(['log.jsonl'])
  })

  test('a log that may only be read is replaced all the same, and stays so', async () => {
    const path = ownLog()
    chmodSync(path, 0o440)
    const { exitCode, stderr } = await runBound(['repair', path, '--in-place'])
    expect(exitCode, stderr).toBe(0)
    expect(statSync(path).mode & 0o7777).toBe(0o440)
    expect((await runBound(['undo', path])).exitCode).toBe(0)
    expect(readFileSync(path)).toEqual(torn())
  })

  testUnlessMissing(notRoot, 'owner and group stay where the user may give files away', async () => {
    const path = ownLog()
    chownSync(path, 1234, 5678)
    const { data } = await repair(path, '--in-place')
    for (const file of [path, data.backup as string])
      expect([statSync(file).uid, statSync(file).gid]).toEqual([1234, 5678])
  })
})

describeUnlessMissing(onWindows, 'a file that may not grow', () => {
  test.each([1, 20, 46])('beyond %d KB', async (kilobytes) => {
    const path = resting(tempFile(long()))
    const before = listing(dirname(path))
    for (const target of [['--in-place'], ['--write'], ['-o', join(dirname(path), 'copy.jsonl')]]) {
      const run = await limited(kilobytes, ['repair', path, ...target])
      mustSay(run, 3, 'the file would be larger than is allowed', 'The original log is as it was.')
      expect(listing(dirname(path))).toEqual(before)
    }
  })

  test('undo', async () => {
    const path = resting(tempFile(long()))
    await repair(path, '--in-place')
    const before = listing(dirname(path))
    mustSay(
      await limited(20, ['undo', path]),
      3,
      'the file would be larger than is allowed',
      'The original log is as it was.',
    )
    expect(listing(dirname(path))).toEqual(before)
    expect((await undo(path)).exitCode).toBe(0)
  })

  async function limited(kilobytes: number, args: readonly string[]): Promise<RunResult> {
    const script = `ulimit -f ${kilobytes}; exec "$@"`
    const { stdout, stderr, exitCode } = await execa(
      'bash',
      ['-c', script, 'bash', process.execPath, BIN, ...args],
      {
        reject: false,
        stdin: 'ignore',
      },
    )
    return { stdout, stderr, exitCode }
  }
})

/** A small disk of one's own, where the system lets users have one. */
const MOUNT = 'mount -t tmpfs -o size=64k tmpfs "$1"'
const canMount = spawnSync('unshare', ['-rm', 'bash', '-c', MOUNT, 'bash', tmpdir()]).status === 0
const noDisk = canMount ? undefined : 'no disk can be mounted here'

describeUnlessMissing(noDisk, 'a disk', () => {
  /** The command on a copy of the log on a disk of this size, and what is on the disk afterwards. */
  async function onDisk(
    file: string,
    kilobytes: number,
    args: string,
    prepare = '',
  ): Promise<RunResult & { readonly files: Readonly<Record<string, Buffer>> }> {
    const [disk, result] = [tempDir(), tempDir()]
    const script = [
      `mount -t tmpfs -o size=${kilobytes}k tmpfs "$1" || exit 99`,
      `cp -p "$2" "$1/" && cd "$1"`,
      prepare,
      `"$4" "$5" ${args}`,
      'code=$?',
      'cp -a "$1/." "$3/"',
      'exit $code',
    ].join('\n')
    const { stdout, stderr, exitCode } = await execa(
      'unshare',
      ['-rm', 'bash', '-c', script, 'bash', disk, file, result, process.execPath, BIN],
      { reject: false, stdin: 'ignore' },
    )
    const files = Object.fromEntries(
      readdirSync(result)
        .toSorted()
        .map((name) => [name, readFileSync(join(result, name))]),
    )
    return { stdout, stderr, exitCode, files }
  }

  test('that is full at any moment leaves the old log alone, or the new one with its backup', async () => {
    const path = resting(tempFile(long()))
    const codes = new Set<number | undefined>()
    const size = 4 * Math.ceil(long().length / 4096)
    // Room for the log, the repaired one, the quarantine and the backup, and always too little for one of them.
    for (const kilobytes of [size + 4, 2 * size, 2 * size + 4, 2 * size + 8, 3 * size, 4 * size]) {
      const run = await onDisk(path, kilobytes, 'repair log.jsonl --in-place')
      codes.add(run.exitCode)
      if (run.exitCode === 0) {
        expect(Object.keys(run.files).length).toBe(3)
        expect(run.files['log.jsonl']).not.toEqual(long())
      } else {
        mustSay(run, 3, 'cannot write log.jsonl: there is no space left', 'The original log is as it was.')
        expect(run.files).toEqual({ 'log.jsonl': long() })
      }
    }
    expect([...codes].toSorted()).toEqual([0, 3])
  })

  test('that is full: a copy, and a database', async () => {
    const path = resting(tempFile(long()))
    const copy = await onDisk(path, 64, 'repair log.jsonl -o copy.jsonl')
    mustSay(copy, 3, 'cannot write copy.jsonl: there is no space left', 'The original log is as it was.')
    expect(copy.files).toEqual({ 'log.jsonl': long() })
    const database = resting(await written('SQLite 17', await wholeLog(crashed().bytes())))
    const kilobytes = Math.ceil(statSync(database).size / 1024) + 16
    const replaced = await onDisk(database, kilobytes, 'repair log.db --in-place')
    mustSay(replaced, 3, 'cannot write log.db: there is no space left', 'The original log is as it was.')
    expect(replaced.files).toEqual({ 'log.db': readFileSync(database) })
    const noRoom = await onDisk(database, kilobytes, 'repair log.db --in-place', 'export TMPDIR="$1"')
    mustSay(noRoom, 3, 'cannot copy log.db to read it', 'TMPDIR names the folder for it.')
    expect(noRoom.files).toEqual({ 'log.db': readFileSync(database) })
  })

  test('that is read-only', async () => {
    const path = resting(tempFile(torn()))
    const readOnly = 'mount -o remount,ro "$1"'
    const run = await onDisk(path, 256, 'repair log.jsonl --in-place', readOnly)
    mustSay(run, 3, 'cannot write log.jsonl: the file system is read-only', 'The original log is as it was.')
    expect(run.files).toEqual({ 'log.jsonl': torn() })
    const healthy = resting(tempFile(crashed().bytes()))
    expect((await onDisk(healthy, 256, 'repair log.jsonl', readOnly)).exitCode).toBe(1)
  })
})

describe('names', () => {
  test('that begin with a dash', async () => {
    const path = resting(tempFile(torn(), '-o.jsonl'))
    const cwd = dirname(path)
    expect((await runCli(['repair', '--in-place', '--', '-o.jsonl'], { cwd })).exitCode).toBe(0)
    expect((await runCli(['undo', '--', '-o.jsonl'], { cwd })).exitCode).toBe(0)
    expect(readFileSync(path)).toEqual(torn())
    expect((await runCli(['repair', '--write', '--', '-o.jsonl'], { cwd })).exitCode).toBe(0)
    expect(readdirSync(cwd)).toContain('-o.repaired.jsonl')
  })

  test('with line feeds and escape sequences stay on their line', async () => {
    const path = tempFile(torn(), 'a\nb\u001b[31m.jsonl')
    symlinkSync(path, join(dirname(path), 'link'))
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    const { stderr } = await repair(path, '--in-place')
    expect(stderr.split('\n').length).toBe(3)
    expect(stderr).not.toContain('\u001b')
  })

  test('of 255 bytes: every output next to them fits', async () => {
    const path = tempFile(torn(), 'n'.repeat(255))
    expect((await repair(path, '--in-place')).exitCode).toBe(0)
    expect((await undo(path)).exitCode).toBe(0)
    expect((await repair(path, '--write')).exitCode).toBe(0)
    const output = join(tempDir(), 'o'.repeat(255))
    const { exitCode, data } = await repair(path, '-o', output)
    expect(exitCode).toBe(0)
    expect(basename(data.quarantine as string)).toMatch(/^o{200,}~[0-9a-f]{8}\.quarantine$/)
  })

  test('that are too long say so', async () => {
    mustSay(
      await runMain(['repair', tempFile(torn()), '-o', join(tempDir(), 'o'.repeat(256))]),
      3,
      'the name is too long',
      'The original log is as it was.',
    )
  })
})

describe('an output that is', () => {
  test('a folder', async () => {
    const folder = tempDir()
    mustSay(await runMain(['repair', tempFile(torn()), '-o', folder]), 2, 'is a folder, not a file')
    expect(readdirSync(folder)).toEqual([])
  })

  testUnlessMissing(onWindows, 'a pipe that nobody writes to', async () => {
    const pipe = join(tempDir(), 'pipe')
    spawnSync('mkfifo', [pipe])
    mustSay(await runMain(['repair', tempFile(torn()), '-o', pipe]), 2, 'is not a regular file')
    mustSay(await runMain(['repair', tempFile(torn()), '--plan', pipe]), 2, 'is not a regular file')
  })

  test('in a folder that is not there, or below a file', async () => {
    const path = tempFile(torn())
    mustSay(
      await runMain(['repair', path, '-o', join(tempDir(), 'no', 'copy.jsonl')]),
      3,
      'there is no such folder',
      'The original log is as it was.',
    )
    mustSay(
      await runMain(['repair', path, '-o', join(path, 'copy.jsonl')]),
      3,
      'a part of its path is not a folder',
    )
    expect(readdirSync(dirname(path))).toEqual(['log.jsonl'])
  })

  test('a link to nothing yet is followed, and the link stays', async () => {
    const folder = tempDir()
    mkdirSync(join(folder, 'there'))
    const link = join(folder, 'link.jsonl')
    symlinkSync('there/copy.jsonl', link)
    const path = tempFile(torn())
    expect((await repair(path, '-o', link)).exitCode).toBe(0)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect((await repair(join(folder, 'there', 'copy.jsonl'))).data.steps).toEqual([])
    expect((await repair(path, '-o', link)).exitCode).toBe(2)
  })

  test('a link to what a database would take for its own', async () => {
    const database = await written('SQLite 17', await wholeLog(crashed().bytes()))
    const link = join(tempDir(), 'link.jsonl')
    symlinkSync(`${database}-wal`, link)
    mustSay(await runMain(['repair', database, '-o', link]), 2, 'belongs to the log that is read')
    expect(readdirSync(dirname(database))).toEqual([basename(database)])
  })

  test('a link that leads in a circle', async () => {
    const link = join(tempDir(), 'circle')
    symlinkSync(link, link)
    const run = await runMain(['repair', tempFile(torn()), '-o', link])
    mustSay(run, 3, 'too many symbolic links')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  })
})

test('a link to nothing, as a log', async () => {
  const link = join(tempDir(), 'link.jsonl')
  symlinkSync(join(tempDir(), 'none'), link)
  for (const args of [
    ['repair', link, '--in-place'],
    ['undo', link],
  ])
    mustSay(await runMain(args), 3, 'there is no such file')
})

test('undo of a folder without repairs, and of a log that is not there', async () => {
  const folder = tempDir()
  writeFileSync(join(folder, 'a.jsonl'), torn())
  writeFileSync(join(folder, 'b.jsonl'), torn())
  mustSay(await runMain(['undo', folder]), 5, 'none of 2 logs has a backup of a repair')
  mustSay(await runMain(['undo', join(folder, 'c.jsonl')]), 3, 'there is no such file')
})
