/**
 * Why later releases refuse one event though the readers of its own format take it. The migrations look at an event as it
 * is stored, and on the way from format 2 to 3 as the earlier ones have left it. Of format 4 nobody can be asked: what
 * is said of it is second hand.
 */
import { Acceptance } from '../event-types/acceptance.ts'
import { isInterruptedResultId, isNotStarted } from '../event-types/closers.ts'
import { memberFault } from '../event-types/member-faults.ts'
import { dataRefusals, type Problem, type Refusal } from '../event-types/refusals.ts'
import { isJsonObject, itemsIn, type JsonObject, type JsonValue, objectIn } from '../json/json-value.ts'
import {
  ALL_LATER,
  type FaultArea,
  type FaultIn,
  FROM_3,
  faultText,
  ONLY_4,
  type TargetFormat,
  type UpgradeArea,
} from './migration/refusal.ts'

export interface EventRefusal extends Omit<Refusal, 'fault'> {
  readonly area: UpgradeArea
  /** What the reader wants there, or what is there: words that follow the path. */
  readonly needs: string
  /** Formats whose releases refuse the log because of it. */
  readonly targets: readonly TargetFormat[]
  /** Words that say the same of all refusals that are counted together. */
  readonly kind: string
}

export interface EventParts {
  readonly type: string
  readonly seq: number
  readonly data: JsonValue | undefined
}

type Visit = (refusal: EventRefusal) => void

/** By format: what every reader on the way takes. The migration to format 2 writes the stream of an answer itself. */
const TAKEN: readonly Acceptance[] = [
  new Acceptance([0, 2], ['stream']),
  new Acceptance([1, 2], ['stream']),
  new Acceptance([2]),
  new Acceptance([3]),
  new Acceptance([4]),
]

/** @param event - as the log is read: early shapes of format 0 are upgraded. */
export function eventRefusals(event: EventParts, format: number, visit: Visit): void {
  const { type, seq, data } = event
  if (type === 'assistant/chunk') return
  if (TAKEN[format]?.takes(type, data, seq) !== true) memberRefusals(event, format, visit)
  if (!isJsonObject(data)) return
  if (format < 3) secondEdge(type, data, visit)
  if (format < 4) thirdEdge(type, data, visit)
}

function memberRefusals({ type, seq, data }: EventParts, format: number, visit: Visit): void {
  const said = new Set<string>()
  const of = (targets: readonly TargetFormat[]) => (refusal: Refusal) => {
    const key = `${refusal.problem} ${refusal.path}`
    const needs = memberFault(refusal.fault)
    const words = { needs, kind: kindOf(refusal, needs) }
    if (!said.has(key)) visit({ ...refusal, ...words, targets, area: areaOf(type, refusal) })
    said.add(key)
  }
  if (format < 2) dataRefusals(type, data, { format, seq }, of(ALL_LATER))
  const migrated = format < 2 ? inFormat2(type, data) : data
  // Readers of formats 3 and 4 leave most payloads alone; the lint asks about them all the same.
  dataRefusals(type, migrated, { format: Math.max(format, 2), seq }, of(format < 3 ? FROM_3 : ONLY_4))
}

/** The data as the migration to format 2 leaves them. */
function inFormat2(type: string, data: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(data)) return data
  if (type === 'assistant/message') return { ...data, stream: [] }
  const { source } = data
  if (
    type === 'user/message' &&
    isJsonObject(source) &&
    source.kind === 'goal' &&
    source.change !== undefined
  )
    return { ...data, source: { kind: 'plugin', plugin: 'goal' } }
  return data
}

/** What the migration from format 2 to 3 asks for beyond the members. */
function secondEdge(type: string, data: JsonObject, visit: Visit): void {
  const refuse = refusing(type, FROM_3, visit)
  switch (type) {
    case 'assistant/message':
    case 'assistant/attempt':
      for (const member of ['turn', 'step'])
        if (data[member] === 0) refuse('member-value', `data.${member}`, 'positive')
      return
    case 'tool/result': {
      const { error, message } = data
      if (!isJsonObject(error) || !isJsonObject(message)) return
      const [block, ...more] = itemsIn(message.content)
      if (objectIn(block).isError !== true || more.length > 0)
        refuse('error-unmarked', 'data.error', 'unmarked')
      if (isNotStarted(data) && !isInterruptedResultId(message.id, objectIn(message.source).callId))
        refuse('closer-id', 'data.message.id', 'form')
      return
    }
    case 'session-log-deepseek/delivery-accepted':
      if (data.sessionFormatVersion === 3) refuse('upload-mark', 'data.sessionFormatVersion', 'format', 3)
      return
  }
}

/** What is known of the migration from format 3 to 4 (format.md §9.5, §12.G). */
function thirdEdge(type: string, data: JsonObject, visit: Visit): void {
  const refuse = refusing(type, ONLY_4, visit)
  if (type === 'session-log-deepseek/delivery-accepted' && data.sessionFormatVersion === 4)
    refuse('upload-mark', 'data.sessionFormatVersion', 'format', 4)
  if (type !== 'tool/result' || !isJsonObject(data.message)) return
  const [wrapper] = itemsIn(data.message.content)
  const nested = itemsIn(objectIn(wrapper).content)
  if (nested.some((block) => isJsonObject(block) && block.type === 'tool-result'))
    refuse('content', 'data.message.content[0].content', 'nested-result')
}

/** For what a migration asks beyond the members. */
function refusing(type: string, targets: readonly TargetFormat[], visit: Visit) {
  return <Area extends FaultArea>(area: Area, path: string, fault: FaultIn<Area>, part?: number): void => {
    const { problem: needs } = faultText(area, fault, part)
    const what = path.slice(path.lastIndexOf('.') + 1)
    const kind = `${path} of ${type} ${needs}`
    visit({ problem: 'disagrees', area, path, at: path.split('.'), needs, of: type, what, targets, kind })
  }
}

const AREAS: Readonly<Record<Problem, UpgradeArea>> = {
  missing: 'member-missing',
  unexpected: 'member-unexpected',
  value: 'member-value',
  disagrees: 'members-disagree',
  form: 'source-form',
  source: 'message-source',
  content: 'content',
}

function areaOf(type: string, { problem, path }: Refusal): UpgradeArea {
  return type === 'subagent/descriptor' && path === 'data.version' ? 'descriptor' : AREAS[problem]
}

function kindOf({ problem, of, what }: Refusal, needs: string): string {
  switch (problem) {
    case 'source':
      return `message source ${what}`
    case 'content':
      return `content block ${what}`
    case 'unexpected':
      return `member ${what} of ${of}`
    case 'missing':
      return `missing ${what} of ${of}`
    case 'form':
      return `plugin source with ${what} that ${needs}`
    default:
      return `${what} of ${of} ${needs}`
  }
}
