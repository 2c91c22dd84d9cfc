/**
 * The built command line on a real terminal, with an input that is slow because the test feeds it: progress is there,
 * and gone before the answer. In a pipe there is none, however slow the input.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { log } from '../support/log-builder.ts'
import { runOnTerminal, TERMINALS } from '../support/pseudo-terminal.ts'
import { BIN } from '../support/run-cli.ts'
import { tempDir } from '../support/temp-dir.ts'

const patience = { timeout: 60_000 }
const ERASE = '\r\x1b[K'
const TERM = { TERM: 'xterm', NO_COLOR: '1' }

const tools = TERMINALS.filter(({ exists }) => exists())

if (tools.length === 0) test.skip('on a terminal: neither script of util-linux nor python3 is here')

/** Any number of records, and in the end a whole log. */
function* lines(): Generator<string> {
  const built = log()
  yield built.text()
  for (let seq = 0; ; seq++) {
    yield `${JSON.stringify({ type: 'plan/mode', seq, time: 1, data: { active: true } })}\n`
  }
}

/** Feeds the fifo until `enough`. */
async function feed(fifo: string, enough: () => boolean): Promise<void> {
  const pipe = await open(fifo, 'w')
  try {
    for (const line of lines()) {
      await pipe.write(line)
      if (enough()) return
      await sleep(20)
    }
  } finally {
    await pipe.close()
  }
}

/** Long enough that progress would have been shown. */
function aWhile(): () => boolean {
  const started = Date.now()
  return () => Date.now() - started > 2000
}

function fifo(): string {
  const path = join(tempDir(), 'fifo')
  execFileSync('mkfifo', [path])
  return path
}

describe.each(tools)('on a terminal of $name', (tool) => {
  const check = (path: string, more = ''): string =>
    `stty cols 40; '${process.execPath}' '${BIN}' check - ${more} < '${path}'`

  test('one line, rewritten in place, and gone before the answer', patience, async () => {
    const path = fifo()
    const { shown, over } = runOnTerminal(tool, check(path), TERM)
    await feed(path, () => shown().split('reading').length > 3)
    expect(await over).toBe(0)
    const [before = '', after = ''] = shown().split(/-: clean/)
    expect(before).not.toContain('\n')
    const drawn = before.split(ERASE)
    expect(drawn.at(-1)).toBe('')
    const versions = drawn.slice(1, -1)
    expect(versions.length).toBeGreaterThan(2)
    for (const line of versions) {
      expect(line).toMatch(/^reading {2}0\.0 MB/)
      expect(line.length).toBeLessThan(40)
    }
    expect(after).not.toContain(ERASE)
  })

  test('none where it would be of no use', patience, async () => {
    const file = join(tempDir(), 'stderr')
    const runs: readonly (readonly [more: string, env: Readonly<Record<string, string>>])[] = [
      ['', { ...TERM, TERM: 'dumb' }],
      ['', { ...TERM, CI: 'true' }],
      ['--quiet', TERM],
      [`2> '${file}'`, TERM],
    ]
    const slow = await Promise.all(
      runs.map(async ([more, env]) => {
        const path = fifo()
        const { shown, over } = runOnTerminal(tool, check(path, more), env)
        await feed(path, aWhile())
        return { exitCode: await over, shown: shown().trim().replace(/\d+/, 'N') }
      }),
    )
    const answer = { exitCode: 0, shown: '-: clean (N events)' }
    expect(slow).toEqual([answer, answer, { exitCode: 0, shown: '' }, answer])
    expect(readFileSync(file, 'utf8')).toBe('')
  })
})

test('none in a pipe', patience, async () => {
  const path = fifo()
  const run = execa('sh', ['-c', `'${process.execPath}' '${BIN}' check - < '${path}'`], { env: TERM })
  await feed(path, aWhile())
  const { stdout, stderr } = await run
  expect(stdout).toMatch(/^-: clean/)
  expect(stderr).toBe('')
})
