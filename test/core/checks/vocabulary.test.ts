/** Types that readers do not know, and offloads of images that are not there. */
import { expect, test } from 'vitest'
import type { FindingCode } from '../../../src/core/findings/rules.ts'
import { evidenceOf } from '../../support/broken-at.ts'
import { imageBlock, later } from '../../support/later-log.ts'
import { log } from '../../support/log-builder.ts'

test.each<[code: FindingCode, findings: unknown[], log: { bytes(): Buffer }]>([
  [
    'vocabulary/unknown-type',
    [
      [0, { type: 'acme/x' }],
      [1, { type: 'acme/x' }],
    ],
    log().event('acme/x').event('acme/x'),
  ],
  ['vocabulary/unknown-type', [], log().event('acme/x', {}, { ignorable: true }).event('plan/mode')],
  ['vocabulary/unknown-ignorable', [[0, { type: 'acme/x' }]], log().event('acme/x', {}, { ignorable: true })],
  ['vocabulary/unknown-ignorable', [], log().event('acme/x').event('plan/mode', {}, { ignorable: true })],
  [
    'vocabulary/newer-type',
    [
      [0, { type: 'model/selection', since: '0.1.2' }],
      [2, { type: 'image/offload', since: '0.1.5' }],
    ],
    later().event('model/selection').event('model/selection').event('image/offload').event('plan/mode'),
  ],
  ['vocabulary/newer-type', [], log().event('image/offload')],
  ['vocabulary/unknown-type', [], later().header({ version: 9 }).event('acme/x')],
])('%s: %j', async (code, findings, built) => {
  expect(await evidenceOf(code, built)).toEqual(findings)
})

test('an offload names images that are there, in the formats that know it', async () => {
  const targets = [{ seq: 0, imageIndexes: [0] }]
  const built = later().content([imageBlock()]).event('image/offload', { targets })
  expect(await evidenceOf('surface/offload-invalid', built)).toEqual([])
  const again = built.event('image/offload', { targets })
  expect(await evidenceOf('surface/offload-invalid', again)).toEqual([
    [2, { problem: 'offloaded', target: 0, image: 0 }],
  ])
  expect(await evidenceOf('surface/offload-invalid', log().event('image/offload', {}))).toEqual([])
})
