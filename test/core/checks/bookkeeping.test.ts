/** Compactions, forks, seeds, ids and times: findings with what they point at. */
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value.ts'
import { brokenAt, type Entry, events, evidenceOf } from '../../support/broken-at.ts'
import { later, laterBase } from '../../support/later-log.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'

/** These events in a log of format 0. */
function early(...list: Entry[]): LogBuilder {
  const built = log()
  for (const [type, data, extra] of list) built.event(type, data, extra)
  return built
}

describe('compactions beyond their bracket', () => {
  const count = (type: string, data: JsonValue): Entry => [type, data]

  test.each(['compaction/summary', 'compaction/prune'])('the count of a %s is a count', async (type) => {
    const code = 'compaction/count-invalid'
    expect(await evidenceOf(code, early(count(type, { shadowedTokenCount: 0 })))).toEqual([])
    expect(await evidenceOf(code, early(count(type, { shadowedTokenCount: 1.5 })))).toEqual([
      [0, { count: 1.5 }],
    ])
    expect(await evidenceOf(code, early(count(type, { shadowedTokenCount: null })))).toEqual([
      [0, { count: null }],
    ])
    expect(await evidenceOf(code, early(count(type, {})))).toEqual([[0, {}]])
    expect(await evidenceOf(code, early(count(type, null)))).toEqual([[0, {}]])
  })

  test('other events have no count', async () => {
    const list: Entry[] = [
      ['compaction/start', {}],
      ['compaction/end', {}],
      ['plan/mode', {}],
    ]
    expect(await evidenceOf('compaction/count-invalid', early(...list))).toEqual([])
  })

  const prune: Entry = ['compaction/prune', { shadowedTokenCount: 1 }]
  const rewrite: JsonObject = { surfaceOp: { op: 'replace', start: 6, end: 6 }, sourceEventSeqs: [6] }
  const result = base().events()[6]?.data as JsonObject

  test.each<[at: number[], what: string, list: Entry[]]>([
    [[], 'its rewrite', [prune, ['tool/result', result, rewrite]]],
    [[], 'nothing at all', [prune]],
    [[9], 'another event', [prune, ['plan/mode', {}], ['plan/mode', {}]]],
    [[9], 'a result that is appended', [prune, ['tool/result', result, { surfaceOp: 'append' }]]],
    [[9], 'a message that replaces', [prune, ['user/message', {}, rewrite]]],
    [[9], 'another prune', [prune, prune, ['tool/result', result, rewrite]]],
  ])('at %j: a prune is followed by %s', async (at, _what, list) => {
    const built = base()
    for (const [type, data, extra] of list) built.event(type, data, extra)
    expect(await brokenAt('compaction/prune-alone', built)).toEqual(at)
  })

  test('a summary is right before its checkpoint', async () => {
    const summary: JsonObject = { compactionId: 'x', shadowedTokenCount: 1 }
    const built = base().event('compaction/summary', summary).event('plan/mode').checkpoint(1)
    expect(await evidenceOf('compaction/summary-apart', built)).toEqual([[11, { summaryAt: 9 }, [9]]])
    expect(await evidenceOf('compaction/summary-apart', built.checkpoint(11))).toHaveLength(1)
    expect(await evidenceOf('compaction/summary-apart', base().checkpoint(1))).toEqual([])
    const near = base().event('compaction/summary', summary).checkpoint(1)
    expect(await evidenceOf('compaction/summary-apart', near)).toEqual([])
    const other = base().event('compaction/summary', summary).event('plan/mode').user('hi')
    expect(await evidenceOf('compaction/summary-apart', other)).toEqual([])
  })

  test('the readers of format 4 do not ask for it either, so it is the same there', async () => {
    const list: Entry[] = [
      ['compaction/prune', {}],
      ['plan/mode', {}],
    ]
    for (const code of ['compaction/count-invalid', 'compaction/prune-alone'] as const)
      expect(await brokenAt(code, events(list))).toEqual([0])
  })
})

describe('forks', () => {
  test.each<[findings: unknown[], seedLength: number, built: LogBuilder]>([
    [[], 9, base()],
    [[[undefined, { seedLength: 10, events: 9 }]], 10, base()],
    [[], 0, log()],
    [[[undefined, { seedLength: 1, events: 0 }]], 1, log()],
  ])('%j: a seed of %i events', async (findings, seedLength, built) => {
    const { list } = await load(built.header({ parentSession: 'p', seedLength }), {})
    expect(await evidenceOf('fork/seed-too-long', built)).toEqual(findings)
    const found = list.find(({ code }) => code === 'fork/seed-too-long')
    if (found !== undefined) expect(found.origin).toEqual({ line: 1, byteOffset: 0 })
  })

  test('the first event after the seed is no inherited one', async () => {
    const built = base().event('subagent/descriptor')
    const header = { parentSession: 'p', origin: 'subagent' }
    const code = 'fork/descriptor-inherited'
    expect(await evidenceOf(code, built.header({ ...header, seedLength: 9 }))).toEqual([])
    expect(await evidenceOf(code, built.header({ ...header, seedLength: 10 }))).toEqual([[9, { cut: 10 }]])
  })

  const descriptor: Entry = ['subagent/descriptor', {}]
  const marker: Entry = ['session/end-seed', { inherited: true }]
  const fork = { isSeeded: true, parentSession: 'p' }
  const own = { ...fork, origin: 'subagent' }

  test.each<[findings: unknown[], what: string, header: JsonObject, list: Entry[]]>([
    [[[0, { cut: 1 }]], 'a descriptor of the parent', own, [descriptor, marker]],
    [[[1, { cut: 2 }]], 'the last of two, both of the parent', own, [descriptor, descriptor, marker]],
    [[], 'one of the parent and one of its own', own, [descriptor, marker, descriptor]],
    [[], 'one of its own', own, [marker, descriptor]],
    [[], 'none', own, [['plan/mode', {}], marker]],
    [[[0, { cut: 1 }]], 'one right before the cut, whatever the header says', fork, [descriptor, marker]],
    [[], 'one of a parent that is a subagent', fork, [descriptor, ['plan/mode', {}], marker]],
  ])('%j: %s', async (findings, _what, header, list) => {
    const built = events(list, later().header(header as never))
    expect(await evidenceOf('fork/descriptor-inherited', built)).toEqual(findings)
  })

  test('a broken header says nothing about a fork', async () => {
    const built = base().firstLine('{"type":"session"}').event('subagent/descriptor')
    expect(await evidenceOf('fork/seed-too-long', built)).toEqual([])
    expect(await evidenceOf('fork/descriptor-inherited', built)).toEqual([])
  })
})

describe('seed markers', () => {
  const inherited: Entry = ['session/end-seed', { inherited: true }]

  test('the marker that is missing is missed at the header', async () => {
    const { list } = await load(laterBase().header({ isSeeded: true }).bytes(), {})
    expect(list).toEqual([{ code: 'seed/marker-missing', origin: { line: 1, byteOffset: 0 }, args: {} }])
  })

  test('the last marker of a log that inherits nothing is named', async () => {
    expect(await evidenceOf('seed/marker-unexpected', events([inherited, inherited]))).toEqual([[1, {}]])
  })

  test('a header without the member, and formats 0 and 1, say nothing', async () => {
    expect(await evidenceOf('seed/marker-unexpected', events([inherited], log0()))).toEqual([])
    const { list } = await load(base().header({ isSeeded: true } as never), {})
    expect(list.map(({ code }) => code)).not.toContain('seed/marker-missing')
  })

  const log0 = () => later().header({ isSeeded: undefined } as never)
})

describe('ids of messages', () => {
  const message = (id: JsonValue): JsonObject => ({ id, role: 'user', source: { kind: 'user' }, content: [] })
  const said = (id: JsonValue, extra: JsonObject = { surfaceOp: 'append' }): Entry => [
    'user/message',
    message(id),
    extra,
  ]

  test.each<[findings: unknown[], what: string, list: Entry[]]>([
    [[], 'two messages', [said('a'), said('b')]],
    [
      [
        [1, { id: 'a', firstAt: 0 }, [0]],
        [2, { id: 'a', firstAt: 0 }, [0]],
      ],
      'one message three times',
      [said('a'), said('a'), said('a')],
    ],
    [
      [],
      'a rewrite',
      [said('a'), said('a', { surfaceOp: { op: 'replace', start: 0, end: 0 }, sourceEventSeqs: [0] })],
    ],
    [[], 'empty ids', [said(''), said('')]],
    [[], 'ids that are no text', [said(1), said(1), said(null), said(null)]],
    [[], 'no message', [['user/message', null, { surfaceOp: 'append' }]]],
  ])('%j: %s', async (findings, _what, list) => {
    expect(await evidenceOf('message/id-repeated', early(...list))).toEqual(findings)
  })
})

describe('times', () => {
  const DAY = 86_400_000
  const at = (...days: number[]): LogBuilder => {
    const built = log()
    for (const [seq, day] of days.entries())
      built.event('plan/mode').edit(seq, (row) => ({ ...row, time: day * DAY }))
    return built
  }

  test.each<[findings: unknown[], days: number[]]>([
    [[], [10, 9]],
    [[[1, { days: 1 }]], [10, 8.5]],
    [[[2, { days: 3 }]], [10, 12, 9]],
    [[[1, { days: 5 }]], [10, 5, 9, 8.5]],
    [
      [
        [1, { days: 5 }],
        [3, { days: 4 }],
      ],
      [10, 5, 9, 5],
    ],
    [[], [10, 0, 9.5]],
    [[], [0, 10]],
    [[], [-5, 0, -5]],
  ])('%j: days %j', async (findings, days) => {
    expect(await evidenceOf('order/time-back', at(...days))).toEqual(findings)
  })
})
