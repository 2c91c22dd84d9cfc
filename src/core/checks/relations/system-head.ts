/** The protected head: a system message appended to an empty surface, moved only by rewrites of exactly it. */
import type { FindingSink } from '../../findings/finding.ts'
import { eachEvent, type Reducer, type ReplayStep } from '../../replay/reducer.ts'
import { raiseInto } from '../raise.ts'

/** Follows the head; its current seq is what compactions may not shadow. */
export class SystemHead {
  seq: number | undefined

  follow({ event, effect, surface }: ReplayStep): void {
    if (event.type !== 'system/message') return
    if (effect.kind === 'append' && surface.length === 1) this.seq = event.seq
    if (effect.kind === 'replace' && effect.replacement.start === this.seq) this.seq = event.seq
  }
}

const TYPES: ReadonlySet<string> = new Set(['system/message'])

export function systemHeadRelations(report: FindingSink, head: SystemHead): Reducer<void> {
  const raise = raiseInto(report)
  return eachEvent((step) => {
    if (step.event.type === 'system/message' && head.seq === undefined) {
      const startsSurface = step.event.surfaceOp === 'append' && step.surface.length <= 1
      if (!startsSurface) raise(step, 'relation/system-head', {})
    }
    head.follow(step)
  }, TYPES)
}
