/**
 * Values that several event types share (format.md §4.1): messages with their sources and content, failures, counts of
 * tokens, streams, request headers.
 */
import { isCount, isJsonObject, type JsonObject } from '../json/json-value.ts'
import { NOT_STARTED, OUTCOME_UNKNOWN } from './closers.ts'
import {
  ALL,
  ANY_OBJECT,
  ANYTHING,
  ARGUMENTS,
  BLOCK,
  BLOCK_TYPE,
  between,
  CONTENT,
  COUNT,
  checkedIf,
  early,
  exactly,
  FLAG,
  from,
  ID,
  list,
  MEASURE,
  measure,
  NAME,
  NONE,
  object,
  objectSince,
  optional,
  orEmpty,
  orNull,
  PATH,
  PIECE,
  POSITIVE,
  type Report,
  type RuleContext,
  SOME_TEXT,
  since,
  TEXT,
  TIME,
  upTo,
  variants,
  WHOLE,
  words,
  wordsAndOthers,
  YES,
} from './kinds.ts'

export const PLACE = { turn: COUNT, step: COUNT }

export const ROUTE = object({ provider: NAME, model: NAME })

export const USAGE = object({
  inputTokens: COUNT,
  outputTokens: COUNT,
  cacheReadTokens: optional(COUNT),
  cacheWriteTokens: optional(COUNT),
  reasoningTokens: optional(COUNT),
  totalTokens: optional(COUNT),
})

export const FAILURE = object({
  message: SOME_TEXT,
  code: wordsAndOthers('UNKNOWN', 'CONTEXT_WINDOW_EXCEEDED', 'IMAGE_OFFLOAD_REQUIRED'),
  status: optional(from(100, 599)),
  providerRetryAfterMs: optional(between(Number.MIN_VALUE)),
  requestId: optional(ID),
  offloadImages: since(3, ANYTHING),
})

export const TOOL_ERROR = object({
  name: wordsAndOthers('ToolOutcomeUnknownError', 'ToolNotStartedError', 'AbortError'),
  code: wordsAndOthers(OUTCOME_UNKNOWN.error.code, NOT_STARTED.error.code, 'ABORTED_BEFORE_DISPATCH'),
  reason: since(3, TEXT),
})

// Content --------------------------------------------------------------------------------------------------------------

const SIZE = { width: measure(POSITIVE), height: measure(POSITIVE) }

const IMAGE = object({
  attachmentId: ID,
  mediaType: words('image/png', 'image/jpeg', 'image/webp', 'image/gif'),
  bytes: measure(COUNT),
  ...SIZE,
  name: optional(orEmpty(NAME)),
  originalDimensions: optional(object(SIZE)),
})

const FILE = object({ attachmentId: ID, name: orEmpty(NAME), bytes: measure(COUNT) })

/** Content blocks by type. Before format 2 others are opaque, and from then on refused by the next migration. */
export const BLOCKS = variants(
  'type',
  {
    text: { text: TEXT },
    reasoning: { text: TEXT },
    image: { attachment: IMAGE, offloaded: since(3, FLAG) },
    file: objectSince(2, { attachment: FILE }),
    'tool-call': { id: ID, name: NAME, arguments: ARGUMENTS },
    'tool-result': { toolCallId: ID, content: CONTENT, isError: optional(FLAG) },
    'tool-addition': objectSince(4, { toolName: NAME, tool: optional(ANYTHING) }),
    'tool-removal': objectSince(4, { toolName: NAME, tool: optional(ANYTHING) }),
  },
  1,
)

// Sources of messages ----------------------------------------------------------------------------------------------

const RELAYED = { form: words('relay'), senderSessionId: ID }

const REFERENCE = object({
  sessionId: ID,
  label: TEXT,
  capturedThroughSeq: orNull(COUNT),
  compacted: FLAG,
  originalMessages: COUNT,
  retainedMessages: COUNT,
  omittedMessages: COUNT,
  omittedBytes: COUNT,
  truncated: FLAG,
  inputIndex: COUNT,
  capturedFormatVersion: since(1, POSITIVE),
})

/** Forms of context that a plugin source may take; without one its source is opaque. */
const FORMS = words('instructions', 'catalog', 'snapshot', 'notice', 'relay', 'recall')
const SECTION = object({ name: NAME, text: TEXT })

/** Message sources by kind. Before format 2 others are opaque; format 4 has more of them, and the list is open there. */
export const SOURCES = variants(
  'kind',
  {
    user: { rpcId: optional(ID), clientTimeZone: optional(NAME) },
    model: { provider: NAME, model: NAME, replayState: optional(ANYTHING) },
    tool: { callId: ID },
    plugin: object(
      {
        plugin: wordsAndOthers(
          ...['compact', '@deepseek-ai/dsh-system-prompt', 'tools-code-mode', 'tools-ptc'],
          'dsh-compaction-basic',
          'dsh-session-title-llm',
        ),
        form: optional(FORMS),
        sections: checkedIf(({ form }) => form === 'snapshot', optional(list(SECTION))),
        summary: checkedIf(({ form }) => form === 'notice', optional(TEXT)),
        compactionId: checkedIf(isCheckpoint, optional(ID)),
        sourceCommandId: checkedIf(isCheckpoint, optional(ID)),
      },
      pluginRule,
    ),
    goal: { goalId: ID, revision: POSITIVE, round: POSITIVE, change: early(ANYTHING) },
    coordinator: RELAYED,
    'subagent-report': RELAYED,
    'agent-message': objectSince(2, RELAYED),
    'subagent-settled': { form: words('notice'), summary: TEXT, senderSessionId: ID },
    'team-message': { teamId: ID, messageId: ID, senderId: ID, senderName: orEmpty(NAME) },
    'session-reference': object(
      { form: words('recall'), version: exactly(1), references: list(REFERENCE, 1) },
      referencesRule,
    ),
    'agent-instructions': {
      form: words('instructions'),
      changes: list(
        object({
          action: words('set', 'replace', 'remove'),
          scope: orEmpty(NAME),
          path: orEmpty(PATH),
          digest: optional(orEmpty(ID)),
        }),
      ),
      baseline: optional(YES),
      baselineIdentity: optional(ID),
    },
    'skill-catalog': {
      form: words('catalog'),
      entries: list(object({ name: NAME, description: TEXT })),
      update: optional(YES),
    },
    'skill-invocation': { form: words('instructions'), name: NAME },
    webhook: {
      provider: NAME,
      source: NAME,
      deliveryId: ID,
      ruleId: ID,
      form: words('notice'),
      summary: TEXT,
    },
  },
  1,
)

/** Kinds that format 4 has beyond those (format.md §4.1, §9.5). */
export const LATER_SOURCES: ReadonlySet<string> = new Set([
  ...['compact-checkpoint', 'compact-basic', 'runtime-context', 'system-prompt', 'ptc-mode'],
  ...['model-selection', 'plan-mode', 'time-context', 'tmux-context', 'user-approval', 'schedule'],
  ...['repeat-tool-reminder', 'tool-cordis', 'cordis-host-runner', 'tool-goal', 'tool-jobs'],
  ...['hooks-codex', 'hooks-claude-code', 'dsh-session-title-llm'],
])

function isCheckpoint({ plugin }: JsonObject): boolean {
  return plugin === 'compact'
}

/** A checkpoint names its compaction; form, sections and summary go together; an absent form is opaque. */
function pluginRule(source: JsonObject, report: Report): void {
  const { plugin, form, sections, summary, compactionId, sourceCommandId } = source
  if (plugin !== 'compact') {
    if (compactionId !== undefined) report('compactionId', 'of-checkpoint')
    if (sourceCommandId !== undefined) report('sourceCommandId', 'of-checkpoint')
  } else if (compactionId === undefined) report('compactionId', 'names-compaction')
  if (form === undefined) return
  if (form === 'snapshot' && sections === undefined) report('sections', 'of-form', 'snapshot')
  if (form !== 'snapshot' && sections !== undefined) report('sections', 'needs-form', 'snapshot')
  if (form === 'notice' && summary === undefined) report('summary', 'of-form', 'notice')
  if (form !== 'notice' && summary !== undefined) report('summary', 'needs-form', 'notice')
}

/** The counts of every reference agree, and each is at the position that it names. */
function referencesRule({ references }: JsonObject, report: Report, { format }: RuleContext): void {
  if (!Array.isArray(references)) return
  const sessions = new Set<unknown>()
  for (const [position, reference] of references.entries()) {
    if (!isJsonObject(reference)) continue
    const at = `references[${position}]`
    const { originalMessages: original, retainedMessages: retained, omittedMessages: omitted } = reference
    if (isCount(original) && isCount(retained) && omitted !== original - retained)
      report(`${at}.omittedMessages`, 'not-retained')
    const isCut = omitted !== 0 || reference.omittedBytes !== 0
    if (reference.truncated !== isCut) report(`${at}.truncated`, 'left-out')
    if (reference.inputIndex !== position) report(`${at}.inputIndex`, 'position')
    if (sessions.has(reference.sessionId)) report(`${at}.sessionId`, 'named-twice')
    sessions.add(reference.sessionId)
    const captured = reference.capturedFormatVersion
    if (isCount(captured) && captured > format) report(`${at}.capturedFormatVersion`, 'later-format')
  }
}

// Messages ---------------------------------------------------------------------------------------------------------

const ROLES: readonly string[] = ['system', 'user', 'assistant', 'tool', 'developer']

export const MESSAGE = object({
  id: ID,
  role: words(...ROLES),
  content: CONTENT,
  source: SOURCES,
  toolCallId: since(4, ID),
  isError: since(4, FLAG),
})

// Streams ----------------------------------------------------------------------------------------------------------

const FINISH = variants(
  'kind',
  {
    stop: {},
    'tool-calls': {},
    'max-tokens': {},
    aborted: { failure: FAILURE },
    error: { failure: FAILURE },
  },
  ALL,
)

export const CHUNK = variants(
  'type',
  {
    'block-start': { index: COUNT, blockType: BLOCK_TYPE },
    'text-delta': { index: COUNT, text: PIECE },
    'reasoning-delta': { index: COUNT, text: PIECE },
    'tool-call-delta': { index: COUNT, id: ID, name: optional(orEmpty(NAME)), argumentsDelta: PIECE },
    'block-end': { index: COUNT, block: BLOCK },
    usage: { usage: USAGE },
    finish: { reason: FINISH, replayState: optional(ANYTHING) },
  },
  NONE,
)

const TEXT_RUN = { index: COUNT, dt: list(WHOLE), texts: list(PIECE, 1) }
const CALL_RUN = {
  index: COUNT,
  dt: list(WHOLE),
  id: ID,
  name: optional(orEmpty(NAME)),
  args: list(PIECE, 1),
}

/** The members that a packed row of deltas adds to the place of its events. */
export const PACKED = {
  'text-chunks': TEXT_RUN,
  'reasoning-chunks': TEXT_RUN,
  'tool-call-chunks': CALL_RUN,
}

/** The records of an embedded stream. */
export const STREAM_RECORDS = variants(
  'type',
  {
    'text-chunks': { time0: TIME, ...TEXT_RUN },
    'reasoning-chunks': { time0: TIME, ...TEXT_RUN },
    'tool-call-chunks': { time0: TIME, ...CALL_RUN },
    chunk: { time: TIME, chunk: CHUNK },
  },
  NONE,
)

// Requests ---------------------------------------------------------------------------------------------------------

const TOOL = object({
  name: NAME,
  description: TEXT,
  parameters: ANY_OBJECT,
  deferLoading: since(4, FLAG),
})

export const REQUEST_HEADER = object(
  {
    config: object({
      provider: NAME,
      model: NAME,
      reasoningEffort: optional(NAME),
      temperature: optional(MEASURE),
      maxTokens: optional(POSITIVE),
      stop: optional(list(TEXT)),
    }),
    adapterDefaults: optional(object({ reasoningEffort: optional(YES), maxTokens: optional(YES) })),
    system: upTo(2, TEXT),
    tools: optional(list(TOOL)),
    messagePrefix: early(ANYTHING),
  },
  ({ config, adapterDefaults }, report) => {
    if (!isJsonObject(config) || !isJsonObject(adapterDefaults)) return
    for (const member of Object.keys(adapterDefaults)) {
      if (!Object.hasOwn(config, member)) report(`adapterDefaults.${member}`, 'in-config')
    }
  },
)
