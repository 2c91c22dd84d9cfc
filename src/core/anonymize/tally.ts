/** The account of what was replaced and what stayed, by kind of field. */
import type { FieldKind } from './shape.ts'

export interface FieldCount {
  readonly what: FieldKind
  readonly replaced: number
  readonly kept: number
}

export class Tally {
  readonly #counts = new Map<FieldKind, { replaced: number; kept: number }>()
  readonly #asked = new Map<string, number>()

  replaced(kind: FieldKind): void {
    this.#of(kind).replaced++
  }

  kept(kind: FieldKind): void {
    this.#of(kind).kept++
  }

  /** A value that stays because somebody asked for what is at this path. */
  askedFor(path: string): void {
    this.#asked.set(path, (this.#asked.get(path) ?? 0) + 1)
  }

  counts(): readonly FieldCount[] {
    return [...this.#counts].map(([what, counts]) => ({ what, ...counts }))
  }

  askedCounts(): ReadonlyMap<string, number> {
    return this.#asked
  }

  #of(kind: FieldKind): { replaced: number; kept: number } {
    const known = this.#counts.get(kind)
    if (known !== undefined) return known
    const fresh = { replaced: 0, kept: 0 }
    this.#counts.set(kind, fresh)
    return fresh
  }
}
