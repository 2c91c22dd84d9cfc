/**
 * The catalogue of event types (format.md §4.2, §4.3, §9.1; the members are those that the published readers accept).
 * Whatever the program knows of a type is asked of its row: which formats know it, what its members hold, where it
 * names other events, where messages are in it, what a copy without content may keep.
 *
 * To add a type, add a row. A type without one is unknown: refused unless it is ignorable, opaque, and replaced whole
 * in copies without content.
 */
import { isCount, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import {
  ALL,
  ANY_OBJECT,
  ANYTHING,
  ARGUMENTS,
  between,
  CONTENT,
  COUNT,
  checkedIf,
  EARLIER_COUNT,
  early,
  exactly,
  FLAG,
  ID,
  type Kind,
  LOSSLESS,
  list,
  message,
  NAME,
  NONE,
  object,
  optional,
  orEmpty,
  orNull,
  PATH,
  POSITIVE,
  requiredSince,
  SEQ,
  SOME_TEXT,
  STREAM,
  seqRange,
  seqs,
  since,
  TEXT,
  TIME,
  textThat,
  variants,
  WHOLE,
  withRetired,
  words,
  wordsAndOthers,
  YES,
} from './kinds.ts'
import type { FaultName } from './member-faults.ts'
import { CHUNK, FAILURE, PLACE, REQUEST_HEADER, ROUTE, SOURCES, TOOL_ERROR, USAGE } from './values.ts'

export interface EventType {
  /** First and last format whose readers know the type. */
  readonly from: number
  readonly to?: number
  /** First release that knows it, where that is not the first of its format; older ones of the format refuse it. */
  readonly since?: string
  /** Produces a model message. */
  readonly surface?: true
  /** Named by the specification, written by no shipped build: every reader refuses it. */
  readonly specificationOnly?: true
  /** What early builds of format 0 called another type; only the migration from there knows the name. */
  readonly earlyNameOf?: string
  /** Vocabulary of early builds that no released reader takes. */
  readonly retired?: true
  /** Whether the readers of a format leave these data alone. */
  readonly isOpaque?: (data: JsonValue | undefined, format: number) => boolean
  readonly data: Kind
}

const ALWAYS = { from: 0 }
const MESSAGES = { from: 0, surface: true } as const
const SINCE_0_1_2 = { from: 0, since: '0.1.2' }

// Members that several types share -----------------------------------------------------------------------------------

const SHADOWED = {
  shadowedRange: seqRange('shadowedSeqs'),
  shadowedSeqs: seqs({ grows: true }),
  shadowedTokenCount: COUNT,
}
const COMPACTION = { compactionId: ID, sourceCommandId: optional(ID) }
const DISPATCH = { rootCallId: ID, parentCallId: ID, subCallId: ID, name: NAME, arguments: LOSSLESS }
const SETTLED = { ...DISPATCH, isError: FLAG, content: CONTENT }
const TEAM = { version: exactly(1), teamId: ID }
const BY_DELEGATION = optional(words('delegation'))
const WORKFLOW = { runId: ID, seq: POSITIVE }
const INSTANT = textThat({ kind: 'text', content: 'instants', mayBeEmpty: false }, instantRule)
const SCHEDULE_ID = textThat(ID, (id) => (id.trim() === id ? undefined : 'blanks'))

/** What early builds of format 0 wrote in the place of a message; reading the log makes one of it. */
const BARE_MESSAGE = { content: early(CONTENT), source: early(SOURCES) }

const GOAL = object(
  {
    id: ID,
    revision: POSITIVE,
    objective: SOME_TEXT,
    phase: words('active', 'paused', 'blocked', 'complete'),
    blockedReason: optional(object({ code: NAME, message: SOME_TEXT })),
    maxGoalRounds: POSITIVE,
  },
  ({ phase, blockedReason }, report) => {
    if (phase === 'blocked' && blockedReason === undefined) report('blockedReason', 'of-blocked')
    if (phase !== 'blocked' && blockedReason !== undefined) report('blockedReason', 'needs-blocked')
  },
)
const GOAL_CHANGE = { kind: words('goal/change'), version: exactly(1) }
const GOAL_SET = { ...GOAL_CHANGE, goal: GOAL, roundsStarted: COUNT, createdAt: TIME, updatedAt: TIME }

const SCHEDULED = { id: SCHEDULE_ID, prompt: SOME_TEXT, scheduledAt: INSTANT }

const COMPACTIONS: Readonly<Record<string, EventType>> = {
  'compaction/start': { ...ALWAYS, data: object({ ...COMPACTION, turn: orNull(COUNT) }) },
  'compaction/summary': {
    ...ALWAYS,
    data: object(
      {
        ...COMPACTION,
        summary: CONTENT,
        ...SHADOWED,
        provider: NAME,
        model: NAME,
        maxTokens: optional(COUNT),
        usage: optional(USAGE),
        rawOutput: optional(CONTENT),
        llmStreamCall: optional(YES),
      },
      ({ llmStreamCall, rawOutput }, report) => {
        if (llmStreamCall === true && rawOutput === undefined) report('rawOutput', 'of-stream-call')
      },
    ),
  },
  'compaction/prune': { ...ALWAYS, data: object(SHADOWED) },
  'compaction/end': {
    ...ALWAYS,
    data: object({ ...COMPACTION, turn: orNull(COUNT), error: optional(TEXT) }),
  },
}

/** The compactions of early builds. */
function earlyNames(rows: typeof COMPACTIONS): typeof COMPACTIONS {
  return Object.fromEntries(
    Object.entries(rows).map(([type, row]) => [
      type.replace('compaction/', 'compact/'),
      { ...row, earlyNameOf: type },
    ]),
  )
}

// The catalogue ------------------------------------------------------------------------------------------------------

export const EVENT_TYPES: Readonly<Record<string, EventType>> = {
  'user/message': { ...MESSAGES, data: message('user') },
  'assistant/message': {
    ...MESSAGES,
    data: object({
      ...PLACE,
      message: message('assistant'),
      usage: optional(USAGE),
      interrupted: optional(YES),
      stream: requiredSince(2, STREAM),
      content: early(CONTENT),
      provenance: early(ROUTE),
    }),
  },
  'tool/result': {
    ...MESSAGES,
    data: object({
      ...PLACE,
      message: message('tool'),
      error: optional(TOOL_ERROR),
      meta: optional(LOSSLESS),
      callId: early(ID),
      content: early(CONTENT),
      isError: early(FLAG),
    }),
  },
  'system/message': { from: 3, surface: true, data: object({ ...PLACE, message: message('system') }) },
  'developer/message': {
    from: 4,
    surface: true,
    data: object({ ...PLACE, message: message('developer'), headerSeq: optional(SEQ) }),
  },
  'context/message': { ...MESSAGES, specificationOnly: true, data: message('user') },
  'steering/message': {
    ...ALWAYS,
    earlyNameOf: 'user/message',
    data: object({ turn: COUNT, message: early(message('user')), ...BARE_MESSAGE }),
  },

  'turn/start': {
    ...ALWAYS,
    data: object({ turn: COUNT, trigger: early(object({ kind: wordsAndOthers() })) }),
  },
  'turn/end': {
    ...ALWAYS,
    data: object({
      turn: COUNT,
      reason: variants(
        'kind',
        {
          completed: {},
          blocked: {},
          'max-tokens': {},
          interrupted: {},
          forked: ANY_OBJECT,
          disposed: ANY_OBJECT,
          aborted: {
            reason: variants(
              'kind',
              { user: {}, parent: {}, disposed: {}, legacy: {}, hook: { reason: TEXT } },
              NONE,
            ),
          },
          error: {
            error: FAILURE,
            step: early(COUNT),
            failure: early(FAILURE),
            message: early(TEXT),
            code: early(wordsAndOthers('UNKNOWN')),
          },
        },
        ALL,
      ),
    }),
  },
  'step/start': { ...ALWAYS, data: object(PLACE) },
  'step/end': { ...ALWAYS, data: object(PLACE) },
  'assistant/chunk': { from: 0, to: 1, data: object({ ...PLACE, chunk: CHUNK }) },
  'assistant/attempt': { from: 2, data: object({ ...PLACE, stream: STREAM }) },
  'tool/call': { ...ALWAYS, data: object({ ...PLACE, callId: ID, name: NAME, arguments: ARGUMENTS }) },
  'request/header': {
    ...ALWAYS,
    data: object({
      header: REQUEST_HEADER,
      reason: withRetired(words('initial', 'resume', 'change', 'series'), 'fallback'),
      startsSeries: optional(YES),
    }),
  },
  'request/context': {
    ...ALWAYS,
    data: object({
      provider: NAME,
      model: NAME,
      contextWindow: optional(POSITIVE),
      systemPromptUpdate: since(3, words('in-history')),
    }),
  },
  'request/header-delta': { ...ALWAYS, retired: true, data: ANYTHING },
  'mode/set': { ...ALWAYS, retired: true, data: ANYTHING },
  'session/end-seed': { ...ALWAYS, data: object({ inherited: since(2, YES) }) },
  'todo/write': {
    ...ALWAYS,
    data: object({
      todos: list(object({ content: TEXT, status: words('pending', 'in_progress', 'completed') })),
    }),
  },

  'agent/inbox/spliced': {
    ...ALWAYS,
    data: object({
      target: words('next-turn', 'next-step'),
      start: COUNT,
      removedCount: optional(COUNT),
      inserted: list(message('user')),
      outcome: optional(words('canceled')),
    }),
  },
  'agent-preset/selected': { ...ALWAYS, data: object({ agentPreset: orEmpty(NAME) }) },
  'approval/asked': {
    ...ALWAYS,
    data: object({ id: ID, toolName: NAME, callId: optional(ID), reason: optional(TEXT) }),
  },
  'approval/decided': {
    ...ALWAYS,
    data: object({ id: ID, outcome: words('allowed-once', 'rejected', 'cancelled', 'unavailable') }),
  },
  'approval/policy': { ...ALWAYS, data: object({ policy: words('ask', 'never'), source: BY_DELEGATION }) },
  'sandbox/mode': {
    ...ALWAYS,
    data: object({
      mode: words('read-only', 'workspace-write', 'danger-full-access'),
      source: BY_DELEGATION,
    }),
  },
  'permission/preset': { ...ALWAYS, data: object({ preset: NAME }) },
  'plan/mode': { ...ALWAYS, data: object({ active: FLAG }) },
  'command/run': {
    ...ALWAYS,
    data: object({
      commandId: ID,
      name: NAME,
      args: optional(TEXT),
      source: object({ kind: words('user') }),
    }),
  },
  'command/done': {
    ...ALWAYS,
    data: object({
      commandId: ID,
      kind: words('success', 'error'),
      text: optional(TEXT),
      sourceEventSeq: optional(SEQ),
    }),
  },
  ...COMPACTIONS,
  ...earlyNames(COMPACTIONS),
  'deliverables/presented': {
    from: 3,
    since: '0.1.5-alpha.2',
    data: object({
      turn: COUNT,
      callId: ID,
      files: list(object({ path: PATH, description: optional(TEXT) })),
    }),
  },
  'feedback/record': { ...ALWAYS, data: object({ text: SOME_TEXT, category: since(3, NAME) }) },
  'feedback/message-put': {
    from: 2,
    data: object({
      sessionId: orEmpty(ID),
      item: object({
        messageId: orEmpty(ID),
        rating: words('positive', 'negative'),
        note: optional(TEXT),
        category: since(3, NAME),
        version: orEmpty(ID),
        createdAt: TIME,
        updatedAt: TIME,
      }),
    }),
  },
  'feedback/message-delete': { from: 2, data: object({ sessionId: orEmpty(ID), messageId: orEmpty(ID) }) },
  'goal/change': {
    ...ALWAYS,
    data: variants(
      'operation',
      {
        create: GOAL_SET,
        edit: GOAL_SET,
        pause: GOAL_SET,
        resume: GOAL_SET,
        complete: GOAL_SET,
        block: GOAL_SET,
        clear: { ...GOAL_CHANGE, cleared: object({ id: ID, revision: POSITIVE }), clearedAt: TIME },
      },
      NONE,
    ),
  },
  'hook/invoked': {
    ...ALWAYS,
    data: object({
      turn: COUNT,
      point: NAME,
      dialect: words('claude-code', 'codex'),
      matcher: optional(TEXT),
      handlerId: ID,
    }),
  },
  'hook/result': {
    ...ALWAYS,
    data: object({
      turn: COUNT,
      point: NAME,
      handlerId: ID,
      decision: NAME,
      exitCode: optional(WHOLE),
      stderrSummary: optional(TEXT),
      durationMs: between(0),
    }),
  },
  'image/offload': {
    from: 3,
    since: '0.1.5',
    data: object({ targets: list(object({ seq: SEQ, imageIndexes: list(COUNT, 1) }), 1) }),
  },
  'llm/retry': {
    ...ALWAYS,
    data: object(
      {
        retryId: ID,
        ...PLACE,
        provider: NAME,
        mode: words('normal', 'always'),
        policyKey: NAME,
        retry: POSITIVE,
        maxRetries: optional(POSITIVE),
        delayMs: between(0, 2_147_483_647),
        failure: FAILURE,
      },
      ({ mode, retry, maxRetries }, report) => {
        if (mode === 'normal' && maxRetries === undefined) report('maxRetries', 'of-normal')
        if (mode === 'always' && maxRetries !== undefined) report('maxRetries', 'needs-normal')
        if (isCount(retry) && isCount(maxRetries) && retry > maxRetries) report('retry', 'over-most')
      },
    ),
  },
  'llm/retry-started': { ...ALWAYS, data: object({ retryId: ID, ...PLACE, retry: POSITIVE }) },
  'model/selection': {
    ...SINCE_0_1_2,
    data: object({ provider: NAME, model: NAME, reasoningEffort: optional(NAME) }),
  },
  'schedule/change': {
    ...ALWAYS,
    data: variants(
      'operation',
      {
        create: {
          version: exactly(1),
          schedule: variants(
            'kind',
            {
              after: { ...SCHEDULED, afterSeconds: POSITIVE },
              at: SCHEDULED,
              every: { ...SCHEDULED, everySeconds: { ...POSITIVE, least: 300 } },
            },
            NONE,
          ),
        },
        delete: { version: exactly(1), id: SCHEDULE_ID },
        dispatch: { version: exactly(1), id: SCHEDULE_ID, acceptedAt: optional(INSTANT) },
      },
      NONE,
    ),
  },
  'session-log-deepseek/delivery-accepted': {
    ...SINCE_0_1_2,
    data: object({
      sessionId: checkedIf(isOwnMark, ID),
      throughSeq: checkedIf(isOwnMark, EARLIER_COUNT),
      sessionFormatVersion: since(1, COUNT),
    }),
  },
  'session/title': {
    ...ALWAYS,
    data: object({
      title: SOME_TEXT,
      messageSeqs: seqs({ mayBeEmpty: true }),
      source: variants(
        'kind',
        { fallback: {}, user: {}, provider: { provider: NAME, model: optional(ROUTE) } },
        NONE,
      ),
    }),
  },
  'session/title-llm-request': {
    ...ALWAYS,
    data: object({
      titleProvider: NAME,
      messageSeqs: seqs(),
      route: ROUTE,
      system: TEXT,
      messages: list(message('any')),
      maxTokens: POSITIVE,
      reasoningEffort: since(3, NAME),
    }),
  },
  'subagent/catalog': {
    from: 3,
    since: '0.1.5-alpha.2',
    data: object({
      version: COUNT,
      childId: ID,
      childCreatedAt: TIME,
      mode: words('one-shot', 'continuable', 'unknown', 'external'),
      label: optional(TEXT),
    }),
  },
  'subagent/descriptor': {
    ...ALWAYS,
    // Other versions are read from format 1, and refused by the migrations before and after it.
    isOpaque: (data, format) => format === 1 && isJsonObject(data) && isOtherVersion(data.version),
    data: variants(
      'mode',
      {
        'one-shot': { version: exactly(3), provider: NAME, label: optional(TEXT) },
        continuable: object(
          {
            version: exactly(3),
            provider: NAME,
            label: SOME_TEXT,
            agentProvider: optional(NAME),
            agentModel: optional(NAME),
            agentReasoningEffort: optional(NAME),
            persona: optional(SOME_TEXT),
            toolFilter: optional(
              object(
                { allow: optional(list(NAME)), deny: optional(list(NAME)) },
                ({ allow, deny }, report) => {
                  if (allow === undefined && deny === undefined) report('', 'allow-or-deny')
                },
              ),
            ),
          },
          ({ agentProvider, agentModel }, report) => {
            if ((agentProvider === undefined) !== (agentModel === undefined))
              report(agentModel === undefined ? 'agentModel' : 'agentProvider', 'of-pair')
          },
        ),
      },
      NONE,
    ),
  },
  'subagent/model-selection-policy': {
    ...SINCE_0_1_2,
    data: object({ allowedModels: list(ROUTE, 1) }, ({ allowedModels }, report) => {
      if (!Array.isArray(allowedModels)) return
      const routes = (allowedModels as readonly JsonObject[]).map(
        (route) => `${route?.provider}\0${route?.model}`,
      )
      const twice = routes.findIndex((route, position) => routes.indexOf(route) < position)
      if (twice !== -1) report(`allowedModels[${twice}]`, 'listed-twice')
    }),
  },
  'team/member': {
    ...ALWAYS,
    data: object({
      ...TEAM,
      member: object({
        id: ID,
        name: orEmpty(NAME),
        description: TEXT,
        provider: orEmpty(NAME),
        context: words('fresh', 'fork'),
        phase: words('provisioning', 'active', 'failed'),
        error: optional(TEXT),
      }),
    }),
  },
  'team/task': {
    ...ALWAYS,
    data: object({
      ...TEAM,
      task: object({
        id: ID,
        revision: POSITIVE,
        subject: TEXT,
        description: TEXT,
        status: words('pending', 'in_progress', 'completed', 'deleted'),
        ownerId: optional(ID),
        blockedBy: list(ID),
        writeScopes: list(orEmpty(PATH)),
      }),
    }),
  },
  'team/message/queued': {
    ...ALWAYS,
    data: object({
      ...TEAM,
      message: object({
        id: ID,
        senderId: ID,
        senderName: orEmpty(NAME),
        targetId: ID,
        delivery: words('quiet', 'wakeup'),
        content: CONTENT,
      }),
    }),
  },
  'team/message/delivered': { ...ALWAYS, data: object({ ...TEAM, messageId: ID, targetId: ID }) },
  'tool-workflow/run-start': { ...ALWAYS, data: object({ runId: ID, name: NAME }) },
  'tool-workflow/agent-start': {
    ...ALWAYS,
    data: object({ ...WORKFLOW, label: TEXT, phase: optional(orEmpty(NAME)), childId: ID }),
  },
  'tool-workflow/agent-end': {
    ...ALWAYS,
    data: object({ ...WORKFLOW, outcome: words('completed', 'failed', 'cancelled') }),
  },
  'tool-workflow/run-end': {
    ...ALWAYS,
    data: object({ runId: ID, stopReason: words('completed', 'cancelled', 'error') }),
  },
  'tool/code-dispatch-start': { from: 0, to: 2, data: object(DISPATCH) },
  'tool/code-dispatch': { from: 0, to: 2, data: object(SETTLED) },
  'tool/ptc-dispatch-start': { from: 3, data: object(DISPATCH) },
  'tool/ptc-dispatch': {
    from: 3,
    data: object({ ...SETTLED, meta: optional(ANYTHING), error: optional(TOOL_ERROR) }),
  },
  'web/deepseek-search-llm-request': {
    ...ALWAYS,
    data: object({
      endpoint: { ...PATH, mayBeEmpty: false },
      apiVersion: NAME,
      body: object({
        model: NAME,
        max_tokens: POSITIVE,
        messages: list(
          object({
            role: words('user'),
            content: list(object({ type: words('text'), text: TEXT }), 1, 1),
          }),
          1,
          1,
        ),
        tools: list(
          object({ type: words('web_search_20250305'), name: words('web_search'), max_uses: POSITIVE }),
          1,
          1,
        ),
      }),
    }),
  },
  'working-directory/change': { from: 4, data: object({ cwd: PATH }) },
  'workspace/changes': { from: 3, since: '0.1.5', data: object({ turn: COUNT }) },
}

/** An upload mark is looked into by the readers of the format that it names. */
function isOwnMark({ sessionFormatVersion }: JsonObject, format: number): boolean {
  return (sessionFormatVersion ?? 0) === format
}

const INSTANT_TEXT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function instantRule(text: string): FaultName | undefined {
  const time = INSTANT_TEXT.test(text) ? new Date(text) : undefined
  const isSame = time !== undefined && !Number.isNaN(time.getTime()) && time.toISOString() === text
  return isSame ? undefined : 'instant'
}

function isOtherVersion(version: JsonValue | undefined): boolean {
  return isCount(version) && version !== 3 && !Object.is(version, -0)
}
