/**
 * The event types that the readers of each format know, as data (format.md §4.2, §4.3). A type outside the list makes
 * a reader refuse the log, unless the event is marked ignorable.
 *
 * To add a type: add a row with the formats that know it. `since` names the first release where that is not the
 * first of its format.
 */

export interface EventType {
  /** First and last format whose readers know the type. */
  readonly from: number
  readonly to?: number
  /** First release that knows it; older readers of the same format refuse it. */
  readonly since?: string
  /** Produces a model message. */
  readonly surface?: true
  /** Named by the specification, written by no shipped build: every reader refuses it. */
  readonly specificationOnly?: true
}

const ALWAYS: EventType = { from: 0 }
const MESSAGE: EventType = { from: 0, surface: true }
const SINCE_0_1_2: EventType = { from: 0, since: '0.1.2' }

const EVENT_TYPES: Readonly<Record<string, EventType>> = {
  'user/message': MESSAGE,
  'assistant/message': MESSAGE,
  'tool/result': MESSAGE,
  'system/message': { from: 3, surface: true },
  'developer/message': { from: 4, surface: true },
  'context/message': { from: 0, surface: true, specificationOnly: true },

  'turn/start': ALWAYS,
  'turn/end': ALWAYS,
  'step/start': ALWAYS,
  'step/end': ALWAYS,
  'assistant/chunk': { from: 0, to: 1 },
  'assistant/attempt': { from: 2 },
  'tool/call': ALWAYS,
  'request/header': ALWAYS,
  'request/context': ALWAYS,
  'session/end-seed': ALWAYS,
  'todo/write': ALWAYS,

  'agent/inbox/spliced': ALWAYS,
  'agent-preset/selected': ALWAYS,
  'approval/asked': ALWAYS,
  'approval/decided': ALWAYS,
  'approval/policy': ALWAYS,
  'command/done': ALWAYS,
  'command/run': ALWAYS,
  'compaction/end': ALWAYS,
  'compaction/prune': ALWAYS,
  'compaction/start': ALWAYS,
  'compaction/summary': ALWAYS,
  'deliverables/presented': { from: 3, since: '0.1.5-alpha.2' },
  'feedback/message-delete': { from: 2 },
  'feedback/message-put': { from: 2 },
  'feedback/record': ALWAYS,
  'goal/change': ALWAYS,
  'hook/invoked': ALWAYS,
  'hook/result': ALWAYS,
  'image/offload': { from: 3, since: '0.1.5' },
  'llm/retry': ALWAYS,
  'llm/retry-started': ALWAYS,
  'model/selection': SINCE_0_1_2,
  'permission/preset': ALWAYS,
  'plan/mode': ALWAYS,
  'sandbox/mode': ALWAYS,
  'schedule/change': ALWAYS,
  'session-log-deepseek/delivery-accepted': SINCE_0_1_2,
  'session/title': ALWAYS,
  'session/title-llm-request': ALWAYS,
  'subagent/catalog': { from: 3, since: '0.1.5-alpha.2' },
  'subagent/descriptor': ALWAYS,
  'subagent/model-selection-policy': SINCE_0_1_2,
  'team/member': ALWAYS,
  'team/message/delivered': ALWAYS,
  'team/message/queued': ALWAYS,
  'team/task': ALWAYS,
  'tool-workflow/agent-end': ALWAYS,
  'tool-workflow/agent-start': ALWAYS,
  'tool-workflow/run-end': ALWAYS,
  'tool-workflow/run-start': ALWAYS,
  'tool/code-dispatch': { from: 0, to: 2 },
  'tool/code-dispatch-start': { from: 0, to: 2 },
  'tool/ptc-dispatch': { from: 3 },
  'tool/ptc-dispatch-start': { from: 3 },
  'web/deepseek-search-llm-request': ALWAYS,
  'working-directory/change': { from: 4 },
  'workspace/changes': { from: 3, since: '0.1.5' },
}

export function eventType(type: string): EventType | undefined {
  return Object.hasOwn(EVENT_TYPES, type) ? EVENT_TYPES[type] : undefined
}

export function isKnownType(type: string, version: number): boolean {
  const known = eventType(type)
  if (known === undefined || known.specificationOnly === true) return false
  return version >= known.from && version <= (known.to ?? Number.POSITIVE_INFINITY)
}

/** Whether events of this type produce a model message, in whichever formats know it. */
export function isSurfaceEligibleType(type: string): boolean {
  return eventType(type)?.surface === true
}
