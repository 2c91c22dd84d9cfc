/** Shape checks of the events that carry a message or a request header, as the shipped loader runs them (§4.4). */
import type { Finding } from '../findings/finding.ts'
import type { FindingCode } from '../findings/rules.ts'
import { isJsonObject, isName, type JsonObject, type JsonValue } from './json-value.ts'
import type { Origin } from './origin.ts'
import { messageOf, type SessionEvent } from './session-event.ts'

/** The first rule of §4.4 that the event breaks, as a finding; `undefined` for a sound event. */
export function messageFinding(event: SessionEvent, origin: Origin): Finding | undefined {
  const broken = (code: FindingCode, args: JsonObject): Finding => ({ code, origin, seq: event.seq, args })
  switch (event.type) {
    case 'request/header': {
      const problem = requestProblem(event.data)
      return problem === undefined ? undefined : broken('message/request-invalid', { problem })
    }
    case 'user/message':
    case 'assistant/message':
    case 'tool/result':
      return judgeMessage(event.type, messageOf(event), broken)
    default:
      return undefined
  }
}

function judgeMessage(
  type: string,
  message: JsonObject | undefined,
  broken: (code: FindingCode, args: JsonObject) => Finding,
): Finding | undefined {
  if (message === undefined || !isName(message.id)) return broken('message/id-missing', { type })
  const role = type === 'assistant/message' ? 'assistant' : 'user'
  if (message.role !== role) return broken('message/role-wrong', { type, role, got: message.role ?? null })
  const { source, content } = message
  if (!isJsonObject(source) || !isName(source.kind)) {
    return broken('message/source-invalid', { type, needs: 'with a kind' })
  }
  if (!Array.isArray(content)) return broken('message/content-invalid', { type, needs: 'a list as content' })
  if (type === 'assistant/message') {
    if (source.kind === 'model' && namesModel(source)) return undefined
    return broken('message/source-invalid', { type, needs: 'of kind model with provider and model' })
  }
  if (type !== 'tool/result') return undefined
  if (source.kind !== 'tool' || !isName(source.callId)) {
    return broken('message/source-invalid', { type, needs: 'of kind tool with a callId' })
  }
  const [block] = content
  if (
    content.length !== 1 ||
    !isJsonObject(block) ||
    block.type !== 'tool-result' ||
    !Array.isArray(block.content)
  ) {
    return broken('message/content-invalid', { type, needs: 'exactly one tool-result block' })
  }
  if (block.toolCallId === source.callId) return undefined
  return broken('message/call-id-mismatch', { block: block.toolCallId ?? null, source: source.callId })
}

function requestProblem(data: JsonValue): string | undefined {
  const header = isJsonObject(data) ? data.header : undefined
  const config = isJsonObject(header) ? header.config : undefined
  if (!isJsonObject(header) || !isJsonObject(config) || !namesModel(config)) return 'lacks provider and model'
  const { reasoningEffort } = config
  if (reasoningEffort !== undefined && !isName(reasoningEffort)) return 'has an empty or odd reasoningEffort'
  const { adapterDefaults } = header
  if (adapterDefaults === undefined) return undefined
  if (!isJsonObject(adapterDefaults)) return 'has adapterDefaults that are no object'
  for (const [key, marker] of Object.entries(adapterDefaults)) {
    const known = key === 'reasoningEffort' || key === 'maxTokens'
    if (!known || marker !== true || config[key] === undefined) return 'has invalid adapterDefaults'
  }
  return undefined
}

function namesModel(object: JsonObject): boolean {
  return isName(object.provider) && isName(object.model)
}
