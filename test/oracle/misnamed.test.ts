/**
 * A log in a store of DSH that is stored otherwise than its name says: what `list` and `inspect` of the published
 * packages make of it is what `check` and `ls` say, and a repair in its place makes them take it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportData } from '../../src/report/report.ts'
import { wholeLog, written } from '../support/containers.ts'
import { reportIn } from '../support/report-in.ts'
import { resting } from '../support/resting.ts'
import { runMain } from '../support/run-main.ts'
import { base } from '../support/sample-logs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { DshProcess, missingOracle } from './dsh-process.ts'

const ID = 'session-00000000-0000-4000-8000-000000000001'

describeUnlessMissing(missingOracle(), 'a log that is stored otherwise than its name says', () => {
  let dsh: DshProcess
  beforeAll(() => {
    dsh = new DshProcess()
  })
  afterAll(() => dsh.stop())

  test.each([
    ['none', 'session.jsonl', 'plain', true],
    ['none', 'session.jsonl', 'zstd', false],
    ['none', 'session.jsonl', 'gzip', false],
    ['zstd', 'session.jsonl.zstd', 'zstd', true],
    ['zstd', 'session.jsonl.zstd', 'plain', false],
  ] as const)('compression %s, %s holding %s', async (compression, name, container, isTaken) => {
    const root = tempDir()
    const path = join(root, '--w--', ID, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, readFileSync(await written(container, await wholeLog(base().bytes()))))
    resting(path)
    const opens = async (): Promise<boolean> => (await runMain(['check', path])).exitCode === 0
    const healthIn = async (): Promise<string | undefined> => {
      const { data } = reportIn((await runMain(['ls', root, '--json'])).stdout)
      return (data as ReportData<'ls'>).sessions[0]?.health
    }
    expect(await dsh.store(root, compression, ID)).toEqual({ isListed: isTaken, opens: isTaken })
    expect({ opens: await opens(), health: await healthIn() }).toEqual({
      opens: isTaken,
      health: isTaken ? 'closed' : 'damaged',
    })
    if (isTaken || container === 'gzip') return
    expect(await runMain(['repair', path, '--in-place'])).toMatchObject({ exitCode: 0 })
    expect(await dsh.store(root, compression, ID)).toEqual({ isListed: true, opens: true })
    expect({ opens: await opens(), health: await healthIn() }).toEqual({ opens: true, health: 'closed' })
  })
})
