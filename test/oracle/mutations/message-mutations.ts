/** The shapes of messages and request headers that the shipped loader checks (format.md §4.4). */
import type { FindingCode } from '../../../src/core/findings/rules.ts'
import type { Row } from '../draft-log.ts'
import { add, type Expected, edit, type Mutation, messageIn, SURFACE_TYPES } from './mutation.ts'

const refused = (refusal: RegExp, code: FindingCode): Expected => ({ refusal, code })

const unidentified = refused(/lacks an identified message/, 'message/id-missing')
const wrongRole = refused(/must have role/, 'message/role-wrong')
const invalidSource = refused(/has invalid source/, 'message/source-invalid')
const notModel = refused(/must have model source/, 'message/source-invalid')
const notTool = refused(/must have tool source/, 'message/source-invalid')
const invalidContent = refused(/has invalid content/, 'message/content-invalid')
const notOneResult = refused(/must contain one tool-result block/, 'message/content-invalid')
const mismatch = refused(/mismatched tool call ids/, 'message/call-id-mismatch')
const noModel = refused(/lacks provider\/model/, 'message/request-invalid')
const badEffort = refused(/invalid reasoningEffort/, 'message/request-invalid')
const badDefaults = refused(/invalid adapterDefaults/, 'message/request-invalid')

/** Sets, or with `undefined` removes, one member of a message. */
const member = (
  types: readonly string[],
  key: string,
  values: readonly unknown[],
  expected: Expected,
): readonly Mutation[] =>
  values.map((value) =>
    edit(`${types.length > 1 ? 'message' : types[0]} ${key} ${shown(value)}`, types, expected, (row) => {
      const message = messageIn(row)
      if (value === undefined) delete message[key]
      else message[key] = value
    }),
  )

const shown = (value: unknown): string => (value === undefined ? 'missing' : `is ${JSON.stringify(value)}`)

const block = (
  name: string,
  expected: Expected,
  change: (block: Row, content: unknown[]) => void,
): Mutation =>
  edit(name, ['tool/result'], expected, (row) => {
    const content = messageIn(row).content as [Row, ...unknown[]]
    change(content[0], content)
  })

const data = (
  types: readonly string[],
  values: readonly unknown[],
  expected: Expected,
): readonly Mutation[] =>
  values.map((value) =>
    edit(`${types.join(' or ')} with data ${JSON.stringify(value)}`, types, expected, (row) => {
      row.data = value
    }),
  )

const request = (name: string, header: unknown, expected: Expected): Mutation =>
  add(`request/header ${name}`, expected, () => ({
    type: 'request/header',
    data: { header, reason: 'change' },
  }))

const config = { provider: 'p', model: 'm' }

export const messageMutations: readonly Mutation[] = [
  ...member(SURFACE_TYPES, 'id', [undefined, '', 7, null], unidentified),
  ...member(['user/message', 'tool/result'], 'role', [undefined, 'assistant', 'tool', null], wrongRole),
  ...member(['assistant/message'], 'role', [undefined, 'user', 'model'], wrongRole),
  ...member(
    SURFACE_TYPES,
    'source',
    [undefined, null, 'user', [], {}, { kind: '' }, { kind: 7 }],
    invalidSource,
  ),
  ...member(SURFACE_TYPES, 'content', [undefined, null, 'text', {}], invalidContent),
  ...member(
    ['assistant/message'],
    'source',
    [
      { kind: 'user' },
      { kind: 'model' },
      { kind: 'model', provider: '', model: 'm' },
      { kind: 'model', provider: 'p', model: 7 },
    ],
    notModel,
  ),
  ...member(['assistant/message'], 'content', [[]], 'opens'),
  ...member(['user/message'], 'content', [[], [null, 7, 'text', []]], 'opens'),
  ...member(
    ['tool/result'],
    'source',
    [{ kind: 'user' }, { kind: 'tool' }, { kind: 'tool', callId: '' }, { kind: 'tool', callId: 7 }],
    notTool,
  ),
  ...member(
    ['tool/result'],
    'content',
    [[], [null], ['text'], [[]], [{ type: 'text', text: '' }]],
    notOneResult,
  ),
  block('tool/result with two blocks', notOneResult, (first, content) => {
    content.push(structuredClone(first))
  }),
  block('tool/result with content that is no list', notOneResult, (first) => {
    first.content = 'text'
  }),
  block('tool/result whose block names another call', mismatch, (first) => {
    first.toolCallId = 'another'
  }),
  block('tool/result whose block names no call', mismatch, (first) => {
    delete first.toolCallId
  }),
  ...data(SURFACE_TYPES, [null, 'text', [], {}, 7], unidentified),
  ...data(['assistant/message', 'tool/result'], [{ message: null }, { message: [] }], unidentified),
  ...data(['request/header'], [{}, { header: null }, { header: [] }], noModel),
  request('of the plainest kind', { config }, 'opens'),
  request(
    'with adapterDefaults that fit',
    { config: { ...config, maxTokens: 1 }, adapterDefaults: { maxTokens: true } },
    'opens',
  ),
  request('without config', {}, noModel),
  request('with config null', { config: null }, noModel),
  request('with config as a list', { config: [] }, noModel),
  request('without model', { config: { provider: 'p' } }, noModel),
  request('with an empty provider', { config: { provider: '', model: 'm' } }, noModel),
  request('with an empty reasoningEffort', { config: { ...config, reasoningEffort: '' } }, badEffort),
  request('with reasoningEffort null', { config: { ...config, reasoningEffort: null } }, badEffort),
  request('with adapterDefaults null', { config, adapterDefaults: null }, badDefaults),
  request('with adapterDefaults as a list', { config, adapterDefaults: [] }, badDefaults),
  request('with an unknown adapter default', { config, adapterDefaults: { temperature: true } }, badDefaults),
  request(
    'with an adapter default false',
    { config: { ...config, maxTokens: 1 }, adapterDefaults: { maxTokens: false } },
    badDefaults,
  ),
  request(
    'with an adapter default without a value',
    { config, adapterDefaults: { maxTokens: true } },
    badDefaults,
  ),
]
