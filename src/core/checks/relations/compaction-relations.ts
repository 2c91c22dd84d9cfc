/**
 * Compaction brackets: one open at a time, in one turn, with one summary of exactly the nodes it names. A bracket that
 * a crash left open may be crossed by turns if a later end-seed marks it orphaned, so such a crossing is held back.
 */
import { messageOf } from '../../event/session-event.ts'
import type { Finding, FindingSink } from '../../findings/finding.ts'
import { isJsonObject, isName, type JsonObject, type JsonValue, objectIn } from '../../json/json-value.ts'
import type { MemberEdit } from '../../json/member-edit.ts'
import { ignoreDeltas } from '../../replay/delta-run.ts'
import type { Reducer, ReplayStep } from '../../replay/reducer.ts'
import { isCompactCheckpoint } from '../../surface/surface-predicates.ts'
import { findingAt, type LocatedEvent, raiseInto, toldData } from '../raise.ts'
import { shadowedNodes } from '../shadowed-nodes.ts'
import type { SystemHead } from './system-head.ts'

/** It did not succeed, as far as anybody can tell. */
const LOST_SUMMARY = toldData({ error: 'the summary of the compaction is lost' })

/** Nodes that are told in all: each of very many events may name a range of the whole surface. */
const MOST_NODES_TOLD = 1_000_000

type NodesCode = (typeof ADVISED_COMPACTIONS | typeof ENFORCED)['nodesMissing' | 'nodesDiffer']

interface OpenCompaction {
  /** What is said about it if nothing ends it. */
  readonly unfinished: Finding
  readonly id: JsonValue | undefined
  readonly command: JsonValue | undefined
  readonly turn: JsonValue | undefined
  /** The turn that it is in, whatever it says. */
  readonly startedIn: JsonValue | undefined
  summaries: number
  /** The summary, where it does not name what is on the surface. */
  misnamed?: { readonly step: LocatedEvent; readonly code: NodesCode } | undefined
  /** A summary inside it names another one. */
  hasStray: boolean
  /** The first turn boundary inside the bracket: a finding unless it turns out to be orphaned. */
  crossing?: Finding
}

/** What is said of a broken bracket: advice before format 4, which refuses the log. */
export const ADVISED_COMPACTIONS = {
  isAdvice: true,
  idMissing: 'compaction/id-missing',
  nested: 'compaction/nested',
  turn: 'compaction/turn',
  notStarted: 'compaction/not-started',
  summaryRepeated: 'compaction/summary-repeated',
  summaryMissing: 'compaction/summary-missing',
  nodesMissing: 'compaction/nodes-missing',
  nodesDiffer: 'compaction/nodes-differ',
  /** Nothing protects the head of the surface there. */
  systemPrompt: undefined,
  crossed: 'compaction/crossed',
  noData: 'compaction/data-not-object',
} as const

const ENFORCED = {
  isAdvice: false,
  idMissing: 'relation/compaction-id-missing',
  nested: 'relation/compaction-nested',
  turn: 'relation/compaction-turn',
  notStarted: 'relation/compaction-not-started',
  summaryRepeated: 'relation/compaction-summary-repeated',
  summaryMissing: 'relation/compaction-summary-missing',
  nodesMissing: 'relation/compaction-nodes-missing',
  nodesDiffer: 'relation/compaction-nodes-differ',
  systemPrompt: 'relation/compaction-system-prompt',
  crossed: 'relation/compaction-crossed',
  /** Said of every event without data, in `index.ts`. */
  noData: undefined,
} as const

export function compactionRelations(report: FindingSink, head: SystemHead): Reducer<void> {
  const raise = raiseInto(report)
  let rules: typeof ADVISED_COMPACTIONS | typeof ENFORCED = ADVISED_COMPACTIONS
  let open: OpenCompaction | undefined
  let nodesTold = 0

  function close(): void {
    settle()
    if (open?.crossing !== undefined) report(open.crossing)
    open = undefined
  }

  function onTurn(step: ReplayStep, turn: JsonValue | undefined, expected: JsonValue | undefined): void {
    const { type } = step.event
    const told = type === 'compaction/start' ? step.before.turn : open?.startedIn
    const edits =
      rules.isAdvice || type === 'compaction/summary' ? undefined : toldData({ turn: told ?? null })
    raise(step, rules.turn, { type, turn, expected }, undefined, edits)
  }

  function onStart(step: ReplayStep, data: JsonObject): void {
    // Early builds of format 0 had no ids yet.
    const lacksId = data.compactionId === undefined && rules.isAdvice
    if (!lacksId && !isName(data.compactionId)) raise(step, rules.idMissing, {})
    if (open !== undefined) {
      raise(step, rules.nested, { openAt: open.unfinished.seq ?? 0 })
      close()
    }
    if ((data.turn ?? null) !== (step.before.turn ?? null)) onTurn(step, data.turn, step.before.turn)
    const { compactionId: id, sourceCommandId: command, turn } = data
    const { event, origin } = step
    const unfinished: Finding = { code: 'compaction/unfinished', origin, seq: event.seq, args: {} }
    open = { unfinished, id, command, turn, startedIn: step.before.turn, summaries: 0, hasStray: false }
  }

  /** The open compaction, when it is the one that the event names. */
  function named(data: JsonObject): OpenCompaction | undefined {
    return data.compactionId === open?.id && data.sourceCommandId === open?.command ? open : undefined
  }

  /** The identity of the compaction that is open, at the place where an event names its own. */
  function raiseNotStarted(step: ReplayStep, type: string, at: readonly string[]): void {
    const told =
      isName(open?.id) && !rules.isAdvice
        ? [
            { at: [...at, 'compactionId'], value: open.id },
            { at: [...at, 'sourceCommandId'], ...(open.command !== undefined && { value: open.command }) },
          ]
        : undefined
    raise(step, rules.notStarted, { type }, undefined, told)
  }

  function onSummary(step: ReplayStep, data: JsonObject): void {
    const compaction = named(data)
    if (compaction === undefined) {
      if (open !== undefined) open.hasStray = true
      raiseNotStarted(step, step.event.type, ['data'])
    } else {
      compaction.summaries++
      if (compaction.summaries > 1) raise(step, rules.summaryRepeated, {})
      if ((compaction.turn ?? null) !== (step.before.turn ?? null))
        onTurn(step, compaction.turn, step.before.turn)
    }
    settle()
    onShadowed(step, data)
  }

  /** The listed nodes must be what is on the surface from start to end. */
  function onShadowed(step: ReplayStep, data: JsonObject): void {
    const nodes = shadowedNodes(data, step.surface)
    if (nodes.kind === 'nodes') {
      if (head.seq !== undefined && rules.systemPrompt !== undefined && nodes.seqs.includes(head.seq))
        raise(step, rules.systemPrompt, { head: head.seq })
      return
    }
    const { event, origin } = step
    const { type } = event
    const code = nodes.kind === 'missing' ? rules.nodesMissing : rules.nodesDiffer
    const told = toldNodes(step, data)
    if (told !== undefined || type !== 'compaction/summary' || open === undefined)
      raise(step, code, { type }, undefined, told)
    else open.misnamed = { step: { event, origin }, code }
  }

  /** What is on the surface from the start to the end that the event names. */
  function toldNodes({ surface }: ReplayStep, data: JsonObject): readonly MemberEdit[] | undefined {
    const { start, end } = objectIn(data.shadowedRange)
    const from = surface.indexOf(start as number)
    const to = surface.indexOf(end as number)
    if (rules.isAdvice || from === -1 || to < from) return undefined
    nodesTold += to - from + 1
    if (nodesTold > MOST_NODES_TOLD) return undefined
    return toldData({ shadowedSeqs: surface.nodes.slice(from, to + 1) })
  }

  function onEnd(step: ReplayStep, data: JsonObject): void {
    const compaction = named(data)
    if (compaction === undefined) {
      raiseNotStarted(step, step.event.type, ['data'])
      return
    }
    const turn = compaction.turn ?? null
    if ((data.turn ?? null) !== turn) onTurn(step, data.turn, compaction.turn)
    if (turn !== (step.before.turn ?? null)) onTurn(step, compaction.turn, step.before.turn)
    const { summaries, hasStray } = compaction
    if (data.error === undefined && summaries !== 1) {
      const isLost = summaries === 0 && !hasStray && !rules.isAdvice
      raise(step, rules.summaryMissing, { summaries }, undefined, isLost ? LOST_SUMMARY : undefined)
    }
    close()
  }

  /** The nodes of the summary are those that its checkpoint replaces. */
  function settle(shadowed?: readonly number[]): void {
    const misnamed = open?.misnamed
    if (open === undefined || misnamed === undefined) return
    open.misnamed = undefined
    const [start, end] = [shadowed?.[0], shadowed?.at(-1)]
    const told =
      rules.isAdvice || start === undefined || end === undefined
        ? undefined
        : toldData({ shadowedRange: { start, end }, shadowedSeqs: shadowed })
    raise(misnamed.step, misnamed.code, { type: misnamed.step.event.type }, undefined, told)
  }

  function onCheckpoint(step: ReplayStep): void {
    const source = messageOf(step.event)?.source
    if (!isJsonObject(source) || named(source) === undefined)
      raiseNotStarted(step, 'checkpoint', ['data', 'source'])
    else if (step.effect.kind === 'replace') settle(step.effect.replacement.shadowed)
  }

  return {
    onDeltas: ignoreDeltas,
    on(step) {
      rules = step.dialect.relations ? ENFORCED : ADVISED_COMPACTIONS
      const { type, data } = step.event
      const isBracket = type.startsWith('compaction/')
      if (isBracket && !isJsonObject(data)) {
        if (rules.noData !== undefined) raise(step, rules.noData, { type })
        return
      }
      const object = objectIn(data)
      if (type === 'compaction/start') onStart(step, object)
      else if (type === 'compaction/summary') onSummary(step, object)
      else if (type === 'compaction/prune') onShadowed(step, object)
      else if (type === 'compaction/end') onEnd(step, object)
      else if (type === 'session/end-seed') {
        settle()
        open = undefined
      } else if (type === 'turn/start' || type === 'turn/end') {
        if (open !== undefined)
          open.crossing ??= findingAt(step, rules.crossed, { type, openAt: open.unfinished.seq ?? 0 })
      } else if (isCompactCheckpoint(step.event)) onCheckpoint(step)
    },
    finish() {
      // A crossing that is refused stands for itself; one that is advice follows from the missing end.
      if (open !== undefined && (rules.isAdvice || open.crossing === undefined)) {
        const { unfinished, crossing } = open
        report(unfinished)
        if (crossing !== undefined) open.crossing = { ...crossing, causedBy: unfinished }
      }
      close()
    },
  }
}
