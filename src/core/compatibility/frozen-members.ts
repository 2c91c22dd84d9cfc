/**
 * The members that migrations allow, as data (format.md §4.1 to §4.3, §9.2, §9.4): of the payload of every event type,
 * of messages, of message sources and of content blocks. The native readers take any other member along; the
 * migrations from format 0 and from format 2 refuse the whole log because of one.
 *
 * To add a type: add a row. A type without a row is opaque, and none of its members is judged.
 */
type Members = Readonly<Record<string, readonly string[]>>

const PLACE = ['turn', 'step']
const DISPATCH = ['rootCallId', 'parentCallId', 'subCallId', 'name', 'arguments']
const SHADOWED = ['shadowedRange', 'shadowedSeqs', 'shadowedTokenCount']

/** Payloads of formats 0 and 1. */
export const PAYLOAD_MEMBERS: Members = {
  'agent-preset/selected': ['agentPreset'],
  'agent/inbox/spliced': ['target', 'start', 'inserted', 'removedCount', 'outcome'],
  'approval/asked': ['id', 'toolName', 'callId', 'reason'],
  'approval/decided': ['id', 'outcome'],
  'approval/policy': ['policy', 'source'],
  'assistant/chunk': [...PLACE, 'chunk'],
  'assistant/message': [...PLACE, 'message', 'usage', 'interrupted'],
  'command/done': ['commandId', 'kind', 'text', 'sourceEventSeq'],
  'command/run': ['commandId', 'name', 'args', 'source'],
  'compaction/end': ['compactionId', 'sourceCommandId', 'turn', 'error'],
  'compaction/prune': SHADOWED,
  'compaction/start': ['compactionId', 'sourceCommandId', 'turn'],
  'compaction/summary': [
    ...['compactionId', 'sourceCommandId', 'summary', ...SHADOWED, 'provider', 'model', 'maxTokens'],
    ...['usage', 'rawOutput', 'llmStreamCall'],
  ],
  'feedback/record': ['text'],
  'goal/change': [
    ...['kind', 'version', 'operation', 'goal', 'roundsStarted', 'createdAt', 'updatedAt'],
    ...['cleared', 'clearedAt'],
  ],
  'hook/invoked': ['turn', 'point', 'dialect', 'matcher', 'handlerId'],
  'hook/result': ['turn', 'point', 'handlerId', 'decision', 'exitCode', 'stderrSummary', 'durationMs'],
  'llm/retry': [
    ...['retryId', ...PLACE, 'provider', 'mode', 'policyKey', 'retry', 'maxRetries', 'delayMs', 'failure'],
  ],
  'llm/retry-started': ['retryId', ...PLACE, 'retry'],
  'model/selection': ['provider', 'model', 'reasoningEffort'],
  'permission/preset': ['preset'],
  'plan/mode': ['active'],
  'request/context': ['provider', 'model', 'contextWindow'],
  'request/header': ['header', 'reason', 'startsSeries'],
  'sandbox/mode': ['mode', 'source'],
  'session-log-deepseek/delivery-accepted': ['sessionId', 'throughSeq', 'sessionFormatVersion'],
  'session/end-seed': [],
  'session/title': ['title', 'messageSeqs', 'source'],
  'session/title-llm-request': ['titleProvider', 'messageSeqs', 'route', 'system', 'messages', 'maxTokens'],
  'step/end': PLACE,
  'step/start': PLACE,
  'subagent/descriptor': [
    ...['version', 'mode', 'provider', 'label', 'agentProvider', 'agentModel', 'agentReasoningEffort'],
    ...['persona', 'toolFilter'],
  ],
  'subagent/model-selection-policy': ['allowedModels'],
  'team/member': ['version', 'teamId', 'member'],
  'team/message/delivered': ['version', 'teamId', 'messageId', 'targetId'],
  'team/message/queued': ['version', 'teamId', 'message'],
  'team/task': ['version', 'teamId', 'task'],
  'todo/write': ['todos'],
  'tool-workflow/agent-end': ['runId', 'seq', 'outcome'],
  'tool-workflow/agent-start': ['runId', 'seq', 'label', 'phase', 'childId'],
  'tool-workflow/run-end': ['runId', 'stopReason'],
  'tool-workflow/run-start': ['runId', 'name'],
  'tool/call': [...PLACE, 'callId', 'name', 'arguments'],
  'tool/code-dispatch': [...DISPATCH, 'isError', 'content'],
  'tool/code-dispatch-start': DISPATCH,
  'tool/result': [...PLACE, 'message', 'error', 'meta'],
  'turn/end': ['turn', 'reason'],
  'turn/start': ['turn'],
  'user/message': ['id', 'role', 'content', 'source'],
  'web/deepseek-search-llm-request': ['endpoint', 'apiVersion', 'body'],
}

/** What formats 2 to 4 allow beyond that. */
export const LATER_PAYLOAD_MEMBERS: Members = {
  'assistant/attempt': [...PLACE, 'stream'],
  'assistant/message': ['stream'],
  'deliverables/presented': ['turn', 'callId', 'files'],
  'developer/message': [...PLACE, 'message', 'headerSeq'],
  'feedback/message-delete': ['sessionId', 'messageId'],
  'feedback/message-put': ['sessionId', 'item'],
  'feedback/record': ['category'],
  'image/offload': ['targets'],
  'request/context': ['systemPromptUpdate'],
  'session/end-seed': ['inherited'],
  'session/title-llm-request': ['reasoningEffort'],
  'subagent/catalog': ['version', 'childId', 'childCreatedAt', 'mode', 'label'],
  'system/message': [...PLACE, 'message'],
  'tool/ptc-dispatch': [...DISPATCH, 'isError', 'content', 'meta', 'error'],
  'tool/ptc-dispatch-start': DISPATCH,
  'working-directory/change': ['cwd'],
  'workspace/changes': ['turn'],
}

export const MESSAGE_MEMBERS: readonly string[] = ['id', 'role', 'content', 'source']
/** Tool messages of format 4. */
export const LATER_MESSAGE_MEMBERS: readonly string[] = ['toolCallId', 'isError']

/**
 * Members of the sources that a harness of formats 0 to 3 writes. The migration from format 2 to 3 refuses the log
 * because of any other source (format.md §9.4).
 */
export const SOURCE_MEMBERS: Members = {
  user: ['rpcId', 'clientTimeZone'],
  plugin: ['plugin', 'form', 'sections', 'summary'],
  model: ['provider', 'model', 'replayState'],
  tool: ['callId'],
  goal: ['goalId', 'revision', 'round'],
  coordinator: ['form', 'senderSessionId'],
  'subagent-report': ['form', 'senderSessionId'],
  'subagent-settled': ['form', 'summary', 'senderSessionId'],
  'agent-message': ['form', 'senderSessionId'],
  'team-message': ['teamId', 'messageId', 'senderId', 'senderName'],
  'session-reference': ['form', 'version', 'references'],
  'agent-instructions': ['form', 'changes', 'baseline', 'baselineIdentity'],
  'skill-catalog': ['form', 'update', 'entries'],
  'skill-invocation': ['form', 'name'],
  webhook: ['provider', 'source', 'deliveryId', 'ruleId', 'form', 'summary'],
}

/** What the checkpoint of a compaction says beyond that. */
export const CHECKPOINT_MEMBERS: readonly string[] = ['compactionId', 'sourceCommandId']

/** Forms of context that a plugin source may take. */
export const CONTEXT_FORMS: ReadonlySet<string> = new Set([
  'instructions',
  'catalog',
  'snapshot',
  'notice',
  'relay',
  'recall',
])

/** Content blocks that the migration from format 2 to 3 knows; any other refuses the log. */
export const BLOCK_MEMBERS: Members = {
  text: ['text'],
  reasoning: ['text'],
  image: ['attachment', 'offloaded'],
  file: ['attachment'],
  'tool-call': ['id', 'name', 'arguments'],
  'tool-result': ['toolCallId', 'content', 'isError'],
}
