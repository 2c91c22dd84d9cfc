/** A secret that was recognised, and how it is found again wherever the log has it. */
export interface KnownSecret {
  /** What kind it is, as its mark says it: `github-token`. */
  readonly kind: string
  /** What is looked for. */
  readonly find: string
  /** The part of it that a mark replaces; all of it where absent. */
  readonly part?: readonly [start: number, end: number]
  /**
   * Where it counts: anywhere; as a word of its own (`word`); as a folder of a path (`folder`); or as a whole text
   * (`whole`).
   */
  readonly edge?: 'word' | 'folder' | 'whole'
  /** What makes two of a kind the same secret, where it is not the replaced part. */
  readonly identity?: string
  /** The user named it: it is replaced in base64, too, and must not stay anywhere. */
  readonly isNamed?: true
}

/** The part that a mark replaces. */
export function replacedPart({ find, part }: KnownSecret): string {
  return part === undefined ? find : find.slice(...part)
}
