/** Dispatches of format 4 (format.md §7.3): a tree under each root, settled as started. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/core/json/json-value.ts'
import { brokenAt, type Entry, events } from '../../../support/broken-at.ts'

const call = { rootCallId: 'c', parentCallId: 'c', subCallId: 's', name: 'read', arguments: {} }
const start = (more: JsonObject = {}): Entry => ['tool/ptc-dispatch-start', { ...call, ...more }]
const settle = (more: JsonObject = {}): Entry => ['tool/ptc-dispatch', { ...call, ...more }]

test.each<[at: number[], what: string, list: Entry[]]>([
  [[], 'a start and its end', [start(), settle()]],
  [[], 'a child of a dispatch', [start(), start({ subCallId: 't', parentCallId: 's' })]],
  [[], 'the members of a result', [start(), settle({ content: [], isError: true })]],
  [[0], 'a start that is no object', [['tool/ptc-dispatch-start', null]]],
  [[0], 'an end that is no object', [['tool/ptc-dispatch', null]]],
  [[0, 1], 'a start without id', [start({ subCallId: '' }), settle({ subCallId: '' })]],
  [[0, 1], 'a start without root', [start({ rootCallId: '', parentCallId: '' }), settle()]],
  [[1], 'a start again', [start(), start()]],
  [[0], 'a parent that is unknown', [start({ parentCallId: 'x' })]],
  [[0], 'a parent that is no id', [start({ parentCallId: 1 })]],
  [[1], 'a parent in another tree', [start(), start({ subCallId: 't', rootCallId: 'd', parentCallId: 's' })]],
  [[0], 'an end of nothing', [settle()]],
  [[1], 'an end of another dispatch', [start(), settle({ subCallId: 't' })]],
  [[2], 'an end again', [start(), settle(), settle()]],
  [[1], 'an end in another tree', [start(), settle({ rootCallId: 'd' })]],
  [[1], 'an end under another parent', [start(), settle({ parentCallId: 'd' })]],
  [[1], 'an end by another name', [start(), settle({ name: 'bash' })]],
  [[1], 'an end with other arguments', [start(), settle({ arguments: { a: 1 } })]],
  [[], 'what plugins write', [['plan/mode', null]]],
])('at %j: %s', async (at, _what, list) => {
  expect(await brokenAt(['relation/dispatch', 'relation/data'], events(list))).toEqual(at)
})
