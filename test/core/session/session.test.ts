/** The strict boundary: what it refuses leaves nothing changed, what it accepts is what a replay would give. */
import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../../src/core/event/session-event.ts'
import type { JsonValue } from '../../../src/core/json/json-value.ts'
import {
  RefusedEventError,
  Session,
  type SurfaceEventType,
  type SurfaceIntent,
} from '../../../src/core/session/session.ts'
import { load } from '../../support/load.ts'
import { base, twoTurns } from '../../support/sample-logs.ts'

const now = (): number => 1_700_000_000_100
const user = { id: 'u', role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text: 'hi' }] }
const append = { surfaceOp: 'append' } as const

function seeded(): Session {
  return new Session({ seed: base().events(), now })
}

function codeOf(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof RefusedEventError) return error.finding.code
    throw error
  }
}

test('a seed is taken over whole', () => {
  const session = seeded()
  expect(session.events).toEqual(base().events())
  expect(session.surface.nodes).toEqual([1, 4, 6])
  expect(session.surface.length).toBe(3)
})

test('append gives the event its seq and the time of the clock', () => {
  const session = seeded()
  const event = session.append('user/message', user, append)
  expect(event).toEqual({ type: 'user/message', seq: 9, time: now(), data: user, surfaceOp: 'append' })
  expect(session.surface.nodes).toEqual([1, 4, 6, 9])
  session.append('todo/write', { todos: [] })
  expect(session.events.length).toBe(11)
})

describe('a refused append leaves nothing changed', () => {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  test.each<[code: string, type: string, data: unknown, intent?: unknown]>([
    ['surface/op-missing', 'user/message', user],
    ['surface/op-on-log-only', 'turn/start', { turn: 2 }, append],
    ['surface/sources-empty', 'user/message', user, { ...append, sourceEventSeqs: [] }],
    ['surface/sources-not-earlier', 'user/message', user, { ...append, sourceEventSeqs: [9] }],
    ['surface/start-not-found', 'user/message', user, { surfaceOp: { op: 'replace', start: 2, end: 2 } }],
    ['surface/sources-incomplete', 'user/message', user, { surfaceOp: { op: 'replace', start: 1, end: 4 } }],
    ['message/id-missing', 'user/message', { ...user, id: '' }, append],
    ['message/role-wrong', 'user/message', { ...user, role: 'assistant' }, append],
    ['message/request-invalid', 'request/header', { header: {} }],
    ['envelope/invalid', 'todo/write', { todos: undefined }],
    ['envelope/invalid', 'todo/write', { n: Number.NaN }],
    ['envelope/invalid', 'todo/write', { n: -0 }],
    ['envelope/invalid', 'todo/write', { when: new Date(0) }],
    ['envelope/invalid', 'todo/write', undefined],
    ['envelope/invalid', 7 as unknown as string, {}],
  ])('%s: %s %j %j', (code, type, data, intent) => {
    const session = seeded()
    const before = { events: [...session.events], nodes: [...session.surface.nodes] }
    const refused = codeOf(() => session.append(type as string, data as JsonValue, intent as never))
    expect(refused).toBe(code)
    expect({ events: session.events, nodes: session.surface.nodes }).toEqual(before)
    expect(session.surface.replaceGeneration).toBe(0)
    session.append('user/message', user, append)
    expect(session.surface.nodes).toEqual([1, 4, 6, 9])
  })
})

describe('an invalid seed is refused whole', () => {
  test.each<[code: string, change: (events: SessionEvent[]) => unknown]>([
    ['surface/not-contiguous', (events) => events.splice(3, 1)],
    ['surface/op-missing', (events) => delete (events[4] as { surfaceOp?: unknown }).surfaceOp],
    ['envelope/invalid', (events) => Object.assign(events[2] as object, { extra: 1 })],
    ['envelope/invalid', (events) => Object.assign(events[2] as object, { time: 0.5 })],
    ['message/source-invalid', (events) => Object.assign(events[1]?.data as object, { source: {} })],
  ])('%s', (code, change) => {
    const seed = base().events()
    change(seed)
    expect(codeOf(() => new Session({ seed, now }))).toBe(code)
  })
})

test('the overloads demand an intent for surface types', () => {
  const session = seeded()
  // @ts-expect-error a surface type needs its intent
  expect(codeOf(() => session.append('user/message', user))).toBe('surface/op-missing')
  // @ts-expect-error an intent needs its operation
  expect(codeOf(() => session.append('user/message', user, {}))).toBe('surface/op-missing')
  // @ts-expect-error a replacement needs its end
  const half: SurfaceIntent = { surfaceOp: { op: 'replace', start: 1 } }
  expect(codeOf(() => session.append('user/message', user, half))).toBe('surface/replace-invalid')
  const wide: SurfaceEventType = 'user/message'
  session.append(wide, user, append)
  session.append('turn/start', { turn: 2 })
})

test('a log without markers is refused unless it may be read as appended', () => {
  const seed = base()
    .events()
    .map(({ surfaceOp: _op, sourceEventSeqs: _sources, ...event }) => event)
  expect(codeOf(() => new Session({ seed, now }))).toBe('surface/op-missing')
  const session = new Session({ seed, legacy: 'append', now })
  expect(session.surface.nodes).toEqual([1, 4, 6])
  const half = seed.map((event, seq): SessionEvent => (seq === 1 ? { ...event, surfaceOp: 'append' } : event))
  expect(codeOf(() => new Session({ seed: half, legacy: 'append', now }))).toBe('surface/op-missing')
})

test('messages come in surface order, and an empty answer yields none', async () => {
  const log = twoTurns().compaction(1, 6)
  log.turn((turn) => turn.step((step) => step.assistant('')))
  const session = new Session({ seed: log.events(), now })
  const empty = log.surface.at(-1)
  const ids = session.deriveMessages().map((message) => message.id)
  expect(session.surface.nodes).toContain(empty)
  expect(ids).toEqual(['u17', 'u10', 'a12'])
  expect(session.surface.nodes).toEqual((await load(log, {})).end.surface.nodes)
})

test('accepted events are frozen at the top', () => {
  const session = seeded()
  expect(Object.isFrozen(session.events[0])).toBe(true)
})
