/** A row under its new number, with every reference that a row can hold. */
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { type Renaming, renaming, renumberRow } from '../../../src/core/repair/renumber-row.ts'
import { SeqMap } from '../../../src/core/repair/seq-map.ts'

/** Everything from 3 on moves by one. */
const opened = renaming(SeqMap.opening([3]))
/** 3 and 4 are gone, later events are renumbered by two. */
const closed = renaming(
  new SeqMap([
    { first: 0, end: 3, shift: 0 },
    { first: 5, end: 100, shift: -2 },
  ]),
)

function row(type: string, data: JsonObject, extra: JsonObject = {}): JsonObject {
  return { type, seq: 20, time: 7, data, ...extra }
}

/** The parts of a row that differ after it was renumbered. */
function changes(before: JsonObject, names: Renaming): JsonObject {
  const after = renumberRow(before, 21, names)
  expect(after.seq).toBe(21)
  const changed = Object.entries(after).filter(
    ([key, value]) => key !== 'seq' && JSON.stringify(value) !== JSON.stringify(before[key]),
  )
  const removed = Object.keys(before).filter((key) => after[key] === undefined)
  return Object.fromEntries([...changed, ...removed.map((key) => [key, null])])
}

describe.each<[name: string, names: Renaming, list: number[]]>([
  ['after an insertion', opened, [1, 2, 4, 5, 6]],
  ['after a gap', closed, [1, 2, 3, 4]],
])('a list %s', (_name, names, list) => {
  // 3 becomes 4 or goes, 5 becomes 6 or 3.
  const before = names === opened ? [1, 2, 3, 4, 5] : [1, 2, 3, 5, 6]

  test.each<[type: string, data: JsonObject]>([
    ['compaction/summary', { shadowedSeqs: before, summary: [] }],
    ['compaction/prune', { shadowedSeqs: before }],
    ['compact/summary', { shadowedSeqs: before }],
  ])('of %s', (type, data) => {
    expect(changes(row(type, data), names)).toEqual({ data: { ...data, shadowedSeqs: list } })
  })

  test.each(['session/title', 'session/title-llm-request'])('of %s', (type) => {
    const data = { title: 't', messageSeqs: before }
    expect(changes(row(type, data), names)).toEqual({ data: { ...data, messageSeqs: list } })
  })

  test('of sources', () => {
    const before20 = row('user/message', {}, { sourceEventSeqs: before, surfaceOp: 'append' })
    expect(changes(before20, names)).toEqual({ sourceEventSeqs: list })
  })
})

describe('sources', () => {
  test.each<[name: string, sources: JsonObject['sourceEventSeqs'], names: Renaming, after: unknown]>([
    ['as a range', [[1, 5]], opened, [1, 2, 4, 5, 6]],
    ['as ranges and numbers', [0, [2, 4], 7], opened, [0, 2, 4, 5, 8]],
    ['as a range around a gap', [[1, 6]], closed, [1, 2, 3, 4]],
    ['of which none is left', [3, 4], closed, null],
    ['that are no list', 'all', opened, undefined],
    ['with something that is no seq', [1, 'x'], opened, undefined],
    ['in an order of their own', [9, 2, 5], opened, [10, 2, 6]],
  ])('%s', (_name, sourceEventSeqs, names, after) => {
    const changed = changes(row('user/message', {}, { sourceEventSeqs } as JsonObject), names)
    expect(changed).toEqual(after === undefined ? {} : { sourceEventSeqs: after })
  })

  test('an empty list stays an empty list', () => {
    expect(changes(row('assistant/message', {}, { sourceEventSeqs: [] }), closed)).toEqual({})
  })
})

describe('the ends of a range', () => {
  const sources = [1, 2, 3, 4, 5, 6]
  test.each<[name: string, op: JsonObject, names: Renaming, after: JsonObject]>([
    ['of format 0', { op: 'replace', start: 2, end: 5 }, opened, { op: 'replace', start: 2, end: 6 }],
    [
      'of format 3',
      { op: 'replace', startSeq: 3, endSeq: 6 },
      opened,
      { op: 'replace', startSeq: 4, endSeq: 7 },
    ],
    [
      'of format 0 after a gap',
      { op: 'replace', start: 2, end: 6 },
      closed,
      { op: 'replace', start: 2, end: 4 },
    ],
    [
      'whose first node is gone',
      { op: 'replace', start: 3, end: 6 },
      closed,
      { op: 'replace', start: 3, end: 4 },
    ],
    [
      'whose last node is gone',
      { op: 'replace', startSeq: 1, endSeq: 4 },
      closed,
      { op: 'replace', startSeq: 1, endSeq: 2 },
    ],
  ])('%s', (_name, surfaceOp, names, after) => {
    const renamed = renumberRow(row('user/message', {}, { surfaceOp, sourceEventSeqs: sources }), 21, names)
    expect(renamed.surfaceOp).toEqual(after)
  })

  test.each<[name: string, cited: number[], after: JsonObject]>([
    ['last', [30, 31, 50, 1, 3], { op: 'replace', start: 48, end: 1 }],
    ['first', [30, 31, 3, 1, 50], { op: 'replace', start: 1, end: 48 }],
  ])('that stand in the order of the surface, the %s node gone', (_name, cited, after) => {
    const surfaceOp = { op: 'replace', start: cited[2] as number, end: cited[4] as number }
    const before = row('user/message', {}, { surfaceOp, sourceEventSeqs: cited })
    expect(renumberRow(before, 21, closed).surfaceOp).toEqual(after)
  })

  test('of which nothing is left: the event replaces nothing', () => {
    const surfaceOp = { op: 'replace', start: 3, end: 4 }
    const before = row('user/message', {}, { surfaceOp, sourceEventSeqs: [30, 31, 3, 4] })
    expect(changes(before, closed)).toEqual({ surfaceOp: 'append', sourceEventSeqs: [28, 29] })
  })

  test('that the event does not cite move as they are', () => {
    const surfaceOp = { op: 'replace', start: 3, end: 9 }
    const before = row('user/message', {}, { surfaceOp, sourceEventSeqs: [1] })
    expect(changes(before, closed)).toEqual({ surfaceOp: { op: 'replace', start: 3, end: 7 } })
  })

  test('of a compaction go by the list that it gives', () => {
    const data = { shadowedRange: { start: 3, end: 4 }, shadowedSeqs: [3, 5, 1, 4] }
    expect(changes(row('compaction/summary', data), closed)).toEqual({
      data: { shadowedRange: { start: 3, end: 1 }, shadowedSeqs: [3, 1] },
    })
  })

  test('of a compaction after an earlier one stand in the order of the surface', () => {
    // The checkpoint 9 is before the older messages 3 and 5 on the surface.
    const data = { shadowedRange: { start: 9, end: 5 }, shadowedSeqs: [9, 3, 5] }
    expect(changes(row('compaction/summary', data), opened)).toEqual({
      data: { shadowedRange: { start: 10, end: 6 }, shadowedSeqs: [10, 4, 6] },
    })
  })
})

describe('single references', () => {
  test.each<[type: string, data: JsonObject, opened: JsonObject, closed: JsonObject]>([
    [
      'command/done',
      { commandId: 'x', sourceEventSeq: 3 },
      { commandId: 'x', sourceEventSeq: 4 },
      { commandId: 'x' },
    ],
    ['developer/message', { turn: 1, headerSeq: 3 }, { turn: 1, headerSeq: 4 }, { turn: 1 }],
    [
      'image/offload',
      {
        targets: [
          { seq: 5, imageIndexes: [0] },
          { seq: 2, imageIndexes: [3] },
        ],
      },
      {
        targets: [
          { seq: 6, imageIndexes: [0] },
          { seq: 2, imageIndexes: [3] },
        ],
      },
      {
        targets: [
          { seq: 3, imageIndexes: [0] },
          { seq: 2, imageIndexes: [3] },
        ],
      },
    ],
  ])('of %s', (type, data, afterInsertion, afterGap) => {
    expect(renumberRow(row(type, data), 21, opened).data).toEqual(afterInsertion)
    expect(renumberRow(row(type, data), 21, closed).data).toEqual(afterGap)
  })

  test('what is offloaded of a message that is gone is offloaded no more', () => {
    const data = {
      targets: [
        { seq: 3, imageIndexes: [0] },
        { seq: 5, imageIndexes: [1] },
      ],
    }
    expect(renumberRow(row('image/offload', data), 21, closed).data).toEqual({
      targets: [{ seq: 3, imageIndexes: [1] }],
    })
  })

  test.each<[type: string, data: JsonObject]>([
    ['session-log-deepseek/delivery-accepted', { sessionId: 's', throughSeq: 9 }],
    ['tool-workflow/agent-start', { runId: 'r', seq: 9 }],
    ['command/done', { commandId: 'x', sourceEventSeq: 'nine' }],
    ['user/message', { messageSeqs: [9], shadowedSeqs: [9], sourceEventSeq: 9 }],
    ['session/title', { messageSeqs: ['nine'] }],
    ['image/offload', { targets: 'all' }],
  ])('%s keeps numbers that name no event of it', (type, data) => {
    expect(changes(row(type, data), opened)).toEqual({})
  })
})

test('a packed row moves by its first seq', () => {
  const packed = { type: 'text-chunks', seq0: 20, time0: 7, data: { dt: [], texts: ['a'] } }
  expect(renumberRow(packed, 21, opened)).toEqual({ ...packed, seq0: 21 })
})

test('a row without a number gets one', () => {
  const { seq: _seq, ...unnumbered } = row('acme/x', {})
  expect(renumberRow(unnumbered, 21, opened)).toEqual({ ...unnumbered, seq: 21 })
})

test('the row that was given stays as it was', () => {
  const before = row('session/title', { messageSeqs: [4] }, { sourceEventSeqs: [4] })
  const copy = structuredClone(before)
  renumberRow(before, 21, opened)
  expect(before).toEqual(copy)
})

describe('a new event that goes with an old one', () => {
  // A result for the call of event 4 comes in front of 7, after the node 6.
  const names: Renaming = {
    map: SeqMap.opening([7]),
    followers: new Map([[4, [7]]]),
    rangeEnds: new Map([[6, { end: 7, with: 4 }]]),
  }

  test('is cited with it, and ends the range that ended before it', () => {
    const checkpoint = row(
      'user/message',
      {},
      { surfaceOp: { op: 'replace', start: 4, end: 6 }, sourceEventSeqs: [18, 4, 6] },
    )
    expect(changes(checkpoint, names)).toEqual({
      surfaceOp: { op: 'replace', start: 4, end: 7 },
      sourceEventSeqs: [19, 4, 7, 6],
    })
  })

  test('is shadowed with it', () => {
    const data = { shadowedRange: { start: 4, end: 6 }, shadowedSeqs: [4, 6] }
    expect(changes(row('compaction/summary', data), names)).toEqual({
      data: { shadowedRange: { start: 4, end: 7 }, shadowedSeqs: [4, 7, 6] },
    })
  })

  test('ends no range that is without the old one', () => {
    const checkpoint = row(
      'user/message',
      {},
      { surfaceOp: { op: 'replace', start: 6, end: 6 }, sourceEventSeqs: [6] },
    )
    expect(changes(checkpoint, names)).toEqual({})
  })

  test('begins no range', () => {
    const checkpoint = row(
      'user/message',
      {},
      { surfaceOp: { op: 'replace', start: 6, end: 9 }, sourceEventSeqs: [4, 6, 9] },
    )
    expect(changes(checkpoint, names)).toMatchObject({ surfaceOp: { op: 'replace', start: 6, end: 10 } })
  })

  test('is no part of a title', () => {
    expect(changes(row('session/title', { messageSeqs: [4, 8] }), names)).toEqual({
      data: { messageSeqs: [4, 9] },
    })
  })

  test('is not cited by what comes before it', () => {
    const early = { ...row('tool/result', {}, { surfaceOp: 'append', sourceEventSeqs: [4] }), seq: 5 }
    expect(renumberRow(early, 5, names).sourceEventSeqs).toEqual([4])
  })
})
