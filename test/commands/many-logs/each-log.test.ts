/** Several inputs: one that fails, in whatever way, never hides the rest. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wholeOutcome } from '../../../src/commands/definition/whole-outcome.ts'
import { eachLog } from '../../../src/commands/many-logs/each-log.ts'
import { withOpened } from '../../../src/log/open-log.ts'
import { type Report, reportSetOf } from '../../../src/report/report.ts'
import { writeDatabase } from '../../../src/storage/sqlite/write-database.ts'
import { ToolError } from '../../../src/storage/tool-error.ts'
import { wholeLog } from '../../support/containers.ts'
import { commandContext } from '../../support/context.ts'
import { fileTree } from '../../support/file-tree.ts'
import { log } from '../../support/log-builder.ts'
import { runMain } from '../../support/run-main.ts'
import { base } from '../../support/sample-logs.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** Runs a command that fails on the one log whose session is called `bad`. */
async function failingOnBad(names: readonly string[], failure: Error) {
  const begun = await eachLog('undo', names, commandContext(), (opener, input, context) =>
    withOpened(opener, input, context, async (log) => {
      const { header } = await log.read({})
      if (header?.id === 'bad') throw failure
      const report: Report<'undo'> = {
        schema: 'resurface/undo@1',
        subject: { path: header?.id ?? '' },
        findings: [],
        data: { log: '', backup: '' },
      }
      return { reportSet: reportSetOf(report), exitCode: 0 }
    }),
  )
  const outcome = await wholeOutcome(begun)
  const { reports, unread = [] } = outcome.reportSet
  return {
    read: reports.map(({ subject }) => subject?.path),
    unread: unread.map(({ message }) => message),
    exitCode: outcome.exitCode,
    failures: outcome.failures,
  }
}

const logs = (): string =>
  fileTree({
    'a.jsonl': log().header({ id: 'a' }),
    'b.jsonl': log().header({ id: 'bad' }),
    'c.jsonl': log().header({ id: 'c' }),
  })

describe('one of several files', () => {
  test('cannot be read', async () => {
    const { read, unread, exitCode } = await failingOnBad([logs()], new ToolError('input', 'no such luck'))
    expect({ read, unread, exitCode }).toEqual({ read: ['a', 'c'], unread: ['no such luck'], exitCode: 3 })
  })

  test('meets a bug of ours', async () => {
    const folder = logs()
    const { read, unread, exitCode, failures } = await failingOnBad([folder], new TypeError('x is not y'))
    expect(read).toEqual(['a', 'c'])
    const path = join(folder, 'b.jsonl')
    expect(unread).toEqual([`${path} meets a bug in resurface, please report it: x is not y`])
    expect({ exitCode, failures }).toEqual({ exitCode: 70, failures: unread })
  })
})

test('one of the sessions of a database', async () => {
  const path = join(tempDir(), 'store.db')
  const sessions = await Promise.all(
    ['a', 'bad', 'c'].map((id) =>
      wholeLog(
        log()
          .header({ id })
          .turn((turn) => turn.user('hi'))
          .bytes(),
      ),
    ),
  )
  await writeDatabase(path, sessions, { schema: 17, newId: () => 'unused' })
  const { read, unread, exitCode } = await failingOnBad([path], new ToolError('unsupported', 'too large'))
  expect({ read, unread, exitCode }).toEqual({ read: ['a', 'c'], unread: ['too large'], exitCode: 4 })
})

test('the only input ends the run, with its own words', async () => {
  const path = join(logs(), 'b.jsonl')
  await expect(failingOnBad([path], new TypeError('x is not y'))).rejects.toThrow(TypeError)
})

test('a name that is no name is not forgotten over the logs that are good', async () => {
  const path = join(fileTree({ 'a.jsonl': base() }), 'a.jsonl')
  const { exitCode, stdout, stderr } = await runMain(['check', '', path])
  expect(exitCode).toBe(2)
  expect(stdout).toContain('not read: an empty name')
  expect(stderr).toContain('an empty name')
})

test('of several logs the findings that follow from another are named under it', async () => {
  const damaged = readFileSync('examples/damaged.jsonl', 'utf8')
  const folder = fileTree({ 'a.jsonl': damaged, 'b.jsonl': damaged })
  const { stdout } = await runMain(['check', folder])
  expect(stdout.match(/\[order\/seq-repeated\]\n {4}caused by this: turn\/end-mismatch\n/g)).toHaveLength(2)
})

test('the table of several logs has the worst first', async () => {
  const folder = fileTree({
    'a-clean.jsonl': base(),
    'b-open.jsonl': log().openTurn((turn) => turn.user('hi')),
    'c-unsupported.jsonl': base().event('acme/x'),
    'd-damaged.jsonl': base().drop(5),
    'e-damaged-twice.jsonl': base().drop(5).drop(2),
    'f-clean.jsonl': base(),
  })
  const { stdout } = await runMain(['check', folder, join(folder, 'missing.jsonl')])
  const [, summary = ''] = stdout.split('6 logs checked')
  const names = [...summary.matchAll(/([a-z-]+)\.jsonl/g)].map(([, name]) => name)
  const ranked = ['missing', 'e-damaged-twice', 'd-damaged', 'c-unsupported', 'b-open', 'a-clean', 'f-clean']
  expect([...new Set(names)]).toEqual(ranked)
})
