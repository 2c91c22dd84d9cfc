/** The fifteen acceptance rules (format.md §5.1) and the rewrite rule (§5.4): each alone, and which of two wins. */
import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../../src/core/event/session-event.ts'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { SurfaceManager } from '../../../src/core/surface/surface-manager.ts'
import type { SurfaceViolation } from '../../../src/core/surface/surface-rules.ts'
import type { LogBuilder } from '../../support/log-builder.ts'
import { base, twoTurns } from '../../support/sample-logs.ts'

function managerAfter(log: LogBuilder): SurfaceManager {
  const manager = new SurfaceManager()
  for (const event of log.events()) {
    const plan = manager.plan(event)
    if (plan.kind === 'violation') throw new Error(plan.code)
    manager.commit(event, plan)
  }
  return manager
}

/** The candidate after {@link base}: seq 9, surface 1, 4, 6. */
function judge(type: string, members: JsonObject, seq = 9, data: JsonObject = {}): string {
  const event = { type, seq, time: 0, data, ...members } as unknown as SessionEvent
  const plan = managerAfter(base()).plan(event)
  return plan.kind === 'violation' ? plan.code : plan.kind
}

const replace = (start: unknown, end: unknown = start, more = {}): JsonObject =>
  ({ op: 'replace', start, end, ...more }) as JsonObject

describe('one rule broken', () => {
  test.each<[code: string, type: string, members: JsonObject]>([
    ['surface/op-on-log-only', 'turn/start', { surfaceOp: 'append' }],
    ['surface/op-on-log-only', 'turn/start', { surfaceOp: null }],
    ['surface/op-on-log-only', 'acme/unknown', { surfaceOp: 'append', ignorable: true }],
    ['surface/sources-on-log-only', 'tool/call', { sourceEventSeqs: [1] }],
    ['surface/sources-on-log-only', 'tool/call', { sourceEventSeqs: null }],
    ['surface/op-missing', 'user/message', {}],
    ['surface/op-invalid', 'user/message', { surfaceOp: null }],
    ['surface/op-invalid', 'user/message', { surfaceOp: 'prepend' }],
    ['surface/op-invalid', 'user/message', { surfaceOp: [] }],
    ['surface/op-invalid', 'user/message', { surfaceOp: 1 }],
    ['surface/replace-invalid', 'user/message', { surfaceOp: {} }],
    ['surface/replace-invalid', 'user/message', { surfaceOp: { op: 'append', start: 1, end: 1 } }],
    ['surface/replace-invalid', 'user/message', { surfaceOp: { op: 'replace', start: 1 } }],
    ['surface/replace-invalid', 'user/message', { surfaceOp: { op: 'replace', startSeq: 1, endSeq: 1 } }],
    ['surface/replace-invalid', 'user/message', { surfaceOp: replace(1, 1, { extra: 0 }) }],
    ['surface/replace-invalid', 'user/message', { surfaceOp: replace(-1, 1) }],
    ['surface/replace-invalid', 'user/message', { surfaceOp: replace(1, 1.5) }],
    ['surface/replace-invalid', 'user/message', { surfaceOp: replace('1', 1) }],
    ['surface/replace-invalid', 'user/message', { surfaceOp: replace(1, 2 ** 53) }],
    ['surface/start-not-found', 'user/message', { surfaceOp: replace(2, 4), sourceEventSeqs: [1] }],
    ['surface/start-not-found', 'user/message', { surfaceOp: replace(9, 9), sourceEventSeqs: [1] }],
    ['surface/end-not-found', 'user/message', { surfaceOp: replace(4, 5), sourceEventSeqs: [4] }],
    ['surface/range-reversed', 'user/message', { surfaceOp: replace(4, 1), sourceEventSeqs: [1, 4] }],
    ['surface/sources-not-list', 'user/message', { surfaceOp: 'append', sourceEventSeqs: null }],
    ['surface/sources-not-list', 'user/message', { surfaceOp: 'append', sourceEventSeqs: { 0: 1 } }],
    ['surface/sources-empty', 'user/message', { surfaceOp: 'append', sourceEventSeqs: [] }],
    ['surface/sources-empty', 'tool/result', { surfaceOp: 'append', sourceEventSeqs: [] }],
    ['surface/sources-invalid', 'user/message', { surfaceOp: 'append', sourceEventSeqs: [1.5] }],
    ['surface/sources-invalid', 'user/message', { surfaceOp: 'append', sourceEventSeqs: [-1] }],
    ['surface/sources-invalid', 'user/message', { surfaceOp: 'append', sourceEventSeqs: ['1'] }],
    ['surface/sources-invalid', 'user/message', { surfaceOp: 'append', sourceEventSeqs: [null] }],
    ['surface/sources-invalid', 'user/message', { surfaceOp: 'append', sourceEventSeqs: [[1, 4]] }],
    ['surface/sources-repeated', 'user/message', { surfaceOp: 'append', sourceEventSeqs: [1, 4, 1] }],
    ['surface/sources-not-earlier', 'user/message', { surfaceOp: 'append', sourceEventSeqs: [1, 9] }],
    ['surface/sources-not-earlier', 'user/message', { surfaceOp: 'append', sourceEventSeqs: [10] }],
    ['surface/sources-incomplete', 'user/message', { surfaceOp: replace(1, 4) }],
    ['surface/sources-incomplete', 'user/message', { surfaceOp: replace(1, 4), sourceEventSeqs: [1] }],
    ['surface/sources-incomplete', 'assistant/message', { surfaceOp: replace(4), sourceEventSeqs: [] }],
    ['surface/rewrite-not-single', 'tool/result', { surfaceOp: replace(4, 6), sourceEventSeqs: [4, 6] }],
    ['surface/rewrite-not-result', 'tool/result', { surfaceOp: replace(4), sourceEventSeqs: [4] }],
    ['surface/rewrite-changes-more', 'tool/result', { surfaceOp: replace(6), sourceEventSeqs: [6] }],
  ])('%s: %s %j', (code, type, members) => {
    expect(judge(type, members)).toBe(code)
  })

  test.each([8, 10])('surface/not-contiguous: seq %i where 9 is next', (seq) => {
    expect(judge('user/message', { surfaceOp: 'append' }, seq)).toBe('surface/not-contiguous')
  })
})

test.each<[args: JsonObject, type: string, members: JsonObject, seq?: number]>([
  [{ got: 10, expected: 9 }, 'turn/start', {}, 10],
  [{ type: 'turn/start' }, 'turn/start', { surfaceOp: 'append' }],
  [{ type: 'tool/call' }, 'tool/call', { sourceEventSeqs: [1] }],
  [{ type: 'user/message' }, 'user/message', {}],
  [{ type: 'user/message' }, 'user/message', { surfaceOp: null }],
  [{ type: 'user/message' }, 'user/message', { surfaceOp: {} }],
  [{ start: 2 }, 'user/message', { surfaceOp: replace(2, 4) }],
  [{ end: 5 }, 'user/message', { surfaceOp: replace(4, 5) }],
  [{ start: 6, end: 1, startIndex: 2, endIndex: 0 }, 'user/message', { surfaceOp: replace(6, 1) }],
  [{}, 'user/message', { surfaceOp: 'append', sourceEventSeqs: null }],
  [{ type: 'user/message' }, 'user/message', { surfaceOp: 'append', sourceEventSeqs: [] }],
  [{ source: '1' }, 'user/message', { surfaceOp: 'append', sourceEventSeqs: [0, '1'] }],
  [{ source: 4 }, 'user/message', { surfaceOp: 'append', sourceEventSeqs: [1, 4, 4, 1] }],
  [{ source: 9 }, 'user/message', { surfaceOp: 'append', sourceEventSeqs: [1, 9, 10] }],
  [{ missing: [1, 6] }, 'user/message', { surfaceOp: replace(1, 6), sourceEventSeqs: [4] }],
  [{ nodes: 2 }, 'tool/result', { surfaceOp: replace(4, 6), sourceEventSeqs: [4, 6] }],
  [{ target: 4 }, 'tool/result', { surfaceOp: replace(4), sourceEventSeqs: [4] }],
  [{ target: 6 }, 'tool/result', { surfaceOp: replace(6), sourceEventSeqs: [6] }],
])('the evidence is %j: %s %j', (args, type, members, seq = 9) => {
  const event = { type, seq, time: 0, data: {}, ...members } as unknown as SessionEvent
  expect((managerAfter(base()).plan(event) as SurfaceViolation).args).toEqual(args)
})

describe('accepted', () => {
  test.each<[kind: string, type: string, members: JsonObject]>([
    ['log-only', 'turn/start', {}],
    ['log-only', 'acme/unknown', {}],
    ['append', 'user/message', { surfaceOp: 'append' }],
    ['append', 'context/message', { surfaceOp: 'append' }],
    ['append', 'assistant/message', { surfaceOp: 'append', sourceEventSeqs: [] }],
    ['append', 'user/message', { surfaceOp: 'append', sourceEventSeqs: [8, 0, 5] }],
    ['replace', 'user/message', { surfaceOp: replace(6), sourceEventSeqs: [6] }],
    ['replace', 'user/message', { surfaceOp: replace(1, 6), sourceEventSeqs: [0, 6, 4, 1] }],
    ['replace', 'assistant/message', { surfaceOp: replace(4), sourceEventSeqs: [4] }],
    ['replace', 'context/message', { surfaceOp: replace(1, 4), sourceEventSeqs: [1, 4] }],
  ])('%s: %s %j', (kind, type, members) => {
    expect(judge(type, members)).toBe(kind)
  })
})

describe('two rules broken: the earlier one decides', () => {
  test.each<[code: string, type: string, members: JsonObject, seq?: number]>([
    ['surface/not-contiguous', 'turn/start', { surfaceOp: 'append' }, 12],
    ['surface/op-on-log-only', 'turn/start', { surfaceOp: 'append', sourceEventSeqs: [1] }],
    ['surface/op-missing', 'user/message', { sourceEventSeqs: [] }],
    ['surface/op-invalid', 'user/message', { surfaceOp: null, sourceEventSeqs: [] }],
    ['surface/replace-invalid', 'user/message', { surfaceOp: replace(2, 2, { x: 1 }) }],
    ['surface/start-not-found', 'user/message', { surfaceOp: replace(2, 5) }],
    ['surface/end-not-found', 'user/message', { surfaceOp: replace(4, 5), sourceEventSeqs: null }],
    ['surface/range-reversed', 'user/message', { surfaceOp: replace(6, 1), sourceEventSeqs: 'no' }],
    ['surface/sources-not-list', 'tool/result', { surfaceOp: replace(4), sourceEventSeqs: 'no' }],
    ['surface/sources-empty', 'user/message', { surfaceOp: replace(1), sourceEventSeqs: [] }],
    ['surface/sources-invalid', 'user/message', { surfaceOp: 'append', sourceEventSeqs: [1, 1, -1] }],
    ['surface/sources-invalid', 'user/message', { surfaceOp: 'append', sourceEventSeqs: [99, '1'] }],
    ['surface/sources-repeated', 'user/message', { surfaceOp: 'append', sourceEventSeqs: [99, 99] }],
    ['surface/sources-not-earlier', 'user/message', { surfaceOp: replace(1), sourceEventSeqs: [99] }],
    ['surface/sources-incomplete', 'tool/result', { surfaceOp: replace(4, 6), sourceEventSeqs: [4] }],
    ['surface/rewrite-not-single', 'tool/result', { surfaceOp: replace(1, 4), sourceEventSeqs: [1, 4] }],
    ['surface/rewrite-not-result', 'tool/result', { surfaceOp: replace(1), sourceEventSeqs: [1] }],
  ])('%s: %s %j', (code, type, members, seq) => {
    expect(judge(type, members, seq)).toBe(code)
  })
})

describe('rewriting a tool result may change only its content', () => {
  const result = base().events()[6]?.data as { message: { content: [JsonObject] } } & JsonObject
  const block = result.message.content[0]
  const rewrite = (change: (data: typeof result) => void, start = 6): string => {
    const data = structuredClone(result)
    change(data)
    return judge('tool/result', { surfaceOp: replace(start), sourceEventSeqs: [start] }, 9, data)
  }
  const set = (object: object, key: string, value: unknown): void =>
    void Object.assign(object, { [key]: value })

  test.each<[what: string, change: (data: typeof result) => void]>([
    ['nothing', () => {}],
    ['the inner content', (data) => set(data.message.content[0], 'content', [])],
    ['the inner content to something odd', (data) => set(data.message.content[0], 'content', 'text')],
    // Only the first block is compared; that there is no other one, the message rules say.
    ['an added block', (data) => set(data.message, 'content', [block, block])],
    ['the order of keys', (data) => set(data, 'message', { ...reversed(data.message) })],
  ])('accepts %s', (_what, change) => {
    expect(rewrite(change)).toBe('replace')
  })

  test.each<[what: string, change: (data: typeof result) => void]>([
    ['the id', (data) => set(data.message, 'id', 'other')],
    ['the step', (data) => set(data, 'step', 2)],
    ['the call id of the block', (data) => set(data.message.content[0], 'toolCallId', 'c9')],
    ['isError', (data) => set(data.message.content[0], 'isError', true)],
    ['an added member', (data) => set(data, 'meta', {})],
    ['a member less', (data) => delete (data as { step?: number }).step],
    ['no block', (data) => set(data.message, 'content', [])],
    ['the wrapper', (data) => set(data, 'message', null)],
  ])('refuses %s', (_what, change) => {
    expect(rewrite(change)).toBe('surface/rewrite-changes-more')
  })

  test('a result that was shadowed is no target', () => {
    const log = base().compaction(6)
    const manager = managerAfter(log)
    const event = { type: 'tool/result', seq: log.nextSeq, time: 0, data: result, sourceEventSeqs: [6] }
    const plan = manager.plan({ ...event, surfaceOp: { op: 'replace', start: 6, end: 6 } })
    expect(plan).toMatchObject({ kind: 'violation', code: 'surface/start-not-found' })
  })

  test('a rewritten result can be rewritten again', () => {
    const log = base()
    log.prune(6).prune(log.nextSeq - 1, 'shorter still')
    expect(managerAfter(log).surface.nodes).toEqual([1, 4, 12])
  })
})

test('a nested compaction may start at a greater seq than it ends', () => {
  const log = twoTurns().compaction(1, 6)
  const checkpoint = log.surface[0] as number
  expect(checkpoint).toBeGreaterThan(10)
  log.compaction(checkpoint, 10)
  expect(managerAfter(log).surface.nodes).toEqual([log.nextSeq - 2, 12])
})

test('planning changes nothing, and committed events are processed once', () => {
  const manager = managerAfter(base())
  const event: SessionEvent = { type: 'user/message', seq: 9, time: 0, data: {}, surfaceOp: 'append' }
  const first = manager.plan(event)
  expect(manager.plan(event)).toEqual(first)
  expect(manager.surface.nodes).toEqual([1, 4, 6])
  expect(manager.surface.replaceGeneration).toBe(0)
  if (first.kind === 'violation') throw new Error(first.code)
  manager.commit(event, first)
  expect(manager.surface.nodes).toEqual([1, 4, 6, 9])
  expect(manager.surface.has(9)).toBe(true)
  expect(manager.plan(event)).toMatchObject({ code: 'surface/not-contiguous' })
})

function reversed(object: object): object {
  return Object.fromEntries(Object.entries(object).toReversed())
}

test('nothing that a manager gives out changes it', () => {
  const manager = managerAfter(base())
  const before = [...manager.surface.nodes]
  const surfaceOp = replace(4, 6)
  const event = { type: 'user/message', seq: 9, time: 0, data: {}, surfaceOp, sourceEventSeqs: [4, 6] }
  const plan = manager.plan(event as unknown as SessionEvent)
  if (plan.kind !== 'replace') throw new Error(plan.kind)
  const given: readonly object[] = [manager.surface, manager.surface.nodes, plan, plan.shadowed]
  for (const each of given) expect(Object.isFrozen(each)).toBe(true)
  expect(() => (manager.surface.nodes as number[]).push(99)).toThrow(TypeError)
  expect(manager.surface.nodes).toEqual(before)
  expect(manager.surface.nodes).toBe(manager.surface.nodes)
  expect([manager.surface.at(0), manager.surface.at(-1), manager.surface.at(99)]).toEqual([1, 6, undefined])
  expect(Object.keys(manager)).toEqual([])
})
