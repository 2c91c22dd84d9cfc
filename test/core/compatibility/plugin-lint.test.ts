/** Members, sources and content that no migration knows. */
import { expect, test } from 'vitest'
import { pluginLint } from '../../../src/core/compatibility/plugin-lint.ts'
import { dialectOf } from '../../../src/core/dialect/dialect.ts'
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value.ts'
import type { ReplayEnd, ReplayStep } from '../../../src/core/replay/reducer.ts'
import { laterBase } from '../../support/later-log.ts'
import { load } from '../../support/load.ts'
import { rich } from '../../support/sample-logs.ts'

const KINDS: Readonly<Record<string, string>> = {
  'plugin/extra-member': 'member',
  'plugin/undeclared-source': 'source',
  'plugin/source-form': 'form',
  'plugin/undeclared-content': 'content',
}

function faults(type: string, data: JsonValue, version = 0): readonly unknown[] {
  const lint = pluginLint()
  const event = { type, seq: 0, time: 0, data }
  lint.on({ event, origin: {}, dialect: dialectOf(version) } as unknown as ReplayStep)
  return lint.finish({} as ReplayEnd).map(({ code, args }) => {
    const { count: _count, ...named }: JsonObject = args
    return [KINDS[code], ...Object.values(named)]
  })
}

const message = (source: JsonObject, content: readonly JsonValue[] = []): JsonObject => ({
  id: 'a',
  role: 'user',
  source,
  content: [...content],
})

test.each([0, 2, 3, 4] as const)('a sound log of format %i has none', async (version) => {
  const built = version === 0 ? rich() : laterBase(version)
  const { results } = await load(built.bytes(), { faults: pluginLint() })
  expect(results.faults).toEqual([])
})

test.each<[name: string, source: JsonObject, found: unknown[]]>([
  ['user', { kind: 'user', rpcId: 'r', clientTimeZone: 'z' }, []],
  ['user with more', { kind: 'user', more: 1 }, [['member', 'a user source', 'more']]],
  ['unknown', { kind: 'acme', any: 1 }, [['source', 'acme']]],
  ['no text', { kind: 1 }, []],
  ['early goal', { kind: 'goal', change: {} }, []],
  ['plugin', { kind: 'plugin', plugin: 'p' }, []],
  // An absent form is opaque, whatever goes with it.
  ['plugin without form', { kind: 'plugin', plugin: 'p', summary: 's', sections: [] }, []],
  ['notice', { kind: 'plugin', plugin: 'p', form: 'notice', summary: 's' }, []],
  ['snapshot', { kind: 'plugin', plugin: 'p', form: 'snapshot', sections: [] }, []],
  ['checkpoint', { kind: 'plugin', plugin: 'compact', compactionId: 'x', sourceCommandId: 'c' }, []],
  [
    'no checkpoint',
    { kind: 'plugin', plugin: 'p', compactionId: 'x' },
    [['member', 'a plugin source', 'compactionId']],
  ],
  [
    'other form',
    { kind: 'plugin', plugin: 'p', form: 'poem' },
    [['form', 'form that must be instructions, catalog, snapshot, notice, relay or recall']],
  ],
  [
    'summary',
    { kind: 'plugin', plugin: 'p', form: 'recall', summary: 's' },
    [['form', 'summary that needs the form notice']],
  ],
  [
    'no summary',
    { kind: 'plugin', plugin: 'p', form: 'notice' },
    [['form', 'summary that is missing: the form is notice']],
  ],
  [
    'sections',
    { kind: 'plugin', plugin: 'p', form: 'recall', sections: [] },
    [['form', 'sections that needs the form snapshot']],
  ],
  [
    'no sections',
    { kind: 'plugin', plugin: 'p', form: 'snapshot' },
    [['form', 'sections that is missing: the form is snapshot']],
  ],
])('source: %s', (_name, source, found) => {
  expect(faults('user/message', message(source))).toEqual(found)
})

test('kinds of format 4 are declared there alone', () => {
  for (const kind of ['runtime-context', 'plugin:acme']) {
    expect(faults('user/message', message({ kind }), 4)).toEqual([])
    expect(faults('user/message', message({ kind }), 3)).toEqual([['source', kind]])
  }
})

test('members of payloads and messages', () => {
  expect(faults('plan/mode', { active: true, more: 1 })).toEqual([['member', 'plan/mode', 'more']])
  expect(faults('acme/any', { more: 1 })).toEqual([])
  expect(faults('schedule/change', { more: 1 })).toEqual([])
  expect(faults('toString', { more: 1 })).toEqual([])
  expect(faults('session/end-seed', { inherited: true }, 0)).toEqual([
    ['member', 'session/end-seed', 'inherited'],
  ])
  expect(faults('session/end-seed', { inherited: true }, 2)).toEqual([])
  const wrapped = { turn: 1, step: 1, message: { ...message({ kind: 'user' }), more: 1 } }
  expect(faults('tool/result', wrapped)).toEqual([['member', 'a message', 'more']])
  // Said once for a message that is the payload itself.
  expect(faults('user/message', { ...message({ kind: 'user' }), more: 1 })).toEqual([
    ['member', 'user/message', 'more'],
  ])
  expect(faults('tool/result', { message: { 'plugin:message:x': 1, isError: true } }, 4)).toEqual([])
})

test('content blocks, and those inside results', () => {
  const content = [
    { type: 'text', text: 'a', more: 1 },
    { type: 'card' },
    { type: 'tool-addition', toolName: 't' },
    { type: 'tool-result', toolCallId: 'c', content: [{ type: 'chart' }] },
  ]
  expect(faults('user/message', message({ kind: 'user' }, content))).toEqual([
    ['member', 'a text block', 'more'],
    ['content', 'card'],
    // Content of format 4, which the migrations before it do not know.
    ['content', 'tool-addition'],
    ['content', 'chart'],
  ])
})

test('messages that wait, and those of a title request', () => {
  const odd = message({ kind: 'acme' })
  expect(faults('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [odd] })).toEqual([
    ['source', 'acme'],
  ])
  expect(faults('session/title-llm-request', { messages: [odd] })).toEqual([['source', 'acme']])
})

test('content that nests without end does not run out of stack', () => {
  let block: JsonObject = { type: 'text', text: '' }
  for (let depth = 0; depth < 100_000; depth++)
    block = { type: 'tool-result', toolCallId: 'c', content: [block] }
  expect(faults('user/message', message({ kind: 'user' }, [block]))).toEqual([])
})

test('payloads that are no objects', () => {
  for (const data of [null, 'x', 1, []]) expect(faults('user/message', data as JsonValue)).toEqual([])
})
