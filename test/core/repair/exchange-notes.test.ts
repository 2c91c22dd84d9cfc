/** What becomes a note: halves of tool exchanges that the surface shows without their other half. */
import { describe, expect, test } from 'vitest'
import { dialectOf } from '../../../src/core/dialect/dialect.ts'
import { exchangeNotes } from '../../../src/core/repair/exchange-notes.ts'
import { noteEvents } from '../../../src/core/repair/note-events.ts'
import { later, textBlock } from '../../support/later-log.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich } from '../../support/sample-logs.ts'

async function notesOf(built: { bytes(): Buffer }) {
  const { results } = await load(built.bytes(), { notes: exchangeNotes() })
  return results.notes
}

/** An answer that calls, its results and what is between them, in one open turn. */
function step(build: (step: LogBuilder) => unknown): LogBuilder {
  return log().openTurn((turn) => turn.step(build))
}

describe('nodes that are noted', () => {
  test.each<[name: string, log: LogBuilder, nodes: number[]]>([
    ['none of a whole log', rich(), []],
    [
      'none of a call that still waits',
      base().openTurn((t) => t.openStep((s) => s.assistant('').call('a', 'x'))),
      [],
    ],
    ['a call without result', step((s) => s.assistant('').call('a', 'x')), [2]],
    ['all of an exchange without a name', step((s) => s.assistant('').call('a', '').result('a', '')), [2, 4]],
    ['a result without call', step((s) => s.result('a', 'lost')), [2]],
    ['a second result', step((s) => s.assistant('').call('a', 'x').result('a', '').result('a', '')), [5]],
    [
      'all of a half answered answer',
      step((s) => s.assistant('').call('a', 'x').call('b', 'x').result('a', '')),
      [2, 5],
    ],
    [
      'call and result that a message is between',
      step((s) => s.assistant('').call('a', 'x').user('wait').result('a', '')),
      [2, 5],
    ],
    [
      'what a message is between, and not the results before it',
      step((s) => s.assistant('').call('a', 'x').result('a', '').user('wait').result('a', '')),
      [6],
    ],
    [
      'an exchange that a result of another call is in',
      step((s) => s.assistant('').call('a', 'x').result('z', 'lost').result('a', '')),
      [2, 4, 5],
    ],
    [
      'a result of another call after an exchange',
      step((s) => s.assistant('').call('a', 'x').result('a', '').result('z', 'lost')),
      [5],
    ],
    [
      'only the broken one of two answers',
      step((s) => s.assistant('').call('a', 'x').assistant('').call('b', 'x').result('b', '')),
      [2],
    ],
    ['a result whose call was compacted away', base().compaction(1, 4), [6]],
    ['a call whose result was compacted away', base().user('more').compaction(6, 9), [4]],
    ['none of an exchange that was compacted away whole', base().compaction(1, 6), []],
    ['none of a pruned result', base().prune(6), []],
  ])('%s', async (_name, built, nodes) => {
    expect((await notesOf(built)).map(({ node }) => node)).toEqual(nodes)
  })

  test('parallel results in another order are whole', async () => {
    const built = step((s) => s.assistant('').call('a', 'x').call('b', 'x').result('b', '').result('a', ''))
    expect(await notesOf(built)).toEqual([])
  })
})

describe('what a note says', () => {
  test('of a call: what was said, then each call with what it was given', async () => {
    const built = step((s) => s.assistant('Let me look.').announce('a', 'bash', '{"command":"ls"}'))
    const [note] = await notesOf(built)
    expect(note?.content[0]).toEqual(textBlock('Let me look.'))
    expect(JSON.stringify(note?.content[1])).toMatch(/bash.*\(a\).*ls/)
    expect(note?.content).toHaveLength(2)
  })

  test.each([0, 2, 3, 4] as const)('of a result of format %i: its content', async (version) => {
    const built =
      version === 0
        ? step((s) => s.result('a', 'a.txt'))
        : later(version).turn((turn) => turn.step((s) => s.result('a', 'a.txt')))
    const [note] = await notesOf(built)
    expect(JSON.stringify(note?.content[0])).toContain('(a)')
    expect(note?.content.slice(1)).toEqual([textBlock('a.txt')])
  })
})

test.each([0, 2, 3, 4] as const)('the events of notes in format %i replace a node each', (version) => {
  const notes = [
    { node: 4, content: [textBlock('one')] },
    { node: 9, content: [textBlock('two')] },
  ]
  const events = noteEvents(notes, 'id', { seq: 20, time: 5 }, dialectOf(version))
  const [start, end] = version >= 3 ? ['startSeq', 'endSeq'] : ['start', 'end']
  expect(events).toMatchObject([
    {
      seq: 21,
      time: 5,
      sourceEventSeqs: [4],
      data: { id: 'repaired-message:id:21', content: [textBlock('one')] },
    },
    {
      seq: 22,
      time: 5,
      sourceEventSeqs: [9],
      data: { id: 'repaired-message:id:22', content: [textBlock('two')] },
    },
  ])
  expect(events.map(({ surfaceOp }) => surfaceOp)).toEqual([
    { op: 'replace', [start as string]: 4, [end as string]: 4 },
    { op: 'replace', [start as string]: 9, [end as string]: 9 },
  ])
})
