/** Upload marks and the catalogue of children (format.md §7.3): facts of one session, forgotten when inherited. */
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src/core/json/json-value.ts'
import { brokenAt, type Entry, events } from '../../../support/broken-at.ts'
import { later } from '../../../support/later-log.ts'

const inherited: Entry = ['session/end-seed', { inherited: true }]
const resumed: Entry = ['session/end-seed', {}]
const child = { isSeeded: true, parentSession: 'p' }

const mark = (more: JsonObject = {}): Entry => [
  'session-log-deepseek/delivery-accepted',
  { sessionId: 'own', sessionFormatVersion: 4, throughSeq: 0, ...more },
]
const foreign = mark({ sessionId: 'p' })

test.each<[at: number[], what: string, list: Entry[], header?: JsonObject]>([
  [[], 'a mark of what was written', [mark()]],
  [[1], 'no object', [['session-log-deepseek/delivery-accepted', null]]],
  [[1], 'a mark of itself', [mark({ throughSeq: 1 })]],
  [[1], 'a mark of what is to come', [mark({ throughSeq: 2 })]],
  [[1], 'a mark of no seq', [mark({ throughSeq: '0' })]],
  [[1], 'a format that is no number', [mark({ sessionFormatVersion: 'four' })]],
  [[], 'a mark of another format', [mark({ sessionFormatVersion: 3, throughSeq: 9 })]],
  [[], 'a mark of no format', [['session-log-deepseek/delivery-accepted', { throughSeq: 9 }]]],
  [[1, 2], 'marks of another session', [foreign, foreign]],
  [[], 'marks of the parent', [foreign, foreign, inherited, mark()], child],
  [[1], 'marks of nobody’s parent', [foreign, inherited], { isSeeded: true }],
  [[1], 'marks before a resume', [foreign, resumed], child],
  [[2], 'a mark of the parent after what was inherited', [inherited, foreign], child],
  [[], 'what plugins write', [['plan/mode', null]]],
])('delivery, at %j: %s', async (at, _what, list, header = {}) => {
  const log = later()
    .header({ id: 'own', ...header })
    .user('hi')
  expect(await brokenAt(['relation/delivery', 'relation/data'], events(list, log))).toEqual(at)
})

const entry = (more: JsonObject = {}): Entry => [
  'subagent/catalog',
  { version: 0, mode: 'one-shot', childId: 'a', childCreatedAt: 1, ...more },
]
const continuable = { mode: 'continuable', label: 'l' }

test.each<[version: JsonValue, modes: string[]]>([
  [0, ['one-shot', 'continuable']],
  [1, ['one-shot', 'continuable', 'unknown']],
  [2, ['external']],
  [3, []],
  ['0', []],
  [null, []],
])('an entry of version %j has mode %j', async (version, modes) => {
  for (const mode of ['one-shot', 'continuable', 'unknown', 'external', null]) {
    const log = events([entry({ version, mode, label: 'l' })])
    expect(await brokenAt(['relation/catalog', 'relation/data'], log)).toEqual(
      modes.includes(String(mode)) ? [] : [0],
    )
  }
})

test.each<[at: number[], what: string, list: Entry[]]>([
  [[], 'children', [entry(), entry({ childId: 'b', ...continuable })]],
  [[0], 'no object', [['subagent/catalog', null]]],
  [[0], 'no id', [entry({ childId: '' })]],
  [[0], 'no time', [entry({ childCreatedAt: null })]],
  [[0], 'nothing to continue it by', [entry({ mode: 'continuable' })]],
  [[1, 2], 'a child three times', [entry(), entry(), entry(continuable)]],
  [[0], 'a child after a broken entry of it', [entry({ mode: 'continuable' }), entry()]],
  [[], 'a child of the parent', [entry(), entry(), inherited, entry()]],
  [[2], 'a child before and after a resume', [entry(), resumed, entry()]],
  [[], 'what plugins write', [['plan/mode', null]]],
])('catalogue, at %j: %s', async (at, _what, list) => {
  expect(await brokenAt(['relation/catalog', 'relation/data'], events(list))).toEqual(at)
})
