/** The read-only face of the surface: what the model sees, in model order. */
export interface SessionSurface {
  /** Seqs of the current nodes in surface order, which is not always ascending: a frozen copy, the same until the
   * surface changes. */
  readonly nodes: readonly number[]
  readonly length: number
  /** How many replacements have landed. */
  readonly replaceGeneration: number
  /** The node at a position, from the end when it is negative. Copies nothing. */
  at(index: number): number | undefined
  has(seq: number): boolean
  /** Position of a node on the surface, or -1. Does not walk the surface. */
  indexOf(seq: number): number
}

/** One landed replacement. `shadowed` lists the nodes it removed, in surface order. */
export interface Replacement {
  readonly seq: number
  readonly start: number
  readonly end: number
  readonly shadowed: readonly number[]
}
