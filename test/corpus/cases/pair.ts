/** Tool calls and their results, in the log and on the surface. */
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'
import { at, type Case, clean, type ExpectedFinding, mended, misleading, refused } from '../case.ts'

const oneStep = (build: (step: LogBuilder) => unknown): LogBuilder => log().turn((turn) => turn.step(build))
/** What another turn says, and a compaction of all of it: what was broken before is not shown any more. */
function replaced(name: string, why: string, built: LogBuilder, findings: readonly ExpectedFinding[]): Case {
  const last = built.nextSeq - 1
  const log = built.turn((turn) => turn.user('go on').step((step) => step.assistant('done')))
  return { name, why, log: log.compaction(firstNode(built), last + 4), findings, ...mended }
}

function firstNode(built: LogBuilder): number {
  return built.events().find(({ surfaceOp }) => surfaceOp === 'append')?.seq ?? 0
}

const twoCalls = (step: LogBuilder): LogBuilder => step.assistant('').call('a', 'x').call('b', 'x')

export const cases: readonly Case[] = [
  replaced(
    'call-without-result-that-was-compacted-away',
    'The provider took every request since: what it would refuse is not sent any more.',
    oneStep((step) => step.assistant('').call('c1', 'bash')),
    [at('pair/shadowed', 2)],
  ),
  replaced(
    'result-without-call-that-was-compacted-away',
    'The same with the other half.',
    oneStep((step) => step.result('ghost', 'x')),
    [at('pair/shadowed', 2)],
  ),
  replaced(
    'result-before-its-call-that-was-compacted-away',
    'Both halves are gone.',
    oneStep((step) => step.result('a', 'x').assistant('').call('a', 'x')),
    [at('pair/shadowed', 2), at('pair/shadowed', 3)],
  ),
  replaced(
    'two-results-that-were-compacted-away',
    'Neither is sent.',
    oneStep((step) => step.assistant('').call('a', 'x').result('a', '1').result('a', '2')),
    [at('pair/shadowed', 5)],
  ),
  replaced(
    'id-announced-twice-that-was-compacted-away',
    'Neither of the calls is sent.',
    oneStep((step) => step.assistant('').call('a', 'x').assistant('').call('a', 'x').result('a', '1')),
    [at('step/settled-twice', 4), at('pair/shadowed', 4)],
  ),
  {
    name: 'call-never-recorded',
    why: 'The result is there and nothing says that the call ran; readers of format 4 refuse that.',
    log: base().edit(5, (row) => ({ ...row, type: 'plan/mode', data: { active: false } })),
    findings: [at('pair/call-unrecorded', 6)],
    ...mended,
  },
  {
    name: 'call-cut-off-by-a-crash',
    why: 'The turn is open: DSH writes the missing result on resume.',
    log: log().openTurn((turn) => turn.openStep((step) => step.assistant('').call('c1', 'bash'))),
    findings: [at('turn/open', 0), at('pair/result-pending', 2)],
    ...mended,
    nearMissOf: ['pair/result-missing', 'pair/surface-call-alone', 'pair/unclosable'],
  },
  {
    name: 'waiting-call-without-id',
    why: 'DSH closes it with a result that names no call, and then refuses its own result.',
    log: log().openTurn((turn) => turn.openStep((step) => step.assistant('').call('', 'bash'))),
    findings: [
      at('turn/open', 0),
      at('pair/id-empty', 2),
      at('pair/unclosable', 2),
      at('pair/result-pending', 2),
    ],
    ...refused,
  },
  {
    name: 'turn-closed-with-all-results',
    why: 'Nothing waits.',
    log: base(),
    findings: [],
    ...clean,
    nearMissOf: ['pair/result-pending', 'turn/open', 'pair/call-missing', 'pair/call-unrecorded'],
  },
  {
    name: 'call-unanswered-in-a-closed-step',
    why: 'A plugin was reloaded and took the tool with it. The log opens, and every further request fails.',
    log: oneStep((step) => step.assistant('').call('c1', 'bash')),
    findings: [at('pair/result-missing', 2), at('pair/surface-call-alone', 2, 'pair/result-missing')],
    ...misleading,
    nearMissOf: ['pair/result-pending', 'pair/shadowed'],
  },
  {
    name: 'result-without-call',
    why: 'Calls without results are often looked for, results without calls seldom.',
    log: oneStep((step) => step.result('ghost', 'x')),
    findings: [at('pair/call-missing', 2), at('pair/surface-result-alone', 2, 'pair/call-missing')],
    ...misleading,
  },
  {
    name: 'result-before-its-call',
    why: 'Both are there, and neither answers the other.',
    log: oneStep((step) => step.result('a', 'x').assistant('').call('a', 'x')),
    findings: [
      at('pair/result-early', 2),
      at('pair/surface-result-alone', 2, 'pair/result-early'),
      at('pair/result-missing', 3, 'pair/result-early'),
      at('pair/surface-call-alone', 3, 'pair/result-missing'),
    ],
    ...misleading,
    nearMissOf: ['pair/call-missing'],
  },
  {
    name: 'result-in-the-turn-before-its-call',
    why: 'The call of a later turn is another one, though it has the same id.',
    log: oneStep((step) => step.result('a', 'x')).turn((turn) =>
      turn.step((step) => step.assistant('').call('a', 'x').result('a', 'y')),
    ),
    findings: [at('pair/call-missing', 2), at('pair/surface-result-alone', 2, 'pair/call-missing')],
    ...misleading,
    nearMissOf: ['pair/result-early', 'pair/result-missing'],
  },
  {
    name: 'result-twice',
    why: 'The first one counts, the second one answers nothing.',
    log: oneStep((step) => step.assistant('').call('a', 'x').result('a', '1').result('a', '2')),
    findings: [at('pair/result-repeated', 5), at('pair/surface-result-alone', 5)],
    ...misleading,
    nearMissOf: ['pair/call-missing', 'pair/id-repeated'],
  },
  {
    name: 'same-id-in-two-turns',
    why: 'Ids are paired by order and scope: the second call is unanswered although a result of that id exists.',
    log: base().turn((turn) => turn.step((step) => step.assistant('').call('c1', 'bash'))),
    findings: [
      at('pair/result-missing', 11),
      at('pair/surface-call-alone', 11, 'pair/result-missing'),
      at('pair/id-reused', 11),
    ],
    ...misleading,
  },
  {
    name: 'same-id-in-three-turns-answered',
    why: 'Some providers count ids anew in every turn: a note, once, and no fault.',
    log: oneStep((step) => step.assistant('').call('c1', 'bash').result('c1', 'a'))
      .turn((turn) => turn.step((step) => step.assistant('').call('c1', 'bash').result('c1', 'b')))
      .turn((turn) => turn.step((step) => step.assistant('').call('c1', 'bash').result('c1', 'c'))),
    findings: [at('pair/id-reused', 9)],
    ...clean,
    nearMissOf: ['pair/id-repeated', 'pair/result-repeated', 'pair/result-missing'],
  },
  {
    name: 'no-id',
    why: 'A local model sent an empty id; DSH refuses the result of it.',
    log: oneStep((step) => step.assistant('').call('', 'bash').result('', 'x')),
    findings: [at('pair/id-empty', 2), at('message/source-invalid', 4, 'pair/id-empty')],
    ...refused,
  },
  {
    name: 'no-name',
    why: 'The provider refuses a call of nothing.',
    log: oneStep((step) => step.assistant('').call('a', '').result('a', 'x')),
    findings: [at('pair/id-empty', 2)],
    ...misleading,
  },
  {
    name: 'no-id-and-no-name',
    why: 'The stream of the provider lost both; a repair gives an id, and the model a text note of what was called.',
    log: oneStep((step) => step.assistant('').call('', '').result('', 'unknown tool')),
    findings: [
      at('pair/id-empty', 2),
      at('pair/id-empty', 2),
      at('message/source-invalid', 4, 'pair/id-empty'),
    ],
    ...refused,
  },
  {
    name: 'no-name-and-compacted-away',
    why: 'The model does not see the call any more, so the next request is accepted.',
    log: oneStep((step) => step.assistant('').call('a', '').result('a', 'x')).compaction(2, 4),
    findings: [at('pair/shadowed', 2)],
    ...mended,
    nearMissOf: ['pair/id-empty'],
  },
  {
    name: 'no-arguments',
    why: 'Arguments are raw text and may be empty.',
    log: oneStep((step) => step.assistant('').call('a', 'x', '').result('a', '')),
    findings: [],
    ...clean,
    nearMissOf: ['pair/id-empty', 'pair/arguments-differ', 'pair/arguments-broken'],
  },
  {
    name: 'arguments-that-are-no-json',
    why: 'A model broke off inside them; DSH keeps the text, and some providers refuse it.',
    log: oneStep((step) => step.assistant('').call('a', 'x', '{"cmd"').result('a', '')),
    findings: [at('pair/arguments-broken', 2)],
    ...mended,
    nearMissOf: ['pair/arguments-differ'],
  },
  {
    name: 'ran-with-other-arguments',
    why: 'The model is told something else than what happened.',
    log: oneStep((step) =>
      step
        .assistant('')
        .announce('a', 'bash', '{}')
        .event('tool/call', { turn: 1, step: 1, callId: 'a', name: 'bash', arguments: '{"a":1}' })
        .result('a', 'x'),
    ),
    findings: [at('pair/arguments-differ', 3)],
    ...mended,
  },
  {
    name: 'compaction-takes-the-call',
    why: 'The result stays on the surface without its call: the provider refuses the next request.',
    log: base().compaction(1, 4),
    findings: [at('pair/surface-result-alone', 6)],
    ...misleading,
    nearMissOf: ['pair/surface-call-alone', 'pair/call-missing'],
  },
  {
    name: 'compaction-takes-the-result',
    why: 'The call stays on the surface without its result.',
    log: base().compaction(6),
    findings: [at('pair/surface-call-alone', 4)],
    ...misleading,
    nearMissOf: ['pair/surface-result-alone', 'pair/result-missing'],
  },
  {
    name: 'compaction-takes-the-result-of-an-id-that-comes-back',
    why: 'The result of the second call is no result of the first one.',
    log: base()
      .compaction(6)
      .turn((turn) => turn.step((step) => step.assistant('').call('c1', 'bash').result('c1', 'b'))),
    findings: [at('pair/surface-call-alone', 4), at('pair/id-reused', 15)],
    ...misleading,
    nearMissOf: ['pair/result-repeated'],
  },
  {
    name: 'compaction-inside-a-parallel-batch',
    why: 'It ends after the first of two results.',
    log: oneStep((step) => twoCalls(step).result('a', '').result('b', '')).compaction(2, 5),
    findings: [at('pair/surface-result-alone', 6)],
    ...misleading,
  },
  {
    name: 'compaction-takes-the-pair',
    why: 'Call and result go together.',
    log: base().compaction(4, 6),
    findings: [],
    ...clean,
    nearMissOf: ['pair/surface-result-alone', 'pair/surface-call-alone', 'pair/surface-interrupted'],
  },
  {
    name: 'message-between-call-and-result',
    why: 'Providers want every result right after the message that called for it.',
    log: oneStep((step) => step.assistant('').call('a', 'x').user('wait').result('a', 'x')),
    findings: [at('pair/surface-interrupted', 4)],
    ...misleading,
  },
  {
    name: 'results-between-call-and-result',
    why: 'Parallel results come one after another, in any order.',
    log: oneStep((step) => twoCalls(step).result('b', '').result('a', '')),
    findings: [],
    ...clean,
    nearMissOf: ['pair/surface-interrupted'],
  },
  {
    name: 'closed-by-a-recovery',
    why: 'A result for a call that was never recorded as started needs no call.',
    log: oneStep((step) =>
      step
        .assistant('')
        .announce('a', 'x')
        .result('a', 'x', {
          isError: true,
          data: { error: { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' } },
        }),
    ),
    findings: [],
    ...clean,
    nearMissOf: ['pair/call-missing'],
  },
  {
    name: 'id-announced-again-while-it-waits',
    why: 'One result cannot answer two calls.',
    log: oneStep((step) => step.assistant('').call('a', 'x').assistant('').call('a', 'x').result('a', 'x')),
    findings: [
      at('pair/surface-call-alone', 2, 'pair/id-repeated'),
      at('step/settled-twice', 4),
      at('pair/id-repeated', 4),
    ],
    ...misleading,
    nearMissOf: ['pair/id-reused'],
  },
  {
    name: 'call-taken-and-mended-by-the-next-compaction',
    why: 'For a while the model would have seen a result without its call; the next compaction took it too.',
    log: base().compaction(1, 4).compaction(11, 6),
    findings: [at('pair/surface-split', 11)],
    ...mended,
    nearMissOf: ['pair/surface-result-alone'],
  },
  {
    name: 'result-taken-and-mended-by-the-next-compaction',
    why: 'The other half: a call was there without its result.',
    log: base().compaction(6).compaction(4, 11),
    findings: [at('pair/surface-split', 11)],
    ...mended,
    nearMissOf: ['pair/surface-call-alone'],
  },
  {
    name: 'compaction-inside-a-batch-mended-by-the-next',
    why: 'It took the first of two results and was between the call and the second.',
    log: oneStep((step) => twoCalls(step).result('a', '').result('b', ''))
      .compaction(5)
      .compaction(2, 6),
    findings: [at('pair/surface-split', 11), at('pair/surface-split', 11)],
    ...mended,
    nearMissOf: ['pair/surface-interrupted'],
  },
  {
    name: 'pruned-and-compacted',
    why: 'A shorter result is still the result, and a pair that goes whole was never split.',
    log: base()
      .openTurn((turn) => turn.openStep((step) => step.prune(6)))
      .event('step/end', { turn: 2, step: 1 })
      .event('turn/end', { turn: 2, reason: { kind: 'completed' } })
      .compaction(1, 12),
    findings: [],
    ...clean,
    nearMissOf: ['pair/surface-split'],
  },
]
