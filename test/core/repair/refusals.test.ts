/** Findings that keep a log shut, in words. */
import { expect, test } from 'vitest'
import { refusals } from '../../../src/core/repair/refusals.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich } from '../../support/sample-logs.ts'

async function refusalsOf(built: LogBuilder, isMended = (_code: string) => false) {
  const { findings } = await load(built, {})
  return refusals({ counts: findings.counts(), findings: findings.findings() }, isMended)
}

const alone = () =>
  base().user('x', { kind: 'user' }, { op: { op: 'replace', start: 77, end: 77 }, sources: [4] })

test.each<[name: string, log: LogBuilder, reasons: RegExp[]]>([
  ['none for a whole log', rich(), []],
  [
    'none for what only the checks of a turn mind',
    log().event('turn/end', { turn: 1, reason: { kind: 'completed' } }),
    [],
  ],
  ['one with its place', alone(), [/^surface\/start-not-found at seq 9: .*77/]],
  [
    'one for each code, with how many more',
    alone().user('y', { kind: 'user' }, { op: { op: 'replace', start: 78, end: 78 } }),
    [/and 1 more\)$/],
  ],
  ['one for an unknown type', base().event('acme/x', {}), [/^vocabulary\/unknown-type at seq 9: /]],
])('%s', async (_name, built, reasons) => {
  const found = await refusalsOf(built)
  expect(found).toHaveLength(reasons.length)
  for (const [index, reason] of reasons.entries()) expect(found[index]).toMatch(reason)
})

test('what is mended keeps nothing shut', async () => {
  expect(await refusalsOf(alone(), (code) => code === 'surface/start-not-found')).toEqual([])
})
