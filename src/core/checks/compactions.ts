/**
 * Compactions beyond their bracket, which no format enforces (format.md §5.3, §7.2, §12.E): the summary comes right
 * before its checkpoint, the checkpoint hides what the summary says it hides, a count is a count, and a prune is
 * followed by the rewrite it announces. Where the announcement itself does not fit the surface, that is said there.
 */
import { citedSeqs } from '../event/session-event.ts'
import type { FindingSink } from '../findings/finding.ts'
import { isCount, isJsonObject, objectIn } from '../json/json-value.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { isCompactCheckpoint } from '../surface/surface-predicates.ts'
import { type LocatedEvent, raiseInto } from './raise.ts'
import { type ShadowedNodes, shadowedNodes } from './shadowed-nodes.ts'

interface Announcement {
  readonly step: LocatedEvent
  readonly nodes: ShadowedNodes
}

export function compactionChecks(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  let start: number | undefined
  let summary: Announcement | undefined
  /** A checkpoint has come for the summary, even one that was refused. */
  let answered = false
  let prune: Announcement | undefined

  function announce(step: ReplayStep): Announcement {
    const { event, origin, surface } = step
    const count = objectIn(event.data).shadowedTokenCount
    if (!isCount(count)) raise(step, 'compaction/count-invalid', { count })
    return { step: { event, origin }, nodes: shadowedNodes(event.data, surface) }
  }

  /** What was announced against what the event replaced and cites. */
  function compare(step: ReplayStep, { step: said, nodes }: Announcement): void {
    const { effect, event } = step
    if (effect.kind !== 'replace' || nodes.kind !== 'nodes') return
    const announcedAt = said.event.seq
    const { shadowed } = effect.replacement
    const isSame = shadowed.length === nodes.seqs.length && shadowed.every((seq, i) => seq === nodes.seqs[i])
    const expected = new Set([...shadowed, announcedAt, start])
    const strange = citedSeqs(event).find((seq) => !expected.has(seq))
    if (!isSame) raise(step, 'compaction/replaces-other', { announcedAt }, [announcedAt])
    else if (strange !== undefined)
      raise(step, 'compaction/cites-other', { announcedAt, strange }, [announcedAt])
  }

  function afterPrune(step: ReplayStep, announced: Announcement): void {
    if (step.refusal !== undefined) return
    if (step.event.type === 'tool/result' && step.effect.kind === 'replace') compare(step, announced)
    else raise(announced.step, 'compaction/prune-alone', {})
  }

  function onCheckpoint(step: ReplayStep): void {
    if (summary === undefined || answered) return
    answered = true
    const summaryAt = summary.step.event.seq
    if (step.event.seq !== summaryAt + 1) raise(step, 'compaction/summary-apart', { summaryAt }, [summaryAt])
    compare(step, summary)
  }

  function onEnd(step: ReplayStep): void {
    const { data } = step.event
    const failed = isJsonObject(data) && data.error !== undefined
    if (summary?.nodes.kind === 'nodes' && !answered && !failed) {
      const summaryAt = summary.step.event.seq
      raise(step, 'compaction/checkpoint-missing', { summaryAt }, [summaryAt])
    }
    summary = undefined
    start = undefined
  }

  return {
    onDeltas() {
      if (prune !== undefined) raise(prune.step, 'compaction/prune-alone', {})
      prune = undefined
    },
    on(step) {
      const { type, seq } = step.event
      if (prune !== undefined) afterPrune(step, prune)
      prune = undefined
      if (type === 'compaction/prune') prune = announce(step)
      else if (type === 'compaction/start') {
        start = seq
        summary = undefined
      } else if (type === 'compaction/summary') {
        summary = announce(step)
        answered = false
      } else if (type === 'compaction/end') onEnd(step)
      else if (isCompactCheckpoint(step.event)) onCheckpoint(step)
    },
    finish() {},
  }
}
