/** Developer messages name tools that exist, and every message names its producer. */
import { blocksOf, messageOf } from '../../event/session-event.ts'
import type { FindingSink } from '../../findings/finding.ts'
import { isJsonObject, isName, type JsonObject, type JsonValue, objectIn } from '../../json/json-value.ts'
import { eachEvent, type Reducer, type ReplayStep } from '../../replay/reducer.ts'
import { raiseInto } from '../raise.ts'

export function toolChangeRelations(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  /** Of every request header: how often each sound tool occurs in it. */
  const headers = new Map<JsonValue | undefined, ReadonlyMap<JsonValue | undefined, number>>()

  function onDeveloper(step: ReplayStep, data: JsonObject): void {
    const added = blocksOf(messageOf(step.event)).filter((block) => block.type === 'tool-addition')
    if (added.length === 0) return
    const tools = headers.get(data.headerSeq)
    if (tools === undefined) {
      raise(step, 'relation/tool-change-header', { headerSeq: data.headerSeq })
      return
    }
    for (const { toolName } of added) {
      if (tools.get(toolName) !== 1)
        raise(step, 'relation/tool-change-tool', { toolName, headerSeq: data.headerSeq })
    }
  }

  return eachEvent((step) => {
    const { type, data, seq } = step.event
    if (!isJsonObject(data)) return
    if (type === 'request/header') headers.set(seq, toolCounts(data))
    else if (type === 'developer/message') onDeveloper(step, data)
  })
}

function toolCounts({ header }: JsonObject): ReadonlyMap<JsonValue | undefined, number> {
  const counts = new Map<JsonValue | undefined, number>()
  const tools = isJsonObject(header) && Array.isArray(header.tools) ? header.tools : []
  for (const tool of tools) {
    if (!isJsonObject(tool)) continue
    const sound = typeof tool.description === 'string' && isJsonObject(tool.parameters)
    counts.set(tool.name, (counts.get(tool.name) ?? 0) + (sound ? 1 : Number.NaN))
  }
  return counts
}

export function sourceRelations(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  return eachEvent((step) => {
    const { type, data } = step.event
    if (type !== 'agent/inbox/spliced' && type !== 'session/title-llm-request') return
    const list = isJsonObject(data)
      ? type === 'agent/inbox/spliced'
        ? data.inserted
        : data.messages
      : undefined
    for (const message of Array.isArray(list) ? list : []) {
      const source = objectIn(message).source
      if (!isJsonObject(source) || !isName(source.kind)) raise(step, 'relation/source', { type })
    }
  })
}
