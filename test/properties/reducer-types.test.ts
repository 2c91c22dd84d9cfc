/** Checks that are shown the events of their types against the same checks shown every event: the findings are the same. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allChecks } from '../../src/core/checks/all-checks.ts'
import type { SessionEvent, SessionHeader } from '../../src/core/event/session-event.ts'
import type { Finding } from '../../src/core/findings/finding.ts'
import type { JsonValue } from '../../src/core/json/json-value.ts'
import type { Reducer } from '../../src/core/replay/reducer.ts'
import { Replay } from '../../src/core/replay/replay.ts'
import { runs } from '../support/effort.ts'
import { EVENT_TYPES } from './event-types.ts'

const small = fc.constantFrom<JsonValue>(1, 2, 'a', 'b', '', null)
const source = fc.record(
  {
    kind: fc.constantFrom('user', 'model', 'tool', 'plugin', 'compact-checkpoint'),
    callId: small,
    plugin: small,
  },
  { requiredKeys: ['kind'] },
)
const block = fc.oneof(
  fc.record({
    type: fc.constant('tool-call'),
    id: small,
    name: small,
    arguments: fc.constantFrom('{}', '{'),
  }),
  fc.record({ type: fc.constantFrom('text', 'tool-addition'), text: small, toolName: small }),
)
const message = fc.record({ id: small, role: small, source, content: fc.array(block, { maxLength: 2 }) })
const members = fc.record(
  {
    ...{
      turn: small,
      step: small,
      callId: small,
      name: small,
      arguments: fc.constantFrom('{}', '{'),
      message,
    },
    ...{
      inherited: fc.constant(true),
      compactionId: small,
      commandId: small,
      subCallId: small,
      retryId: small,
    },
    ...{ sessionFormatVersion: fc.constantFrom(2, 4), sessionId: small, childId: small, version: small },
    ...{ messageSeqs: fc.array(fc.nat(8), { maxLength: 2 }), targets: fc.array(small), header: fc.object() },
    ...{ inserted: fc.array(message, { maxLength: 1 }), target: small, retry: small, throughSeq: small },
  },
  { requiredKeys: [] },
)
const data: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 6, arbitrary: members as fc.Arbitrary<JsonValue> },
  { weight: 3, arbitrary: message as fc.Arbitrary<JsonValue> },
  small,
)
const USUAL = [
  'turn/start',
  'turn/end',
  'step/start',
  'step/end',
  'user/message',
  'assistant/message',
  'tool/call',
]
const event = fc.record(
  {
    type: fc.oneof(
      fc.constantFrom(...USUAL, 'tool/result', 'session/end-seed'),
      fc.constantFrom(...EVENT_TYPES),
    ),
    time: fc.constantFrom(1, 2, 0),
    data,
    surfaceOp: fc.constantFrom<JsonValue>('append', 'append', { op: 'replace', start: 1, end: 2 }),
    sourceEventSeqs: fc.constantFrom<JsonValue>([0], [1, 2], 'x'),
    ignorable: fc.constant(true as const),
  },
  { requiredKeys: ['type', 'time', 'data'] },
)
const header: fc.Arbitrary<SessionHeader> = fc.record(
  {
    ...{ type: fc.constant('session' as const), version: fc.nat(4), id: fc.constant('a') },
    ...{
      createdAt: fc.constant(1),
      parentSession: fc.constant('b'),
      seedLength: fc.nat(9),
      isSeeded: fc.boolean(),
    },
  },
  { requiredKeys: ['type', 'version', 'id', 'createdAt'] },
)

function findings(
  head: SessionHeader,
  events: readonly Omit<SessionEvent, 'seq'>[],
  shown: (check: Reducer<void>) => Reducer<void>,
): readonly Finding[] {
  const found: Finding[] = []
  const report = (finding: Finding) => void found.push(finding)
  const checks = allChecks(report).map(shown)
  const replay = new Replay(checks, report)
  replay.begin(head)
  for (const [seq, each] of events.entries()) replay.push({ ...each, seq }, { line: seq + 2, byteOffset: 0 })
  for (const check of checks) check.finish(replay.end())
  return found
}

test('a check says the same whether or not it is shown events of other types', () => {
  fc.assert(
    fc.property(header, fc.array(event, { maxLength: 25 }), (head, events) => {
      const every = findings(head, events, (check) => ({ ...check, types: undefined }))
      expect(findings(head, events, (check) => check)).toEqual(every)
    }),
    { numRuns: runs(2000) },
  )
})
