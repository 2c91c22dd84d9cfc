/** `report` as it is called, and `--format html` of the other commands. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { log } from '../support/log-builder.ts'
import { damaged } from '../support/page-logs.ts'
import { runMain } from '../support/run-main.ts'
import { base, crashed, torn } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const LOGS = {
  clean: base().bytes(),
  crashed: crashed().bytes(),
  torn: torn(),
  damaged: damaged().bytes(),
  'of a newer format': log().header({ version: 99 }).bytes(),
  'without events': log().bytes(),
  empty: Buffer.alloc(0),
  'no log': Buffer.from('dear diary\n'),
} as const

describe.each(Object.entries(LOGS))('a log that is %s', (_name, bytes) => {
  test.each([
    [['--fail-on', 'error']],
    [['--fail-on', 'warning']],
    [['--fail-on', 'error', '--severity', 'turn/open=error']],
  ])('exits as check does: %j', async (options) => {
    const path = tempFile(bytes)
    const [report, check] = await Promise.all(
      ['report', 'check'].map((command) => runMain([command, path, ...options])),
    )
    expect(report?.exitCode).toBe(check?.exitCode)
  })

  test('without --fail-on it has done what it should, when there is a log', async () => {
    const path = tempFile(bytes)
    const checked = (await runMain(['check', path])).exitCode
    const { exitCode, stderr } = await runMain(['report', path])
    expect(exitCode).toBe(checked === 3 ? 3 : 0)
    if (checked !== 0) expect(stderr).toContain(`resurface check ${path}`)
  })
})

describe('on a terminal', () => {
  test('it writes a file with the name of the log, and says so', async () => {
    const path = tempFile(LOGS['without events'], 'a session.jsonl')
    const folder = tempDir()
    const { exitCode, stdout, stderr } = await runMain(['report', path], { terminal: 80, cwd: folder })
    const page = join(folder, 'a session.html')
    expect([exitCode, stdout, stderr]).toEqual([0, '', `resurface: wrote ${page}\n`])
    expect(readFileSync(page, 'utf8')).toBe((await runMain(['report', path])).stdout)
  })

  test.each([['check'], ['transcript'], ['repair']])('%s --format html, too', async (command) => {
    const path = tempFile(LOGS.clean)
    const { stdout, exitCode } = await runMain([command, path, '--format', 'html'], { terminal: 80 })
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
  })

  test('with -o, --quiet or another format it does what it is told', async () => {
    const path = tempFile(LOGS.clean)
    const file = join(tempDir(), 'page.html')
    for (const options of [['-o', file], ['--quiet'], ['--json'], ['--format', 'text']])
      expect((await runMain(['report', path, ...options], { terminal: 80 })).exitCode).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe((await runMain(['report', path])).stdout)
  })
})

test('the page never takes the place of a log that was read', async () => {
  const path = tempFile(LOGS.clean)
  expect((await runMain(['report', path, '-o', path])).exitCode).toBe(2)
  expect(readFileSync(path)).toEqual(LOGS.clean)
})

test('no page is written of what cannot be read', async () => {
  const file = join(tempDir(), 'page.html')
  expect((await runMain(['report', tempDir(), '-o', file])).exitCode).toBe(3)
  expect(existsSync(file)).toBe(false)
})

test('several reports on a page', async () => {
  const paths = [tempFile(LOGS.clean), tempFile(LOGS.damaged), 'no-such-log']
  const { stdout, exitCode } = await runMain(['check', ...paths, '--format', 'html'])
  expect(exitCode).toBe(3)
  for (const path of paths) expect(stdout).toContain(path)
  expect(stdout.match(/<h1>/g)).toHaveLength(1)
  expect(stdout.trimEnd().endsWith('</html>')).toBe(true)
})
