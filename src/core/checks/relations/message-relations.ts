/** Developer messages name tools that exist, and every message names its producer. */
import { blocksOf, messageOf } from '../../event/session-event.ts'
import type { FindingSink } from '../../findings/finding.ts'
import { isJsonObject, isName, type JsonObject, type JsonValue, objectIn } from '../../json/json-value.ts'
import type { MemberEdit } from '../../json/member-edit.ts'
import { eachEvent, type Reducer, type ReplayStep } from '../../replay/reducer.ts'
import { raiseInto, toldData } from '../raise.ts'

const TOOL_CHANGES: ReadonlySet<string> = new Set(['request/header', 'developer/message'])

export function toolChangeRelations(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  const headers = new Map<JsonValue | undefined, ToolCounts>()
  /** The last of them, among which a lost name is looked for. */
  const latest: (readonly [seq: number, tools: ToolCounts])[] = []

  function onHeader(seq: number, tools: ToolCounts): void {
    headers.set(seq, tools)
    latest.push([seq, tools])
    if (latest.length > MOST_SOUGHT) latest.shift()
  }

  function onDeveloper(step: ReplayStep, data: JsonObject): void {
    const added = blocksOf(messageOf(step.event)).filter((block) => block.type === 'tool-addition')
    if (added.length === 0) return
    const tools = headers.get(data.headerSeq)
    if (tools === undefined) {
      raise(step, 'relation/tool-change-header', { headerSeq: data.headerSeq }, undefined, told(data, added))
      return
    }
    const wrong = added.filter(({ toolName }) => tools.get(toolName) !== 1)
    for (const [index, { toolName }] of wrong.entries()) {
      // One edit puts all of them right.
      const edits = index === 0 ? told(data, added) : undefined
      const args = { toolName, headerSeq: data.headerSeq }
      raise(step, 'relation/tool-change-tool', args, undefined, edits)
    }
  }

  /** The latest header that has the tools; of tools that none has, nothing says any more what they were. */
  function told({ message }: JsonObject, added: readonly JsonObject[]): readonly MemberEdit[] {
    const holds = (tools: ToolCounts, { toolName }: JsonObject): boolean => tools.get(toolName) === 1
    const whole = latest.findLast(([, tools]) => added.every((block) => holds(tools, block)))
    if (whole !== undefined) return toldData({ headerSeq: whole[0] })
    const [headerSeq, tools = new Map()] = latest.at(-1) ?? []
    const lost = new Set<JsonValue>(added.filter((block) => !holds(tools, block)))
    const content = objectIn(message).content
    const left = Array.isArray(content) ? content.filter((block) => !lost.has(block)) : []
    return [
      { at: ['data', 'message', 'content'], value: left },
      ...toldData({ headerSeq: lost.size < added.length ? headerSeq : undefined }),
    ]
  }

  return eachEvent((step) => {
    const { type, data, seq } = step.event
    if (!isJsonObject(data)) return
    if (type === 'request/header') onHeader(seq, toolCounts(data))
    else if (type === 'developer/message') onDeveloper(step, data)
  }, TOOL_CHANGES)
}

/** How often each sound tool of a request header occurs in it. */
/** Request headers that are searched for a tool. */
const MOST_SOUGHT = 100

type ToolCounts = ReadonlyMap<JsonValue | undefined, number>

function toolCounts({ header }: JsonObject): ToolCounts {
  const counts = new Map<JsonValue | undefined, number>()
  const tools = isJsonObject(header) && Array.isArray(header.tools) ? header.tools : []
  for (const tool of tools) {
    if (!isJsonObject(tool)) continue
    const sound = typeof tool.description === 'string' && isJsonObject(tool.parameters)
    counts.set(tool.name, (counts.get(tool.name) ?? 0) + (sound ? 1 : Number.NaN))
  }
  return counts
}

const WITH_MESSAGES: ReadonlySet<string> = new Set(['agent/inbox/spliced', 'session/title-llm-request'])

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
  }, WITH_MESSAGES)
}
