import { expect, test } from 'vitest'
import { inheritance } from '../../../src/core/projections/inheritance.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'

async function inheritedBy(built: LogBuilder) {
  return (await load(built, { inherited: inheritance() })).results.inherited
}

test.each<[what: string, built: () => LogBuilder, expected: unknown]>([
  ['no fork', base, undefined],
  ['a child that inherited nothing', () => base().header({ parentSession: 'p' }), undefined],
  ['a fork', () => base().header({ parentSession: 'p', seedLength: 9 }), { before: 9, from: 'p' }],
  ['a fork that names no parent', () => base().header({ seedLength: 9 }), { before: 9 }],
  [
    'a fork of a later format, by its marker',
    () =>
      log()
        .header({ version: 2, isSeeded: true, parentSession: 'p' })
        .event('plan/mode')
        .event('session/end-seed', { inherited: true }),
    { before: 1, from: 'p' },
  ],
])('%s', async (_what, built, expected) => {
  expect(await inheritedBy(built())).toEqual(expected)
})
