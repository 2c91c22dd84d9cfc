/** Retries of format 4 (format.md §7.3): of the latest provider, in their step, counted, each started once. */
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src/core/json/json-value.ts'
import { brokenAt, type Entry, events } from '../../../support/broken-at.ts'

const place = { turn: 1, step: 1 }
const retry = (more: JsonObject = {}): Entry => [
  'llm/retry',
  { ...place, retryId: 'r', provider: 'p', policyKey: 'k', retry: 1, ...more },
]
const started = (more: JsonObject = {}): Entry => [
  'llm/retry-started',
  { ...place, retryId: 'r', retry: 1, ...more },
]
const header = (header: JsonValue): Entry => ['request/header', { header }]
const from = (provider: string): Entry => header({ config: { provider } })
const open: readonly Entry[] = [['turn/start', { turn: 1 }], ['step/start', place], from('p')]
const stepEnd: Entry = ['step/end', place]
const turnEnd: Entry = ['turn/end', { turn: 1 }]

/** After an open step with its request; the first event has seq 3. */
const follows = (list: readonly Entry[]) => events([...open, ...list])

test.each<[at: number[], what: string, list: Entry[]]>([
  [[], 'attempts in a row', [retry(), started(), retry({ retry: 2 }), started({ retry: 2 })]],
  [[], 'attempts of two policies', [retry(), retry({ policyKey: 'l', retryId: 's' })]],
  [[], 'attempts of the step that was the last to close', [stepEnd, retry(), turnEnd, retry({ retry: 2 })]],
  [[3], 'another provider', [retry({ provider: 'q' })]],
  [[4], 'a provider that is not asked any more', [from('q'), retry()]],
  [[], 'the provider of the latest request', [from('q'), retry({ provider: 'q' })]],
  [
    [4],
    'a request that cannot be read, of which that alone is said',
    [header(null), ['request/header', null], retry()],
  ],
  [[4], 'a request that names no provider', [header({}), retry()]],
  [
    [],
    'no header in another event',
    [['request/context', { header: { config: { provider: 'q' } } }], retry()],
  ],
  [[3], 'another turn', [retry({ turn: 2 })]],
  [[3], 'another step', [retry({ step: 2 })]],
  [[4], 'another turn than that of the closed step', [stepEnd, retry({ turn: 2 })]],
  [[4], 'another step than the closed one', [stepEnd, retry({ step: 2 })]],
  [
    [6],
    'the step before the last one',
    [stepEnd, ['step/start', { turn: 1, step: 2 }], ['step/end', { turn: 1, step: 2 }], retry()],
  ],
  [[3], 'a first attempt 2', [retry({ retry: 2 })]],
  [[4], 'a first attempt again', [retry(), retry()]],
  [[4], 'an attempt left out', [retry(), retry({ retry: 3 })]],
  [[4], 'another id in the chain', [retry(), retry({ retry: 2, retryId: 's' })]],
  [[3], 'an attempt without number, and the first one', [retry({ retry: 'one' }), retry()]],
  [[3], 'no object', [['llm/retry', null]]],
  [[3], 'a start that is no object', [['llm/retry-started', null]]],
  [[3], 'a start of nothing', [started()]],
  [[5], 'a start again', [retry(), started(), started()]],
  [[4], 'a start of another retry', [retry(), started({ retryId: 's' })]],
  [[4], 'a start in another turn', [retry(), started({ turn: 2 })]],
  [[4], 'a start in another step', [retry(), started({ step: 2 })]],
  [[4], 'a start of another attempt', [retry(), started({ retry: 2 })]],
  [[], 'what plugins write', [['plan/mode', null]]],
])('at %j: %s', async (at, _what, list) => {
  expect(await brokenAt(['relation/retry', 'relation/data'], follows(list))).toEqual(at)
})

test('outside of turns nothing is retried, and a retry without place has none', async () => {
  expect(await brokenAt(['relation/retry', 'relation/data'], events([from('p'), retry()]))).toEqual([1])
  const nowhere: Entry = ['llm/retry', { retryId: 'r', provider: 'p', policyKey: 'k', retry: 1 }]
  expect(await brokenAt(['relation/retry', 'relation/data'], events([from('p'), nowhere]))).toEqual([1])
})
