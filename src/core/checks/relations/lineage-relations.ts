/**
 * Facts that belong to one session: upload marks and the catalogue of children. What a log inherits is the parent's
 * business, so an inherited-marker forgets what came before it.
 */
import { isInheritedMarker } from '../../event/inherited-part.ts'
import type { Finding, FindingSink } from '../../findings/finding.ts'
import { isCount, isJsonObject, isName, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { MemberEdit } from '../../json/member-edit.ts'
import type { Reducer, ReplayStep } from '../../replay/reducer.ts'
import { findingAt, raiseInto, toldData } from '../raise.ts'

const GENERATION = 4

export function deliveryRelations(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  /** Marks of another session: right when they turn out to be inherited. */
  let foreign: Finding[] = []

  function onMark(step: ReplayStep, data: JsonObject): void {
    const { sessionFormatVersion: version, sessionId, throughSeq } = data
    if (version !== undefined && !isCount(version)) raise(step, 'relation/delivery-version', { version })
    if (version !== GENERATION) return
    if (!isCount(throughSeq) || throughSeq >= step.event.seq)
      raise(step, 'relation/delivery-seq', { throughSeq })
    else if (sessionId !== step.header?.id) {
      foreign.push(findingAt(step, 'relation/delivery-session', { session: sessionId }))
    }
  }

  return {
    types: new Set(['session/end-seed', 'session-log-deepseek/delivery-accepted']),
    on(step) {
      const { type, data } = step.event
      if (isInheritedMarker(step.event) && step.header?.parentSession !== undefined) foreign = []
      if (type !== 'session-log-deepseek/delivery-accepted') return
      if (isJsonObject(data)) onMark(step, data)
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

/** The version of an entry, where its mode belongs to one only. */
function versionOf(mode: JsonValue | undefined): readonly MemberEdit[] | undefined {
  const versions = MODES.flatMap((modes, version) => (modes.includes(String(mode)) ? [version] : []))
  return versions.length === 1 ? toldData({ version: versions[0] }) : undefined
}

export function catalogRelations(report: FindingSink): Reducer<void> {
  let held: Finding[] = []
  let children = new Set<JsonValue>()

  function problemOf(step: ReplayStep): Finding | undefined {
    const { type, data } = step.event
    if (!isJsonObject(data)) return findingAt(step, 'relation/data-not-object', { type })
    const { version, mode, label, childId } = data
    const modes = typeof version === 'number' ? MODES[version] : undefined
    if (modes === undefined || typeof mode !== 'string' || !modes.includes(mode))
      return findingAt(step, 'relation/catalog-mode', { version, mode }, undefined, versionOf(mode))
    if (!isName(childId) || !isCount(data.childCreatedAt))
      return findingAt(step, 'relation/catalog-child', {})
    if (mode === 'continuable' && typeof label !== 'string')
      return findingAt(step, 'relation/catalog-label', { childId })
    if (children.has(childId)) return findingAt(step, 'relation/catalog-repeated', { childId })
    children.add(childId)
    return undefined
  }

  return {
    types: new Set(['session/end-seed', 'subagent/catalog']),
    on(step) {
      if (isInheritedMarker(step.event)) {
        held = []
        children = new Set()
      }
      if (step.event.type !== 'subagent/catalog') return
      const finding = problemOf(step)
      if (finding !== undefined) held.push(finding)
    },
    finish() {
      for (const finding of held) report(finding)
    },
  }
}
