/** Shape checks of the events that carry a message or a request header, as the shipped loader runs them (§4.4). */
import { type Dialect, dialectOf } from '../dialect/dialect.ts'
import { type Finding, findingOf } from '../findings/finding.ts'
import type { Origin } from '../findings/origin.ts'
import type { EvidenceOf, FindingCode } from '../findings/rules.ts'
import { isCount, isJsonObject, isName, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { streamDisagreement, streamProblem } from './embedded-stream.ts'
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
      const problem = requestProblem(event.data, version)
      return problem === undefined ? undefined : broken('message/request-invalid', { problem })
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
  const hazard = (problem: string): Finding => ({ code: 'envelope/invalid', origin, seq, args: { problem } })
  if (data === null && CLOSING_TYPES.has(type)) return hazard(`the data of a ${type} is null`)
  if (type !== 'assistant/message') return undefined
  const content = messageOf(event)?.content
  return Array.isArray(content) && content.includes(null) ? hazard('a content block is null') : undefined
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
    return broken('message/source-invalid', { type, needs: 'with a kind' })
  }
  if (!Array.isArray(content)) return broken('message/content-invalid', { type, needs: 'a list as content' })
  if (type === 'assistant/message') {
    if (source.kind === 'model' && namesModel(source)) return undefined
    return broken('message/source-invalid', { type, needs: 'of kind model with provider and model' })
  }
  if (type === 'system/message') {
    const kind = version === 3 ? 'plugin' : 'system-prompt'
    return source.kind === kind
      ? undefined
      : broken('message/source-invalid', { type, needs: `of kind ${kind}` })
  }
  if (type !== 'tool/result') return undefined
  if (source.kind !== 'tool' || !isName(source.callId)) {
    return broken('message/source-invalid', { type, needs: 'of kind tool with a callId' })
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
    return broken('message/content-invalid', { type, needs: 'exactly one tool-result block' })
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
  const problem =
    version >= 3 && !(isCount(turn) && isCount(step))
      ? 'turn and step must be whole numbers'
      : !Array.isArray(stream)
        ? 'it has no stream'
        : version === 2
          ? (streamProblem(stream) ?? disagreementText(stream, data, type))
          : undefined
  return problem === undefined ? undefined : broken('message/settlement-invalid', { type, problem })
}

function disagreementText(stream: readonly JsonValue[], data: JsonValue, type: string): string | undefined {
  if (type !== 'assistant/message' || !isJsonObject(data)) return undefined
  const what = streamDisagreement(stream, data)
  return what === undefined ? undefined : `its ${what} disagrees with its embedded stream`
}

function requestProblem(data: JsonValue, version: number): string | undefined {
  const header = isJsonObject(data) ? data.header : undefined
  const config = isJsonObject(header) ? header.config : undefined
  if (!isJsonObject(header) || !isJsonObject(config) || !namesModel(config)) return 'lacks provider and model'
  const { reasoningEffort } = config
  if (reasoningEffort !== undefined && !isName(reasoningEffort)) return 'has an empty or odd reasoningEffort'
  if (version >= 2 && isJsonObject(data)) {
    if (!REASONS.includes(String(data.reason))) return 'has an invalid reason'
    if (data.startsSeries !== undefined && data.startsSeries !== true)
      return 'has an invalid startsSeries marker'
  }
  const { adapterDefaults, tools } = header
  if (version >= 4 && Array.isArray(tools) && tools.length === 0) return 'must leave out empty tools'
  if (version >= 4 && isJsonObject(adapterDefaults) && Object.keys(adapterDefaults).length === 0) {
    return 'must leave out empty adapterDefaults'
  }
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
