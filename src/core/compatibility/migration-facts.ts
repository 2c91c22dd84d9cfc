/**
 * What only a migration to a later format minds, counted by kind: none of it is a finding, because a healthy old log
 * must stay clean. Each fact stands at the edge that refuses it (format.md §9.2 to §9.5, §11 C12, C13, §12.G).
 */

import { commandRelations, titleRelations } from '../checks/relations/command-relations.ts'
import { retryRelations } from '../checks/relations/retry-relations.ts'
import { answeredCallId, blocksOf, messageOf } from '../event/session-event.ts'
import { isInterruptedResultId, isNotStarted } from '../event-types/closers.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { Attempts } from './attempts.ts'
import { type LatentFault, latentFaults } from './latent-faults.ts'
import { MIGRATED_DESCRIPTOR } from './release-lines.ts'

export interface MigrationFact {
  readonly what: string
  /** The migration from this format to the next refuses it; `all` of them do. */
  readonly edge: number | 'all'
  /** Only releases that write this format refuse it. */
  readonly only?: number
  readonly count: number
}

export interface MigrationFacts {
  readonly facts: readonly MigrationFact[]
  /** Turns that start over an open one in the way that a migration mends. */
  readonly mendedTurns: number
}

type Note = (edge: MigrationFact['edge'], what: string, only?: number) => void

/** Kinds that are told apart; a hostile log may invent any number of them. */
const MOST_KINDS = 50
const LONGEST_KIND = 100

export function migrationFacts(): Reducer<MigrationFacts> {
  const counts = new Map<string, MigrationFact & { count: number }>()
  const note: Note = (edge, what, only) => {
    const kind = what.slice(0, LONGEST_KIND)
    const isNamed = counts.size < MOST_KINDS || counts.has(`${edge} ${kind}`)
    const named = isNamed ? kind : 'and other kinds'
    const key = `${edge} ${named}`
    const fact = counts.get(key)
    if (fact === undefined)
      counts.set(key, { what: named, edge, ...(only !== undefined && { only }), count: 1 })
    else fact.count++
  }
  const noteRelation = (): void => note('all', 'command, title or retry that does not fit the ones before')
  const relations = [
    commandRelations(noteRelation),
    retryRelations(noteRelation),
    titleRelations(noteRelation),
  ]
  const attempts = new Attempts()
  const prompt = new PromptChanges()
  let stepSeen = false
  let chunkSeen = false
  let mendedTurns = 0
  /** The splice right before the next event. */
  let spliceBefore: JsonValue | undefined

  return {
    skim(run, { header }) {
      attempts.skim(run)
      chunkSeen = true
      spliceBefore = undefined
      const seed = header?.seedLength ?? -1
      if (seed >= run.first && seed < run.first + run.count && attempts.holds(seed))
        note(1, 'inherited part that ends inside an answer')
    },
    on(step) {
      const { event, effect, dialect, header, before, change } = step
      const { type, data, seq } = event
      const { version } = dialect
      if (version >= 4) return
      if (type === 'step/start') stepSeen = true
      if (version < 2) {
        if (attempts.follow(event)) note(1, 'answer that does not cite its own stream')
        if (seq === header?.seedLength && attempts.holds(seq))
          note(1, 'inherited part that ends inside an answer')
      }
      latentFaults(event, version, (fault) => noteFault(fault, version, note))
      const previousSplice = spliceBefore
      spliceBefore = type === 'agent/inbox/spliced' ? data : undefined
      if (type === 'assistant/chunk') {
        // Nine events in ten of an old log: nothing else can be wrong with them.
        chunkSeen = true
        return
      }
      if (type === 'tool/call' && change.started === undefined)
        note('all', 'tool call that no message announces')
      else if (type === 'tool/result') noteResult(step, chunkSeen, note)
      else if (type === 'request/header') {
        if (hasOddTools(data)) note('all', 'request header with tools that are no list of objects')
        if (prompt.changes(data) && before.openStep === undefined && stepSeen)
          note(2, 'system prompt that changes outside a step')
      } else if (isJsonObject(data)) noteData(type, data, note)
      if (effect.kind !== 'log-only' && !stepSeen) note(2, 'message before the first step')
      if (type === 'turn/start' && restarts(step, previousSplice)) mendedTurns++
      // The request for a title names its producer in another way before format 4.
      if (type !== 'session/title-llm-request') for (const relation of relations) relation.on(step)
    },
    finish: () => ({ facts: [...counts.values()], mendedTurns }),
  }
}

function noteFault(fault: LatentFault, version: number, note: Note): void {
  const edges = version === 0 ? [0, 2] : [2]
  if (fault.kind === 'source') note(2, `message source ${fault.source}`)
  else if (fault.kind === 'content') note(2, `content block ${fault.block}`)
  else {
    const what =
      fault.kind === 'form' ? `plugin source with ${fault.problem}` : `member ${fault.member} of ${fault.of}`
    for (const edge of edges) note(edge, what)
  }
}

function noteData(type: string, data: JsonObject, note: Note): void {
  if (type === 'subagent/descriptor' && data.version !== MIGRATED_DESCRIPTOR) {
    for (const edge of [0, 2]) note(edge, `subagent descriptor of version ${String(data.version)}`)
  } else if (type === 'session-log-deepseek/delivery-accepted') {
    const { sessionFormatVersion: version } = data
    if (version === 3 || version === 4) note(version - 1, `upload mark of format ${version}`)
  } else if (type === 'session/end-seed' && 'inherited' in data && data.inherited !== true)
    note(2, 'seed marker that says it is not inherited')
}

function noteResult({ event, dialect }: ReplayStep, chunkSeen: boolean, note: Note): void {
  const message = messageOf(event)
  const error = isJsonObject(event.data) ? event.data.error : undefined
  if (!isJsonObject(error) || message === undefined) return
  if (blocksOf(message)[0]?.isError !== true) note(2, 'tool error that is not marked as one')
  if (!isNotStarted(error) || event.surfaceOp !== 'append') return
  if (!isInterruptedResultId(message.id, answeredCallId(event))) note(2, 'closing result with another id')
  // The events are numbered anew without their chunks, and the number in the id stays.
  else if (dialect.version < 2 && chunkSeen) note(1, 'closing result behind a stream', 2)
}

function hasOddTools(data: JsonValue): boolean {
  const header = isJsonObject(data) ? data.header : undefined
  const tools = isJsonObject(header) ? header.tools : undefined
  return tools !== undefined && !(Array.isArray(tools) && tools.every(isJsonObject))
}

/** A turn that starts over an open one right behind the message it was started for: a restart (format.md §9.3). */
function restarts({ event, before }: ReplayStep, previous: JsonValue | undefined): boolean {
  const turn = isJsonObject(event.data) ? event.data.turn : undefined
  if (before.openTurn === undefined || before.openStep !== undefined || turn !== before.openTurn + 1)
    return false
  if (!isJsonObject(previous) || previous.target !== 'next-turn') return false
  return Array.isArray(previous.inserted) && previous.inserted.length > 0
}

/** System prompts of formats 0 to 2, which stand in the request header. */
class PromptChanges {
  #system: JsonValue | undefined

  changes(data: JsonValue): boolean {
    const header = isJsonObject(data) ? data.header : undefined
    if (!isJsonObject(header)) return false
    const system = header.system ?? ''
    const changed = this.#system !== undefined && this.#system !== system
    this.#system = system
    return changed
  }
}
