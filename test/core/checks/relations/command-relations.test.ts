/** Commands and titles of format 4 (format.md §7.3). */
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src/core/json/json-value.ts'
import { brokenAt, type Entry, events } from '../../../support/broken-at.ts'
import { later, laterBase, textBlock } from '../../../support/later-log.ts'

const run = (commandId: JsonValue = 'k'): Entry => ['command/run', { commandId }]
const done = (more: JsonObject = {}): Entry => ['command/done', { commandId: 'k', kind: 'success', ...more }]
/** A user message at seq 0, and the events from seq 1 on. */
const follows = (list: readonly Entry[]) => events(list, later().user('hi'))

test.each<[at: number[], what: string, list: Entry[]]>([
  [[], 'a command that came to a message', [run(), done({ sourceEventSeq: 0 })]],
  [[], 'a command that came to nothing', [run(), done({ kind: 'error' })]],
  [[], 'a command that is done twice', [run(), done(), done()]],
  [[], 'two commands', [run(), run('l'), done()]],
  [[1], 'a run without id', [['command/run', {}]]],
  [[1], 'a run with an empty id', [run('')]],
  [[1], 'a run that is no object', [['command/run', null]]],
  [[2], 'a command that is run again', [run(), run()]],
  [[1], 'an end that is no object', [['command/done', null]]],
  [[1], 'an end of nothing', [done()]],
  [[1], 'an end without id', [['command/done', { kind: 'success' }]]],
  [[2], 'a source that is no seq', [run(), done({ sourceEventSeq: '0' })]],
  [[2], 'a source that is the end itself', [run(), done({ sourceEventSeq: 2 })]],
  [[2], 'a source to come', [run(), done({ sourceEventSeq: 3 })]],
  [[2], 'a source of a failure', [run(), done({ sourceEventSeq: 0, kind: 'error' })]],
  [[2], 'a source that is the run', [run(), done({ sourceEventSeq: 1 })]],
  [[3], 'a source that is another end', [run(), done(), done({ sourceEventSeq: 2 })]],
  [[], 'what plugins write', [['plan/mode', null]]],
])('command, at %j: %s', async (at, _what, list) => {
  expect(await brokenAt(['relation/command', 'relation/data'], follows(list))).toEqual(at)
})

const message = (more: JsonObject = {}): JsonObject => ({
  id: 't',
  role: 'user',
  source: { kind: 'dsh-session-title-llm' },
  content: [textBlock('a title, please')],
  ...more,
})
const title = (messageSeqs: JsonValue, kind = 'fallback'): Entry => [
  'session/title',
  { messageSeqs, source: { kind } },
]
const request = (messageSeqs: JsonValue, messages: JsonValue = [message()]): Entry => [
  'session/title-llm-request',
  { messageSeqs, messages },
]

/** After a turn with a user message at 3 and an answer at 5, and a note of a plugin at 10; the event has seq 11. */
const titled = (entry: Entry) =>
  events([entry], laterBase().user('note', { source: { kind: 'mem', plugin: 'm' } }))

test.each<[broken: boolean, what: string, entry: Entry]>([
  [false, 'of a message', title([3])],
  [false, 'by the user', title([], 'user')],
  [true, 'by the user, of a message', title([3], 'user')],
  [true, 'of nothing', title([])],
  [true, 'of something that is no list', title(3)],
  [true, 'of a message named twice', title([3, 3])],
  [true, 'of an answer', title([5])],
  [true, 'of a message and an answer', title([3, 5])],
  [true, 'of a note', title([10])],
  [true, 'of nobody', ['session/title', { messageSeqs: [] }]],
  [true, 'that is no object', ['session/title', null]],
  [false, 'requested', request([3])],
  [true, 'requested for nothing', request([])],
  [true, 'requested for an answer', request([5])],
  [true, 'requested by an event that is no object', ['session/title-llm-request', null]],
  [true, 'requested without messages', ['session/title-llm-request', { messageSeqs: [3] }]],
  [true, 'requested with no message', request([3], [])],
  [true, 'requested with two messages', request([3], [message(), message()])],
  [true, 'requested with a text', request([3], ['title?'])],
  [true, 'requested in another role', request([3], [message({ role: 'assistant' })])],
  [true, 'requested by somebody else', request([3], [message({ source: { kind: 'user' } })])],
  [true, 'requested by nobody', request([3], [message({ source: null })])],
  [true, 'requested without content', request([3], [message({ content: [] })])],
  [true, 'requested with two blocks', request([3], [message({ content: [textBlock('a'), textBlock('b')] })])],
  [true, 'requested with a block of another type', request([3], [message({ content: [{ type: 'x' }] })])],
  [false, 'of another kind', ['goal/change', null]],
])('title, broken %s: %s', async (broken, _what, entry) => {
  expect(await brokenAt(['relation/title', 'relation/data'], titled(entry))).toEqual(broken ? [11] : [])
})
