/** What a log holds, in numbers: for `info`. */
import { isInheritedMarker } from '../event/inherited-part.ts'
import { messageOf } from '../event/session-event.ts'
import { isJsonObject, type JsonValue, objectIn, present } from '../json/json-value.ts'
import { DELTA_TYPE } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'
import { textIn } from '../replay/turn-cursor.ts'
import { isCompactCheckpoint } from '../surface/surface-predicates.ts'
import { CompactionSummaries } from './compaction-summaries.ts'
import { type TurnFailure, turnFailure } from './turn-failure.ts'

export interface Compaction {
  readonly seq: number
  /** Messages that the model stopped seeing. */
  readonly hidden: number
  readonly hiddenTokens?: number
}

export interface Tokens {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** What a log holds, in numbers; times are milliseconds since the epoch. */
export interface Statistics {
  readonly events: number
  /** Events per type, most frequent first. */
  readonly types: Readonly<Record<string, number>>
  readonly turns: number
  readonly steps: number
  /** Calls per tool name, most frequent first. */
  readonly tools: Readonly<Record<string, number>>
  readonly models: readonly string[]
  readonly compactions: readonly Compaction[]
  readonly replacements: number
  /** Sum over the assistant messages of this session; inherited ones are counted apart. */
  readonly tokens: Tokens
  readonly inheritedTokens: Tokens
  readonly title?: string
  readonly firstTime?: number
  readonly lastTime?: number
  readonly openTurn?: number
  /** How the last turn failed, if it did. */
  readonly failure?: TurnFailure & { readonly seq: number }
}

/** Counts what a log holds. */
export function statistics(): Reducer<Statistics> {
  const types = new Map<string, number>()
  const tools = new Map<string, number>()
  const models = new Set<string>()
  const compactions: Compaction[] = []
  const own = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  const inherited = { ...own }
  let turns = 0
  let steps = 0
  let title: string | undefined
  let failure: (TurnFailure & { readonly seq: number }) | undefined
  let firstTime: number | undefined
  let lastTime: number | undefined
  const summaries = new CompactionSummaries()

  return {
    onDeltas(run) {
      types.set(DELTA_TYPE, (types.get(DELTA_TYPE) ?? 0) + run.count)
      firstTime ??= run.firstTime
      lastTime = run.lastTime
    },
    on({ event, effect, header }) {
      const { type, data } = event
      types.set(type, (types.get(type) ?? 0) + 1)
      firstTime ??= event.time
      lastTime = event.time
      if (type === 'turn/start') {
        turns++
        failure = undefined
      } else if (type === 'turn/end') {
        const failed = turnFailure(event)
        failure = failed && { ...failed, seq: event.seq }
      }
      if (type === 'step/start') steps++
      else if (type === 'tool/call') {
        const name = textIn(event, 'name')
        tools.set(name, (tools.get(name) ?? 0) + 1)
      } else if (isInheritedMarker(event)) {
        // From format 2 on the inherited part ends at its last marker.
        for (const key of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) {
          inherited[key] += own[key]
          own[key] = 0
        }
      } else if (type === 'session/title') title = textIn(event, 'title')
      else if (type === 'compaction/summary') summaries.note(event)
      else if (type === 'assistant/message') {
        const source = messageOf(event)?.source
        if (isJsonObject(source) && typeof source.model === 'string') models.add(source.model)
        const usage = objectIn(data).usage
        addUsage(event.seq < (header?.seedLength ?? 0) ? inherited : own, usage)
      } else if (effect.kind === 'replace' && isCompactCheckpoint(event)) {
        const hidden = effect.replacement.shadowed.length
        const tokens = summaries.claim(event)?.tokens
        compactions.push({ seq: event.seq, hidden, ...(tokens !== undefined && { hiddenTokens: tokens }) })
      }
    },
    finish({ surface, cursor, eventCount }) {
      return {
        events: eventCount,
        types: ranked(types),
        turns,
        steps,
        tools: ranked(tools),
        models: [...models],
        compactions,
        replacements: surface.replaceGeneration,
        tokens: own,
        inheritedTokens: inherited,
        ...present({ title, firstTime, lastTime, openTurn: cursor.openTurn, failure }),
      }
    },
  }
}

/** Adds what a provider counted (`TokenUsage`, format.md §4.1) to a sum. */
export function addUsage(
  sum: { input: number; output: number; cacheRead: number; cacheWrite: number },
  usage: JsonValue | undefined,
): void {
  if (!isJsonObject(usage)) return
  sum.input += count(usage.inputTokens)
  sum.output += count(usage.outputTokens)
  sum.cacheRead += count(usage.cacheReadTokens)
  sum.cacheWrite += count(usage.cacheWriteTokens)
}

function count(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

function ranked(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)))
}
