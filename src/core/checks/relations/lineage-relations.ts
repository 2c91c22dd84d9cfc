/**
 * Facts that belong to one session: upload marks and the catalogue of children. What a log inherits is the parent's
 * business, so an inherited-marker forgets what came before it.
 */
import { isInheritedMarker } from '../../event/inherited-part.ts'
import type { Finding, FindingSink } from '../../findings/finding.ts'
import { isCount, isJsonObject, isName, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Reducer, ReplayStep } from '../../replay/reducer.ts'
import { relationFinding, relationSink } from './relation.ts'

const GENERATION = 4

export function deliveryRelations(report: FindingSink): Reducer<void> {
  const broken = relationSink(report, 'relation/delivery')
  /** Marks of another session: right when they turn out to be inherited. */
  let foreign: Finding[] = []

  function onMark(step: ReplayStep, data: JsonObject): void {
    const { sessionFormatVersion: version, sessionId, throughSeq } = data
    if (version !== undefined && !isCount(version)) broken(step, 'sessionFormatVersion must be a number')
    if (version !== GENERATION) return
    if (!isCount(throughSeq) || throughSeq >= step.event.seq) broken(step, 'throughSeq must be earlier')
    else if (sessionId !== step.header?.id) {
      foreign.push(relationFinding(step, 'relation/delivery', 'it names another session'))
    }
  }

  return {
    on(step) {
      const { type, data } = step.event
      if (isInheritedMarker(step.event) && step.header?.parentSession !== undefined) foreign = []
      if (type !== 'session-log-deepseek/delivery-accepted') return
      if (isJsonObject(data)) onMark(step, data)
      else broken(step, 'data must be an object')
    },
    finish() {
      for (const finding of foreign) report(finding)
    },
  }
}

/** Version of a catalogue entry → the modes it may have. */
const MODES: readonly (readonly string[])[] = [
  ['one-shot', 'continuable'],
  ['one-shot', 'continuable', 'unknown'],
  ['external'],
]

export function catalogRelations(report: FindingSink): Reducer<void> {
  let held: Finding[] = []
  let children = new Set<JsonValue>()

  function problemOf(data: JsonValue): string | undefined {
    if (!isJsonObject(data)) return 'data must be an object'
    const { version, mode, label, childId } = data
    const modes = typeof version === 'number' ? MODES[version] : undefined
    if (modes === undefined || typeof mode !== 'string' || !modes.includes(mode)) {
      return 'version and mode do not make a known entry'
    }
    if (!isName(childId) || !isCount(data.childCreatedAt)) return 'it needs childId and childCreatedAt'
    if (mode === 'continuable' && typeof label !== 'string') return 'a continuable child needs a label'
    if (children.has(childId)) return `child ${childId} is in the catalogue already`
    children.add(childId)
    return undefined
  }

  return {
    on(step) {
      if (isInheritedMarker(step.event)) {
        held = []
        children = new Set()
      }
      if (step.event.type !== 'subagent/catalog') return
      const problem = problemOf(step.event.data)
      if (problem !== undefined) held.push(relationFinding(step, 'relation/catalog', problem))
    },
    finish() {
      for (const finding of held) report(finding)
    },
  }
}
