/**
 * Damaged logs, repaired: the published packages open every one of them, find nothing to close, and derive messages
 * that a provider takes. What a repair refuses it refuses with a reason, and that happens rarely.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportData } from '../../src/report/report.ts'
import { runs } from '../support/effort.ts'
import { providerProblem } from '../support/provider-order.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { twoTurns } from '../support/sample-logs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { damages } from './damages.ts'
import { draftBytes } from './draft-log.ts'
import type { DshAnswer } from './dsh-answer.ts'
import { DshProcess, missingOracle } from './dsh-process.ts'
import { mutationFamilies } from './mutations/all-mutations.ts'
import type { Mutation } from './mutations/mutation.ts'
import { Random } from './random.ts'
import { randomLog } from './random-log.ts'

const LOGS = runs(12, 3)
const MOST_TRIES = 50
const TIMEOUT = 120_000
const seed = process.env.RESURFACE_SEED ?? 'resurface'

describeUnlessMissing(missingOracle(), `repaired logs, RESURFACE_SEED=${seed}`, () => {
  let dsh: DshProcess
  beforeAll(() => {
    dsh = new DshProcess()
  })
  afterAll(() => dsh.stop())

  /** @returns what the packages make of the repaired log; `undefined` when there was no plan. */
  async function repaired(bytes: Buffer): Promise<Extract<DshAnswer, { accepted: true }> | undefined> {
    const folder = tempDir()
    const path = join(folder, 'log.jsonl')
    const output = join(folder, 'repaired.jsonl')
    writeFileSync(path, bytes)
    const { exitCode, stdout } = await runMain(['repair', path, '-o', output, '--json'])
    const data = reportIn(stdout).data as ReportData<'repair'>
    if (data.refused !== undefined) {
      expect(data.refused).not.toEqual([])
      expect([3, 5]).toContain(exitCode)
      expect(existsSync(output)).toBe(false)
      return undefined
    }
    // Nothing to repair is nothing to write: the log is then its own repair.
    expect(existsSync(output)).toBe(data.steps.length > 0)
    expect(readFileSync(path).equals(bytes)).toBe(true)
    const answer = await dsh.ask(data.steps.length > 0 ? output : path)
    const evidence = `${readFileSync(path, 'utf8')}\n${JSON.stringify(data.steps, null, 1)}`
    expect(answer.accepted ? 'it opens' : answer.error, evidence).toBe('it opens')
    if (!answer.accepted) return undefined
    expect(answer.closers, evidence).toEqual([])
    expect(providerProblem(answer.messages), evidence).toBeUndefined()
    return answer
  }

  test.each(damages)('$name', { timeout: TIMEOUT }, async ({ name, apply, keepsAll }) => {
    let planned = 0
    for (let index = 0; index < LOGS; index++) {
      const random = new Random(`${seed} ${name} ${index}`)
      const intact = draftBytes(randomLog(random))
      const [header = '', ...lines] = intact.toString('utf8').trimEnd().split('\n')
      const damaged = Buffer.from(`${[header, ...apply(lines, random)].join('\n')}\n`)
      const answer = await repaired(damaged)
      if (answer !== undefined) planned++
      if (keepsAll) expect(answer).toEqual({ ...(await repaired(intact)), strict: answer?.strict })
    }
    expect(planned).toBe(LOGS)
  })

  test('a log without any surface marker', async () => {
    const marked = twoTurns().bytes()
    const unmarked = Buffer.from(String(marked).replaceAll(',"surfaceOp":"append"', ''))
    const { messages } = (await repaired(marked)) ?? {}
    expect(await repaired(unmarked)).toMatchObject({ messages })
  })

  /** A log that the mutation found something to break in. */
  function mutated(mutation: Mutation, index: number): Buffer {
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const random = new Random(`${seed} repair ${mutation.name} ${index} ${attempt}`)
      const draft = randomLog(random, mutation.wish)
      if (mutation.apply(draft, random)) return draftBytes(draft)
    }
    throw new Error(`${mutation.name}: none of ${MOST_TRIES} random logs has anything to break`)
  }

  for (const family of ['order', 'packed rows', 'bytes']) {
    const mutations = mutationFamilies[family]
    if (mutations === undefined) throw new Error(`there is no family of mutations called ${family}`)
    test.each(mutations)(`${family}: $name`, { timeout: TIMEOUT }, async (mutation) => {
      for (let index = 0; index < 2; index++) await repaired(mutated(mutation, index))
    })
  }
})
