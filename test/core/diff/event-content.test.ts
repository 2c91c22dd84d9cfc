/** What an event says without any seq, and that it stays the same however the log is renumbered. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentWithoutReferences, unnumbered } from '../../../src/core/diff/event-content.ts'
import type { SessionEvent } from '../../../src/core/event/session-event.ts'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { renaming, renumberRow } from '../../../src/core/repair/renumber-row.ts'

function event(type: string, data: JsonObject, more: JsonObject = {}): SessionEvent {
  return { type, seq: 20, time: 7, data, ...more } as unknown as SessionEvent
}

/** Every place where an event may name another (format.md §4.2, §4.3, §9.3), with something that is no reference next to it. */
const NAMING: readonly SessionEvent[] = [
  event('tool/result', { turn: 1 }, { surfaceOp: 'append', sourceEventSeqs: [3, 9] }),
  event(
    'user/message',
    { id: 'u' },
    { surfaceOp: { op: 'replace', start: 3, end: 9 }, sourceEventSeqs: [3, 9] },
  ),
  event(
    'user/message',
    { id: 'u' },
    { surfaceOp: { op: 'replace', startSeq: 3, endSeq: 9 }, sourceEventSeqs: [3] },
  ),
  event('compaction/summary', { shadowedRange: { start: 3, end: 9 }, shadowedSeqs: [3, 9], text: 't' }),
  event('compaction/prune', {
    shadowedRange: { start: 3, end: 3 },
    shadowedSeqs: [3],
    shadowedTokenCount: 3,
  }),
  event('compact/summary', { shadowedRange: { start: 3, end: 9 }, shadowedSeqs: [3, 9] }),
  event('session/title', { title: '3', messageSeqs: [3, 9] }),
  event('session/title-llm-request', { messageSeqs: [9] }),
  event('command/done', { sourceEventSeq: 3, command: 'c' }),
  event('developer/message', { headerSeq: 3, message: { content: [] } }),
  event('image/offload', { targets: [{ seq: 3, imageIndexes: [0, 3] }] }),
]

describe.each(NAMING.map((naming) => [naming.type, naming] as const))('%s', (_type, naming) => {
  test('says the same under other numbers', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3, max: 400 }), fc.nat({ max: 400 }), (shift, seq) => {
        const names = renaming({ of: (named) => named + shift })
        const moved = renumberRow(
          naming as unknown as JsonObject,
          500 + seq,
          names,
        ) as unknown as SessionEvent
        expect(contentWithoutReferences(moved)).toEqual(contentWithoutReferences(naming))
        if (shift !== 0) expect(unnumbered(moved)).not.toEqual(unnumbered(naming))
      }),
    )
  })

  test('holds no number of an event, and everything else', () => {
    const text = JSON.stringify(contentWithoutReferences(naming))
    expect(text).not.toMatch(/seq|start|"end"|shadowedRange/i)
    const others = Object.keys(naming.data as JsonObject).filter((key) => !/seq|range|targets/i.test(key))
    for (const key of others) expect(text).toContain(`"${key}"`)
    expect(text).toContain('"time":7')
  })
})

test('the images of a target are no reference', () => {
  const content = contentWithoutReferences(
    event('image/offload', { targets: [{ seq: 3, imageIndexes: [0, 3] }] }),
  )
  expect(content?.data).toEqual({ targets: [{ imageIndexes: [0, 3] }] })
})

test.each([
  event('tool/call', { callId: 'c', headerSeq: 3 }),
  event('command/done', { command: 'c' }),
  event('acme/x', { seq: 3, messageSeqs: [1] }),
  event('__proto__', { seq: 3 }),
])('an event that names no other: %j', (plain) => {
  expect(contentWithoutReferences(plain)).toBeUndefined()
})
