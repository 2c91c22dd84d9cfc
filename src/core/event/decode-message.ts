/** Shape checks of the events that carry a message or a request header, as the shipped loader runs them (§4.4). */
import { type Dialect, dialectOf } from '../dialect/dialect.ts'
import { type Finding, findingOf } from '../findings/finding.ts'
import type { Origin } from '../findings/origin.ts'
import type { EvidenceOf, FindingCode } from '../findings/rules.ts'
import { isCount, isJsonObject, isName, type JsonObject, type JsonValue, wordOf } from '../json/json-value.ts'
import { streamDisagreement, streamFault } from './embedded-stream.ts'
import { messageOf, type SessionEvent } from './session-event.ts'

/** Makes the finding for the event that is looked at. */
type Broken = <Code extends FindingCode>(code: Code, args: EvidenceOf<Code>) => Finding

/** The first rule of §4.4 that the event breaks, as a finding; `undefined` for a sound event. */
export function messageFinding(
  event: SessionEvent,
  origin: Origin,
  dialect: Dialect = dialectOf(0),
): Finding | undefined {
  const { version } = dialect
  const broken: Broken = (code, args) => findingOf(code, args, { origin, seq: event.seq })
  switch (event.type) {
    case 'request/header': {
      const fault = requestFault(event.data, version)
      return fault === undefined ? undefined : broken('message/request-invalid', { fault })
    }
    case 'assistant/attempt':
      return version >= 2 ? settlementFinding(event, version, broken) : undefined
    case 'assistant/message':
      return (
        messageFault(event.type, messageOf(event), dialect, broken) ??
        (version >= 2 ? settlementFinding(event, version, broken) : undefined)
      )
    case 'system/message':
    case 'developer/message':
      return dialect.knows(event.type)
        ? messageFault(event.type, messageOf(event), dialect, broken)
        : undefined
    case 'user/message':
    case 'tool/result':
      return messageFault(event.type, messageOf(event), dialect, broken)
    default:
      return undefined
  }
}

/**
 * What makes the closing pass of DSH fail: it reads members of these events without looking whether they are there
 * (seen by running 0.1.0-rc.8). A session in memory accepts them, a stored log does not open.
 */
export function closingHazard(event: SessionEvent, origin: Origin): Finding | undefined {
  const { type, data, seq } = event
  const hazard = (args: EvidenceOf<'envelope/invalid'>): Finding => ({
    code: 'envelope/invalid',
    origin,
    seq,
    args,
  })
  if (data === null && CLOSING_TYPES.has(type)) return hazard({ fault: 'null-data', type })
  if (type !== 'assistant/message') return undefined
  const content = messageOf(event)?.content
  return Array.isArray(content) && content.includes(null) ? hazard({ fault: 'null-block' }) : undefined
}

const CLOSING_TYPES = new Set(['turn/start', 'step/start', 'tool/call'])

function messageFault(
  type: string,
  message: JsonObject | undefined,
  { version, toolRole }: Dialect,
  broken: Broken,
): Finding | undefined {
  if (message === undefined || !isName(message.id)) return broken('message/id-missing', { type })
  const role = roleOf(type, toolRole)
  if (message.role !== role) return broken('message/role-wrong', { type, role, got: message.role ?? null })
  const { source, content } = message
  if (!isJsonObject(source) || !isName(source.kind)) {
    return broken('message/source-invalid', { type, needs: 'kind' })
  }
  if (!Array.isArray(content)) return broken('message/content-invalid', { type, needs: 'list' })
  if (type === 'assistant/message') {
    if (source.kind === 'model' && namesModel(source)) return undefined
    return broken('message/source-invalid', { type, needs: 'model' })
  }
  if (type === 'system/message') {
    const kind = version === 3 ? 'plugin' : 'system-prompt'
    return source.kind === kind ? undefined : broken('message/source-invalid', { type, needs: kind })
  }
  if (type !== 'tool/result') return undefined
  if (source.kind !== 'tool' || !isName(source.callId)) {
    return broken('message/source-invalid', { type, needs: 'tool' })
  }
  if (toolRole) {
    if (message.toolCallId === source.callId) return undefined
    return broken('message/call-id-mismatch', { block: message.toolCallId ?? null, source: source.callId })
  }
  const [block] = content
  if (
    content.length !== 1 ||
    !isJsonObject(block) ||
    block.type !== 'tool-result' ||
    !Array.isArray(block.content)
  ) {
    return broken('message/content-invalid', { type, needs: 'result' })
  }
  if (block.toolCallId === source.callId) return undefined
  return broken('message/call-id-mismatch', { block: block.toolCallId ?? null, source: source.callId })
}

function roleOf(type: string, toolRole: boolean): string {
  if (type === 'assistant/message') return 'assistant'
  if (type === 'system/message') return 'system'
  if (type === 'developer/message') return 'developer'
  return type === 'tool/result' && toolRole ? 'tool' : 'user'
}

const REASONS = ['initial', 'resume', 'change', 'series', 'fallback']

/** From format 2 on an answer embeds the stream it came from; format 2 looks into it (§11 C10). */
function settlementFinding(event: SessionEvent, version: number, broken: Broken): Finding | undefined {
  const { type, data } = event
  const { turn, step, stream } = isJsonObject(data) ? data : {}
  const fault = (
    found: EvidenceOf<'message/settlement-invalid'>['fault'] | undefined,
    more: Pick<EvidenceOf<'message/settlement-invalid'>, 'part' | 'record'> = {},
  ): Finding | undefined =>
    found === undefined ? undefined : broken('message/settlement-invalid', { type, fault: found, ...more })
  if (version >= 3 && !(isCount(turn) && isCount(step))) return fault('numbers')
  if (!Array.isArray(stream)) return fault('no-stream')
  if (version !== 2) return undefined
  const record = streamFault(stream)
  if (record !== undefined) return fault(record.fault, record)
  return type === 'assistant/message' && isJsonObject(data)
    ? fault(streamDisagreement(stream, data))
    : undefined
}

function requestFault(
  data: JsonValue,
  version: number,
): EvidenceOf<'message/request-invalid'>['fault'] | undefined {
  const header = isJsonObject(data) ? data.header : undefined
  const config = isJsonObject(header) ? header.config : undefined
  if (!isJsonObject(header) || !isJsonObject(config) || !namesModel(config)) return 'model'
  const { reasoningEffort } = config
  if (reasoningEffort !== undefined && !isName(reasoningEffort)) return 'effort'
  if (version >= 2 && isJsonObject(data)) {
    if (!REASONS.includes(wordOf(data.reason))) return 'reason'
    if (data.startsSeries !== undefined && data.startsSeries !== true) return 'series'
  }
  const { adapterDefaults, tools } = header
  if (version >= 4 && Array.isArray(tools) && tools.length === 0) return 'empty-tools'
  if (version >= 4 && isJsonObject(adapterDefaults) && Object.keys(adapterDefaults).length === 0) {
    return 'empty-defaults'
  }
  if (adapterDefaults === undefined) return undefined
  if (!isJsonObject(adapterDefaults)) return 'no-defaults'
  for (const [key, marker] of Object.entries(adapterDefaults)) {
    const known = key === 'reasoningEffort' || key === 'maxTokens'
    if (!known || marker !== true || config[key] === undefined) return 'defaults'
  }
  return undefined
}

function namesModel(object: JsonObject): boolean {
  return isName(object.provider) && isName(object.model)
}
