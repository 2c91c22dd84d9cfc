/** What releases that get a log by migration refuse, though those of its own format open it: one case for each kind. */
import { codesWhere } from '../../../src/core/findings/rules.ts'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { laterBase } from '../../support/later-log.ts'
import { type LogBuilder, log, type Row } from '../../support/log-builder.ts'
import { at, type Case, clean, mended, refused, unsupported } from '../case.ts'

/** A whole turn, with its message in its step; every release opens it. */
const base = (): LogBuilder =>
  log().turn((turn) =>
    turn.step((step) =>
      step.user('list files').request().assistant('').call('c1', 'x').result('c1', 'a.txt'),
    ),
  )

/** {@link base} with the data of one event changed. */
const withData = (seq: number, change: (data: JsonObject) => JsonObject): LogBuilder =>
  base().edit(seq, (row) => ({ ...row, data: change(row.data as JsonObject) }))

const unmarked = ({ surfaceOp: _, ...row }: Row): Row => row

const withRow = (seq: number, change: (row: Row) => Row): LogBuilder => base().edit(seq, change)

const [USER, ANSWER, RESULT] = [2, 4, 6]
const NEXT = 9

const refusedByNewer = { verdict: 'refused-by-newer', exitCode: 0, opens: true } as const

interface Kind {
  readonly name: string
  readonly why: string
  readonly log: Case['log']
  readonly findings: Case['findings']
  readonly outcome?: Pick<Case, 'verdict' | 'exitCode' | 'opens'>
}

const KINDS: readonly Kind[] = [
  {
    name: 'extra-member-of-the-header',
    why: 'Format 0 takes it along.',
    log: base().header({ team: 't' }),
    findings: [
      { code: 'header/unknown', line: 1 },
      { code: 'upgrade/header', line: 1 },
    ],
  },
  {
    name: 'list-of-sources-that-later-readers-take-for-damage',
    why: 'A reader of format 0 sees sources that are no list; a later one sees a damaged row, and a turn end after it.',
    log: withRow(RESULT, (row) => ({ ...row, sourceEventSeqs: [5, [6]] })),
    findings: [
      at('pair/surface-call-alone', ANSWER),
      at('sources/ranges', RESULT),
      at('surface/sources-invalid', RESULT),
    ],
    outcome: refused,
  },
  {
    name: 'time-of-minus-zero',
    why: 'Minus zero is a time for readers of format 0 alone.',
    log: base().raw(`{"type":"plan/mode","seq":9,"time":-0,"data":{"active":true}}`),
    findings: [at('upgrade/envelope', NEXT)],
  },
  {
    name: 'ignorable-type-of-a-plugin-on-the-way',
    why: 'Being ignorable helps in its own format alone.',
    log: base().event('acme/submit', { n: 1 }, { ignorable: true }),
    findings: [at('vocabulary/unknown-ignorable', NEXT), at('upgrade/unknown-type', NEXT)],
  },
  {
    name: 'early-message-of-no-turn',
    why: 'Early builds named the turn that a message steered.',
    log: base().event(
      'steering/message',
      { turn: -1, content: [], source: { kind: 'user' } },
      { surfaceOp: 'append' },
    ),
    findings: [at('legacy/shape', NEXT), at('upgrade/early-shape', NEXT)],
  },
  {
    name: 'usage-without-a-count',
    why: 'Counts of tokens are wanted in pairs.',
    log: withData(ANSWER, (data) => ({ ...data, usage: { inputTokens: 1 } })),
    findings: [at('upgrade/member-missing', ANSWER)],
  },
  {
    name: 'member-of-a-plugin-in-a-payload',
    why: 'Kept by its own readers, refused by the next.',
    log: base().event('permission/preset', { preset: 'ask', origin: 'default' }),
    findings: [at('upgrade/member-unexpected', NEXT)],
  },
  {
    name: 'negative-count-of-tokens',
    why: 'A count is from 0 on.',
    log: withData(ANSWER, (data) => ({
      ...data,
      usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: -1 },
    })),
    findings: [at('upgrade/member-value', ANSWER)],
  },
  {
    name: 'range-that-is-not-its-list',
    why: 'The range of a summary is made of the first and the last of its list.',
    log: base().event('compaction/prune', {
      shadowedRange: { start: 2, end: 6 },
      shadowedSeqs: [2, 4],
      shadowedTokenCount: 1,
    }),
    findings: [
      at('compaction/nodes-differ', NEXT),
      at('upgrade/members-disagree', NEXT),
      at('upgrade/compaction', NEXT),
    ],
    outcome: mended,
  },
  {
    name: 'source-of-a-third-party',
    why: 'The most reported case: 774 of 803 sessions.',
    log: withData(USER, (data) => ({ ...data, source: { kind: 'agent-teams-command' } })),
    findings: [at('upgrade/message-source', USER)],
  },
  {
    name: 'summary-without-its-form',
    why: 'A summary belongs to the form notice.',
    log: withData(USER, (data) => ({
      ...data,
      source: { kind: 'plugin', plugin: 'mem', form: 'recall', summary: 's' },
    })),
    findings: [at('upgrade/source-form', USER)],
  },
  {
    name: 'content-of-a-third-party',
    why: 'Readers of format 0 take a block of any type for opaque.',
    log: withData(USER, (data) => ({ ...data, content: [{ type: 'card', title: 'x' }] })),
    findings: [at('upgrade/content', USER)],
  },
  {
    name: 'descriptor-of-0-1-1',
    why: 'The migrations know version 3.',
    log: base().event('subagent/descriptor', { version: 2, mode: 'one-shot', provider: 'x' }),
    findings: [at('upgrade/descriptor', NEXT)],
  },
  {
    name: 'result-of-a-command-that-is-a-chunk',
    why: 'Format 2 has no streamed chunks that could be named.',
    log: log()
      .turn((turn) =>
        turn.step((step) =>
          step
            .user('a')
            .chunk('b')
            .assistant('b', { sources: [3] }),
        ),
      )
      .event('command/run', { commandId: 'a', name: 'n', source: { kind: 'user' } })
      .event('command/done', { commandId: 'a', kind: 'success', sourceEventSeq: 3 }),
    findings: [at('upgrade/reference', 8)],
  },
  {
    name: 'answer-that-cites-half-of-its-stream',
    why: 'The migration folds the chunks into the answer that cites exactly them.',
    log: log().turn((turn) =>
      turn.step((step) =>
        step
          .user('a')
          .chunk('b')
          .chunk('c')
          .assistant('bc', { sources: [3] }),
      ),
    ),
    findings: [at('upgrade/answer-stream', 5)],
  },
  {
    name: 'answer-that-is-half-inherited',
    why: 'The cut of the fork goes through the stream.',
    log: log()
      .turn((turn) =>
        turn.step((step) =>
          step
            .user('a')
            .chunk('b')
            .chunk('c')
            .assistant('bc', { sources: [3, 4] }),
        ),
      )
      .header({ parentSession: 'p', seedLength: 4 }),
    findings: [at('upgrade/stream-cut', 3), at('upgrade/stream-cut', 5)],
  },
  {
    name: 'message-in-front-of-the-first-step',
    why: 'The order of older builds of format 0.',
    log: log().turn((turn) => turn.user('a').step((step) => step.assistant('b'))),
    findings: [at('upgrade/before-first-step', 1)],
  },
  {
    name: 'prompt-between-two-steps',
    why: 'Format 3 says a changed prompt by a message of a step.',
    log: log().turn((turn) => {
      turn.step((step) => step.user('a').request().assistant('b'))
      turn.event('request/header', {
        header: { config: { provider: 'p', model: 'm' }, system: 'other' },
        reason: 'change',
      })
    }),
    findings: [at('upgrade/prompt-change', 6)],
  },
  {
    name: 'error-of-a-result-that-is-none',
    why: 'From format 3 on only an error carries one.',
    log: withData(RESULT, (data) => ({ ...data, error: { name: 'E', code: 'E' } })),
    findings: [at('upgrade/error-unmarked', RESULT)],
  },
  {
    name: 'closer-with-an-id-of-its-own',
    why: 'Later releases know the result of a call that never began by its id.',
    log: withData(RESULT, (data) => ({ ...data, error: { name: 'E', code: 'TOOL_NOT_STARTED' } })),
    findings: [at('upgrade/error-unmarked', RESULT), at('upgrade/closer-id', RESULT)],
  },
  {
    name: 'upload-mark-of-another-session-on-the-way',
    why: 'It is not inherited either.',
    log: base().event('session-log-deepseek/delivery-accepted', { sessionId: 'other', throughSeq: 0 }),
    findings: [at('vocabulary/newer-type', NEXT), at('upgrade/upload-mark', NEXT)],
  },
  {
    name: 'inherited-part-without-its-marker-in-format-2',
    why: 'The header says that there is one.',
    log: laterBase(2).header({ isSeeded: true }),
    findings: [
      { code: 'seed/marker-missing', line: 1 },
      { code: 'upgrade/seed-marker', line: 1 },
    ],
    outcome: refused,
  },
  {
    name: 'turn-that-skips-a-number',
    why: 'Turns count from 1 on.',
    log: base()
      .event('turn/start', { turn: 3 })
      .event('turn/end', { turn: 3, reason: { kind: 'completed' } }),
    findings: [at('turn/number', NEXT), at('upgrade/turn', NEXT)],
    outcome: mended,
  },
  {
    name: 'call-with-other-arguments',
    why: 'It has to run as it was announced.',
    log: withData(5, (data) => ({ ...data, arguments: '{"a":1}' })),
    findings: [at('pair/arguments-differ', 5), at('upgrade/tool', 5)],
    outcome: mended,
  },
  {
    name: 'end-of-a-compaction-that-never-began',
    why: 'Nothing has begun it.',
    log: base().event('compaction/end', { compactionId: 'x', turn: null, error: 'e' }),
    findings: [at('compaction/not-started', NEXT), at('upgrade/compaction', NEXT)],
    outcome: mended,
  },
  {
    name: 'messages-without-any-marker',
    why: 'The surface is derived from the order alone; later readers want it said.',
    log: base().edit(USER, unmarked).edit(ANSWER, unmarked).edit(RESULT, unmarked),
    findings: [
      at('surface/unmarked-log', USER),
      at('upgrade/surface', ANSWER),
      at('upgrade/surface', RESULT),
      at('upgrade/tool', 7),
    ],
    outcome: unsupported,
  },
  {
    name: 'attempt-out-of-order',
    why: 'Attempts count from 1 on.',
    log: log().turn((turn) =>
      turn.step((step) =>
        step
          .user('a')
          .request()
          .event('llm/retry', {
            ...{ retryId: 'r', turn: 1, step: 1, provider: 'p', mode: 'always', policyKey: 'k' },
            ...{ retry: 2, delayMs: 1, failure: { message: 'm', code: 'c' } },
          }),
      ),
    ),
    findings: [at('upgrade/retry', 4)],
  },
  {
    name: 'title-of-an-answer-on-the-way',
    why: 'A title is made from messages of the user.',
    log: base().event('session/title', { title: 't', messageSeqs: [ANSWER], source: { kind: 'fallback' } }),
    findings: [at('upgrade/title', NEXT)],
  },
  {
    name: 'command-that-was-never-run',
    why: 'It only ends.',
    log: base().event('command/done', { commandId: 'a', kind: 'success' }),
    findings: [at('upgrade/command', NEXT)],
  },
  {
    name: 'dispatch-that-was-never-started-on-the-way',
    why: 'It only ends.',
    log: log().turn((turn) =>
      turn.step((step) =>
        step.user('a').event('tool/code-dispatch', {
          ...{ rootCallId: 'a', parentCallId: 'a', subCallId: 'b', name: 'n', arguments: {} },
          ...{ isError: false, content: [] },
        }),
      ),
    ),
    findings: [at('upgrade/dispatch', 3)],
  },
]

export const cases: readonly Case[] = [
  {
    name: 'log-that-every-release-opens',
    why: 'A turn with a tool call, in the order that the later formats want.',
    log: base(),
    findings: [],
    ...clean,
    nearMissOf: codesWhere(({ upgrade }) => upgrade === true),
  },
  {
    name: 'row-that-the-release-asked-for-takes-for-damage',
    why: 'What the release that was asked for refuses is said of it, also where the readers of the log refuse it.',
    log: withRow(RESULT, (row) => ({ ...row, sourceEventSeqs: [5, [6]] })),
    target: 'format-2',
    findings: [
      at('pair/surface-call-alone', ANSWER),
      { code: 'upgrade/row-damaged', line: 8 },
      at('sources/ranges', RESULT),
      at('surface/sources-invalid', RESULT),
    ],
    ...refused,
  },
  ...KINDS.map(({ outcome, ...kind }): Case => ({ ...kind, ...(outcome ?? refusedByNewer) })),
  ...(
    [
      ['format-3', { verdict: 'findings', exitCode: 1, opens: true }, [at('upgrade/message-source', USER)]],
      ['format-2', clean, []],
      ['0.1.2', clean, []],
    ] as const
  ).map(
    ([target, outcome, findings]): Case => ({
      name: `source-of-a-third-party-for-${target}`,
      why: 'Only what that release minds counts, and then it is an error.',
      log: withData(USER, (data) => ({ ...data, source: { kind: 'agent-teams-command' } })),
      target,
      findings,
      ...outcome,
    }),
  ),
]
