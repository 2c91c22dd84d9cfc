/**
 * The release lines of DSH and what each of them reads (format.md §0, §9): one row a line, oldest first. A line reads
 * its own format, and older ones through a chain of migrations that refuses rather than guesses.
 */
export interface ReleaseLine {
  readonly name: string
  /** Its first release, where the name does not say it. */
  readonly since?: string
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
  { name: 'format-2', since: '0.1.3', format: 2, since012: true },
  { name: 'format-3', since: '0.1.5', format: 3, since012: true },
  { name: 'format-4', since: '0.1.7', format: 4, since012: true, secondHand: true },
]

/** The line that is meant by its name, a release of DSH (`0.1.6`, `0.2.x`), the number of its format, or `latest`. */
export function releaseLine(text: string): ReleaseLine | undefined {
  if (text === 'latest') return RELEASE_LINES.at(-1)
  const named = RELEASE_LINES.find(({ name }) => name === text || name === `format-${text}`)
  const release = partsOf(text)
  if (named !== undefined || release === undefined) return named
  return RELEASE_LINES.findLast(({ name, since = name }) => !isBefore(release, partsOf(since) ?? []))
}

const RELEASE = /^v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}|x))?$/

function partsOf(release: string): readonly number[] | undefined {
  const [, major, minor, patch = '0'] = RELEASE.exec(release) ?? []
  // Any patch of a minor release, so also its last.
  const last = patch === 'x' ? Number.POSITIVE_INFINITY : Number(patch)
  return major === undefined ? undefined : [Number(major), Number(minor), last]
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((part, index) => part !== other[index])
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0)
}
