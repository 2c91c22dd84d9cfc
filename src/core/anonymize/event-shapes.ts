/**
 * The allow-list: of every event type the members that the format knows, with what each may hold (format.md §2.2 to
 * §2.4, §4.1 to §4.3, §9.1). A type without a row, and a member that is not in its row, is opaque: names, texts and
 * numbers below it are replaced, and only its shape stays.
 *
 * To add a type: add a row to `DATA`, and to the vocabulary.
 */
import { CONTEXT_FORMS, SOURCE_MEMBERS } from '../compatibility/frozen-members.ts'
import { LATER_SOURCES } from '../compatibility/release-lines.ts'
import { eventType } from '../dialect/vocabulary.ts'
import { isClosingText } from '../repair/closers.ts'
import {
  constants,
  hidden,
  JSON_TEXT,
  list,
  type ObjectShape,
  OPAQUE,
  object,
  PIECE,
  type Shape,
  STRUCTURE,
  TIME,
  words,
} from './shape.ts'

const ID = hidden('ids')
const NAME = hidden('names')
const PATH = hidden('paths')
const TEXT = constants('texts', isClosingText)

/** Types outside the vocabulary that readers tell apart: rows that are no events, and retired ones. */
const OTHER_TYPES: ReadonlySet<string> = new Set([
  ...['session', 'text-chunks', 'reasoning-chunks', 'tool-call-chunks'],
  ...['steering/message', 'request/header-delta', 'mode/set'],
])

const TYPE = constants('event types', (type) => eventType(type) !== undefined || OTHER_TYPES.has(type))

// Values that several types share ------------------------------------------------------------------------------------

const PLACE = { turn: STRUCTURE, step: STRUCTURE }
const FAILURE = object({
  message: TEXT,
  code: words('UNKNOWN', 'CONTEXT_WINDOW_EXCEEDED', 'IMAGE_OFFLOAD_REQUIRED'),
  status: STRUCTURE,
  providerRetryAfterMs: STRUCTURE,
  requestId: ID,
  offloadImages: OPAQUE,
})
const ERROR = object(
  {
    name: words('ToolOutcomeUnknownError', 'ToolNotStartedError', 'AbortError'),
    code: words('TOOL_OUTCOME_UNKNOWN', 'TOOL_NOT_STARTED', 'ABORTED_BEFORE_DISPATCH'),
    reason: TEXT,
    message: TEXT,
  },
  TEXT,
)
const USAGE = object({
  inputTokens: STRUCTURE,
  outputTokens: STRUCTURE,
  cacheReadTokens: STRUCTURE,
  cacheWriteTokens: STRUCTURE,
  reasoningTokens: STRUCTURE,
  totalTokens: STRUCTURE,
})
const FINISH = object({
  kind: words('stop', 'tool-calls', 'max-tokens', 'aborted', 'error'),
  failure: FAILURE,
})
const ROUTE = object({ provider: NAME, model: NAME, reasoningEffort: NAME })

const BLOCK_TYPES = words(
  ...['text', 'reasoning', 'image', 'file', 'tool-call', 'tool-result', 'tool-addition', 'tool-removal'],
)
const ATTACHMENT = object({
  attachmentId: ID,
  mediaType: words('image/png', 'image/jpeg', 'image/webp', 'image/gif'),
  bytes: OPAQUE,
  width: OPAQUE,
  height: OPAQUE,
  name: NAME,
  originalDimensions: object({ width: OPAQUE, height: OPAQUE }),
})

/** All members of all kinds of blocks: which of them a kind has says nothing about what they hold. */
const BLOCK = object({
  type: BLOCK_TYPES,
  text: TEXT,
  attachment: ATTACHMENT,
  offloaded: OPAQUE,
  id: ID,
  name: NAME,
  arguments: JSON_TEXT,
  toolCallId: ID,
  isError: OPAQUE,
  toolName: NAME,
  tool: OPAQUE,
  // Results nest content once; what nests deeper is no content that a harness writes.
  content: list(
    object({ type: BLOCK_TYPES, text: TEXT, attachment: ATTACHMENT, offloaded: OPAQUE, content: OPAQUE }),
  ),
})
const CONTENT = list(BLOCK)

const SOURCE_KINDS: ReadonlySet<string> = new Set([...Object.keys(SOURCE_MEMBERS), ...LATER_SOURCES])
const PLUGINS = words(
  ...['compact', '@deepseek-ai/dsh-system-prompt', 'tools-code-mode', 'tools-ptc', 'dsh-compaction-basic'],
)
/** All members of all kinds of sources. */
const SOURCE = object({
  kind: constants('words', (kind) => SOURCE_KINDS.has(kind)),
  rpcId: ID,
  clientTimeZone: NAME,
  provider: NAME,
  model: NAME,
  replayState: OPAQUE,
  callId: ID,
  plugin: PLUGINS,
  form: constants('words', (form) => CONTEXT_FORMS.has(form)),
  sections: list(object({ name: NAME, text: TEXT })),
  summary: TEXT,
  compactionId: ID,
  sourceCommandId: ID,
  goalId: ID,
  revision: STRUCTURE,
  round: STRUCTURE,
  change: OPAQUE,
  senderSessionId: ID,
  teamId: ID,
  messageId: ID,
  senderId: ID,
  senderName: NAME,
  version: STRUCTURE,
  references: list(
    object({
      sessionId: ID,
      label: TEXT,
      capturedThroughSeq: STRUCTURE,
      compacted: OPAQUE,
      originalMessages: STRUCTURE,
      retainedMessages: STRUCTURE,
      omittedMessages: STRUCTURE,
      omittedBytes: STRUCTURE,
      truncated: OPAQUE,
      inputIndex: STRUCTURE,
      capturedFormatVersion: STRUCTURE,
    }),
  ),
  baseline: OPAQUE,
  baselineIdentity: ID,
  changes: list(object({ action: words('set', 'replace', 'remove'), scope: NAME, path: PATH, digest: ID })),
  update: OPAQUE,
  entries: list(object({ name: NAME, description: TEXT })),
  name: NAME,
  source: NAME,
  deliveryId: ID,
  ruleId: ID,
})

const ROLES = words('system', 'user', 'assistant', 'tool', 'developer')
const MESSAGE_MEMBERS = {
  id: ID,
  role: ROLES,
  content: CONTENT,
  source: SOURCE,
  toolCallId: ID,
  isError: OPAQUE,
}
const MESSAGE = object(MESSAGE_MEMBERS)

const CHUNK = object({
  type: words(
    ...['block-start', 'text-delta', 'reasoning-delta', 'tool-call-delta', 'block-end', 'usage', 'finish'],
  ),
  index: STRUCTURE,
  blockType: BLOCK_TYPES,
  text: PIECE,
  id: ID,
  name: NAME,
  argumentsDelta: PIECE,
  block: BLOCK,
  usage: USAGE,
  reason: FINISH,
  replayState: OPAQUE,
})
const RUN = { index: STRUCTURE, dt: STRUCTURE, id: ID, name: NAME, texts: list(PIECE), args: list(PIECE) }
const STREAM = list(
  object({
    type: words('text-chunks', 'reasoning-chunks', 'tool-call-chunks', 'chunk'),
    time0: TIME,
    time: TIME,
    chunk: CHUNK,
    ...RUN,
  }),
)
const PACKED = object({ ...PLACE, ...RUN })

const RANGE = object({ start: STRUCTURE, end: STRUCTURE })
const SHADOWED = { shadowedRange: RANGE, shadowedSeqs: STRUCTURE, shadowedTokenCount: STRUCTURE }
const DISPATCH = { rootCallId: ID, parentCallId: ID, subCallId: ID, name: NAME, arguments: OPAQUE }
const DISPATCHED = { ...DISPATCH, isError: OPAQUE, content: CONTENT, meta: OPAQUE, error: ERROR }
const BY_DELEGATION = words('delegation')

// Events -------------------------------------------------------------------------------------------------------------

const DATA: Readonly<Record<string, Shape>> = {
  'text-chunks': PACKED,
  'reasoning-chunks': PACKED,
  'tool-call-chunks': PACKED,

  'user/message': MESSAGE,
  'context/message': MESSAGE,
  'steering/message': object({ turn: STRUCTURE, message: MESSAGE, content: CONTENT, source: SOURCE }),
  'assistant/message': object({
    ...PLACE,
    message: MESSAGE,
    usage: USAGE,
    interrupted: OPAQUE,
    stream: STREAM,
    content: CONTENT,
    provenance: ROUTE,
  }),
  'assistant/attempt': object({ ...PLACE, stream: STREAM }),
  'assistant/chunk': object({ ...PLACE, chunk: CHUNK }),
  'system/message': object({ ...PLACE, message: MESSAGE }),
  'developer/message': object({ ...PLACE, message: MESSAGE, headerSeq: STRUCTURE }),
  'tool/call': object({ ...PLACE, callId: ID, name: NAME, arguments: JSON_TEXT }),
  'tool/result': object({
    ...PLACE,
    message: MESSAGE,
    error: ERROR,
    meta: OPAQUE,
    callId: ID,
    content: CONTENT,
    isError: OPAQUE,
  }),
  'turn/start': object({ turn: STRUCTURE, trigger: object({ kind: hidden('words') }) }),
  'turn/end': object({
    turn: STRUCTURE,
    reason: object({
      kind: words(
        ...['completed', 'blocked', 'max-tokens', 'interrupted', 'aborted', 'error', 'forked', 'disposed'],
      ),
      reason: object({ kind: words('user', 'parent', 'disposed', 'legacy', 'hook'), reason: TEXT }),
      error: FAILURE,
      step: STRUCTURE,
      failure: FAILURE,
      message: TEXT,
      code: words('UNKNOWN'),
    }),
  }),
  'step/start': object(PLACE),
  'step/end': object(PLACE),
  'request/header': object({
    header: object({
      config: object({
        provider: NAME,
        model: NAME,
        reasoningEffort: NAME,
        temperature: OPAQUE,
        maxTokens: STRUCTURE,
        stop: OPAQUE,
      }),
      adapterDefaults: object({ reasoningEffort: OPAQUE, maxTokens: OPAQUE }),
      system: TEXT,
      tools: list(object({ name: NAME, description: TEXT, parameters: OPAQUE, deferLoading: OPAQUE })),
    }),
    reason: words('initial', 'resume', 'change', 'series', 'fallback'),
    startsSeries: OPAQUE,
  }),
  'request/context': object({
    provider: NAME,
    model: NAME,
    contextWindow: STRUCTURE,
    systemPromptUpdate: words('in-history'),
  }),
  'session/end-seed': object({ inherited: OPAQUE }),
  'todo/write': object({
    todos: list(object({ content: TEXT, status: words('pending', 'in_progress', 'completed') })),
  }),

  'agent/inbox/spliced': object({
    target: words('next-turn', 'next-step'),
    start: STRUCTURE,
    removedCount: STRUCTURE,
    inserted: list(MESSAGE),
    outcome: words('canceled'),
  }),
  'agent-preset/selected': object({ agentPreset: NAME }),
  'approval/asked': object({ id: ID, toolName: NAME, callId: ID, reason: TEXT }),
  'approval/decided': object({
    id: ID,
    outcome: words('allowed-once', 'rejected', 'cancelled', 'unavailable'),
  }),
  'approval/policy': object({ policy: words('ask', 'never'), source: BY_DELEGATION }),
  'sandbox/mode': object({
    mode: words('read-only', 'workspace-write', 'danger-full-access'),
    source: BY_DELEGATION,
  }),
  'permission/preset': object({ preset: NAME }),
  'plan/mode': object({ active: OPAQUE }),
  'command/run': object({ commandId: ID, name: NAME, args: TEXT, source: object({ kind: words('user') }) }),
  'command/done': object({
    commandId: ID,
    kind: words('success', 'error'),
    text: TEXT,
    sourceEventSeq: STRUCTURE,
  }),
  'compaction/start': object({ compactionId: ID, sourceCommandId: ID, turn: STRUCTURE }),
  'compaction/summary': object({
    compactionId: ID,
    sourceCommandId: ID,
    summary: CONTENT,
    ...SHADOWED,
    provider: NAME,
    model: NAME,
    maxTokens: STRUCTURE,
    usage: USAGE,
    rawOutput: CONTENT,
    llmStreamCall: OPAQUE,
  }),
  'compaction/prune': object(SHADOWED),
  'compaction/end': object({ compactionId: ID, sourceCommandId: ID, turn: STRUCTURE, error: ERROR }),
  'deliverables/presented': object({
    turn: STRUCTURE,
    callId: ID,
    files: list(object({ path: PATH, description: TEXT })),
  }),
  'feedback/record': object({ text: TEXT, category: NAME }),
  'feedback/message-put': object({
    sessionId: ID,
    item: object({
      messageId: ID,
      rating: words('positive', 'negative'),
      note: TEXT,
      category: NAME,
      version: STRUCTURE,
      createdAt: TIME,
      updatedAt: TIME,
    }),
  }),
  'feedback/message-delete': object({ sessionId: ID, messageId: ID }),
  'goal/change': object({
    kind: words('goal/change'),
    version: STRUCTURE,
    operation: words('create', 'edit', 'pause', 'resume', 'complete', 'block', 'clear'),
    goal: object({
      id: ID,
      revision: STRUCTURE,
      objective: TEXT,
      phase: words('active', 'paused', 'blocked', 'complete'),
      blockedReason: object({ code: NAME, message: TEXT }),
      maxGoalRounds: STRUCTURE,
    }),
    roundsStarted: STRUCTURE,
    createdAt: TIME,
    updatedAt: TIME,
    cleared: object({ id: ID, revision: STRUCTURE }),
    clearedAt: TIME,
  }),
  'hook/invoked': object({
    turn: STRUCTURE,
    point: NAME,
    dialect: words('claude-code', 'codex'),
    matcher: TEXT,
    handlerId: ID,
  }),
  'hook/result': object({
    turn: STRUCTURE,
    point: NAME,
    handlerId: ID,
    decision: NAME,
    exitCode: STRUCTURE,
    stderrSummary: TEXT,
    durationMs: STRUCTURE,
  }),
  'image/offload': object({ targets: list(object({ seq: STRUCTURE, imageIndexes: STRUCTURE })) }),
  'llm/retry': object({
    retryId: ID,
    ...PLACE,
    provider: NAME,
    mode: words('normal', 'always'),
    policyKey: NAME,
    retry: STRUCTURE,
    maxRetries: STRUCTURE,
    delayMs: STRUCTURE,
    failure: FAILURE,
  }),
  'llm/retry-started': object({ retryId: ID, ...PLACE, retry: STRUCTURE }),
  'model/selection': ROUTE,
  'schedule/change': object({
    version: STRUCTURE,
    operation: words('create', 'delete', 'dispatch'),
    id: ID,
    schedule: object({
      id: ID,
      kind: words('after', 'at', 'every'),
      prompt: TEXT,
      afterSeconds: STRUCTURE,
      everySeconds: STRUCTURE,
      scheduledAt: TIME,
    }),
    acceptedAt: TIME,
  }),
  'session-log-deepseek/delivery-accepted': object({
    sessionId: ID,
    sessionFormatVersion: STRUCTURE,
    throughSeq: STRUCTURE,
  }),
  'session/title': object({
    title: TEXT,
    messageSeqs: STRUCTURE,
    source: object({ kind: words('fallback', 'provider', 'user'), provider: NAME, model: ROUTE }),
  }),
  'session/title-llm-request': object({
    titleProvider: NAME,
    messageSeqs: STRUCTURE,
    route: ROUTE,
    system: TEXT,
    messages: list(MESSAGE),
    maxTokens: STRUCTURE,
    reasoningEffort: NAME,
  }),
  'subagent/catalog': object({
    version: STRUCTURE,
    childId: ID,
    childCreatedAt: TIME,
    mode: words('one-shot', 'continuable', 'unknown', 'external'),
    label: TEXT,
  }),
  'subagent/descriptor': object({
    version: STRUCTURE,
    mode: words('one-shot', 'continuable'),
    provider: NAME,
    label: TEXT,
    agentProvider: NAME,
    agentModel: NAME,
    agentReasoningEffort: NAME,
    persona: TEXT,
    toolFilter: object({ allow: list(NAME), deny: list(NAME) }),
  }),
  'subagent/model-selection-policy': object({ allowedModels: list(ROUTE) }),
  'team/member': object({
    version: STRUCTURE,
    teamId: ID,
    member: object({
      id: ID,
      name: NAME,
      description: TEXT,
      provider: NAME,
      context: words('fresh', 'fork'),
      phase: words('provisioning', 'active', 'failed'),
      error: ERROR,
    }),
  }),
  'team/task': object({
    version: STRUCTURE,
    teamId: ID,
    task: object({
      id: ID,
      revision: STRUCTURE,
      subject: TEXT,
      description: TEXT,
      status: words('pending', 'in_progress', 'completed', 'deleted'),
      ownerId: ID,
      blockedBy: list(ID),
      writeScopes: list(PATH),
    }),
  }),
  'team/message/queued': object({
    version: STRUCTURE,
    teamId: ID,
    message: object({
      ...MESSAGE_MEMBERS,
      senderId: ID,
      senderName: NAME,
      targetId: ID,
      delivery: words('quiet', 'wakeup'),
    }),
  }),
  'team/message/delivered': object({ version: STRUCTURE, teamId: ID, messageId: ID, targetId: ID }),
  'tool-workflow/run-start': object({ runId: ID, name: NAME }),
  'tool-workflow/agent-start': object({
    runId: ID,
    seq: STRUCTURE,
    label: TEXT,
    phase: NAME,
    childId: ID,
  }),
  'tool-workflow/agent-end': object({
    runId: ID,
    seq: STRUCTURE,
    outcome: words('completed', 'failed', 'cancelled'),
  }),
  'tool-workflow/run-end': object({ runId: ID, stopReason: words('completed', 'cancelled', 'error') }),
  'tool/code-dispatch-start': object(DISPATCH),
  'tool/code-dispatch': object(DISPATCHED),
  'tool/ptc-dispatch-start': object(DISPATCH),
  'tool/ptc-dispatch': object(DISPATCHED),
  'web/deepseek-search-llm-request': object({
    endpoint: PATH,
    apiVersion: NAME,
    body: object({ model: NAME, max_tokens: STRUCTURE, messages: OPAQUE, tools: OPAQUE }),
  }),
  'working-directory/change': object({ cwd: PATH }),
  'workspace/changes': object({ turn: STRUCTURE }),
}

const SURFACE_OP = object(
  { op: words('replace'), start: STRUCTURE, end: STRUCTURE, startSeq: STRUCTURE, endSeq: STRUCTURE },
  words('append'),
)

const ENVELOPE = {
  type: TYPE,
  seq: STRUCTURE,
  seq0: STRUCTURE,
  time: TIME,
  time0: TIME,
  surfaceOp: SURFACE_OP,
  sourceEventSeqs: STRUCTURE,
  ignorable: OPAQUE,
}

export const HEADER_SHAPE: ObjectShape = object({
  type: TYPE,
  version: STRUCTURE,
  id: ID,
  createdAt: TIME,
  delegationDepth: STRUCTURE,
  cwd: PATH,
  parentSession: ID,
  seedLength: STRUCTURE,
  isSeeded: OPAQUE,
  origin: words('subagent'),
  agentPreset: NAME,
  // Retired, and still told apart.
  sandboxMode: hidden('words'),
  approvalPolicy: hidden('words'),
})

const rows = new Map<string | undefined, ObjectShape>()

/** The shape of a row with events of this type. */
export function rowShape(type: string | undefined): ObjectShape {
  const known = type !== undefined && Object.hasOwn(DATA, type) ? type : undefined
  const made =
    rows.get(known) ?? object({ ...ENVELOPE, data: known === undefined ? OPAQUE : (DATA[known] as Shape) })
  rows.set(known, made)
  return made
}

/** Event types whose data have a row here. */
export const SHAPED_TYPES: readonly string[] = Object.keys(DATA)
