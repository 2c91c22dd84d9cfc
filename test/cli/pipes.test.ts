/** The built command line with real pipes: nothing lost, nothing noisy. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { fileTree } from '../support/file-tree.ts'
import { log } from '../support/log-builder.ts'
import { reportIn } from '../support/report-in.ts'
import { BIN, runCli } from '../support/run-cli.ts'
import { base } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

/** A log whose classification is more than 5 MB, and whose verdict is 1. */
function large(): Buffer {
  const built = log()
  for (let count = 0; count < 90_000; count++) built.event('plan/mode', { active: true })
  return built.checkpoint(0, 0, { sources: [0] }).bytes()
}

test('five megabytes arrive whole, on a pipe and in a file', async () => {
  const path = tempFile(large())
  const file = join(tempDir(), 'classes.ndjson')
  const args = ['classify', path, '--format', 'ndjson', '--fail-on', 'error']
  const [piped, written] = await Promise.all([runCli(args), runCli([...args, '-o', file])])
  expect([piped.exitCode, written.exitCode]).toEqual([1, 1])
  expect(piped.stdout.length).toBeGreaterThan(5_000_000)
  expect(piped.stdout === readFileSync(file, 'utf8')).toBe(true)
  expect(written.stdout).toBe('')
})

test('a reader that goes away is no error, and the verdict decides the code', async () => {
  const path = tempFile(large())
  const child = execa(process.execPath, [BIN, 'classify', path, '--fail-on', 'error'], {
    reject: false,
    buffer: { stdout: false },
  })
  child.stdout?.once('data', () => child.stdout?.destroy())
  const { exitCode, stderr } = await child
  expect(exitCode).toBe(1)
  expect(stderr).not.toMatch(/EPIPE|Error|at /)
})

test('nor of several logs: one that nobody reads about still counts', async () => {
  const folder = fileTree({
    ...Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`a${index}.jsonl`, base()])),
    'z.jsonl': base().drop(5),
  })
  const child = execa(process.execPath, [BIN, 'check', folder, '--format', 'ndjson'], {
    reject: false,
    buffer: { stdout: false },
  })
  child.stdout?.once('data', () => child.stdout?.destroy())
  const { exitCode, stderr } = await child
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' })
})

test('a file through standard input', async () => {
  const { exitCode, stdout } = await runCli(['transcript', '-', '--json'], { input: base().bytes() })
  expect(exitCode).toBe(0)
  expect(reportIn(stdout).data.entries).toHaveLength(3)
})

test('from any working directory, and without colour on a pipe', async () => {
  const folder = tempDir()
  const path = tempFile(base().drop(5).bytes())
  const { exitCode, stdout, stderr } = await runCli(['check', path], { cwd: folder })
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' })
  expect(stdout).not.toContain('\x1b')
})

test('an option error says so on standard error alone', async () => {
  const { exitCode, stdout, stderr } = await runCli(['chek'])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(/check/)
})
