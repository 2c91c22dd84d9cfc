/** The example log of a rule: shown, written to a folder, and sent through a pipe. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { BIN, runCli } from '../support/run-cli.ts'
import { runMain } from '../support/run-main.ts'
import { tempDir } from '../support/temp-dir.ts'

test('a text is shown with its line marked, and cut to a terminal but for that line', async () => {
  const piped = await runMain(['explain', 'bytes/spliced-line'])
  expect(piped.stdout).toMatch(/^log\.jsonl \(1,473 bytes\)\n {2}1 {2}\{"type":"session"/m)
  expect(piped.stdout).toMatch(/^> 8 {2}\{"type":"tool\/result".*\}\{"type":"step\/end"/m)
  const { stdout } = await runMain(['explain', 'bytes/spliced-line', '--color', 'never'], { terminal: 60 })
  const lines = stdout.slice(stdout.indexOf('log.jsonl'), stdout.indexOf('write it')).split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60)
  const marked = lines.filter((line) => /^(?:> | {5}\S)/.test(line)).map((line) => line.slice(5))
  expect(piped.stdout).toContain(marked.join(''))
})

test.each<[code: string, said: RegExp]>([
  ['bytes/corrupt-frame', /zstd frames of [\d,]+ bytes: no text to show/],
  ['bytes/nul-padding', /> {2}8 {2}(?:\\x00){8}… \(512 times\)\{"type"/],
  ['bytes/torn-tail', /no line feed at the end/],
  ['bytes/line-too-long', /check DIR\/log\.jsonl --max-record 1000/],
  ['store/duplicate-id', /--v--\/.*\n(?:.*\n)*.*resurface check DIR$/m],
  ['bytes/changed-while-reading', /example +none\. It takes a second program/],
])('%s says %s', async (code, said) => {
  expect((await runMain(['explain', code])).stdout).toMatch(said)
})

test('Markdown keeps the lines in a fence', async () => {
  const { stdout } = await runMain(['explain', 'turn/open', '--format', 'markdown'])
  expect(stdout).toMatch(/```text\n {2}1 {2}\{"type":"session".*\n> 2 {2}.*\n```\n/)
})

test('the folder is said as it has to be typed', async () => {
  const folder = join(tempDir(), "it's new")
  const { stdout } = await runMain(['explain', 'turn/open', '--example', folder])
  expect(stdout).toContain(`resurface check '${folder.replace("'", "'\\''")}/log.jsonl'`)
  expect(readdirSync(folder)).toEqual(['log.jsonl'])
})

test('the bytes of an example go through a pipe as they are', async () => {
  const folder = join(tempDir(), 'example')
  await runCli(['explain', 'bytes/corrupt-frame', '--example', folder])
  const call = [BIN, 'explain', 'bytes/corrupt-frame', '--example', '-']
  const { stdout } = await execa(process.execPath, call, { encoding: 'buffer' })
  expect(Buffer.from(stdout).equals(readFileSync(join(folder, 'session.jsonl.zstd')))).toBe(true)
  const checked = await runCli(['check', '-', '--json'], { input: Buffer.from(stdout) })
  expect(checked.stdout).toContain('"bytes/corrupt-frame"')
})

test('what is in a folder stays there, alone', async () => {
  const folder = tempDir()
  writeFileSync(join(folder, 'log.jsonl'), 'mine')
  const { exitCode, stderr } = await runMain(['explain', 'turn/open', '--example', folder])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not empty') })
  expect(readFileSync(join(folder, 'log.jsonl'), 'utf8')).toBe('mine')
})

test.each<[args: readonly string[], exitCode: number]>([
  [['pair', '--example', 'NEW'], 2],
  [['--example', 'NEW'], 2],
  [['turn/open', '--example', ''], 2],
  [['turn/open', '--example', '-', '-o', 'NEW'], 2],
  [['store/duplicate-id', '--example', '-'], 2],
  [['surface/not-contiguous', '--example', 'NEW'], 2],
  [['turn/open', '--example', 'FILE'], 3],
  [['turn/open', '--example', 'FILE/below'], 3],
])('explain %j: %i, and nothing is written', async (args, exitCode) => {
  const folder = tempDir()
  writeFileSync(join(folder, 'file'), '')
  const place = (text: string) => text.replace(/^NEW|^FILE/, (name) => join(folder, name.toLowerCase()))
  const result = await runMain(['explain', ...args.map(place)])
  expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: '' })
  expect(readdirSync(folder)).toEqual(['file'])
})

test('an empty folder will do; bytes are not for a terminal', async () => {
  const folder = join(tempDir(), 'empty')
  mkdirSync(folder)
  expect((await runMain(['explain', 'turn/open', '--example', folder])).exitCode).toBe(0)
  const { exitCode, stdout } = await runMain(['explain', 'turn/open', '--example', '-'], { terminal: 80 })
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
})
