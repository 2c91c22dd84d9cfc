/** Inputs that are shared out: every one is done once, in whatever thread, and the answers are in order. */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InputWorker } from '../../../src/commands/definition/command.ts'
import { divideWork } from '../../../src/commands/many-logs/divide-work.ts'

type Behaviour = 'takes' | 'declines' | 'fails'

/** Does the inputs one after the other as its list says, and after that takes everything. */
function worker(behaviours: readonly Behaviour[], done: number[]): InputWorker<number, string> {
  let turn = 0
  return {
    async run(input) {
      const behaviour = behaviours[turn++] ?? 'takes'
      await sleep(0)
      if (behaviour === 'fails') throw new Error('the thread has ended')
      if (behaviour === 'declines') return undefined
      done.push(input)
      return `${input} there`
    },
  }
}

test('whatever workers do', async () => {
  const behaviours = fc.array(fc.constantFrom<Behaviour>('takes', 'takes', 'declines', 'fails'), {
    maxLength: 6,
  })
  const scenario = fc.tuple(fc.nat(12), fc.array(behaviours, { maxLength: 3 }))
  await fc.assert(
    fc.asyncProperty(scenario, async ([count, pool]) => {
      const inputs = [...Array(count).keys()]
      const done: number[] = []
      const here = async (input: number): Promise<string> => {
        await sleep(0)
        done.push(input)
        return `${input} here`
      }
      const others = pool.map((list) => worker(list, done))
      const parts: string[] = []
      for await (const part of divideWork(inputs, here, others)) parts.push(part)
      expect(parts.map((part) => Number.parseInt(part, 10))).toEqual(inputs)
      expect(done.toSorted((a, b) => a - b)).toEqual(inputs)
    }),
    { numRuns: 100 },
  )
})

test('what goes wrong here ends it', async () => {
  const here = (): Promise<string> => Promise.reject(new Error('no such file'))
  await expect(divideWork([1, 2], here, []).next()).rejects.toThrow('no such file')
})
