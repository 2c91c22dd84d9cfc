/** `bisect --exec` and `minimize --exec`: real processes that judge real files, and nothing that is left behind. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { CONTAINERS, type ContainerName, wholeLog, written } from '../support/containers.ts'
import { log } from '../support/log-builder.ts'
import { reportIn } from '../support/report-in.ts'
import { BIN, runCli } from '../support/run-cli.ts'
import { twoTurns } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

/** Runs with a folder of its own for private files, and says what is left there. */
async function run(...args: readonly string[]) {
  const TMPDIR = tempDir()
  const { stdout, stderr, exitCode } = await runCli(args, { env: { TMPDIR } })
  const report = stdout.startsWith('{') ? reportIn(stdout) : undefined
  return { stdout, stderr, exitCode, data: report?.data, left: readdirSync(TMPDIR) }
}

/** A program in a file, to be called with the log. */
function program(text: string): string {
  const path = tempFile(text, 'judge.mjs')
  return `"${process.execPath}" "${path}" {}`
}

const LINES = `
  import { readFileSync } from 'node:fs'
  const lines = readFileSync(process.argv[2], 'utf8').split('\\n').length - 1
`

describe('bisect', () => {
  test('the first record that the command finds bad', async () => {
    const path = tempFile(twoTurns().bytes())
    const judge = program(`${LINES} process.exitCode = lines < 9 ? 0 : 3`)
    const { exitCode, data, left } = await run('bisect', path, '--exec', judge, '--json')
    expect({ exitCode, left }).toEqual({ exitCode: 1, left: [] })
    expect(data).toMatchObject({ command: judge, method: 'halving', first: { line: 9, seq: 7 } })
    expect(data.checks).toBeLessThanOrEqual(6)
    expect(data).not.toHaveProperty('untold')
  })

  test('what it cannot tell of is said', async () => {
    const path = tempFile(twoTurns().bytes())
    const judge = program(`${LINES} process.exitCode = lines < 5 ? 0 : lines < 8 ? 125 : 1`)
    const { data } = await run('bisect', path, '--exec', judge, '--json')
    expect(data).toMatchObject({ first: { line: 8 }, untold: { from: 5, to: 7 } })
  })

  test('a log that it finds good', async () => {
    const path = tempFile(twoTurns().bytes())
    const { exitCode, stdout, data } = await run('bisect', path, '--exec', program(''), '--json')
    expect({ exitCode, data }).toMatchObject({ exitCode: 0, data: { checks: 1 } })
    expect(stdout).not.toContain('first')
  })

  test.each<[what: string, judge: string, said: RegExp]>([
    ['no {}', 'true', /needs \{\}/],
    ['no command', './no-such-command {}', /ended with 127/],
    ['an end that means stop', 'exit 130 {}', /ended with 130/],
    ['a signal', 'kill -9 $$ {}', /ended by a signal/],
    ['no word about the whole log', 'exit 125 {}', /cannot tell of the whole log/],
  ])('%s: nothing can be said', async (_what, judge, said) => {
    const { exitCode, stdout, stderr, left } = await run(
      'bisect',
      tempFile(twoTurns().bytes()),
      '--exec',
      judge,
    )
    expect({ exitCode, stdout, left }).toEqual({ exitCode: 2, stdout: '', left: [] })
    expect(stderr).toMatch(said)
  })

  test('a log that goes on meanwhile: no answer', async () => {
    const path = tempFile(twoTurns().bytes())
    const { exitCode, stdout, stderr } = await run('bisect', path, '--exec', `echo >> '${path}'; exit 1 # {}`)
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' })
    expect(stderr).toContain('changed while it was searched')
  })

  test('its output is not the answer', async () => {
    const path = tempFile(twoTurns().bytes())
    const { stdout, stderr } = await run(
      'bisect',
      path,
      '--exec',
      'echo noise; echo trouble >&2; exit 1 # {}',
    )
    expect(stdout).not.toContain('noise')
    expect(stdout).toContain('finds it bad from the header on')
    expect(stderr).toContain('trouble')
  })

  test.each(Object.keys(CONTAINERS) as ContainerName[])('%s: a file of the same container', async (name) => {
    const path = await written(name, await wholeLog(twoTurns().bytes()))
    const judge = program(`
      import { readFileSync } from 'node:fs'
      const size = 4
      const own = readFileSync(process.argv[2]).subarray(0, size)
      process.exitCode = own.equals(readFileSync(${JSON.stringify(path)}).subarray(0, size)) ? 1 : 0
    `)
    const { data } = await run('bisect', path, '--exec', judge, '--json')
    expect(data.first).toMatchObject({ line: 1 })
  })

  test('the last record of a torn log stays torn', async () => {
    const path = tempFile(twoTurns().torn('{"ty').bytes())
    const judge = program(`
      import { readFileSync } from 'node:fs'
      process.exitCode = readFileSync(process.argv[2], 'utf8').endsWith('\\n{"ty') ? 1 : 0
    `)
    expect((await run('bisect', path, '--exec', judge, '--json')).data.first).toMatchObject({ line: 17 })
  })

  test('nothing of a log gets to the shell, and a folder may be called as it likes', async () => {
    const witness = join(tempDir(), 'witness')
    const evil = `$(touch ${witness}); touch ${witness} #'"\``
    const path = tempFile(
      log()
        .header({ id: evil, cwd: `/${evil}` })
        .turn((turn) => turn.user(evil))
        .bytes(),
      `a $(touch witness) 'b'.jsonl`,
    )
    const TMPDIR = join(tempDir(), `it's "odd" $HOME`)
    mkdirSync(TMPDIR)
    const { exitCode, stdout } = await runCli(['bisect', path, '--exec', 'test ! -s {}', '--json'], {
      env: { TMPDIR },
    })
    expect(exitCode).toBe(1)
    expect(reportIn(stdout).data.first.line).toBe(1)
    expect(existsSync(witness)).toBe(false)
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('%s leaves nothing behind', async (signal) => {
    const TMPDIR = tempDir()
    const started = join(tempDir(), 'started')
    const judge = `echo > '${started}'; sleep 30 # {}`
    const { PATH = '' } = process.env
    const child = execa(process.execPath, [BIN, 'bisect', tempFile(twoTurns().bytes()), '--exec', judge], {
      reject: false,
      extendEnv: false,
      env: { PATH, TMPDIR },
    })
    while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(readdirSync(TMPDIR)).not.toEqual([])
    child.kill(signal)
    expect((await child).exitCode).toBe(signal === 'SIGINT' ? 130 : 143)
    expect(readdirSync(TMPDIR)).toEqual([])
  })
})

describe('minimize', () => {
  test('the smallest log that the command finds bad', async () => {
    const output = join(tempDir(), 'small.jsonl')
    const judge = program(`
      import { readFileSync } from 'node:fs'
      process.exitCode = readFileSync(process.argv[2], 'utf8').includes('now?') ? 1 : 0
    `)
    const path = tempFile(twoTurns().bytes())
    const { exitCode, data, left } = await run('minimize', path, '--exec', judge, '-o', output, '--json')
    expect({ exitCode, left }).toEqual({ exitCode: 0, left: [] })
    expect(data).toMatchObject({ command: judge, isComplete: true })
    const rows = readFileSync(output, 'utf8').trimEnd().split('\n')
    expect(rows).toHaveLength(2)
    expect(rows[1]).toContain('now?')
  })

  test('a command that finds the log good', async () => {
    const output = join(tempDir(), 'small.jsonl')
    const path = tempFile(twoTurns().bytes())
    const { exitCode, stderr, left } = await run('minimize', path, '--exec', 'test -s {}', '-o', output)
    expect({ exitCode, left, isThere: existsSync(output) }).toEqual({ exitCode: 2, left: [], isThere: false })
    expect(stderr).toContain('does not find')
  })

  test('a command that stops in the middle: no log is written', async () => {
    const output = join(tempDir(), 'small.jsonl')
    const counter = join(tempDir(), 'counter')
    writeFileSync(counter, '')
    const judge = program(`
      import { appendFileSync, statSync } from 'node:fs'
      appendFileSync(${JSON.stringify(counter)}, 'x')
      process.exitCode = statSync(${JSON.stringify(counter)}).size < 2 ? 1 : 200
    `)
    const path = tempFile(twoTurns().bytes())
    const { exitCode, left } = await run('minimize', path, '--exec', judge, '-o', output)
    expect({ exitCode, left, isThere: existsSync(output) }).toEqual({ exitCode: 2, left: [], isThere: false })
  })
})
