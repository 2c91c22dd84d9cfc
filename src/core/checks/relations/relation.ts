/** How the checks of this folder report: one code per area, the broken relation in words (format.md §7.3, §12.E). */
import type { Finding, FindingSink } from '../../findings/finding.ts'
import type { ReplayStep } from '../../replay/reducer.ts'

export type RelationCode =
  | 'relation/turn'
  | 'relation/system-head'
  | 'relation/tool'
  | 'relation/compaction'
  | 'compaction/bracket'
  | 'relation/command'
  | 'relation/title'
  | 'relation/retry'
  | 'relation/dispatch'
  | 'relation/delivery'
  | 'relation/catalog'
  | 'relation/tool-change'
  | 'relation/source'

export type RelationSink = (step: Pick<ReplayStep, 'event' | 'origin'>, problem: string) => void

export function relationSink(report: FindingSink, code: RelationCode): RelationSink {
  return (step, problem) => report(relationFinding(step, code, problem))
}

export function relationFinding(
  step: Pick<ReplayStep, 'event' | 'origin'>,
  code: RelationCode,
  problem: string,
): Finding {
  const { event, origin } = step
  return { code, origin, seq: event.seq, args: { type: event.type, problem } }
}
