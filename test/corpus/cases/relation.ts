/** The relations that the readers of format 4 enforce (format.md §7.3, §12.E), each broken and nearly broken. */
import { codesWhere, type FindingCode } from '../../../src/core/findings/rules.ts'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { type LaterLog, later, laterBase, textBlock } from '../../support/later-log.ts'
import { at, type Case, clean, type ExpectedFinding, mended, refused } from '../case.ts'

const oneStep = (build: (step: LaterLog) => unknown): LaterLog =>
  later().turn((turn) => turn.step((step) => build(step.system().user('hi').request())))

/** In {@link oneStep} the first event after the request. */
const FIRST = 5

const NOT_STARTED_TEXT =
  'The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed.'

/** The standard result of a call that never began. */
function notStarted(step: LaterLog, callId: string, text = NOT_STARTED_TEXT): LaterLog {
  const message = { id: `interrupted-tool-result-${callId}-${step.nextSeq}`, isError: true }
  const error = { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' }
  return step.result(callId, text, { message, data: { error } })
}

const retry = (more: JsonObject = {}): JsonObject => ({
  retryId: 'r',
  turn: 1,
  step: 1,
  provider: 'p',
  mode: 'always',
  policyKey: 'k',
  retry: 1,
  delayMs: 1,
  failure: { message: 'm', code: 'UNKNOWN' },
  ...more,
})

const dispatch = (more: JsonObject = {}): JsonObject => ({
  rootCallId: 'c1',
  parentCallId: 'c1',
  subCallId: 's1',
  name: 'read',
  arguments: {},
  ...more,
})

const settled = (more: JsonObject = {}): JsonObject => ({ ...dispatch(more), isError: false, content: [] })

const delivered = (more: JsonObject = {}): JsonObject => ({
  sessionId: 'session-00000000-0000-4000-8000-000000000004',
  sessionFormatVersion: 4,
  throughSeq: 0,
  ...more,
})

const child = (childId: string, more: JsonObject = {}): JsonObject => ({
  version: 0,
  childId,
  childCreatedAt: 1,
  mode: 'one-shot',
  ...more,
})

const titleRequest = (messageSeqs: number[], kind = 'dsh-session-title-llm'): JsonObject => ({
  titleProvider: 't',
  messageSeqs,
  route: { provider: 'p', model: 'm' },
  system: 's',
  messages: [{ id: 't1', role: 'user', source: { kind }, content: [textBlock('a title, please')] }],
  maxTokens: 10,
})

const tool = (name: string): JsonObject => ({ name, description: 'd', parameters: {} })

/** Head 2, user message 3, assistant 5, result 7 are the surface. */
const start = (log: LaterLog, id = 'x'): LaterLog =>
  log.event('compaction/start', { compactionId: id, turn: null })
const summary = (log: LaterLog, seqs: number[], id = 'x'): LaterLog =>
  log.event('compaction/summary', {
    compactionId: id,
    summary: [textBlock('s')],
    shadowedRange: { start: seqs[0] as number, end: seqs.at(-1) as number },
    shadowedSeqs: seqs,
    shadowedTokenCount: 1,
    provider: 'p',
    model: 'm',
  })
const end = (log: LaterLog, more: JsonObject = {}): LaterLog =>
  log.event('compaction/end', { compactionId: 'x', turn: null, ...more })

/** The rules of a family. */
const rulesOf = (...beginnings: string[]): readonly FindingCode[] =>
  codesWhere(() => true).filter((code) => beginnings.some((beginning) => code.startsWith(`${beginning}-`)))

/** A log that DSH refuses for a relation. */
function broken(name: string, why: string, findings: readonly ExpectedFinding[], log: LaterLog): Case {
  return { name, why, log, findings, ...refused }
}

const CLEAN_BASE = laterBase()
const NEXT = CLEAN_BASE.nextSeq

export const cases: readonly Case[] = [
  {
    name: 'turn-of-format-4',
    why: 'System prompt, request, a tool call and its result.',
    log: laterBase(),
    findings: [],
    ...clean,
    nearMissOf: [
      ...rulesOf('relation/turn', 'relation/step', 'relation/call', 'relation/result'),
      'relation/system-head',
      'relation/data-not-object',
    ],
  },
  {
    name: 'cut-off-in-format-4',
    why: 'What is open at the end is no error: DSH closes it on resume.',
    log: later().openTurn((turn) =>
      turn.openStep((step) =>
        step
          .system()
          .assistant('', [{ id: 'c1' }])
          .call('c1'),
      ),
    ),
    findings: [at('turn/open', 0), at('pair/result-pending', 3)],
    ...mended,
    nearMissOf: ['relation/turn-open-step', 'relation/call-unanswered'],
  },

  // Turns ----------------------------------------------------------------------------------------------------------
  {
    name: 'turn-number-passed-over',
    why: 'Turns count 1, 2, 3; format 0 only warns, format 4 refuses the log.',
    log: laterBase()
      .event('turn/start', { turn: 3 })
      .event('turn/end', { turn: 3, reason: { kind: 'completed' } }),
    findings: [at('relation/turn-number', NEXT)],
    ...refused,
  },
  {
    name: 'answer-outside-its-step',
    why: 'The step it names is closed.',
    log: later().turn((turn) => turn.step((step) => step.system()).assistant('late')),
    findings: [at('relation/step-outside', 4)],
    ...refused,
  },
  {
    name: 'answer-that-names-the-next-step',
    why: 'The end of the step after it names the step that is open, so no start of a step is lost.',
    log: oneStep((step) => step.assistant('hello')).edit(FIRST, (row) => ({
      ...row,
      data: { ...(row.data as JsonObject), step: 2 },
    })),
    findings: [at('relation/step-outside', FIRST)],
    ...refused,
  },
  {
    name: 'request-outside-a-turn',
    why: 'What was sent to a model was sent in a turn.',
    log: laterBase().request(),
    findings: [at('relation/turn-outside', NEXT)],
    ...refused,
  },
  {
    name: 'user-message-outside-a-turn',
    why: 'User messages may be anywhere.',
    log: laterBase().user('more'),
    findings: [],
    ...clean,
    nearMissOf: ['relation/turn-outside'],
  },

  broken(
    'turn-inside-a-turn',
    'The end of the turn before is missing.',
    [at('relation/turn-nested', 1), at('turn/open', 1)],
    later().openTurn().openTurn(),
  ),
  broken(
    'turn-ended-under-another-number',
    'The end names a turn that is not open.',
    [at('relation/turn-end-mismatch', 1)],
    later()
      .openTurn()
      .event('turn/end', { turn: 2, reason: { kind: 'completed' } }),
  ),
  broken(
    'turn-ended-in-its-step',
    'The end of the step is missing.',
    [at('relation/turn-open-step', 2)],
    later()
      .openTurn((turn) => turn.openStep())
      .event('turn/end', { turn: 1, reason: { kind: 'completed' } }),
  ),
  broken(
    'step-outside-a-turn',
    'The start of its turn is missing.',
    [at('relation/step-no-turn', NEXT)],
    laterBase().event('step/start', { turn: 2, step: 1 }),
  ),
  broken(
    'step-inside-a-step',
    'The end of the step before is missing.',
    [at('turn/open', 0), at('relation/step-nested', 2)],
    later().openTurn((turn) => turn.openStep().openStep()),
  ),
  broken(
    'step-number-passed-over',
    'Steps count 1, 2, 3 in each turn.',
    [at('turn/open', 0), at('relation/step-number', 1)],
    later().openTurn().event('step/start', { turn: 1, step: 2 }),
  ),
  broken(
    'command-without-data',
    'It says nothing at all.',
    [at('relation/data-not-object', NEXT)],
    laterBase().event('command/run', null),
  ),

  // System head ----------------------------------------------------------------------------------------------------
  {
    name: 'system-message-after-a-user-message',
    why: 'A system prompt starts the surface or has nothing to do there.',
    log: later().turn((turn) => turn.step((step) => step.user('hi').system())),
    findings: [at('relation/system-head', 3)],
    ...refused,
  },
  {
    name: 'system-message-rewritten',
    why: 'Once the head is there, it may be rewritten, and more may be appended.',
    log: oneStep((step) => {
      step.system('new', { op: step.replace(2), sources: [2] })
      step.system('one more')
    }),
    findings: [],
    ...clean,
    nearMissOf: ['relation/system-head', 'surface/head-protected'],
  },

  // Tools ----------------------------------------------------------------------------------------------------------
  {
    name: 'call-that-nobody-announced',
    why: 'A tool ran that the model never asked for.',
    log: oneStep((step) => step.call('c1')),
    findings: [at('relation/call-not-announced', FIRST)],
    ...refused,
  },
  {
    name: 'call-started-twice',
    why: 'One announcement, one start.',
    log: oneStep((step) =>
      step
        .assistant('', [{ id: 'c1' }])
        .call('c1')
        .call('c1')
        .result('c1'),
    ),
    findings: [at('relation/call-started-twice', FIRST + 2)],
    ...refused,
  },
  {
    name: 'step-closed-before-its-result',
    why: 'Format 0 opens it and misleads the model, format 4 refuses it.',
    log: oneStep((step) => step.assistant('', [{ id: 'c1' }]).call('c1')),
    findings: [
      at('pair/surface-call-alone', FIRST, 'relation/call-unanswered'),
      at('relation/call-unanswered', FIRST + 2),
    ],
    ...refused,
  },
  {
    name: 'parallel-calls-answered-in-any-order',
    why: 'Several calls of one message run at the same time.',
    log: oneStep((step) =>
      step
        .assistant('', [{ id: 'a' }, { id: 'b' }])
        .call('b')
        .call('a')
        .result('b')
        .result('a'),
    ),
    findings: [],
    ...clean,
    nearMissOf: rulesOf('relation/call'),
  },
  {
    name: 'call-closed-by-a-recovery',
    why: 'It was never started, and the result says so in the words of DSH.',
    log: oneStep((step) => notStarted(step.assistant('', [{ id: 'c1' }]), 'c1')),
    findings: [],
    ...clean,
    nearMissOf: ['relation/result-not-started', 'format/foreign-shape'],
  },
  {
    name: 'call-closed-by-a-recovery-in-other-words',
    why: 'The text is compared byte for byte.',
    log: oneStep((step) => notStarted(step.assistant('', [{ id: 'c1' }]), 'c1', 'Never started.')),
    findings: [at('relation/result-not-started', FIRST + 1)],
    ...refused,
  },

  broken(
    'call-that-runs-as-another',
    'The model asked for something else.',
    [at('relation/call-differs', FIRST + 1)],
    oneStep((step) =>
      step
        .assistant('', [{ id: 'c1' }])
        .call('c1', 'read')
        .result('c1'),
    ),
  ),
  broken(
    'call-announced-twice-in-format-4',
    'One of the two can never be answered.',
    [
      at('pair/surface-call-alone', FIRST, 'relation/call-announced-again'),
      at('relation/call-announced-again', FIRST + 1),
    ],
    oneStep((step) =>
      step
        .assistant('', [{ id: 'c1' }])
        .assistant('', [{ id: 'c1' }])
        .call('c1')
        .result('c1'),
    ),
  ),
  broken(
    'result-that-nobody-waits-for',
    'No call of the step has its id.',
    [
      at('relation/result-without-call', FIRST),
      at('pair/surface-result-alone', FIRST, 'relation/result-without-call'),
    ],
    oneStep((step) => step.result('c1')),
  ),

  // Compactions ----------------------------------------------------------------------------------------------------
  {
    name: 'compaction-of-format-4',
    why: 'Start, summary, checkpoint, end; the system prompt stays.',
    log: laterBase().compaction('x', [3, 5, 7]),
    findings: [],
    ...clean,
    nearMissOf: [...rulesOf('relation/compaction'), 'surface/sources-incomplete'],
  },
  {
    name: 'compaction-that-failed',
    why: 'An error needs no summary.',
    log: end(start(laterBase()), { error: { message: 'no' } }),
    findings: [],
    ...clean,
    nearMissOf: ['relation/compaction-summary-missing'],
  },
  {
    name: 'compaction-without-summary',
    why: 'It says that it succeeded, and nothing was summarised.',
    log: end(start(laterBase())),
    findings: [at('relation/compaction-summary-missing', NEXT + 1)],
    ...refused,
  },
  {
    name: 'compaction-inside-another',
    why: 'One at a time.',
    log: end(start(start(laterBase())), { error: {} }),
    findings: [at('relation/compaction-nested', NEXT + 1)],
    ...refused,
  },
  {
    name: 'summary-of-other-nodes',
    why: 'It names what is not on the surface from start to end.',
    log: end(summary(start(laterBase()), [3, 7])),
    findings: [at('relation/compaction-nodes-differ', NEXT + 1)],
    ...refused,
  },
  {
    name: 'summary-of-the-system-prompt',
    why: 'The head of the surface is protected.',
    log: end(summary(start(laterBase()), [2, 3])),
    findings: [
      at('relation/compaction-system-prompt', NEXT + 1),
      at('compaction/checkpoint-missing', NEXT + 2),
    ],
    ...refused,
  },
  {
    name: 'turn-inside-a-compaction',
    why: 'The compaction was opened outside any turn and is not over.',
    log: end(summary(start(laterBase()).turn(), [3, 5, 7])),
    findings: [at('relation/compaction-crossed', NEXT + 1), at('compaction/checkpoint-missing', NEXT + 4)],
    ...refused,
  },
  {
    name: 'turn-after-a-compaction-that-a-crash-left-open',
    why: 'The end-seed of the resume says that it is orphaned.',
    log: start(laterBase()).turn().event('session/end-seed'),
    findings: [],
    ...clean,
    nearMissOf: ['relation/compaction-crossed'],
  },

  broken(
    'compaction-of-format-4-without-id',
    'Nothing can belong to it.',
    [at('relation/compaction-id-missing', NEXT), at('compaction/unfinished', NEXT)],
    laterBase().event('compaction/start', { turn: null }),
  ),
  broken(
    'compaction-of-another-turn',
    'It names a turn, and none is open.',
    [at('relation/compaction-turn', NEXT), at('compaction/unfinished', NEXT)],
    laterBase().event('compaction/start', { compactionId: 'x', turn: 1 }),
  ),
  broken(
    'compaction-of-format-4-ended-and-never-started',
    'Its start is missing.',
    [at('relation/compaction-not-started', NEXT)],
    end(laterBase(), { error: {} }),
  ),
  broken(
    'compaction-with-two-summaries',
    'One summary, one checkpoint.',
    [at('compaction/unfinished', NEXT), at('relation/compaction-summary-repeated', NEXT + 2)],
    summary(summary(start(laterBase()), [3, 5, 7]), [3, 5, 7]),
  ),
  broken(
    'summary-of-nothing',
    'It does not say what it replaces.',
    [at('compaction/unfinished', NEXT), at('relation/compaction-nodes-missing', NEXT + 1)],
    start(laterBase()).event('compaction/summary', {
      compactionId: 'x',
      summary: [textBlock('s')],
      shadowedTokenCount: 1,
      provider: 'p',
      model: 'm',
    }),
  ),

  // Commands -------------------------------------------------------------------------------------------------------
  {
    name: 'command-done-and-never-run',
    why: 'What is done was run before.',
    log: laterBase().event('command/done', { commandId: 'k', kind: 'success' }),
    findings: [at('relation/command-not-run', NEXT)],
    ...refused,
  },
  {
    name: 'command-run-twice',
    why: 'Ids of runs are unique.',
    log: laterBase()
      .event('command/run', { commandId: 'k', name: 'n', source: { kind: 'user' } })
      .event('command/run', { commandId: 'k', name: 'n', source: { kind: 'user' } }),
    findings: [at('relation/command-repeated', NEXT + 1)],
    ...refused,
  },
  {
    name: 'command-that-failed-with-a-source',
    why: 'Only a success has an event that it came to.',
    log: laterBase()
      .event('command/run', { commandId: 'k', name: 'n', source: { kind: 'user' } })
      .event('command/done', { commandId: 'k', kind: 'error', sourceEventSeq: 3 }),
    findings: [at('relation/command-source', NEXT + 1)],
    ...refused,
  },
  {
    name: 'command-done-twice',
    why: 'Several ends of one run are legal.',
    log: laterBase()
      .event('command/run', { commandId: 'k', name: 'n', source: { kind: 'user' } })
      .event('command/done', { commandId: 'k', kind: 'success', sourceEventSeq: 3 })
      .event('command/done', { commandId: 'k', kind: 'success' }),
    findings: [],
    ...clean,
    nearMissOf: rulesOf('relation/command'),
  },

  broken(
    'command-without-id',
    'Nothing can end it.',
    [at('relation/command-id-missing', NEXT)],
    laterBase().event('command/run', { name: 'n', source: { kind: 'user' } }),
  ),

  // Titles ---------------------------------------------------------------------------------------------------------
  {
    name: 'title-of-no-message',
    why: 'Only the user gives a title without messages.',
    log: laterBase().event('session/title', { title: 't', messageSeqs: [], source: { kind: 'fallback' } }),
    findings: [at('relation/title-author', NEXT)],
    ...refused,
  },
  {
    name: 'title-of-an-answer',
    why: 'It must come from messages of the user.',
    log: laterBase().event('session/title', { title: 't', messageSeqs: [5], source: { kind: 'fallback' } }),
    findings: [at('relation/title-sources', NEXT)],
    ...refused,
  },
  {
    name: 'request-for-a-title-from-another-source',
    why: 'The message is the one of the title provider.',
    log: laterBase().event('session/title-llm-request', titleRequest([3], 'user')),
    findings: [at('relation/title-request', NEXT)],
    ...refused,
  },
  {
    name: 'titles-of-all-kinds',
    why: 'From a message, asked for, and by the user.',
    log: laterBase()
      .event('session/title', { title: 't', messageSeqs: [3], source: { kind: 'fallback' } })
      .event('session/title-llm-request', titleRequest([3]))
      .event('session/title', { title: 'u', messageSeqs: [], source: { kind: 'user' } }),
    findings: [],
    ...clean,
    nearMissOf: rulesOf('relation/title'),
  },

  // Retries --------------------------------------------------------------------------------------------------------
  {
    name: 'retry-of-another-provider',
    why: 'The latest request went elsewhere.',
    log: oneStep((step) => step.event('llm/retry', retry({ provider: 'q' }))),
    findings: [at('relation/retry-provider', FIRST)],
    ...refused,
  },
  {
    name: 'retry-that-is-passed-over',
    why: 'Attempts count 1, 2, 3.',
    log: oneStep((step) => step.event('llm/retry', retry()).event('llm/retry', retry({ retry: 3 }))),
    findings: [at('relation/retry-number', FIRST + 1)],
    ...refused,
  },
  {
    name: 'retry-started-twice',
    why: 'One schedule, one start.',
    log: oneStep((step) => {
      const started = { retryId: 'r', turn: 1, step: 1, retry: 1 }
      step.event('llm/retry', retry()).event('llm/retry-started', started).event('llm/retry-started', started)
    }),
    findings: [at('relation/retry-not-scheduled', FIRST + 2)],
    ...refused,
  },
  {
    name: 'retries-in-a-row',
    why: 'Two attempts of one chain, the second one started after the step.',
    log: oneStep((step) => step.event('llm/retry', retry()))
      .event('llm/retry', retry({ retry: 2 }))
      .event('llm/retry-started', { retryId: 'r', turn: 1, step: 1, retry: 2 }),
    findings: [],
    ...clean,
    nearMissOf: rulesOf('relation/retry'),
  },

  broken(
    'retry-of-a-step-that-is-over',
    'A step further back cannot be tried again.',
    [at('relation/retry-step', FIRST)],
    oneStep((step) => step.event('llm/retry', retry({ step: 9 }))),
  ),
  broken(
    'retry-under-another-id',
    'The attempts of a chain share one.',
    [at('relation/retry-id', FIRST + 1)],
    oneStep((step) =>
      step.event('llm/retry', retry()).event('llm/retry', retry({ retry: 2, retryId: 'other' })),
    ),
  ),

  // Dispatches -----------------------------------------------------------------------------------------------------
  {
    name: 'dispatch-that-was-never-started',
    why: 'It is settled all the same.',
    log: oneStep((step) => step.event('tool/ptc-dispatch', settled())),
    findings: [at('relation/dispatch-not-started', FIRST)],
    ...refused,
  },
  {
    name: 'dispatch-of-a-stranger',
    why: 'Its parent is neither the root nor a dispatch of the same root.',
    log: oneStep((step) => step.event('tool/ptc-dispatch-start', dispatch({ parentCallId: 'other' }))),
    findings: [at('relation/dispatch-parent', FIRST)],
    ...refused,
  },
  {
    name: 'dispatch-settled-as-another',
    why: 'It ran with other arguments than it was started with.',
    log: oneStep((step) =>
      step
        .event('tool/ptc-dispatch-start', dispatch())
        .event('tool/ptc-dispatch', settled({ arguments: { a: 1 } })),
    ),
    findings: [at('relation/dispatch-differs', FIRST + 1)],
    ...refused,
  },
  {
    name: 'dispatches-in-a-tree',
    why: 'One of them is never settled, which is fine.',
    log: oneStep((step) =>
      step
        .event('tool/ptc-dispatch-start', dispatch())
        .event('tool/ptc-dispatch-start', dispatch({ parentCallId: 's1', subCallId: 's2' }))
        .event('tool/ptc-dispatch', settled()),
    ),
    findings: [],
    ...clean,
    nearMissOf: rulesOf('relation/dispatch'),
  },

  broken(
    'dispatch-without-id',
    'Nothing can settle it.',
    [at('relation/dispatch-id-missing', FIRST)],
    oneStep((step) => step.event('tool/ptc-dispatch-start', { rootCallId: 'c1', parentCallId: 'c1' })),
  ),
  broken(
    'dispatch-started-twice',
    'Ids of dispatches are unique.',
    [at('relation/dispatch-repeated', FIRST + 1)],
    oneStep((step) =>
      step.event('tool/ptc-dispatch-start', dispatch()).event('tool/ptc-dispatch-start', dispatch()),
    ),
  ),
  broken(
    'dispatch-settled-twice',
    'One start, one end.',
    [at('relation/dispatch-settled-twice', FIRST + 2)],
    oneStep((step) =>
      step
        .event('tool/ptc-dispatch-start', dispatch())
        .event('tool/ptc-dispatch', settled())
        .event('tool/ptc-dispatch', settled()),
    ),
  ),

  // Lineage --------------------------------------------------------------------------------------------------------
  {
    name: 'upload-mark-of-another-session',
    why: 'Nothing was inherited, so it cannot be the mark of a parent.',
    log: laterBase().event('session-log-deepseek/delivery-accepted', delivered({ sessionId: 'other' })),
    findings: [{ code: 'vocabulary/newer-type', seq: NEXT }, at('relation/delivery-session', NEXT)],
    ...refused,
  },
  {
    name: 'upload-mark-from-the-future',
    why: 'What was uploaded was written before.',
    log: laterBase().event('session-log-deepseek/delivery-accepted', delivered({ throughSeq: 99 })),
    findings: [at('relation/delivery-seq', NEXT), { code: 'vocabulary/newer-type', seq: NEXT }],
    ...refused,
  },
  {
    name: 'upload-mark-that-was-inherited',
    why: 'The parent had uploaded its log.',
    log: laterBase()
      .event('session-log-deepseek/delivery-accepted', delivered({ sessionId: 'p' }))
      .event('session/end-seed', { inherited: true })
      .event('session-log-deepseek/delivery-accepted', delivered())
      .header({ isSeeded: true, parentSession: 'p' }),
    findings: [{ code: 'vocabulary/newer-type', seq: NEXT }],
    ...clean,
    nearMissOf: rulesOf('relation/delivery'),
  },
  {
    name: 'child-listed-twice',
    why: 'A child has one entry.',
    log: laterBase().event('subagent/catalog', child('a')).event('subagent/catalog', child('a')),
    findings: [{ code: 'vocabulary/newer-type', seq: NEXT }, at('relation/catalog-repeated', NEXT + 1)],
    ...refused,
  },
  {
    name: 'child-without-label',
    why: 'Who wants to continue it needs one.',
    log: laterBase().event('subagent/catalog', child('a', { mode: 'continuable' })),
    findings: [{ code: 'vocabulary/newer-type', seq: NEXT }, at('relation/catalog-label', NEXT)],
    ...refused,
  },
  {
    name: 'child-of-the-parent-and-of-its-own',
    why: 'Inherited entries are the business of the parent.',
    log: laterBase()
      .event('subagent/catalog', child('a'))
      .event('session/end-seed', { inherited: true })
      .event('subagent/catalog', child('a', { mode: 'continuable', label: 'l' }))
      .header({ isSeeded: true, parentSession: 'p' }),
    findings: [{ code: 'vocabulary/newer-type', seq: NEXT }],
    ...clean,
    nearMissOf: rulesOf('relation/catalog'),
  },

  broken(
    'upload-mark-of-no-format',
    'The format of the upload is no number.',
    [at('relation/delivery-version', NEXT), { code: 'vocabulary/newer-type', seq: NEXT }],
    laterBase().event('session-log-deepseek/delivery-accepted', delivered({ sessionFormatVersion: '4' })),
  ),
  broken(
    'child-of-no-known-kind',
    'The mode is on no list.',
    [{ code: 'vocabulary/newer-type', seq: NEXT }, at('relation/catalog-mode', NEXT)],
    laterBase().event('subagent/catalog', child('a', { mode: 'sometimes' })),
  ),
  broken(
    'child-without-id',
    'Nobody can find it.',
    [{ code: 'vocabulary/newer-type', seq: NEXT }, at('relation/catalog-child', NEXT)],
    laterBase().event('subagent/catalog', child('')),
  ),

  // Messages -------------------------------------------------------------------------------------------------------
  {
    name: 'tool-added-that-no-request-holds',
    why: 'The named request has another tool.',
    log: later().turn((turn) =>
      turn.step((step) =>
        step
          .system()
          .request([tool('read')])
          .developer([{ type: 'tool-addition', toolName: 'bash' }], { headerSeq: 3 }),
      ),
    ),
    findings: [at('relation/tool-change-tool', 4)],
    ...refused,
  },
  {
    name: 'tool-added-and-removed',
    why: 'The addition names the request that holds it; a removal needs none.',
    log: later().turn((turn) =>
      turn.step((step) =>
        step
          .system()
          .request([tool('read'), tool('bash')])
          .developer([{ type: 'tool-addition', toolName: 'bash' }], { headerSeq: 3 })
          .developer([{ type: 'tool-removal', toolName: 'read' }]),
      ),
    ),
    findings: [],
    ...clean,
    nearMissOf: [...rulesOf('relation/tool-change'), 'format/foreign-shape'],
  },
  broken(
    'tool-added-from-no-request',
    'It names an event that is no request header.',
    [at('relation/tool-change-header', 3)],
    later().turn((turn) =>
      turn.step((step) =>
        step.system().developer([{ type: 'tool-addition', toolName: 'bash' }], { headerSeq: 2 }),
      ),
    ),
  ),
  broken(
    'tool-added-from-a-later-number',
    'The request before it has the tool, and a repair names that one.',
    [at('relation/tool-change-header', 4)],
    later().turn((turn) =>
      turn.step((step) =>
        step
          .system()
          .request([tool('bash')])
          .developer([{ type: 'tool-addition', toolName: 'bash' }], { headerSeq: 9 }),
      ),
    ),
  ),
  {
    name: 'waiting-message-of-nobody',
    why: 'Every message names its producer, those in the inbox too.',
    log: laterBase().event('agent/inbox/spliced', {
      target: 'next-turn',
      start: 0,
      inserted: [{ id: 'i', role: 'user', content: [] }],
    }),
    findings: [at('relation/source', NEXT), at('inbox/waiting', NEXT)],
    ...refused,
  },
  {
    name: 'waiting-message-of-the-user',
    why: 'It names its producer.',
    log: laterBase().event('agent/inbox/spliced', {
      target: 'next-turn',
      start: 0,
      inserted: [{ id: 'i', role: 'user', source: { kind: 'user' }, content: [] }],
    }),
    findings: [at('inbox/waiting', NEXT)],
    ...clean,
    nearMissOf: ['relation/source'],
  },
]
