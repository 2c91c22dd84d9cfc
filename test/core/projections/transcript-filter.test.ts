/** Which entries of a transcript are shown when part of it is asked for. */
import { describe, expect, test } from 'vitest'
import { type TranscriptEntry, transcript } from '../../../src/core/projections/transcript.ts'
import { filterEntries, type TranscriptFilter } from '../../../src/core/projections/transcript-filter.ts'
import { Replay } from '../../../src/core/replay/replay.ts'
import { log } from '../../support/log-builder.ts'

/** Three turns, a compaction before the last one, which is cut off in a call and an answer. */
function entries(): TranscriptEntry[] {
  const found: TranscriptEntry[] = []
  const reducer = transcript((entry) => found.push(entry))
  const replay = new Replay([reducer], () => {})
  const built = log()
    .turn((turn) =>
      turn.user('one').step((step) => step.assistant('').call('c1', 'bash').result('c1', 'a.txt')),
    )
    .turn((turn) => turn.user('two').step((step) => step.assistant('done')))
  built.compaction(1, 5)
  built.openTurn((turn) =>
    turn.user('three').openStep((step) => step.assistant('').call('c2', 'bash').chunk('half')),
  )
  for (const event of built.events()) replay.push(event, {})
  reducer.finish(replay.end())
  return found
}

const shown = (filter: TranscriptFilter): string[] =>
  filterEntries(entries(), filter).map(({ kind, turn }) => `${kind} ${turn ?? '-'}`)

const FIRST = ['user 1', 'assistant 1', 'tool 1']
const SECOND = ['user 2', 'assistant 2']
const THIRD = ['user 3', 'assistant 3', 'unfinished 3', 'unfinished 3']

describe('entries', () => {
  test.each<[filter: TranscriptFilter, expected: string[]]>([
    [{}, [...FIRST, ...SECOND, 'compaction -', ...THIRD]],
    [{ turn: 2 }, SECOND],
    [{ turn: 7 }, []],
    [{ tail: 1 }, ['compaction -', ...THIRD]],
    [{ tail: 2 }, [...SECOND, 'compaction -', ...THIRD]],
    [{ tail: 9 }, [...FIRST, ...SECOND, 'compaction -', ...THIRD]],
    [{ only: 'user' }, ['user 1', 'user 2', 'user 3']],
    [{ only: 'tool' }, ['tool 1', 'unfinished 3']],
    [{ only: 'assistant' }, ['assistant 1', 'assistant 2', 'assistant 3', 'unfinished 3']],
    [{ only: 'user', tail: 2 }, ['user 2', 'user 3']],
    // The turn between them has none to count.
    [{ only: 'tool', tail: 2 }, ['tool 1', 'unfinished 3']],
  ])('%j', (filter, expected) => {
    expect(shown(filter)).toEqual(expected)
  })

  test('of seqs, both ends included', () => {
    const all = entries()
    const [from, to] = [all[1]?.seq ?? 0, all[3]?.seq ?? 0]
    expect(filterEntries(all, { seq: { from, to } })).toEqual(all.slice(1, 4))
  })
})

test('what tools gave back is left out, and how much it was stays', () => {
  expect(filterEntries(entries(), { toolOutput: false })).toEqual(
    entries().map((entry) => (entry.kind === 'tool' ? { ...entry, text: '', omitted: 5 } : entry)),
  )
})
