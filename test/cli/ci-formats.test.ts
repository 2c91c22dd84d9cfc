/** SARIF, JUnit and GitHub from the command line: for `check` alone, and the same from a saved report. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FORMATS, formatsFor } from '../../src/report/renderers/render.ts'
import { log } from '../support/log-builder.ts'
import { runMain } from '../support/run-main.ts'
import { rich } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

function folderOfLogs(): string {
  const folder = tempDir()
  writeFileSync(join(folder, 'clean.jsonl'), rich().bytes())
  writeFileSync(join(folder, 'empty.jsonl'), '')
  writeFileSync(join(folder, 'newer.jsonl'), '{"type":"session","version":99,"id":"x","createdAt":0}\n')
  const open = log().openTurn((turn) =>
    turn.user('a').openStep((step) => step.assistant('').call('z', 'bash')),
  )
  writeFileSync(join(folder, 'open # 50%.jsonl'), open.bytes())
  return folder
}

describe.each(FORMATS)('%s', (format) => {
  test.each(['one log', 'several logs', 'a log that is none'])(
    'a report next to the answer on %s is what is printed',
    async (what) => {
      const folder = folderOfLogs()
      const logs = {
        'one log': [join(folder, 'open # 50%.jsonl')],
        'several logs': [folder],
        'a log that is none': [join(folder, 'empty.jsonl')],
      }[what] as string[]
      const direct = await runMain(['check', ...logs, '--format', format])
      const file = join(tempDir(), 'report')
      const both = await runMain(['check', ...logs, '--quiet', '--report', `${format}=${file}`])
      expect(both).toEqual({ ...direct, stdout: '' })
      expect(readFileSync(file, 'utf8')).toBe(direct.stdout)
      expect(direct.stdout).toMatch(/[^\n]\n$/)
    },
  )
})

describe('formats for findings', () => {
  const REFUSED = ['sarif', 'junit', 'line', 'github']

  test('are those of check', () => {
    expect(formatsFor('check')).toEqual(FORMATS)
    expect(formatsFor('info')).toEqual(FORMATS.filter((format) => !REFUSED.includes(format)))
  })

  test.each(REFUSED)('%s is refused for other answers, before anything is written', async (format) => {
    const path = tempFile(rich().bytes())
    const written = join(tempDir(), 'copy.jsonl')
    const convert = await runMain(['convert', path, '-o', written, '--format', format])
    expect([convert.exitCode, convert.stdout]).toEqual([2, ''])
    expect(existsSync(written)).toBe(false)
    const report = `${format}=${join(tempDir(), 'report')}`
    const { exitCode, stdout, stderr } = await runMain(['info', path, '--report', report])
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`There is no format "${format}"`)
  })
})

describe('the summary of a GitHub step', () => {
  async function summaryAfter(format: string, before = ''): Promise<string> {
    const summary = tempFile(before, 'summary.md')
    const env = { GITHUB_STEP_SUMMARY: summary }
    await runMain(['check', folderOfLogs(), '--format', format], { env })
    return readFileSync(summary, 'utf8')
  }

  test('gets the whole answer as Markdown, after what is there', async () => {
    const text = await summaryAfter('github', '# before\n')
    expect(text).toMatch(/^# before\n- .*clean\.jsonl: intact/)
    expect(text).toContain('4 logs checked')
  })

  test('is left alone by other formats', async () => {
    expect(await summaryAfter('markdown', 'x')).toBe('x')
  })

  test('stays below the size that GitHub takes', async () => {
    const text = await summaryAfter('github', 'x'.repeat(1024 * 1024 - 300))
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024)
    expect(text).toMatch(/left out\.\n$/)
  })

  test('that cannot be written is a remark, not a verdict', async () => {
    const path = tempFile(rich().bytes())
    const env = { GITHUB_STEP_SUMMARY: join(tempDir(), 'no', 'such', 'folder') }
    const { exitCode, stdout, stderr } = await runMain(['check', path, '--format', 'github'], { env })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('1 log checked')
    expect(stderr).toContain('cannot write the step summary: there is no such file')
  })
})
