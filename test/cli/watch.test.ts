/** The built `watch` next to real writers, and what ends it. */
import { appendFileSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { wholeLog, written } from '../support/containers.ts'
import { fileTree, placeOf } from '../support/file-tree.ts'
import { framed } from '../support/frames-of-lines.ts'
import { log } from '../support/log-builder.ts'
import { resting } from '../support/resting.ts'
import { BIN, runCli } from '../support/run-cli.ts'
import { runMain } from '../support/run-main.ts'
import { base, crashed, rich, twoTurns } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const support = (name: string): string => fileURLToPath(new URL(`../support/${name}`, import.meta.url))

interface Watch {
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits until a stream has said it. */
  readonly says: (text: string, where?: 'stdout' | 'stderr') => Promise<void>
  readonly interrupt: () => void
  readonly closeOutput: () => void
  readonly over: Promise<number | undefined>
}

function watch(args: readonly string[], temporary = tempDir()): Watch {
  const { PATH = '', HOME = '' } = process.env
  const child = execa(process.execPath, [BIN, 'watch', ...args, '--interval', '0.02'], {
    reject: false,
    extendEnv: false,
    env: { PATH, HOME, TMPDIR: temporary },
    buffer: false,
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk.toString('utf8')
  })
  let isOver = false
  const over = child.then(({ exitCode }) => {
    isOver = true
    return exitCode
  })
  const says = async (text: string, where: 'stdout' | 'stderr' = 'stdout'): Promise<void> => {
    while (!said[where].includes(text)) {
      if (isOver) throw new Error(`over without "${text}": ${said.stdout}${said.stderr}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return {
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    says,
    interrupt: () => void child.kill('SIGINT'),
    closeOutput: () => void child.stdout.destroy(),
    over,
  }
}

async function transcriptOf(path: string, ...more: string[]): Promise<string> {
  return (await runMain(['transcript', path, ...more])).stdout
}

describe('next to a writer', () => {
  const logs = {
    'lines in single bytes and more': {
      name: 'log.jsonl',
      bytes: async () => rich().bytes(),
      sizes: [1, 7, 300, 2],
    },
    'a crash in the middle of a line': {
      name: 'log.jsonl',
      bytes: async () => crashed().torn('{"ty').bytes(),
      sizes: [90],
    },
    'frames in pieces': {
      name: 'log.jsonl.zstd',
      bytes: async () => framed(rich().lines()),
      sizes: [60, 5, 400],
    },
  }

  test.each(Object.entries(logs))(
    '%s: the output is that of transcript',
    async (_title, { name, bytes, sizes }) => {
      const source = tempFile(await bytes(), 'source')
      const path = join(tempDir(), name)
      const [text, lines] = [watch([path]), watch([path, '--format', 'ndjson'])]
      await Promise.all([text.says('waiting', 'stderr'), lines.says('waiting', 'stderr')])
      await execa(process.execPath, [support('slow-writer.mjs'), source, path, ...sizes.map(String)])
      text.interrupt()
      lines.interrupt()
      expect([await text.over, await lines.over]).toEqual([0, 0])
      expect(text.stdout()).toBe(await transcriptOf(path))
      // What the model no longer sees is known at the end alone.
      const whole = await transcriptOf(path, '--format', 'ndjson')
      expect(lines.stdout()).toBe(whole.replaceAll(/,"replacedBy":\d+/g, ''))
    },
  )

  test('rows of a database, of which nothing is left behind', async () => {
    const { header, events } = await wholeLog(rich().bytes())
    const source = await written('SQLite 17', { header, events })
    const path = await written('SQLite 17', { header, events: [] })
    const temporary = tempDir()
    const { says, stdout, over, interrupt } = watch([path], temporary)
    await execa(process.execPath, [support('slow-database.mjs'), source, path])
    await says('compacted')
    interrupt()
    expect(await over).toBe(0)
    expect(stdout()).toBe(await transcriptOf(path))
    expect(readdirSync(dirname(path))).toEqual(['log.db'])
    expect(readdirSync(temporary)).toEqual([])
  })

  test('entries are printed while the writer goes on, as lines and as text', async () => {
    const path = tempFile(base().bytes())
    const [text, lines] = [watch([path]), watch([path, '--format', 'ndjson'])]
    await Promise.all([text.says('a.txt'), lines.says('a.txt')])
    appendFileSync(path, twoTurns().bytes().subarray(base().bytes().length))
    await Promise.all([text.says('done'), lines.says('done')])
    text.interrupt()
    lines.interrupt()
    expect([await text.over, await lines.over]).toEqual([0, 0])
    expect(text.stdout()).toBe(await transcriptOf(path))
    expect(lines.stdout()).toBe(await transcriptOf(path, '--format', 'ndjson'))
  })

  test('from the end: only what comes', async () => {
    const path = tempFile(base().bytes())
    const { stdout, over, interrupt } = watch([path, '--from-end'])
    const all = watch([path])
    await all.says('a.txt')
    for (let seq = 9; !stdout().includes('news'); seq++) {
      // It may have begun after the first of them.
      appendFileSync(path, `${log().jumpTo(seq).user('news').lines()[1]}\n`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    interrupt()
    all.interrupt()
    expect([await over, await all.over]).toEqual([0, 0])
    expect(stdout()).not.toContain('list files')
    expect(all.stdout()).toContain(stdout())
  })
})

describe('findings', () => {
  test('the first violation is printed at once, and with --fail-on decides the exit code', async () => {
    const path = tempFile(base().bytes())
    const { says, stdout, over, interrupt } = watch([path, '--findings', '--fail-on', 'error'])
    const bad = base()
      .checkpoint(99, 99, { sources: [1] })
      .bytes()
    appendFileSync(path, bad.subarray(base().bytes().length))
    await says('surface/start-not-found')
    interrupt()
    expect(await over).toBe(1)
    expect(stdout()).toMatch(/^error surface\/start-not-found, line 11, seq 9\n {2}\S/m)
  })

  test('at the end they are those of check', async () => {
    const path = tempFile(
      crashed()
        .drop(5)
        .checkpoint(99, 99, { sources: [1] })
        .torn('{')
        .bytes(),
    )
    const { stdout } = await runMain(['watch', path, '--findings', '--idle', '0', '--format', 'ndjson'])
    const checked = await runMain(['check', path, '--format', 'ndjson'])
    const found = (text: string) =>
      text
        .split('\n')
        // What newer releases have against it is said of a log at rest.
        .filter((line) => line.includes('"kind":"finding"') && !line.includes('"code":"upgrade/'))
        .toSorted()
        .map((line) => ({ ...JSON.parse(line), log: path }))
    expect(found(stdout).length).toBeGreaterThan(3)
    expect(found(stdout)).toEqual(found(checked.stdout))
  })
})

describe('a log that is replaced is printed again', () => {
  test('repaired in place', async () => {
    const path = resting(tempFile(twoTurns().drop(5).bytes(), 'log.jsonl'))
    const { says, stdout, stderr, over, interrupt } = watch([path])
    await says('done')
    expect((await runCli(['repair', path, '--in-place'])).exitCode).toBe(0)
    await says('it is read again from the start', 'stderr')
    interrupt()
    expect(await over).toBe(0)
    expect(stderr()).toContain('another file has taken its place')
    const transcript = await transcriptOf(path)
    expect(stdout().endsWith(`\n${transcript}`)).toBe(true)
    expect(stdout().length).toBeGreaterThan(transcript.length + 1)
  })

  test('cut, and gone on with', async () => {
    const path = tempFile(twoTurns().bytes())
    const { says, stdout, over, interrupt } = watch([path])
    await says('done')
    truncateSync(path, base().bytes().length)
    await says('what was read of it has changed', 'stderr')
    appendFileSync(
      path,
      base()
        .turn((turn) => turn.user('otherwise'))
        .bytes()
        .subarray(base().bytes().length),
    )
    interrupt()
    expect(await over).toBe(0)
    expect(stdout().endsWith(`\n${await transcriptOf(path)}`)).toBe(true)
    expect(stdout()).toContain('otherwise')
  })

  test('gone, and back', async () => {
    const path = tempFile(base().bytes())
    const other = tempFile(twoTurns().bytes())
    const { says, stdout, stderr, over, interrupt } = watch([path])
    await says('a.txt')
    renameSync(path, `${path}.old`)
    await says('waiting for it', 'stderr')
    renameSync(other, path)
    await says('done')
    interrupt()
    expect(await over).toBe(0)
    expect(stderr()).toContain('it is gone')
    expect(stdout().endsWith(`\n${await transcriptOf(path)}`)).toBe(true)
  })

  test('in a newer generation', async () => {
    const id = 'session-00000000-0000-4000-8000-000000000001'
    const root = fileTree({ [placeOf(id, '/w')]: base() })
    const folder = join(root, dirname(placeOf(id, '/w')))
    const { says, stdout, over, interrupt } = watch([folder])
    await says('a.txt')
    const newer = join(folder, 'session.v1.jsonl')
    writeFileSync(`${newer}.0123456789ab.tmp`, twoTurns().header({ version: 1 }).bytes())
    renameSync(`${newer}.0123456789ab.tmp`, newer)
    await says('the session goes on in session.v1.jsonl', 'stderr')
    appendFileSync(newer, `${twoTurns().user('new here').lines().at(-1)}\n`)
    await says('new here')
    interrupt()
    expect(await over).toBe(0)
    expect(stdout().endsWith(`\n${await transcriptOf(newer)}`)).toBe(true)
    expect(stdout()).toContain('new here')
  })
})

describe('what ends it', () => {
  test.each([
    [0, base()],
    [1, base().drop(5)],
  ])('an interrupt: %i', async (expected, built) => {
    const path = tempFile(
      built.openTurn((turn) => turn.user('last').openStep((step) => step.chunk('half'))).bytes(),
    )
    const { says, stdout, over, interrupt } = watch([path, '--fail-on', 'error'])
    await says('last')
    expect(stdout()).not.toContain('half')
    interrupt()
    expect(await over).toBe(expected)
    expect(stdout()).toBe(await transcriptOf(path))
  })

  test('an interrupt while nothing is there: the log is missing', async () => {
    const { says, stdout, over, interrupt } = watch([join(tempDir(), 'log.jsonl')])
    await says('waiting for it', 'stderr')
    interrupt()
    expect(await over).toBe(3)
    expect(stdout()).toBe('')
  })

  test('a reader that goes away, with the next entry', async () => {
    const path = tempFile(base().drop(5).bytes())
    const { says, stderr, over, closeOutput } = watch([path, '--fail-on', 'error'])
    await says('list files')
    closeOutput()
    appendFileSync(path, twoTurns().bytes().subarray(base().bytes().length))
    expect(await over).toBe(1)
    expect(stderr()).not.toMatch(/EPIPE|Error|at /)
  })

  test('a database that is watched when the interrupt comes leaves nothing behind', async () => {
    const path = await written('SQLite 17', await wholeLog(base().bytes()))
    const temporary = tempDir()
    const { says, over, interrupt } = watch([path], temporary)
    await says('a.txt')
    interrupt()
    expect(await over).toBe(0)
    expect(readdirSync(temporary)).toEqual([])
    expect(readdirSync(dirname(path))).toEqual(['log.db'])
  })
})

describe('what is refused', () => {
  test.each<[string, string[]]>([
    ['a format that needs the end', ['--format', 'markdown']],
    ['JSON, which needs the end', ['--json']],
    ['both kinds of rows', ['--entries', '--findings']],
    ['both ends', ['--from-start', '--from-end']],
    ['no pause between looks', ['--interval', '0']],
    ['a pause that is none', ['--idle', 'soon']],
  ])('%s', async (_title, more) => {
    const { exitCode, stdout } = await runMain(['watch', tempFile(base().bytes()), ...more, '--idle', '0'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  })

  test('standard input, a gzip file, and several logs', async () => {
    const gzip = await written('gzip', await wholeLog(base().bytes()))
    const folder = tempDir()
    for (const name of ['a.jsonl', 'b.jsonl']) writeFileSync(join(folder, name), base().bytes())
    for (const name of ['-', gzip, folder]) {
      const { exitCode, stdout } = await runMain(['watch', name, '--idle', '0'])
      expect({ exitCode, stdout }, name).toEqual({ exitCode: 2, stdout: '' })
    }
  })

  test('an answer in the place of the log, also of one that comes to be there', async () => {
    const path = join(tempDir(), 'log.jsonl')
    const { says, over, stderr, interrupt } = watch([path, '-o', path])
    await says('waiting for it', 'stderr')
    writeFileSync(path, base().bytes())
    interrupt()
    expect(await over).toBe(2)
    expect(stderr()).toContain('belongs to the log')
    expect(readFileSync(path).equals(base().bytes())).toBe(true)
    expect(readdirSync(dirname(path))).toEqual(['log.jsonl'])
  })
})

test('quiet, and into a file', async () => {
  const path = tempFile(base().drop(5).bytes())
  const quiet = await runMain(['watch', path, '--idle', '0', '--quiet', '--fail-on', 'error'])
  expect(quiet).toMatchObject({ exitCode: 1, stdout: '' })
  const file = join(dirname(path), 'answer.txt')
  expect((await runMain(['watch', path, '--idle', '0', '-o', file])).exitCode).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(await transcriptOf(path))
})
