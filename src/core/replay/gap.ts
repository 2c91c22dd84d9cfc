/**
 * A gap: a place where a log has, or had, events that a reading of it does not give. The reader gives gaps in their place
 * among the events, and the replay adds what was open there.
 */

/**
 * `missing`: the numbers of the events are all there is of them. `unreadable`: they are in a damaged part. `unnumbered`:
 * they have no valid seq, so they have no place. `unread`: they are over the limit. `dropped`: they come at the end, where
 * DSH takes them for what a crash left.
 */
export const GAP_KINDS = ['missing', 'unreadable', 'unnumbered', 'unread', 'dropped'] as const
export type GapKind = (typeof GAP_KINDS)[number]

export interface Gap {
  readonly kind: GapKind
  /** The seq that was due. */
  readonly first: number
  /** The last of the seqs that are not there; absent where nothing that follows tells. */
  readonly last?: number
  /** How many events are lost; absent where nothing tells. */
  readonly events?: number
  /** The beginnings of texts that could be read in what is left of them. */
  readonly texts?: readonly string[]
}

export interface PlacedGap extends Gap {
  /** The turn and step that were open. */
  readonly turn?: number
  readonly step?: number
}
