/** Marks in the place of secrets: in a plain text, in the spelling of a JSON string, and over the pieces of a stream. */
import type { Hit, KnownSecrets, Marked } from './known-secrets.ts'

/** A part of a text, and what takes its place. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Absent where a mark stands for more than this piece, and is counted in another. */
  readonly secret?: Marked
}

export function editsOf(hits: readonly Hit[]): readonly Edit[] {
  return hits.map(({ start, end, secret }) => ({ start, end, text: secret.mark, secret }))
}

/** @param edits - in the order of the text. */
export function edited(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text)
    at = edit.end
  }
  parts.push(text.slice(at))
  return parts.join('')
}

/**
 * The edits of a text that came in pieces, for each piece. A mark is in the piece in which its secret begins, and the
 * pieces in which the secret goes on lose their part of it.
 */
export function editsByPiece(pieces: readonly string[], known: KnownSecrets): readonly (readonly Edit[])[] {
  const hits = known.hitsIn(pieces.join(''))
  if (hits.length === 0) return pieces.map(() => [])
  let from = 0
  return pieces.map((piece) => {
    const to = from + piece.length
    const edits = hits.flatMap(({ start, end, secret }): Edit[] => {
      if (start >= to || end <= from) return []
      const part = { start: Math.max(start, from) - from, end: Math.min(end, to) - from }
      return [start >= from ? { ...part, text: secret.mark, secret } : { ...part, text: '' }]
    })
    from = to
    return edits
  })
}

/** Where a unit of what a JSON string says is in its spelling, which has escapes. */
export function offsetsInSpelling(spelled: string): (unit: number) => number {
  if (!spelled.includes('\\')) return (unit) => unit
  let unit = 0
  let at = 0
  return (wanted) => {
    if (wanted < unit) {
      unit = 0
      at = 0
    }
    while (unit < wanted) {
      const slash = spelled.indexOf('\\', at)
      const plain = slash === -1 ? wanted - unit : Math.min(slash - at, wanted - unit)
      unit += plain
      at += plain
      if (unit === wanted) break
      at += spelled[slash + 1] === 'u' ? 6 : 2
      unit++
    }
    return at
  }
}
