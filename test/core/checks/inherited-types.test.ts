/** Unknown types in the inherited part say so: the parent has them too. */
import { expect, test } from 'vitest'
import { laterBase } from '../../support/later-log.ts'
import { load } from '../../support/load.ts'
import { base } from '../../support/sample-logs.ts'

async function inherited(bytes: Buffer): Promise<readonly unknown[]> {
  const { list } = await load(bytes, {})
  return list
    .filter(({ code }) => code.startsWith('vocabulary/'))
    .map(({ seq, args }) => [seq, 'inherited' in args ? args.inherited : undefined])
}

test('formats 0 and 1: before seedLength', async () => {
  const built = base()
    .header({ parentSession: 'p', seedLength: 10 })
    .event('acme/a')
    .event('acme/b', {}, { ignorable: true })
  expect(await inherited(built.bytes())).toEqual([
    [9, true],
    [10, undefined],
  ])
})

test('later formats: before the first marker', async () => {
  const built = laterBase()
    .header({ parentSession: 'p', isSeeded: true })
    .event('acme/a')
    .event('session/end-seed', { inherited: true })
    .event('acme/b', {}, { ignorable: true })
  expect(await inherited(built.bytes())).toEqual([
    [10, true],
    [12, undefined],
  ])
})

test('no fork', async () => {
  expect(await inherited(base().event('acme/a').bytes())).toEqual([[9, undefined]])
  expect(await inherited(laterBase().event('acme/a').bytes())).toEqual([[10, undefined]])
})
