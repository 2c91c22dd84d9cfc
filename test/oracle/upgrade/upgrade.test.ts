/**
 * Every family of refusals, before and after: the published readers refuse the one log and open the other up to
 * format 3, release 0.1.0 opens both, and nobody reads another word in it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAMILIES } from '../../../src/core/repair/upgrade-families.ts'
import { isFull } from '../../support/effort.ts'
import { repair } from '../../support/run-repair.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { describeUnlessMissing } from '../../support/unless-missing.ts'
import { DshProcess, missingOracle } from '../dsh-process.ts'
import { Random } from '../random.ts'
import { missingReaders, ReadersProcess } from '../readers-process.ts'
import { TROUBLES } from './family-logs.ts'
import { troubledLog } from './troubled-log.ts'

const seed = process.env.RESURFACE_SEED ?? 'resurface'
const MIXTURES = isFull ? 400 : 20

describeUnlessMissing(missingReaders() ?? missingOracle(), `upgrades, RESURFACE_SEED=${seed}`, () => {
  let readers: ReadersProcess
  let dsh: DshProcess
  beforeAll(() => {
    readers = new ReadersProcess()
    dsh = new DshProcess()
  })
  afterAll(() => Promise.all([readers.stop(), dsh.stop()]))

  async function upgraded(before: string, allowUnknown: boolean): Promise<string[]> {
    const folder = tempDir()
    const log = join(folder, 'log.jsonl')
    const output = join(folder, 'upgraded.jsonl')
    writeFileSync(log, before)
    const options = ['--target', 'format-3', ...(allowUnknown ? ['--allow-unknown'] : [])]
    const { data, exitCode } = await repair(log, '-o', output, ...options)
    expect(data.refused, before).toBeUndefined()
    expect(exitCode, JSON.stringify(data, null, 1)).toBe(0)
    const { surface, transcript } = data.digests
    expect([surface.after, transcript.after]).toEqual([surface.before, transcript.before])
    const after = readFileSync(output, 'utf8')
    expect(await readers.ask(after), JSON.stringify(data.steps)).toEqual({
      2: { opens: true },
      3: { opens: true },
    })
    expect(await dsh.ask(output)).toMatchObject({ accepted: true, closers: [] })
    const again = await repair(output, ...options)
    expect([again.exitCode, again.data.steps]).toEqual([0, []])
    return data.steps.flatMap((step) =>
      step.kind === 'upgrade' ? [(step.args as { family: string }).family] : [],
    )
  }

  describe('one family', () => {
    test.each(TROUBLES)('$family: $name', async (trouble) => {
      const before = troubledLog([trouble])
      const whys = Object.values(await readers.ask(before)).flatMap(({ why }) => why ?? [])
      expect(whys).not.toEqual([])
      const { messages } = FAMILIES[trouble.family]
      expect(
        whys.some((why) => messages.some((message) => says(why, message))),
        whys.join('\n'),
      ).toBe(true)
      expect(await upgraded(before, trouble.allowUnknown === true)).toContain(trouble.family)
    })
  })

  test('mixtures of three', async () => {
    for (let index = 0; index < MIXTURES; index++) {
      const random = new Random(`${seed} mixture ${index}`)
      const mixed = random.shuffled(TROUBLES.filter(({ first }) => !first || random.chance(0.3))).slice(0, 3)
      const early = mixed.filter(({ first }) => first).slice(0, 1)
      const troubles = [...early, ...mixed.filter(({ first }) => !first)]
      const families = await upgraded(
        troubledLog(troubles),
        troubles.some(({ allowUnknown }) => allowUnknown),
      )
      expect(new Set(families)).toEqual(new Set(troubles.map(({ family }) => family)))
    }
  })
})

/** Whether a message of DSH has the words of the page, which has `…` for what differs. */
function says(why: string, message: string): boolean {
  const parts = message.split('…').map((part) => part.trim())
  let from = 0
  for (const part of parts) {
    const at = why.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return true
}
