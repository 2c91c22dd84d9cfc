/**
 * The event vocabulary of format 0 as data (format.md §4.2, §4.3): what each type is for the surface, and the first
 * release that knows it. A type that is not here is unknown to the shipped readers of format 0.
 *
 * To add a type: add a row. `surface` marks the types that produce one model message each.
 */

export interface EventType {
  readonly surface: boolean
  /** First release whose reader accepts the type; absent means every release of format 0. */
  readonly since?: string
  /** Named by the specification, written by no shipped build: its readers refuse the type. */
  readonly specificationOnly?: true
}

const logOnly: EventType = { surface: false }
const surface: EventType = { surface: true }
const since012: EventType = { surface: false, since: '0.1.2' }

export const EVENT_TYPES: Readonly<Record<string, EventType>> = {
  'user/message': surface,
  'assistant/message': surface,
  'tool/result': surface,
  'context/message': { surface: true, specificationOnly: true },

  'turn/start': logOnly,
  'turn/end': logOnly,
  'step/start': logOnly,
  'step/end': logOnly,
  'assistant/chunk': logOnly,
  'tool/call': logOnly,
  'request/header': logOnly,
  'request/context': logOnly,
  'session/end-seed': logOnly,
  'todo/write': logOnly,

  'agent/inbox/spliced': logOnly,
  'agent-preset/selected': logOnly,
  'approval/asked': logOnly,
  'approval/decided': logOnly,
  'approval/policy': logOnly,
  'command/done': logOnly,
  'command/run': logOnly,
  'compaction/end': logOnly,
  'compaction/prune': logOnly,
  'compaction/start': logOnly,
  'compaction/summary': logOnly,
  'feedback/record': logOnly,
  'goal/change': logOnly,
  'hook/invoked': logOnly,
  'hook/result': logOnly,
  'llm/retry': logOnly,
  'llm/retry-started': logOnly,
  'permission/preset': logOnly,
  'plan/mode': logOnly,
  'sandbox/mode': logOnly,
  'schedule/change': logOnly,
  'session/title': logOnly,
  'session/title-llm-request': logOnly,
  'subagent/descriptor': logOnly,
  'team/member': logOnly,
  'team/message/delivered': logOnly,
  'team/message/queued': logOnly,
  'team/task': logOnly,
  'tool/code-dispatch': logOnly,
  'tool/code-dispatch-start': logOnly,
  'tool-workflow/agent-end': logOnly,
  'tool-workflow/agent-start': logOnly,
  'tool-workflow/run-end': logOnly,
  'tool-workflow/run-start': logOnly,
  'web/deepseek-search-llm-request': logOnly,

  'model/selection': since012,
  'subagent/model-selection-policy': since012,
  'session-log-deepseek/delivery-accepted': since012,
}

export function eventType(type: string): EventType | undefined {
  return Object.hasOwn(EVENT_TYPES, type) ? EVENT_TYPES[type] : undefined
}

/** Whether events of this type produce a model message and so must carry a surface marker. */
export function isSurfaceEligibleType(type: string): boolean {
  return eventType(type)?.surface === true
}
