import { expect, test } from 'vitest'
import type { SessionEvent } from '../../../src/core/event/session-event.ts'
import type { JsonValue } from '../../../src/core/json/json-value.ts'
import {
  isAppendSurfaceEvent,
  isCompactCheckpoint,
  isCompactCheckpointSource,
  isReplacementSurfaceEvent,
  transcriptToolCallIds,
} from '../../../src/core/surface/surface-predicates.ts'
import { isUnmarkedLog } from '../../../src/core/surface/unmarked-log.ts'
import { base, rich } from '../../support/sample-logs.ts'

const replace = { op: 'replace', start: 1, end: 1 } as const

test.each<[type: string, op: SessionEvent['surfaceOp'], append: boolean, replacement: boolean]>([
  ['user/message', 'append', true, false],
  ['assistant/message', 'append', true, false],
  ['tool/result', 'append', true, false],
  ['context/message', 'append', true, false],
  ['user/message', replace, false, true],
  ['tool/result', replace, false, true],
  ['user/message', undefined, false, false],
  ['turn/start', 'append', false, false],
  ['turn/start', replace, false, false],
])('%s with %j: append %s, replacement %s', (type, op, append, replacement) => {
  const event = { type, ...(op !== undefined && { surfaceOp: op }) }
  expect(isAppendSurfaceEvent(event)).toBe(append)
  expect(isReplacementSurfaceEvent(event)).toBe(replacement)
})

test.each<[source: JsonValue | undefined, expected: boolean]>([
  [{ kind: 'plugin', plugin: 'compact', compactionId: 'x' }, true],
  [{ kind: 'plugin', plugin: 'compact' }, true],
  [{ kind: 'compact-checkpoint', compactionId: 'x' }, true],
  [{ kind: 'plugin', plugin: 'dsh-compaction-basic' }, false],
  [{ kind: 'compact', plugin: 'compact' }, false],
  [{ kind: 'user' }, false],
  ['compact', false],
  [null, false],
  [undefined, false],
])('checkpoint source %j: %s', (source, expected) => {
  expect(isCompactCheckpointSource(source)).toBe(expected)
})

test('a checkpoint is a replacing user message with that source', () => {
  const source = { kind: 'plugin', plugin: 'compact' }
  const event = { type: 'user/message', seq: 9, time: 0, data: { source }, surfaceOp: replace } as const
  expect(isCompactCheckpoint(event)).toBe(true)
  expect(isCompactCheckpoint({ ...event, surfaceOp: 'append' })).toBe(false)
  expect(isCompactCheckpoint({ ...event, data: { source: { kind: 'user' } } })).toBe(false)
  expect(isCompactCheckpoint({ ...event, data: null })).toBe(false)
  expect(isCompactCheckpoint({ ...event, type: 'assistant/message', data: { message: { source } } })).toBe(
    false,
  )
})

test('transcript call ids are those of append-origin answers, shadowed or not', () => {
  expect(transcriptToolCallIds(rich().events())).toEqual(new Set(['c1', 'c2', 'c3']))
  const regenerated = base()
  regenerated.edit(4, (row) => ({ ...row, surfaceOp: replace }))
  expect(transcriptToolCallIds(regenerated.events())).toEqual(new Set())
})

test('a log is unmarked when it has surface events and none is marked', () => {
  const unmarked = base()
  for (const seq of [1, 4, 6]) unmarked.edit(seq, ({ surfaceOp: _gone, ...row }) => row)
  expect(isUnmarkedLog(unmarked.events())).toBe(true)
  expect(isUnmarkedLog(base().events())).toBe(false)
  expect(isUnmarkedLog([])).toBe(false)
  expect(isUnmarkedLog([{ type: 'turn/start' }])).toBe(false)
  expect(isUnmarkedLog([{ type: 'turn/start', surfaceOp: 'append' }, { type: 'user/message' }])).toBe(true)
  expect(isUnmarkedLog(unmarked.edit(4, (row) => ({ ...row, surfaceOp: 'append' })).events())).toBe(false)
})
