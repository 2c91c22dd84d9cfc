/**
 * Every command on terminals of every width. One that does not know its size says that it has no columns: then the
 * answer is that of 80.
 */
import { join } from 'node:path'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { part } from '../support/effort.ts'
import { CALLS, everyCall } from '../support/every-command.ts'
import { log } from '../support/log-builder.ts'
import { runOnTerminal, TERMINALS } from '../support/pseudo-terminal.ts'
import { BIN } from '../support/run-cli.ts'
import { runMain, type World } from '../support/run-main.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'

/** A damaged log with texts that are hard to print. */
function hardToPrint(): string {
  const text = `漢字かな ${'long'.repeat(90)} e\u0301 👨‍👩‍👧‍👦 \u202e\x1b[31m\ttab\n\n  indented line of words`
  const built = log()
    .turn((turn) => turn.user(text).step((step) => step.chunk('chunk').assistant(text)))
    .openTurn((turn) => turn.user('more').openStep((step) => step.assistant('').call('c1', 'bash')))
  return tempFile(built.drop(5).torn('{"type":').bytes())
}

/** What is meant for other programs is not broken into lines. */
const MACHINE_TEXT = new Set(['completion', 'report', 'schema'])

/** A whole event or example as JSON, which is copied as it is. */
const isJson = (line: string): boolean => /^\s*["{}[\]]/.test(line)

/** Some characters are two columns wide on a terminal of one. */
const tooWide = (line: string, columns: number): boolean =>
  !isJson(line) && stringWidth(line) > Math.max(columns, 2)

describe.each(Object.entries(CALLS))('%s', (name, callsOf) => {
  test('fits every width', async () => {
    const path = hardToPrint()
    for (const columns of part([1, 2, 3, 7, 11, 12, 13, 20, 40, 79, 80, 200], 3)) {
      for (const args of callsOf(path, tempDir())) {
        const { stdout, exitCode } = await runMain(args, { terminal: columns, env: { NO_COLOR: '1' } })
        expect(exitCode, args.join(' ')).toBeLessThan(70)
        if (MACHINE_TEXT.has(name)) continue
        const wide = stdout.split('\n').filter((line) => tooWide(line, columns))
        expect(wide, `${args.join(' ')} in ${columns} columns`).toEqual([])
      }
    }
  })

  test('without columns is what it is with 80', async () => {
    const path = hardToPrint()
    const shownIn = async (columns: number): Promise<readonly unknown[]> => {
      const folder = tempDir()
      const answers: unknown[] = []
      for (const args of callsOf(path, folder)) {
        const { stdout, exitCode } = await runMain(args, { terminal: columns, env: { NO_COLOR: '1' } })
        answers.push([exitCode, stdout.replaceAll(/\s+/g, ' ').replaceAll(folder, 'FOLDER')])
      }
      return answers
    }
    expect(await shownIn(0)).toEqual(await shownIn(80))
  })
})

const EXAMPLES = ['damaged', 'crashed', 'stranded'].map((name) =>
  join(import.meta.dirname, `../../examples/${name}.jsonl`),
)

describe.each(Object.entries(CALLS).filter(([name]) => !MACHINE_TEXT.has(name)))('%s', (_name, callsOf) => {
  test.each(part([20, 80], 2))('breaks no word that fits %i columns', async (columns) => {
    const shown = async (log: string, folder: string, world: World): Promise<readonly string[]> => {
      const answers: string[] = []
      for (const args of callsOf(log, folder)) answers.push((await runMain(args, world)).stdout)
      return answers
    }
    for (const log of part(EXAMPLES, 3)) {
      const [one, other, third] = [tempDir(), tempDir(), tempDir()]
      const whole = await shown(log, one, {})
      // Headings and marks are for terminals only.
      const wide = await shown(log, other, { terminal: 129, env: { NO_COLOR: '1' } })
      const narrow = await shown(log, third, { terminal: columns, env: { NO_COLOR: '1' } })
      for (const [index, text] of narrow.entries()) {
        const words = text.split(/\s+/)
        const reference = `${whole[index]}\n${wide[index]}`.replaceAll(one, third).replaceAll(other, third)
        const known = new Set(reference.split(/\s+/))
        const long = [...known].filter((word) => word.length > columns - 2)
        const isWhole = (word: string): boolean =>
          known.has(word) || word.endsWith('…') || long.some((one) => one.includes(word))
        expect(words.filter((word) => !isWhole(word))).toEqual([])
      }
    }
  })
})

const [tool] = TERMINALS.filter(({ exists }) => exists())
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

describeUnlessMissing(
  tool === undefined ? 'neither script nor python3 is here' : undefined,
  'on a real terminal',
  () => {
    async function shown(columns: number, TERM: string): Promise<string> {
      if (tool === undefined) throw new Error('no terminal')
      const folder = tempDir()
      const calls = everyCall(hardToPrint(), folder)
      const lines = calls.map(
        (args) => `${[process.execPath, BIN, ...args].map(quoted).join(' ')}; echo "exit $?"`,
      )
      const env = { TERM, PAGER: 'cat', HOME: folder, DSH_HOME: join(folder, 'none') }
      const run = runOnTerminal(tool, `stty cols ${columns}; ${lines.join('; ')}`, env)
      expect(await run.over).toBe(0)
      const codes = [...run.shown().matchAll(/^exit (\d+)\r?$/gm)].map(([, code]) => Number(code))
      expect(codes).toHaveLength(calls.length)
      expect(Math.max(...codes)).toBeLessThan(70)
      return run.shown()
    }

    test.each(part([0, 1, 20, 80, 200]))('of %i columns', { timeout: 120_000 }, async (columns) => {
      const text = await shown(columns, 'xterm')
      expect(text).toContain('\x1b[')
      expect(text.length).toBeLessThan(2_000_000)
    })

    test('that is dumb there is nothing but text', { timeout: 120_000 }, async () => {
      expect(await shown(0, 'dumb')).not.toContain('\x1b')
    })
  },
)
