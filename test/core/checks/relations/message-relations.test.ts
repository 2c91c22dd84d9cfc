/** Tool additions name tools of a request, and every message names its producer (format.md §7.3). */
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src/core/json/json-value.ts'
import { brokenAt, type Entry, events } from '../../../support/broken-at.ts'

const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  description: 'd',
  parameters: {},
  ...more,
})
const request = (tools?: JsonValue): Entry => [
  'request/header',
  { header: tools === undefined ? {} : { tools } },
]
const developer = (content: readonly JsonValue[], headerSeq: JsonValue = 0): Entry => [
  'developer/message',
  { headerSeq, message: { role: 'developer', content } },
]
const adds = (toolName: string): JsonObject => ({ type: 'tool-addition', toolName })
const removes = (toolName: string): JsonObject => ({ type: 'tool-removal', toolName })

test.each<[at: number[], what: string, list: Entry[]]>([
  [[], 'tools of the request', [request([tool('a'), tool('b')]), developer([adds('a'), adds('b')])]],
  [[], 'tools of an earlier request', [request([tool('a')]), request([]), developer([adds('a')])]],
  [[], 'a removal of any tool', [request([]), developer([removes('x')], 9)]],
  [[1], 'a tool that is not in it', [request([tool('a')]), developer([adds('b'), adds('a')])]],
  [[1, 1], 'two tools that are not in it', [request([tool('a')]), developer([adds('b'), adds('c')])]],
  [[1], 'a tool that is in it twice', [request([tool('a'), tool('a')]), developer([adds('a')])]],
  [[1], 'a tool without description', [request([tool('a', { description: 1 })]), developer([adds('a')])]],
  [[1], 'a tool without parameters', [request([tool('a', { parameters: null })]), developer([adds('a')])]],
  [
    [1],
    'a tool that is in it, and broken once more',
    [request([tool('a', { parameters: null }), tool('a')]), developer([adds('a')])],
  ],
  [[], 'a tool next to something odd', [request([null, tool('a')]), developer([adds('a')])]],
  [[1], 'a request without tools', [request(), developer([adds('a')])]],
  [[1], 'tools that are no list', [request({ a: tool('a') }), developer([adds('a')])]],
  [[1], 'a request without header', [['request/header', {}], developer([adds('a')])]],
  [[1], 'a request that is no object', [['request/header', null], developer([adds('a')])]],
  [[0], 'a request to come', [developer([adds('a')], 1), request([tool('a')])]],
  [
    [1],
    'tools of something else',
    [['request/context', { header: { tools: [tool('a')] } }], developer([adds('a')])],
  ],
  [
    [],
    'an addition in another message',
    [['user/message', { content: [adds('a')], message: { content: [adds('a')] } }]],
  ],
  [[], 'no object', [['developer/message', null]]],
])('tool additions, at %j: %s', async (at, _what, list) => {
  expect(await brokenAt('relation/tool-change', events(list))).toEqual(at)
})

const known = { source: { kind: 'user' } }
const splice = (inserted: JsonValue, messages: JsonValue = null): Entry => [
  'agent/inbox/spliced',
  { inserted, messages },
]
const asked = (messages: JsonValue, inserted: JsonValue = null): Entry => [
  'session/title-llm-request',
  { inserted, messages },
]

test.each<[at: number[], what: string, entry: Entry]>([
  [[], 'of a producer in the inbox', splice([known, known])],
  [[], 'of a producer in a request', asked([known])],
  [[0], 'of nobody in the inbox', splice([{}])],
  [[0], 'of nobody in a request', asked([{}])],
  [[0, 0], 'of nobody, two of three', splice([{}, known, { source: {} }])],
  [[0], 'of an empty name', splice([{ source: { kind: '' } }])],
  [[0], 'that is no object', splice(['hi'])],
  [[], 'in no list', splice('hi')],
  [[], 'where the inbox has none', splice([], [{}])],
  [[], 'where a request has none', asked([], [{}])],
  [[], 'in something else', ['team/message/queued', { inserted: [{}], messages: [{}] }]],
  [[], 'in no object', ['agent/inbox/spliced', null]],
])('at %j: a message %s', async (at, _what, entry) => {
  expect(await brokenAt('relation/source', events([entry]))).toEqual(at)
})
