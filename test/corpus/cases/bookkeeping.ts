/** What formats 0 to 3 do not enforce and their tools rely on: compactions, forks, the inbox, ids of messages. */
import { codesWhere } from '../../../src/core/findings/rules.ts'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { appendedAgain } from '../../support/appended-again.ts'
import { laterBase } from '../../support/later-log.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich, twoTurns } from '../../support/sample-logs.ts'
import { at, type Case, clean, type ExpectedFinding, mended, misleading } from '../case.ts'

const waiting = (...ids: readonly string[]): JsonObject[] =>
  ids.map((id) => ({ id, role: 'user', source: { kind: 'user' }, content: [] }))

const spliced = (start: number, inserted: JsonObject[], removedCount?: number): JsonObject => ({
  target: 'next-turn',
  start,
  inserted,
  ...(removedCount !== undefined && { removedCount }),
})

/** A compaction of seq 1 in {@link base}: start 9, summary 10, checkpoint 11, end 12. */
function compacted(change: (data: JsonObject) => JsonObject): LogBuilder {
  return base()
    .compaction(1)
    .edit(10, (row) => ({ ...row, data: change(row.data as JsonObject) }))
}

const opened = (built: LogBuilder, more: JsonObject = {}): LogBuilder =>
  built.event('compaction/start', { compactionId: 'x', turn: null, ...more })
const ended = (built: LogBuilder, more: JsonObject = {}): LogBuilder =>
  built.event('compaction/end', { compactionId: 'x', turn: null, error: {}, ...more })

const SUMMARY: JsonObject = {
  compactionId: 'x',
  summary: [],
  shadowedRange: { start: 1, end: 1 },
  shadowedSeqs: [1],
  shadowedTokenCount: 1,
  provider: 'p',
  model: 'm',
}
const summarized = (built: LogBuilder, more: JsonObject = {}): LogBuilder =>
  built.event('compaction/summary', { ...SUMMARY, ...more })

/** A log that DSH opens, with one thing that a later format refuses. */
function advised(name: string, why: string, findings: readonly ExpectedFinding[], log: Case['log']): Case {
  return { name, why, log, findings, ...mended }
}

const oneTurn = (): LogBuilder =>
  log().turn((turn) => turn.user('one').step((step) => step.request().assistant('eins')))

/** The turn of {@link oneTurn} again: its messages have new ids, and the times of the first ones. */
function saidAgain(built: LogBuilder, seqs: readonly number[]): LogBuilder {
  const times = new Map(built.events().map(({ seq, time }) => [seq, time]))
  const first = built.nextSeq
  built.turn((turn) => turn.user('one').step((step) => step.request().assistant('eins')))
  for (const seq of seqs) built.edit(first + seq, (row) => ({ ...row, time: times.get(seq) as number }))
  return built
}

const descriptor: JsonObject = { version: 3, mode: 'one-shot', provider: 'p' }

export const cases: readonly Case[] = [
  {
    name: 'whole-bookkeeping',
    why: 'Compactions in compactions, a prune in a turn, ids that come back in rewrites.',
    log: rich(),
    findings: [],
    ...clean,
    nearMissOf: [
      ...codesWhere(
        ({ refusedByMigration, layer }) => refusedByMigration === true && layer === 'meaning',
      ).filter((code) => code.startsWith('compaction/')),
      'compaction/summary-apart',
      'compaction/count-invalid',
      'compaction/prune-alone',
      'compaction/unfinished',
      'compaction/checkpoint-missing',
      'compaction/replaces-other',
      'compaction/cites-other',
      'message/id-repeated',
    ],
  },
  {
    name: 'compaction-end-without-start',
    why: 'DSH does not look; the readers of format 4 will.',
    log: base().event('compaction/end', { compactionId: 'x', turn: null }),
    findings: [at('compaction/not-started', 9)],
    ...mended,
  },
  advised(
    'compaction-with-an-empty-id',
    'Early builds had no ids; an empty one is none.',
    [at('compaction/id-missing', 9)],
    opened(base(), { compactionId: '' }).event('compaction/end', { compactionId: '', turn: null, error: {} }),
  ),
  advised(
    'compaction-in-a-compaction',
    'One at a time.',
    [at('compaction/nested', 10)],
    ended(opened(opened(base()))),
  ),
  advised(
    'compaction-that-names-a-turn',
    'None is open.',
    [at('compaction/turn', 9), at('compaction/turn', 10)],
    ended(opened(base(), { turn: 1 }), { turn: 1 }),
  ),
  advised(
    'compaction-summed-up-twice',
    'One summary, one checkpoint.',
    [at('compaction/summary-repeated', 11)],
    ended(summarized(summarized(opened(base())))),
  ),
  advised(
    'compaction-of-format-0-without-summary',
    'It ended well and summarized nothing.',
    [at('compaction/summary-missing', 10)],
    opened(base()).event('compaction/end', { compactionId: 'x', turn: null }),
  ),
  advised(
    'summary-without-range',
    'It does not say what it replaces.',
    [at('compaction/nodes-missing', 10)],
    ended(summarized(opened(base()), { shadowedSeqs: [] })),
  ),
  advised(
    'compaction-event-without-data',
    'It says nothing at all.',
    [at('compaction/data-not-object', 9), at('compaction/count-invalid', 9)],
    base().event('compaction/prune', null),
  ),
  {
    name: 'history-carried-over-a-compaction',
    why: 'The originals were replaced: the model is sent the copies alone, and needs them.',
    log: appendedAgain(base().compaction(1, 6), [1, 4, 6]),
    findings: [{ code: 'message/history-carried' }, { code: 'pair/id-reused' }],
    ...clean,
    nearMissOf: ['message/history-repeated', 'message/history-copied'],
  },
  {
    name: 'history-appended-again-under-new-ids',
    why: 'Nothing but what they say shows that these messages were there before, at the same times.',
    log: saidAgain(oneTurn(), [1, 4]),
    findings: [{ code: 'message/history-copied' }],
    ...misleading,
    nearMissOf: ['message/history-carried'],
  },
  {
    name: 'history-appended-again-and-compacted',
    why: 'The compaction took one copy out of what the model is sent.',
    log: appendedAgain(base(), [1, 4, 6]).compaction(1, 6),
    findings: [{ code: 'message/history-carried' }, { code: 'pair/id-reused' }],
    ...clean,
  },
  {
    name: 'history-under-new-ids-and-compacted',
    why: 'The compaction took one copy out of what the model is sent.',
    log: saidAgain(oneTurn(), [1, 4]).compaction(1, 4),
    findings: [],
    ...clean,
  },
  {
    name: 'event-between-summary-and-checkpoint',
    why: 'The web view ties the two together by their neighbourhood.',
    log: base()
      .event('compaction/start', { compactionId: 'x1', turn: null })
      .event('compaction/summary', {
        compactionId: 'x1',
        summary: [],
        shadowedRange: { start: 1, end: 1 },
        shadowedSeqs: [1],
        shadowedTokenCount: 1,
        provider: 'p',
        model: 'm',
      })
      .event('plan/mode', { active: true })
      .user(
        's',
        { kind: 'plugin', plugin: 'compact', compactionId: 'x1' },
        {
          op: { op: 'replace', start: 1, end: 1 },
          sources: [9, 10, 1],
        },
      )
      .event('compaction/end', { compactionId: 'x1', turn: null }),
    findings: [at('compaction/summary-apart', 12)],
    ...mended,
  },
  {
    name: 'compaction-cut-off-by-a-crash',
    why: 'The process ended between the start and the summary: nothing was hidden.',
    log: base().event('compaction/start', { compactionId: 'x', turn: null }),
    findings: [at('compaction/unfinished', 9)],
    ...mended,
    nearMissOf: ['compaction/crossed', 'compaction/checkpoint-missing'],
  },
  {
    name: 'compaction-cut-off-before-later-turns',
    why: 'The log went on without it: one finding, however many turns follow.',
    log: base().event('compaction/start', { compactionId: 'x', turn: null }).turn().turn(),
    findings: [at('compaction/unfinished', 9), at('compaction/crossed', 10, 'compaction/unfinished')],
    ...mended,
  },
  {
    name: 'compaction-cut-off-and-resumed',
    why: 'The marker of the resume says that it was abandoned.',
    log: base().event('compaction/start', { compactionId: 'x', turn: null }).event('session/end-seed').turn(),
    findings: [],
    ...clean,
    nearMissOf: ['compaction/unfinished', 'compaction/crossed'],
  },
  {
    name: 'compaction-without-checkpoint',
    why: 'It ended well and put nothing on the surface: the model is sent everything as before.',
    log: compacted((data) => data)
      .drop(11)
      .edit(12, (row) => ({ ...row, seq: 11 })),
    findings: [at('compaction/checkpoint-missing', 11)],
    ...mended,
  },
  {
    name: 'compaction-of-format-0-that-failed',
    why: 'It said so itself, and needs neither summary nor checkpoint.',
    log: base()
      .event('compaction/start', { compactionId: 'x', turn: null })
      .event('compaction/end', { compactionId: 'x', turn: null, error: { message: 'no' } }),
    findings: [],
    ...clean,
    nearMissOf: ['compaction/checkpoint-missing', 'compaction/unfinished'],
  },
  {
    name: 'compaction-that-takes-more-than-it-sums-up',
    why: 'The summary is of one message and the checkpoint takes three: two are lost to the model.',
    log: base()
      .compaction(1, 6)
      .edit(10, (row) => ({
        ...row,
        data: {
          ...(row.data as JsonObject),
          shadowedRange: { start: 1, end: 1 },
          shadowedSeqs: [1],
        },
      })),
    findings: [at('compaction/replaces-other', 11)],
    ...mended,
    nearMissOf: ['compaction/nodes-differ'],
  },
  {
    name: 'compaction-that-cites-a-stranger',
    why: 'It was made from an event that it does not hide.',
    log: base()
      .compaction(1)
      .edit(11, (row) => ({ ...row, sourceEventSeqs: [9, 10, 1, 4] })),
    findings: [at('compaction/cites-other', 11)],
    ...mended,
  },
  {
    name: 'summary-of-what-is-not-there',
    why: 'Its list is wrong; that the checkpoint then differs from it is no second fault.',
    log: compacted((data) => ({ ...data, shadowedSeqs: [1, 2] })),
    findings: [at('compaction/nodes-differ', 10)],
    ...mended,
    nearMissOf: ['compaction/replaces-other'],
  },
  {
    name: 'prune-of-another-result',
    why: 'It announced one result, and another one was rewritten.',
    log: log()
      .openTurn((turn) =>
        turn.openStep((step) =>
          step.assistant('').call('a', 'x').call('b', 'x').result('a', '1').result('b', '2').prune(5),
        ),
      )
      .edit(7, (row) => ({
        ...row,
        data: { shadowedRange: { start: 6, end: 6 }, shadowedSeqs: [6], shadowedTokenCount: 1 },
      }))
      .event('step/end', { turn: 1, step: 1 })
      .event('turn/end', { turn: 1, reason: { kind: 'completed' } }),
    findings: [at('compaction/replaces-other', 8)],
    ...mended,
    nearMissOf: ['compaction/prune-alone'],
  },
  {
    name: 'compaction-of-format-4-that-differs-from-its-summary',
    why: 'The readers of format 4 check the list against the surface, not against the checkpoint.',
    log: laterBase(4)
      .compaction('k', [3])
      .edit(12, (row) => ({ ...row, sourceEventSeqs: [10, 11, 3, 5] })),
    findings: [at('compaction/cites-other', 12)],
    ...mended,
  },
  {
    name: 'compaction-of-minus-one-tokens',
    why: 'A meter would show nonsense.',
    log: compacted((data) => ({ ...data, shadowedTokenCount: -1 })),
    findings: [at('compaction/count-invalid', 10)],
    ...mended,
  },
  {
    name: 'compaction-of-no-tokens',
    why: 'None is a number too.',
    log: compacted((data) => ({ ...data, shadowedTokenCount: 0 })),
    findings: [],
    ...clean,
    nearMissOf: ['compaction/count-invalid'],
  },
  {
    name: 'prune-without-rewrite',
    why: 'A crash came between the announcement and the rewrite.',
    log: base()
      .event('compaction/prune', {
        shadowedRange: { start: 6, end: 6 },
        shadowedSeqs: [6],
        shadowedTokenCount: 1,
      })
      .turn(),
    findings: [at('compaction/prune-alone', 9)],
    ...clean,
  },
  {
    name: 'message-written-twice',
    why: 'Feedback and titles name a message by its id.',
    log: twoTurns().edit(10, (row) => ({ ...row, data: { ...(row.data as JsonObject), id: 'u1' } })),
    findings: [at('message/id-repeated', 10)],
    ...mended,
    nearMissOf: ['message/history-repeated'],
  },
  {
    name: 'history-appended-again',
    why: 'An importer ran twice: the seqs go on, the messages are the old ones. One finding, not one a message.',
    log: appendedAgain(base(), [1, 4, 6]),
    findings: [at('message/history-repeated', 10), at('pair/id-reused', 13)],
    ...misleading,
    nearMissOf: ['message/id-repeated'],
  },
  {
    name: 'seed-longer-than-the-log',
    why: 'Format 0 opens it; the migration to later formats refuses it.',
    log: base().header({ parentSession: 'p', seedLength: 10 }),
    findings: [{ code: 'fork/seed-too-long', line: 1 }],
    ...mended,
  },
  {
    name: 'descriptor-among-inherited-events',
    why: 'It describes the parent, so the child has none of its own.',
    log: base()
      .event('subagent/descriptor', descriptor)
      .event('session/end-seed')
      .header({ parentSession: 'p', seedLength: 10, origin: 'subagent' }),
    findings: [at('fork/descriptor-inherited', 9)],
    ...mended,
  },
  {
    name: 'descriptor-right-before-the-cut',
    why: 'It was written for the child, one event too early; the header does not even say that it is a subagent.',
    log: laterBase()
      .event('subagent/descriptor', descriptor)
      .event('session/end-seed', { inherited: true })
      .header({ parentSession: 'p', isSeeded: true }),
    findings: [at('fork/descriptor-inherited', 10)],
    ...mended,
  },
  {
    name: 'fork-of-a-subagent',
    why: 'What describes the parent is inherited with the rest.',
    log: laterBase()
      .event('subagent/descriptor', descriptor)
      .turn()
      .event('session/end-seed', { inherited: true })
      .header({ parentSession: 'p', isSeeded: true }),
    findings: [],
    ...clean,
    nearMissOf: ['fork/descriptor-inherited'],
  },
  {
    name: 'descriptors-of-parent-and-child',
    why: 'The last one is the own one.',
    log: laterBase()
      .event('subagent/descriptor', descriptor)
      .event('session/end-seed', { inherited: true })
      .event('subagent/descriptor', descriptor)
      .header({ parentSession: 'p', isSeeded: true, origin: 'subagent' }),
    findings: [],
    ...clean,
    nearMissOf: ['fork/descriptor-inherited'],
  },
  {
    name: 'splice-after-the-end-of-the-inbox',
    why: 'A message was taken that never waited: DSH replays the inbox on resume and stops here.',
    log: log().event('agent/inbox/spliced', spliced(0, [], 1)),
    findings: [at('inbox/out-of-range', 0)],
    ...misleading,
    nearMissOf: ['inbox/id-repeated'],
  },
  {
    name: 'inbox-filled-and-emptied',
    why: 'Two wait, one is put between them, all three are taken.',
    log: log()
      .event('agent/inbox/spliced', spliced(0, waiting('a', 'b')))
      .event('agent/inbox/spliced', spliced(1, waiting('c')))
      .event('agent/inbox/spliced', spliced(0, [], 3)),
    findings: [],
    ...clean,
    nearMissOf: ['inbox/out-of-range', 'inbox/id-repeated', 'inbox/waiting'],
  },
  {
    name: 'message-queued-for-the-next-turn',
    why: 'Nothing is damaged, but a resume sends what waits: after a cut that may be a surprise.',
    log: base().event('agent/inbox/spliced', spliced(0, waiting('a', 'b'))),
    findings: [at('inbox/waiting', 9)],
    ...clean,
  },
  {
    name: 'message-waiting-twice',
    why: 'One id may wait once, in either list: DSH cannot resume the session.',
    log: log()
      .event('agent/inbox/spliced', spliced(0, waiting('a')))
      .event('agent/inbox/spliced', { ...spliced(0, waiting('a')), target: 'next-step' }),
    findings: [at('inbox/id-repeated', 1)],
    ...misleading,
    nearMissOf: ['inbox/out-of-range'],
  },
  {
    name: 'fork-that-begins-with-an-empty-inbox',
    why: 'Up to format 1 what waits in the parent is not inherited: the first own message comes to an empty list.',
    log: log()
      .header({ parentSession: 'p', seedLength: 1 })
      .event('agent/inbox/spliced', spliced(0, waiting('a')))
      .event('session/end-seed')
      .event('agent/inbox/spliced', spliced(0, waiting('b')))
      .event('agent/inbox/spliced', spliced(0, [], 1)),
    findings: [],
    ...clean,
    nearMissOf: ['inbox/out-of-range'],
  },
  {
    name: 'fork-that-takes-what-waits-in-its-parent',
    why: 'Its own inbox is empty.',
    log: log()
      .header({ parentSession: 'p', seedLength: 1 })
      .event('agent/inbox/spliced', spliced(0, waiting('a')))
      .event('session/end-seed')
      .event('agent/inbox/spliced', spliced(0, [], 1)),
    findings: [at('inbox/out-of-range', 2)],
    ...misleading,
  },
  {
    name: 'turn-accepted-then-silence',
    why: 'Nothing is damaged: the message waits, and anyone who looks should be told which one.',
    log: base()
      .event('agent/inbox/spliced', spliced(0, waiting('u2')))
      .openTurn(),
    findings: [at('inbox/stalled', 9), at('turn/open', 10)],
    ...mended,
  },
  {
    name: 'turn-that-took-its-message',
    why: 'The message has reached the conversation; the crash came later.',
    log: base()
      .event('agent/inbox/spliced', spliced(0, waiting('u2')))
      .openTurn((turn) => turn.event('agent/inbox/spliced', spliced(0, [], 1)).user('and now?')),
    findings: [at('turn/open', 10)],
    ...mended,
    nearMissOf: ['inbox/stalled'],
  },
]
