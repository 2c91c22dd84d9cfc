/**
 * The built command line on a real terminal, with an input that is slow because the test feeds it: progress is there,
 * and gone before the answer. Where it would be of no use there is none, however slow the input.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { part } from '../support/effort.ts'
import { log } from '../support/log-builder.ts'
import { runOnTerminal, TERMINALS, type TerminalRun } from '../support/pseudo-terminal.ts'
import { BIN } from '../support/run-cli.ts'
import { tempDir } from '../support/temp-dir.ts'

const ERASE = '\r\x1b[K'
const TERM = { TERM: 'xterm', NO_COLOR: '1' }
/** Three seconds of drawing: time for the runs next to it to draw as well, were they to, however late they started. */
const WITNESSED = 30

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

/** How often progress has been drawn. */
function drawings({ shown }: TerminalRun): number {
  return shown().split('reading').length - 1
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

function fifo(): string {
  const path = join(tempDir(), 'fifo')
  execFileSync('mkfifo', [path])
  return path
}

describe.each(part(tools))('on a terminal of $name', (tool) => {
  const check = (path: string, more = ''): string =>
    `stty cols 40; '${process.execPath}' '${BIN}' check - < '${path}' ${more}`

  test('one line, rewritten in place, and gone before the answer', async () => {
    const path = fifo()
    const run = runOnTerminal(tool, check(path), TERM)
    await feed(path, () => drawings(run) > 2)
    expect(await run.over).toBe(0)
    const [before = '', after = ''] = run.shown().split(/-: clean/)
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

  test('none where it would be of no use', async () => {
    const file = join(tempDir(), 'stderr')
    const runs: readonly (readonly [more: string, env: Readonly<Record<string, string>>])[] = [
      ['', { ...TERM, TERM: 'dumb' }],
      ['', { ...TERM, CI: 'true' }],
      ['--quiet', TERM],
      [`2> '${file}'`, TERM],
      ['2>&1 | cat', TERM],
    ]
    const witnessed = fifo()
    const witness = runOnTerminal(tool, check(witnessed), TERM)
    const enough = (): boolean => drawings(witness) > WITNESSED
    const [, ...slow] = await Promise.all([
      feed(witnessed, enough),
      ...runs.map(async ([more, env]) => {
        const path = fifo()
        const { shown, over } = runOnTerminal(tool, check(path, more), env)
        await feed(path, enough)
        return { exitCode: await over, shown: shown().trim().replace(/\d+/, 'N') }
      }),
    ])
    const answer = { exitCode: 0, shown: '-: clean (N events)\r\n  opened by every release' }
    expect(slow).toEqual([answer, answer, { exitCode: 0, shown: '' }, answer, answer])
    expect(await witness.over).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('')
  })
})
