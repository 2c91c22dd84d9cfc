/**
 * Keeps the surface of one growing log. A candidate is validated without being applied; committed events are then
 * processed once each, so synchronising costs nothing when nothing is new (specification, "SurfaceManager").
 * It does not decide what a refused event means for the reader: a strict `Session` throws it out, a lenient replay
 * reports it and goes on.
 */
import { type Dialect, dialectOf, type SurfaceDialect } from '../dialect/dialect.ts'
import type { SessionEvent } from '../event/session-event.ts'
import type { Replacement, SessionSurface } from './session-surface.ts'
import { SurfaceOrder } from './surface-order.ts'
import {
  planSurfaceEvent,
  type RewriteSubject,
  rewriteSubject,
  type SurfacePlan,
  type SurfaceState,
  type SurfaceViolation,
} from './surface-rules.ts'

/** What committing one event did to the surface. */
export type SurfaceEffect =
  | { readonly kind: 'log-only' }
  | { readonly kind: 'append' }
  | { readonly kind: 'replace'; readonly replacement: Replacement }

const ASKED_ABOUT = new Set(['tool/result', 'system/message'])

export class SurfaceManager implements SurfaceState {
  readonly order = new SurfaceOrder()
  #expectedSeq = 0
  #replaceGeneration = 0
  /** What rules ask about a node: results can be rewritten, and a system message at the head is protected. */
  readonly #subjects = new Map<number, RewriteSubject>()
  readonly #dialect: Dialect

  readonly surface: SessionSurface

  constructor(dialect: Dialect = dialectOf(0)) {
    this.#dialect = dialect
    const manager = this
    this.surface = {
      get nodes() {
        return manager.order.nodes
      },
      get length() {
        return manager.order.nodes.length
      },
      get replaceGeneration() {
        return manager.#replaceGeneration
      },
      has: (seq) => manager.order.has(seq),
      indexOf: (seq) => manager.order.indexOf(seq),
    }
  }

  get expectedSeq(): number {
    return this.#expectedSeq
  }

  get dialect(): SurfaceDialect {
    return this.#dialect.surface
  }

  knows(type: string): boolean {
    return this.#dialect.knows(type)
  }

  /** Judges the next event. Nothing changes. */
  plan(candidate: SessionEvent): SurfacePlan | SurfaceViolation {
    return planSurfaceEvent(candidate, this)
  }

  /** Applies an event with the plan that {@link plan} gave for it against this very state. */
  commit(event: SessionEvent, plan: SurfacePlan): SurfaceEffect {
    this.#expectedSeq = event.seq + 1
    if (plan.kind === 'log-only') return plan
    if (ASKED_ABOUT.has(event.type)) this.#subjects.set(event.seq, rewriteSubject(event))
    if (plan.kind === 'append') {
      this.order.push(event.seq)
      return plan
    }
    this.order.replace(plan.from, plan.to, event.seq)
    for (const seq of plan.shadowed) this.#subjects.delete(seq)
    this.#replaceGeneration++
    const { start, end, shadowed } = plan
    return { kind: 'replace', replacement: { seq: event.seq, start, end, shadowed } }
  }

  /** Passes over seqs that take no part in the surface: lost events, or one that was refused. */
  skipTo(seq: number): void {
    this.#expectedSeq = seq
  }

  nodeSubject(seq: number): RewriteSubject | undefined {
    return this.#subjects.get(seq)
  }
}
