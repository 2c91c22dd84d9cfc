/**
 * Which release lines open a log, and why the others do not. The findings say most of it; a few facts matter to later
 * readers alone and are no findings, because a healthy old log must stay clean.
 */
import { isJsonObject, type JsonValue } from '../event/json-value.ts'
import { messageOf } from '../event/session-event.ts'
import type { FindingCount } from '../findings/finding-log.ts'
import { type FindingCode, ruleOf } from '../findings/rules.ts'
import type { Reducer } from '../replay/reducer.ts'
import { FROZEN_SOURCES, MIGRATED_DESCRIPTOR, RELEASE_LINES, type ReleaseLine } from './release-lines.ts'

export interface Reason {
  readonly what: string
  readonly count: number
}

export interface ReleaseVerdict {
  readonly release: string
  readonly opens: boolean
  /** Grouped by kind, with how often each occurs. */
  readonly reasons: readonly Reason[]
}

/** Events that only a migration to a later format minds. */
export interface MigrationFacts {
  readonly foreignSources: number
  readonly oldDescriptors: number
  readonly messagesBeforeStep: number
  readonly oddTools: number
  readonly unannouncedCalls: number
}

export function migrationFacts(): Reducer<MigrationFacts> {
  let foreignSources = 0
  let oldDescriptors = 0
  let messagesBeforeStep = 0
  let oddTools = 0
  let unannouncedCalls = 0
  let stepSeen = false
  return {
    on({ event, effect, change }) {
      const { type, data } = event
      if (type === 'step/start') stepSeen = true
      if (type === 'subagent/descriptor' && isJsonObject(data) && data.version !== MIGRATED_DESCRIPTOR)
        oldDescriptors++
      if (type === 'request/header' && hasOddTools(data)) oddTools++
      if (type === 'tool/call' && change.started === undefined) unannouncedCalls++
      if (effect.kind === 'log-only') return
      if (!stepSeen) messagesBeforeStep++
      const source = messageOf(event)?.source
      const kind = isJsonObject(source) ? source.kind : undefined
      if (typeof kind === 'string' && !FROZEN_SOURCES.has(kind)) foreignSources++
    },
    finish: () => ({ foreignSources, oldDescriptors, messagesBeforeStep, oddTools, unannouncedCalls }),
  }
}

function hasOddTools(data: JsonValue): boolean {
  const header = isJsonObject(data) ? data.header : undefined
  const tools = isJsonObject(header) ? header.tools : undefined
  return tools !== undefined && !(Array.isArray(tools) && tools.every(isJsonObject))
}

/** Findings that are advice in the log's own format, and refusals in the relations that a migration checks. */
const RELATIONS =
  /^(?:turn\/(?!open$)|step\/|compaction\/bracket$|pair\/(?:result-missing|call-missing|arguments-differ)$)/
const REFUSED_BY_MIGRATION: ReadonlySet<FindingCode> = new Set([
  'vocabulary/unknown-ignorable',
  'header/unknown',
  'fork/seed-too-long',
])

export function releaseVerdicts(
  format: number | undefined,
  counts: readonly FindingCount[],
  facts: MigrationFacts,
): readonly ReleaseVerdict[] {
  return RELEASE_LINES.map((line) => {
    const reasons = reasonsOf(line, format ?? 0, counts, facts)
    return { release: line.name, opens: reasons.length === 0, reasons }
  })
}

function reasonsOf(
  line: ReleaseLine,
  format: number,
  counts: readonly FindingCount[],
  facts: MigrationFacts,
): readonly Reason[] {
  if (format > line.format) return [{ what: `format ${format} is newer`, count: 1 }]
  const reasons: Reason[] = []
  const add = (what: string, count: number): void => {
    if (count > 0) reasons.push({ what, count })
  }
  const migrates = format < line.format
  for (const { code, count } of counts) {
    const refused = ruleOf(code).refused === true
    const older = !line.since012 && (code === 'vocabulary/newer-type' || code === 'sources/ranges')
    // The migration from 3 to 4 renames unknown ignorable events; the ones before refuse them.
    const unmigrated =
      migrates && REFUSED_BY_MIGRATION.has(code) && !(code === 'vocabulary/unknown-ignorable' && format === 3)
    if (refused || older || unmigrated || (migrates && RELATIONS.test(code))) add(code, count)
  }
  if (!migrates) return reasons
  add('request header with tools that are no list of objects', facts.oddTools)
  add('tool call that no message announces', facts.unannouncedCalls)
  if (format === 0) add('subagent descriptor of another version', facts.oldDescriptors)
  if (format < 3 && line.format >= 3) {
    add('message source outside the fixed list', facts.foreignSources)
    add('message before the first step', facts.messagesBeforeStep)
  }
  return reasons
}
