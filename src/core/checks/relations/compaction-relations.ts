/**
 * Compaction brackets: one open at a time, in one turn, with one summary of exactly the nodes it names. A bracket that
 * a crash left open may be crossed by turns if a later end-seed marks it orphaned, so such a crossing is held back.
 */

import { messageOf } from '../../event/session-event.ts'
import type { Finding, FindingSink } from '../../findings/finding.ts'
import { isJsonObject, isName, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { unconcerned } from '../../replay/quiet-run.ts'
import type { Reducer, ReplayStep } from '../../replay/reducer.ts'
import { isCompactCheckpoint } from '../../surface/surface-predicates.ts'
import { shadowedNodes } from '../shadowed-nodes.ts'
import { relationFinding, relationSink } from './relation.ts'
import type { SystemHead } from './system-head.ts'

interface OpenCompaction {
  /** What is said about it if nothing ends it. */
  readonly unfinished: Finding
  readonly id: JsonValue | undefined
  readonly command: JsonValue | undefined
  readonly turn: JsonValue | undefined
  summaries: number
  /** The first turn boundary inside the bracket: a finding unless it turns out to be orphaned. */
  crossing?: Finding
}

/** @param code - what a broken bracket is called: refused in format 4, a warning before. */
export function compactionRelations(
  report: FindingSink,
  head: SystemHead,
  code: 'relation/compaction' | 'compaction/bracket' = 'relation/compaction',
): Reducer<void> {
  const broken = relationSink(report, code)
  const isAdvice = code === 'compaction/bracket'
  let open: OpenCompaction | undefined

  function close(): void {
    if (open?.crossing !== undefined) report(open.crossing)
    open = undefined
  }

  function onStart(step: ReplayStep, data: JsonObject): void {
    // Early builds of format 0 had no ids yet.
    const lacksId = data.compactionId === undefined && isAdvice
    if (!lacksId && !isName(data.compactionId)) broken(step, 'it needs a compactionId')
    if (open !== undefined) {
      broken(step, 'another compaction is still open')
      close()
    }
    if ((data.turn ?? null) !== (step.before.openTurn ?? null)) broken(step, 'its turn is not the open turn')
    const { compactionId: id, sourceCommandId: command, turn } = data
    const { event, origin } = step
    const unfinished: Finding = { code: 'compaction/unfinished', origin, seq: event.seq, args: {} }
    open = { unfinished, id, command, turn, summaries: 0 }
  }

  /** The open compaction, when it is the one that the event names. */
  function named(data: JsonObject): OpenCompaction | undefined {
    return data.compactionId === open?.id && data.sourceCommandId === open?.command ? open : undefined
  }

  function onSummary(step: ReplayStep, data: JsonObject): void {
    const compaction = named(data)
    if (compaction === undefined) broken(step, 'no open compaction/start matches it')
    else {
      compaction.summaries++
      if (compaction.summaries > 1) broken(step, 'the compaction has a summary already')
      if ((compaction.turn ?? null) !== (step.before.openTurn ?? null))
        broken(step, 'the turn has changed since the start')
    }
    onShadowed(step, data)
  }

  /** The listed nodes must be what stands on the surface from start to end. */
  function onShadowed(step: ReplayStep, data: JsonObject): void {
    const nodes = shadowedNodes(data, step.surface)
    if (nodes.kind === 'missing') broken(step, 'it needs shadowedRange and shadowedSeqs')
    else if (nodes.kind === 'differs')
      broken(step, 'shadowedSeqs are not what stands on the surface from start to end')
    else if (head.seq !== undefined && nodes.seqs.includes(head.seq))
      broken(step, 'it would shadow the system prompt')
  }

  function onEnd(step: ReplayStep, data: JsonObject): void {
    const compaction = named(data)
    if (compaction === undefined) {
      broken(step, 'no open compaction/start matches it')
      return
    }
    const turn = compaction.turn ?? null
    if ((data.turn ?? null) !== turn) broken(step, 'it names another turn than the start')
    if (turn !== (step.before.openTurn ?? null)) broken(step, 'the turn has changed since the start')
    if (data.error === undefined && compaction.summaries !== 1)
      broken(step, 'a successful compaction needs one summary')
    close()
  }

  function onCheckpoint(step: ReplayStep): void {
    const source = messageOf(step.event)?.source
    if (!isJsonObject(source) || named(source) === undefined)
      broken(step, 'no open compaction/start matches the checkpoint')
  }

  return {
    skim: unconcerned,
    on(step) {
      const { type, data } = step.event
      const isBracket = type.startsWith('compaction/')
      if (isBracket && !isJsonObject(data)) broken(step, 'data must be an object')
      const object = isJsonObject(data) ? data : {}
      if (type === 'compaction/start') onStart(step, object)
      else if (type === 'compaction/summary') onSummary(step, object)
      else if (type === 'compaction/prune') onShadowed(step, object)
      else if (type === 'compaction/end') onEnd(step, object)
      else if (type === 'session/end-seed') open = undefined
      else if (type === 'turn/start' || type === 'turn/end') {
        if (open !== undefined) open.crossing ??= relationFinding(step, code, 'it crosses an open compaction')
      } else if (isCompactCheckpoint(step.event)) onCheckpoint(step)
    },
    finish() {
      // A crossing that is refused stands for itself; one that is advice follows from the missing end.
      if (open !== undefined && (isAdvice || open.crossing === undefined)) {
        const { unfinished, crossing } = open
        report(unfinished)
        if (crossing !== undefined) open.crossing = { ...crossing, causedBy: unfinished }
      }
      close()
    },
  }
}
