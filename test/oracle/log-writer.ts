/**
 * Writes the events of one random log: gives them seq and time, and keeps the surface so that replacements name
 * ranges that exist. It follows the plain words of the specification and shares no code with resurface.
 */
import type { Row } from './draft-log.ts'
import type { Random } from './random.ts'

export interface Marks {
  readonly surfaceOp?: unknown
  readonly sourceEventSeqs?: readonly number[]
  readonly ignorable?: true
}

export class LogWriter {
  readonly events: Row[] = []
  readonly nodes: number[] = []
  readonly random: Random
  #time: number
  #names = 0

  constructor(random: Random) {
    this.random = random
    this.#time = random.whole(-5, 2_000_000_000_000)
  }

  get nextSeq(): number {
    return this.events.length
  }

  /** A name that no other call of this log gets. */
  fresh(prefix: string): string {
    return `${prefix}-${++this.#names}`
  }

  event(seq: number): Row {
    return this.events[seq] as Row
  }

  log(type: string, data: unknown, marks: Marks = {}): number {
    const seq = this.nextSeq
    this.#time += this.random.chance(0.05) ? -this.random.whole(0, 500) : this.random.whole(0, 90)
    this.events.push({ type, seq, time: this.#time, data, ...marks })
    return seq
  }

  append(type: string, data: unknown, sourceEventSeqs?: readonly number[]): number {
    const seq = this.log(type, data, {
      ...(sourceEventSeqs !== undefined && { sourceEventSeqs }),
      surfaceOp: 'append',
    })
    this.nodes.push(seq)
    return seq
  }

  /** Replaces the nodes at positions `from` through `to`. The list of sources gets all of them, in any order. */
  replace(type: string, data: unknown, from: number, to: number, otherSources: readonly number[]): number {
    const shadowed = this.nodes.slice(from, to + 1)
    const cited = [...new Set([...otherSources, ...shadowed])]
    const seq = this.log(type, data, {
      surfaceOp: { op: 'replace', start: this.nodes[from], end: this.nodes[to] },
      sourceEventSeqs: this.random.chance(0.5) ? cited : this.random.shuffled(cited),
    })
    this.nodes.splice(from, shadowed.length, seq)
    return seq
  }
}
