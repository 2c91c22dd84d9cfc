/**
 * The release lines of DSH and what each of them reads (format.md §0, §9): one row a line, oldest first. A line reads
 * its own format, and older ones through a chain of migrations that refuses rather than guesses.
 */
export interface ReleaseLine {
  readonly name: string
  /** Format that it writes and reads natively. */
  readonly format: number
  /** Knows the types and the range-encoded sources that came with 0.1.2. */
  readonly since012: boolean
  /** Its readers are not published, so that nobody could ask them. */
  readonly secondHand?: true
}

export const RELEASE_LINES: readonly ReleaseLine[] = [
  { name: '0.1.0', format: 0, since012: false },
  { name: '0.1.1', format: 0, since012: false },
  { name: '0.1.2', format: 0, since012: true },
  { name: 'format-2', format: 2, since012: true },
  { name: 'format-3', format: 3, since012: true },
  { name: 'format-4', format: 4, since012: true, secondHand: true },
]
