/**
 * What DSH writes to close what a crash left open (format.md §6.1, §6.3): the names, texts and ids of the results, which
 * are constants of the format, and how such an event is told from any other.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'

export const OUTCOME_UNKNOWN = {
  error: { name: 'ToolOutcomeUnknownError', code: 'TOOL_OUTCOME_UNKNOWN' },
  text: 'The tool call was interrupted after it was recorded, but no result was durably recorded. Its outcome is unknown. Decide whether to retry from the tool semantics: retry only if the operation is read-only or idempotent; if it may have side effects, first verify external state or ask the user. Do not retry blindly.',
}

/** What is written for a call that never began; readers of format 4 compare it byte for byte. */
export const NOT_STARTED = {
  error: { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' },
  text: 'The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed.',
}

/** Whether a text is one that DSH writes into such a result, and no content of anybody's. */
export function isClosingText(text: string): boolean {
  return text === OUTCOME_UNKNOWN.text || text === NOT_STARTED.text
}

/** Whether the data of a result say that its call never began. */
export function isNotStarted(data: unknown): data is JsonObject & { readonly error: JsonObject } {
  return isJsonObject(data) && isJsonObject(data.error) && data.error.code === NOT_STARTED.error.code
}

const INTERRUPTED = 'interrupted-tool-result-'
const FORKED = 'forked-tool-result-'

export function interruptedResultId(callId: string, seq: number): string {
  return `${INTERRUPTED}${callId}-${seq}`
}

/** Whether a message id is the one of such a result for this call; the seq in it may be that of another log. */
export function isInterruptedResultId(id: JsonValue | undefined, callId: JsonValue | undefined): boolean {
  const prefix = `${INTERRUPTED}${callId}-`
  if (typeof id !== 'string' || !id.startsWith(prefix)) return false
  const seq = id.slice(prefix.length)
  return /^(?:0|[1-9]\d*)$/.test(seq) && Number.isSafeInteger(Number(seq))
}

export function forkedResultId(callId: JsonValue | undefined, seq: JsonValue | undefined): string {
  return `${FORKED}${callId}-${seq}`
}

/** Whether a fork wrote the result for a call that it cut off from its own. */
export function isForkedResultId(id: JsonValue | undefined): boolean {
  return typeof id === 'string' && id.startsWith(FORKED)
}

/** The parts of the id of a closing result: what it is, its call, and a seq. */
export const CLOSING_RESULT_ID: RegExp = new RegExp(`^(${INTERRUPTED}|${FORKED})(\\S*)(-\\d{1,9})$`)

/** Whether an event could have been written by a recovery, or by the resume that followed it. */
export function isCloser(row: JsonObject): boolean {
  if (row.type === 'step/end' || row.type === 'session/end-seed') return true
  return isTurnCloser(row) || isResultCloser(row)
}

/** The end of a turn that a crash interrupted. */
export function isTurnCloser({ type, data }: JsonObject): boolean {
  if (type !== 'turn/end' || !isJsonObject(data) || !isJsonObject(data.reason)) return false
  return data.reason.kind === 'interrupted'
}

/** The result of a call that a crash interrupted. */
function isResultCloser({ type, data }: JsonObject): boolean {
  if (type !== 'tool/result' || !isJsonObject(data)) return false
  const { message, error } = data
  if (isNotStarted(data) || (isJsonObject(error) && error.code === OUTCOME_UNKNOWN.error.code)) return true
  return isJsonObject(message) && typeof message.id === 'string' && message.id.startsWith(INTERRUPTED)
}
