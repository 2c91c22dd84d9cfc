/**
 * Follows which call and which result belong together on the surface, and what a replacement does to them: it may take
 * one half away, or stand between the two. While that lasts it is kept here; once a later event mends it, the model has
 * only seen it for a while, and that is reported. What is still so at the end is the business of `surface-pairs.ts`.
 *
 * A replacement costs what it shadows, and only what is on the surface is remembered.
 */
import { SeqMap } from '../event/seq-map.ts'
import { advertisedCalls, answeredCallId, type SessionEvent } from '../event/session-event.ts'
import type { FindingSink } from '../findings/finding.ts'
import type { Origin } from '../findings/origin.ts'
import type { ReplayStep } from '../replay/reducer.ts'
import type { LocatedEvent } from './raise.ts'

/** One node of the surface. */
export interface PairNode {
  readonly origin: Origin
  /** The ids an assistant message announces, in its order; one that it announces twice is here twice. */
  readonly announces?: readonly string[]
  /** The same ids, each with the seq of its result on the surface. */
  readonly calls?: Map<string, number | undefined>
  /** The call a tool result answers. */
  readonly answers?: string
  /** Where that call is on the surface. */
  callAt?: number
  /** What replacements have broken about it; see {@link splitKey}. */
  splits?: Map<string, Split>
}

/** A pair that a replacement has broken. */
export interface Split {
  readonly callId: string
  /** The replacement. */
  readonly seq: number
  readonly origin: Origin
  /** What the model lacks: one half, or nothing but the right order. */
  readonly lacks: 'call' | 'result' | 'order'
  readonly callAt: number
  readonly resultAt: number
  mended?: true
}

export class PairLinks {
  readonly #report: FindingSink
  readonly #nodes = new SeqMap<PairNode>()
  /** Of every call id, the last message on the surface that announces it. */
  readonly #announced = new Map<string, number>()
  /** Calls that were taken away while they waited: their result will stand alone. */
  readonly #takenWaiting = new Map<string, { readonly by: LocatedEvent; readonly callAt: number }>()
  /** Results that lost their call; a copy of the call may come back. */
  readonly #lonelyResults = new Map<string, Split>()

  constructor(report: FindingSink) {
    this.#report = report
  }

  node(seq: number): PairNode | undefined {
    return this.#nodes.get(seq)
  }

  /** The replacement that took the other half of this one away. */
  takenBy(seq: number, callId: string): number | undefined {
    const split = this.#nodes.get(seq)?.splits?.get(callId)
    return split === undefined || split.mended ? undefined : split.seq
  }

  follow(step: ReplayStep): void {
    const { event, effect } = step
    if (event.type === 'turn/start' || event.type === 'turn/end') this.#takenWaiting.clear()
    if (effect.kind === 'append') this.#append(step)
    else if (effect.kind === 'replace') this.#replace(step, effect.replacement.shadowed)
  }

  #append({ event, origin }: ReplayStep): void {
    const node = nodeOf(event, origin)
    // Plain messages too: what comes between a call and its result is reported where it is.
    this.#nodes.set(event.seq, node)
    for (const callId of node.calls?.keys() ?? []) this.#announced.set(callId, event.seq)
    if (node.answers === undefined) return
    const callAt = this.#announced.get(node.answers)
    const call = callAt === undefined ? undefined : this.#nodes.get(callAt)
    if (callAt !== undefined && call?.calls?.get(node.answers) === undefined) {
      this.#link(node.answers, callAt, event.seq)
      const split = call?.splits?.get(node.answers)
      if (split !== undefined && !split.mended) this.#mended(split, event.seq)
    }
    const taken = this.#takenWaiting.get(node.answers)
    if (taken === undefined || call !== undefined) return
    this.#takenWaiting.delete(node.answers)
    this.#split(taken.by, 'call', node.answers, taken.callAt, event.seq)
  }

  #replace(step: ReplayStep, shadowed: readonly number[]): void {
    const { event, origin, cursor } = step
    const { seq } = event
    const node = nodeOf(event, origin)
    const removed: [seq: number, node: PairNode][] = []
    for (const at of shadowed) {
      const old = this.#nodes.get(at)
      this.#nodes.delete(at)
      if (old !== undefined && (old.answers ?? old.calls ?? old.splits) !== undefined) removed.push([at, old])
    }
    this.#nodes.set(seq, node)
    let tookHalf = false
    for (const [at, old] of removed) {
      this.#passOn(old, node, seq)
      if (old.answers !== undefined) {
        tookHalf = true
        this.#takeResult(step, old, at, node)
      }
      for (const [callId, resultAt] of old.calls ?? []) {
        tookHalf = true
        if (this.#announced.get(callId) === at) this.#announced.delete(callId)
        const waits = cursor.pending.get(callId)?.advertisedAt === at
        this.#takeCall(step, { callId, at, resultAt, waits }, node)
      }
    }
    for (const callId of node.calls?.keys() ?? []) {
      this.#announced.set(callId, seq)
      this.#bringBack(step, callId)
    }
    if (tookHalf && node.answers === undefined) this.#interrupt(step)
  }

  #takeResult(step: ReplayStep, old: PairNode, at: number, node: PairNode): void {
    const { answers: callId, callAt } = old
    if (callId === undefined || callAt === undefined || !this.#nodes.has(callAt)) return
    if (node.answers === callId) this.#link(callId, callAt, step.event.seq)
    else {
      this.#nodes.get(callAt)?.calls?.set(callId, undefined)
      this.#split(step, 'result', callId, callAt, at)
    }
  }

  #takeCall(
    step: ReplayStep,
    old: { callId: string; at: number; resultAt: number | undefined; waits: boolean },
    node: PairNode,
  ): void {
    const { callId, at, resultAt, waits } = old
    const result = resultAt === undefined ? undefined : this.#nodes.get(resultAt)
    if (node.calls?.has(callId) === true) {
      if (resultAt !== undefined && result !== undefined) this.#link(callId, step.event.seq, resultAt)
    } else if (resultAt !== undefined && result !== undefined) {
      delete result.callAt
      this.#split(step, 'call', callId, at, resultAt)
    } else if (waits) {
      const by = { event: step.event, origin: step.origin }
      this.#takenWaiting.set(callId, { by, callAt: at })
    }
  }

  /** What was broken about a node that goes is mended, unless its place is taken by another form of it. */
  #passOn(old: PairNode, node: PairNode, seq: number): void {
    for (const split of old.splits?.values() ?? []) {
      if (split.mended) continue
      const isHeir = old.answers === split.callId && node.answers === split.callId
      const isCopy = old.calls?.has(split.callId) === true && node.calls?.has(split.callId) === true
      if (isHeir || isCopy) keep(node, split)
      else this.#mended(split, seq)
    }
  }

  /** A copy of a call that comes to stand before its lonely result. */
  #bringBack({ event, surface }: ReplayStep, callId: string): void {
    const lonely = this.#lonelyResults.get(callId)
    if (lonely === undefined || lonely.mended || !this.#nodes.has(lonely.resultAt)) return
    if (surface.indexOf(event.seq) > surface.indexOf(lonely.resultAt)) return
    this.#link(callId, event.seq, lonely.resultAt)
    this.#mended(lonely, event.seq)
  }

  /** Only the right neighbour can tell: whatever comes after the replacement came after what it took. */
  #interrupt(step: ReplayStep): void {
    const { surface, event } = step
    const position = surface.indexOf(event.seq)
    const next = surface.at(position + 1)
    const result = next === undefined ? undefined : this.#nodes.get(next)
    const { answers, callAt } = result ?? {}
    if (next === undefined || answers === undefined || callAt === undefined) return
    if (callAt !== event.seq && surface.indexOf(callAt) < position)
      this.#split(step, 'order', answers, callAt, next)
  }

  #link(callId: string, callAt: number, resultAt: number): void {
    this.#nodes.get(callAt)?.calls?.set(callId, resultAt)
    const result = this.#nodes.get(resultAt)
    if (result !== undefined) result.callAt = callAt
  }

  #split(by: LocatedEvent, lacks: Split['lacks'], callId: string, callAt: number, resultAt: number): void {
    const { event, origin } = by
    const split: Split = { callId, seq: event.seq, origin, lacks, callAt, resultAt }
    if (lacks !== 'call') keep(this.#nodes.get(callAt), split)
    if (lacks !== 'result') keep(this.#nodes.get(resultAt), split)
    if (lacks === 'order') keep(this.#nodes.get(event.seq), split)
    if (lacks === 'call') this.#lonelyResults.set(callId, split)
  }

  #mended(split: Split, mendedBy: number): void {
    split.mended = true
    const { callId, seq, origin, lacks, callAt, resultAt } = split
    if (lacks === 'call') this.#lonelyResults.delete(callId)
    const args = { callId, lacks, mendedBy }
    this.#report({ code: 'pair/surface-split', origin, seq, args, related: [callAt, resultAt] })
  }
}

function nodeOf(event: SessionEvent, origin: Origin): PairNode {
  const answers = answeredCallId(event)
  if (answers !== undefined) return { origin, answers }
  const announces = advertisedCalls(event).map(({ id }) => id)
  if (announces.length === 0) return { origin }
  return { origin, announces, calls: new Map(announces.map((id) => [id, undefined])) }
}

function keep(node: PairNode | undefined, split: Split): void {
  if (node === undefined) return
  node.splits ??= new Map()
  node.splits.set(splitKey(split), split)
}

/** By call, and apart from it for the order: both can be wrong about one call at a time. */
function splitKey({ callId, lacks }: Split): string {
  return lacks === 'order' ? `\0${callId}` : callId
}
