/**
 * Keeps the surface of one growing log. A candidate is validated without being applied; committed events are then
 * processed once each, so synchronising costs nothing when nothing is new (specification, "SurfaceManager"). What it
 * gives out is frozen or a copy: nothing but a commit changes the surface.
 * It does not decide what a refused event means for the reader: a strict `Session` throws it out, a lenient replay
 * reports it and goes on.
 */
import { type Dialect, dialectOf } from '../dialect/dialect.ts'
import { SeqIndex } from '../event/seq-index.ts'
import type { SessionEvent } from '../event/session-event.ts'
import { TextList } from '../event/text-list.ts'
import type { Texts } from '../event/texts.ts'
import { stringifyJson } from '../json/stringify-json.ts'
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

/** Subjects by seq, as JSON: hardly any is asked for. */
class Subjects {
  readonly #numbers = new SeqIndex()
  readonly #texts: Texts

  constructor(texts: Texts) {
    this.#texts = texts
  }

  get(seq: number): RewriteSubject | undefined {
    const number = this.#numbers.get(seq)
    return number === undefined ? undefined : JSON.parse(this.#texts.at(number))
  }

  set(seq: number, { type, data }: RewriteSubject): void {
    this.#numbers.set(seq, this.#texts.length)
    this.#texts.push(stringifyJson({ type, data }))
  }

  delete(seq: number): void {
    this.#numbers.delete(seq)
  }
}

/** The surface of a session: an event is planned first, then committed (format.md §5). */
export class SurfaceManager {
  readonly #order = new SurfaceOrder()
  #expectedSeq = 0
  #replaceGeneration = 0
  /** What rules ask about a node: results can be rewritten, and a system message at the head is protected. */
  readonly #subjects: Subjects
  /** What the rules look at. */
  readonly #state: SurfaceState
  /** The nodes as they were given out, until the surface changes. */
  #nodes: readonly number[] | undefined
  readonly #surface: SessionSurface

  /** @param texts - takes what is kept of results. */
  constructor(dialect: Dialect = dialectOf(0), texts: Texts = new TextList()) {
    const manager = this
    this.#subjects = new Subjects(texts)
    this.#state = {
      order: this.#order,
      dialect: dialect.surface,
      get expectedSeq() {
        return manager.#expectedSeq
      },
      knows: (type) => dialect.knows(type),
      nodeSubject: (seq) => this.#subjects.get(seq),
    }
    this.#surface = Object.freeze({
      get nodes() {
        manager.#nodes ??= Object.freeze([...manager.#order.nodes])
        return manager.#nodes
      },
      get length() {
        return manager.#order.nodes.length
      },
      get replaceGeneration() {
        return manager.#replaceGeneration
      },
      at: (index: number) => manager.#order.nodes.at(index),
      has: (seq: number) => manager.#order.has(seq),
      indexOf: (seq: number) => manager.#order.indexOf(seq),
    })
  }

  /** What the model sees; it follows every commit. */
  get surface(): SessionSurface {
    return this.#surface
  }

  get expectedSeq(): number {
    return this.#expectedSeq
  }

  /** Judges the next event. Nothing changes. */
  plan(candidate: SessionEvent): SurfacePlan | SurfaceViolation {
    return planSurfaceEvent(candidate, this.#state)
  }

  /** Applies an event with the plan that {@link plan} gave for it against this very state. */
  commit(event: SessionEvent, plan: SurfacePlan): SurfaceEffect {
    this.#expectedSeq = event.seq + 1
    if (plan.kind === 'log-only') return plan
    if (ASKED_ABOUT.has(event.type)) this.#subjects.set(event.seq, rewriteSubject(event))
    this.#nodes = undefined
    if (plan.kind === 'append') {
      this.#order.push(event.seq)
      return plan
    }
    this.#order.replace(plan.from, plan.to, event.seq)
    for (const seq of plan.shadowed) this.#subjects.delete(seq)
    this.#replaceGeneration++
    const { start, end, shadowed } = plan
    return { kind: 'replace', replacement: { seq: event.seq, start, end, shadowed } }
  }

  /** Passes over seqs that take no part in the surface: lost events, or one that was refused. */
  skipTo(seq: number): void {
    this.#expectedSeq = seq
  }
}
