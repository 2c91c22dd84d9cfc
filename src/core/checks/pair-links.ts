/**
 * Follows which call and which result belong together on the surface, and what a replacement does to them: it may take
 * one half away, or stand between the two. While that lasts it is kept here; once a later event mends it, the model has
 * only seen it for a while, and that is reported. What is still so at the end is the business of `surface-pairs.ts`.
 *
 * A replacement costs what it shadows. Of what is sound a few numbers are kept, for a log has a million nodes.
 */
import { NONE, NumberColumn } from '../event/number-column.ts'
import { advertisedCalls, answeredCallId, type SessionEvent } from '../event/session-event.ts'
import type { FindingSink } from '../findings/finding.ts'
import type { Origin } from '../findings/origin.ts'
import type { Half } from '../replay/exchanges.ts'
import { TextNumbers } from '../replay/key-numbers.ts'
import { NodeOrigins } from '../replay/node-origins.ts'
import type { ReplayStep } from '../replay/reducer.ts'
import { PairNodes } from './pair-nodes.ts'
import type { LocatedEvent } from './raise.ts'

/** A pair that a replacement has broken. */
interface Split {
  /** Number of the id of the call. */
  readonly call: number
  /** The replacement. */
  readonly seq: number
  readonly origin: Origin
  /** What the model lacks: one half, or nothing but the right order. */
  readonly lacks: 'call' | 'result' | 'order'
  readonly callAt: number
  readonly resultAt: number
  mended?: true
}

/** A half that a replacement takes away, as it was. */
interface TakenNode {
  readonly seq: number
  readonly answered: number | undefined
  readonly callAt: number | undefined
  readonly calls: readonly { readonly call: number; readonly resultAt: number | undefined }[]
  readonly splits: readonly Split[]
}

export class PairLinks {
  readonly #report: FindingSink
  readonly #origins = new NodeOrigins()
  readonly #ids = new TextNumbers()
  readonly #nodes = new PairNodes()
  /** What is broken about the nodes on the surface, by seq and {@link splitKey}. */
  readonly #splits = new Map<number, Map<string, Split>>()
  /** Of every call, the last message on the surface that announces it, or none. */
  readonly #announced = new NumberColumn()
  /** Calls that were taken away while they waited: their result will stand alone. */
  readonly #takenWaiting = new Map<number, { readonly by: LocatedEvent; readonly callAt: number }>()
  /** Results that lost their call; a copy of the call may come back. */
  readonly #lonelyResults = new Map<number, Split>()

  constructor(report: FindingSink) {
    this.#report = report
  }

  /** Where a node is stored. */
  originOf(seq: number): Origin {
    return this.#origins.get(seq) ?? {}
  }

  /** What a node announces or answers, by numbers of call ids. */
  half(seq: number): Half<number> {
    return { announces: this.#nodes.announced(seq), answers: this.#nodes.answered(seq) }
  }

  callIdOf(call: number): string {
    return this.#ids.textOf(call)
  }

  /** The replacement that took the other half of this one away. */
  takenBy(seq: number, call: number): number | undefined {
    const split = this.#splits.get(seq)?.get(splitKey({ call, lacks: 'call' }))
    return split === undefined || split.mended ? undefined : split.seq
  }

  follow(step: ReplayStep): void {
    const { event, effect, origin } = step
    if (event.type === 'turn/start' || event.type === 'turn/end') this.#takenWaiting.clear()
    if (effect.kind === 'log-only') return
    // Plain messages too: what comes between a call and its result is reported where it is.
    this.#origins.set(event.seq, origin)
    if (effect.kind === 'append') this.#append(step)
    else this.#replace(step, effect.replacement.shadowed)
  }

  #append({ event }: ReplayStep): void {
    const { seq } = event
    this.#addNode(event)
    for (const call of this.#nodes.announced(seq)) this.#announced.set(call, seq)
    const answered = this.#nodes.answered(seq)
    if (answered === undefined) return
    const callAt = this.#announced.at(answered)
    const isAnnounced = callAt !== NONE
    if (isAnnounced && this.#nodes.resultAt(callAt, answered) === undefined) {
      this.#link(answered, callAt, seq)
      const split = this.#splits.get(callAt)?.get(splitKey({ call: answered, lacks: 'result' }))
      if (split !== undefined && !split.mended) this.#mended(split, seq)
    }
    const taken = this.#takenWaiting.get(answered)
    if (taken === undefined || (isAnnounced && this.#nodes.has(callAt))) return
    this.#takenWaiting.delete(answered)
    this.#split(taken.by, 'call', answered, taken.callAt, seq)
  }

  #addNode(event: SessionEvent): void {
    const answers = answeredCallId(event)
    if (answers !== undefined) {
      this.#nodes.addResult(event.seq, this.#numberOf(answers))
      return
    }
    const calls = advertisedCalls(event)
    if (calls.length > 0)
      this.#nodes.addCalls(
        event.seq,
        calls.map(({ id }) => this.#numberOf(id)),
      )
  }

  #numberOf(callId: string): number {
    const number = this.#ids.find(callId)
    if (number !== -1) return number
    this.#announced.push(NONE)
    return this.#ids.add(callId)
  }

  #replace(step: ReplayStep, shadowed: readonly number[]): void {
    const { event, cursor } = step
    const { seq } = event
    const removed = shadowed
      .filter((at) => this.#nodes.has(at) || this.#splits.has(at))
      .map((at) => this.#take(at))
    this.#addNode(event)
    let tookHalf = false
    for (const node of removed) {
      this.#passOn(node, seq)
      if (node.answered !== undefined) {
        tookHalf = true
        this.#takeResult(step, node)
      }
      for (const { call, resultAt } of node.calls) {
        tookHalf = true
        if (this.#announced.at(call) === node.seq) this.#announced.set(call, NONE)
        const waits = cursor.pending.get(this.callIdOf(call))?.advertisedAt === node.seq
        this.#takeCall(step, { call, at: node.seq, resultAt, waits })
      }
    }
    for (const call of this.#nodes.announced(seq)) {
      this.#announced.set(call, seq)
      this.#bringBack(step, call)
    }
    if (tookHalf && this.#nodes.answered(seq) === undefined) this.#interrupt(step)
  }

  /** Takes a node off the surface. */
  #take(seq: number): TakenNode {
    const nodes = this.#nodes
    const calls = [...new Set(nodes.announced(seq))]
    const node = {
      seq,
      answered: nodes.answered(seq),
      callAt: nodes.callAt(seq),
      calls: calls.map((call) => ({ call, resultAt: nodes.resultAt(seq, call) })),
      splits: [...(this.#splits.get(seq)?.values() ?? [])],
    }
    nodes.delete(seq)
    this.#splits.delete(seq)
    return node
  }

  #takeResult({ event, origin }: ReplayStep, { seq: at, answered, callAt }: TakenNode): void {
    if (answered === undefined || callAt === undefined || !this.#nodes.has(callAt)) return
    if (this.#nodes.answered(event.seq) === answered) this.#link(answered, callAt, event.seq)
    else {
      this.#nodes.setResultAt(callAt, answered, undefined)
      this.#split({ event, origin }, 'result', answered, callAt, at)
    }
  }

  #takeCall(
    { event, origin }: ReplayStep,
    old: { call: number; at: number; resultAt: number | undefined; waits: boolean },
  ): void {
    const { call, at, resultAt, waits } = old
    const result = resultAt !== undefined && this.#nodes.has(resultAt) ? resultAt : undefined
    if (this.#nodes.announces(event.seq, call)) {
      if (result !== undefined) this.#link(call, event.seq, result)
    } else if (result !== undefined) {
      this.#nodes.setCallAt(result, undefined)
      this.#split({ event, origin }, 'call', call, at, result)
    } else if (waits) this.#takenWaiting.set(call, { by: { event, origin }, callAt: at })
  }

  /** What was broken about a node that goes is mended, unless its place is taken by another form of it. */
  #passOn({ answered, calls, splits }: TakenNode, seq: number): void {
    for (const split of splits) {
      if (split.mended) continue
      const isHeir = answered === split.call && this.#nodes.answered(seq) === split.call
      const isCopy = calls.some(({ call }) => call === split.call) && this.#nodes.announces(seq, split.call)
      if (isHeir || isCopy) this.#keep(seq, split)
      else this.#mended(split, seq)
    }
  }

  /** A copy of a call that comes to stand before its lonely result. */
  #bringBack({ event, surface }: ReplayStep, call: number): void {
    const lonely = this.#lonelyResults.get(call)
    if (lonely === undefined || lonely.mended || !this.#nodes.has(lonely.resultAt)) return
    if (surface.indexOf(event.seq) > surface.indexOf(lonely.resultAt)) return
    this.#link(call, event.seq, lonely.resultAt)
    this.#mended(lonely, event.seq)
  }

  /** Only the right neighbour can tell: whatever comes after the replacement came after what it took. */
  #interrupt({ surface, event, origin }: ReplayStep): void {
    const position = surface.indexOf(event.seq)
    const next = surface.at(position + 1)
    if (next === undefined) return
    const answered = this.#nodes.answered(next)
    const callAt = this.#nodes.callAt(next)
    if (answered === undefined || callAt === undefined) return
    if (callAt !== event.seq && surface.indexOf(callAt) < position)
      this.#split({ event, origin }, 'order', answered, callAt, next)
  }

  #link(call: number, callAt: number, resultAt: number): void {
    this.#nodes.setResultAt(callAt, call, resultAt)
    this.#nodes.setCallAt(resultAt, callAt)
  }

  #split(by: LocatedEvent, lacks: Split['lacks'], call: number, callAt: number, resultAt: number): void {
    const { event, origin } = by
    const split: Split = { call, seq: event.seq, origin, lacks, callAt, resultAt }
    if (lacks !== 'call') this.#keep(callAt, split)
    if (lacks !== 'result') this.#keep(resultAt, split)
    if (lacks === 'order') this.#keep(event.seq, split)
    if (lacks === 'call') this.#lonelyResults.set(call, split)
  }

  #keep(seq: number, split: Split): void {
    const splits = this.#splits.get(seq) ?? new Map<string, Split>()
    this.#splits.set(seq, splits.set(splitKey(split), split))
  }

  #mended(split: Split, mendedBy: number): void {
    split.mended = true
    const { call, seq, origin, lacks, callAt, resultAt } = split
    if (lacks === 'call') this.#lonelyResults.delete(call)
    const args = { callId: this.callIdOf(call), lacks, mendedBy }
    this.#report({ code: 'pair/surface-split', origin, seq, args, related: [callAt, resultAt] })
  }
}

/** By call, and apart from it for the order: both can be wrong about one call at a time. */
function splitKey({ call, lacks }: Pick<Split, 'call' | 'lacks'>): string {
  return lacks === 'order' ? `order ${call}` : String(call)
}
