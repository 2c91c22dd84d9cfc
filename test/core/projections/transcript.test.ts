/** What the human saw (format.md §8.2): every kind of entry, and that nothing a reader has seen is taken away. */
import { describe, expect, test } from 'vitest'
import {
  COMPACTION_MARKER,
  type TranscriptEntry,
  transcript,
} from '../../../src/core/projections/transcript.ts'
import { Replay } from '../../../src/core/replay/replay.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich, twoTurns } from '../../support/sample-logs.ts'

function transcriptOf(built: LogBuilder): TranscriptEntry[] {
  const entries: TranscriptEntry[] = []
  const reducer = transcript((entry) => entries.push(entry))
  const replay = new Replay([reducer], () => {})
  for (const event of built.events()) replay.push(event, {})
  reducer.finish(replay.end())
  return entries
}

const shape = (built: LogBuilder) => transcriptOf(built).map(({ seq, kind }) => [kind, seq])

test('user, assistant and tool, paired with their call', () => {
  expect(transcriptOf(base())).toMatchObject([
    { kind: 'user', seq: 1, turn: 1, text: 'list files' },
    { kind: 'assistant', seq: 4, turn: 1, text: '', calls: [{ callId: 'c1', name: 'bash' }] },
    {
      kind: 'tool',
      seq: 6,
      callId: 'c1',
      name: 'bash',
      arguments: '{}',
      callSeq: 5,
      isError: false,
      text: 'a.txt',
    },
  ])
})

test('an appended message that no user wrote is context, with its source', () => {
  const built = log()
    .user('typed')
    .user('noted', { kind: 'plugin', plugin: 'mem' })
    .user('compacted elsewhere', { kind: 'plugin', plugin: 'compact' })
    .user('goal', { kind: 'goal', goalId: 'g' })
  const sources = transcriptOf(built).map((entry) => (entry.kind === 'context' ? entry.source : entry.kind))
  expect(sources).toEqual(['user', 'mem', 'compact', 'goal'])
})

test('reasoning, interruption and a failed tool are shown as such', () => {
  const built = log().turn((turn) =>
    turn.step((step) =>
      step
        .assistant('part', { data: { interrupted: true } })
        .call('a', 'x')
        .result('a', 'no', { isError: true }),
    ),
  )
  built.edit(2, (row) => {
    const { message } = row.data as { message: { content: object[] } }
    message.content.unshift({ type: 'reasoning', text: 'why' })
    return undefined
  })
  expect(transcriptOf(built)).toMatchObject([
    { kind: 'assistant', text: 'part', reasoning: 'why', interrupted: true },
    { kind: 'tool', isError: true },
  ])
})

test('a result without an announced call is shown alone', () => {
  const [entry] = transcriptOf(log().result('ghost', 'x'))
  expect(entry).toMatchObject({ kind: 'tool', callId: 'ghost' })
  expect(entry).not.toHaveProperty('name')
})

describe('compaction', () => {
  test('leaves one marker, at the place of the checkpoint, with the number of messages it hid', () => {
    const built = twoTurns().compaction(1, 6)
    built.compaction(built.surface[0] as number, 10)
    const [first, second] = [17, 21]
    expect(shape(built)).toEqual([
      ['user', 1],
      ['assistant', 4],
      ['tool', 6],
      ['user', 10],
      ['assistant', 12],
      ['compaction', first],
      ['compaction', second],
    ])
    const markers = transcriptOf(built).filter((entry) => entry.kind === 'compaction')
    expect(markers.map(({ hidden, hiddenTokens, text }) => [hidden, hiddenTokens, text])).toEqual([
      [3, 30, COMPACTION_MARKER],
      [2, 20, COMPACTION_MARKER],
    ])
  })

  test('never prints the payload', () => {
    const built = twoTurns().compaction(1, 6, 'SECRET FRAME')
    expect(JSON.stringify(transcriptOf(built))).not.toContain('SECRET FRAME')
  })

  test('that was refused leaves no marker', () => {
    const built = base().checkpoint(1, 4, { sources: [1] })
    expect(shape(built).map(([kind]) => kind)).not.toContain('compaction')
  })

  test('that failed leaves no marker', () => {
    const built = base().event('compaction/start', { compactionId: 'x', turn: null })
    built.event('compaction/end', { compactionId: 'x', turn: null, error: 'no' })
    expect(shape(built)).toEqual(shape(base()))
  })

  test('keeps the card of a tool whose step is shadowed', () => {
    const [, , card] = transcriptOf(base().compaction(1, 4))
    expect(card).toMatchObject({ kind: 'tool', name: 'bash', callSeq: 5 })
  })
})

test.each<[what: string, log: LogBuilder]>([
  ['a pruned result', base().prune(6)],
  [
    'a regenerated answer',
    twoTurns().assistant('other', { op: { op: 'replace', start: 12, end: 12 }, sources: [12] }),
  ],
  [
    'the replacement of a foreign plugin',
    base().user(
      's',
      { kind: 'plugin', plugin: 'mem' },
      { op: { op: 'replace', start: 1, end: 1 }, sources: [1] },
    ),
  ],
])('%s renders nothing', (_what, built) => {
  const before = built.events().length > 12 ? twoTurns() : base()
  expect(shape(built)).toEqual(shape(before))
})

describe('unfinished', () => {
  const chunks = (build: (step: LogBuilder) => unknown): LogBuilder =>
    log().openTurn((turn) =>
      turn.openStep((step) => build(step.chunk('he').chunk('llo').chunk('hm', 'reasoning-delta'))),
    )

  test('an answer whose chunks have no message', () => {
    expect(transcriptOf(chunks(() => {}))).toMatchObject([
      { kind: 'unfinished', what: 'answer', seq: 2, turn: 1, text: 'hello', reasoning: 'hm' },
    ])
  })

  test('an answer that its message completes is not shown twice', () => {
    expect(shape(chunks((step) => step.assistant('hello', { sources: [2, 3, 4] })))).toEqual([
      ['assistant', 5],
    ])
  })

  test('an answer that was tried again is not shown', () => {
    const retried = chunks((step) => step.event('llm/retry', { turn: 1, step: 1 }).chunk('new'))
    expect(transcriptOf(retried)).toMatchObject([{ kind: 'unfinished', text: 'new' }])
  })

  test('a call without a result, started or not', () => {
    const built = log().openTurn((turn) =>
      turn.openStep((step) => step.assistant('').call('a', 'x').announce('b', 'y')),
    )
    expect(transcriptOf(built)).toMatchObject([
      { kind: 'assistant' },
      { kind: 'unfinished', what: 'tool-call', callId: 'a', started: true, seq: 3 },
      { kind: 'unfinished', what: 'tool-call', callId: 'b', started: false, seq: 2 },
    ])
  })

  test('a call of a closed step is given up where the step ends', () => {
    const built = log().turn((turn) => turn.step((step) => step.assistant('').call('a', 'x')).user('later'))
    expect(transcriptOf(built).map(({ kind }) => kind)).toEqual(['assistant', 'unfinished', 'user'])
  })
})

test('fed event by event, it has said at every moment what it says of the whole log so far', () => {
  const built = rich()
  const events = built.events()
  const live: TranscriptEntry[] = []
  const replay = new Replay([transcript((entry) => live.push(entry))], () => {})
  const whole = transcriptOf(built)
  for (const event of events) {
    replay.push(event, {})
    expect(live).toEqual(whole.slice(0, live.length))
  }
  expect(live).toEqual(whole)
})
