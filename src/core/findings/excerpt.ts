/** The text around a place where a record is damaged: enough to recognise it, and no dump. */
export interface Excerpt {
  readonly text: string
  /** Where the damage begins, in units of the text. */
  readonly at: number
}

const LONGEST = 80
/** Units that are shown before the place, where there are that many. */
const BEFORE = 50

export function excerptAround(text: string, offset: number): Excerpt {
  const from = Math.max(0, Math.min(offset - BEFORE, text.length - LONGEST))
  return { text: text.slice(from, from + LONGEST), at: offset - from }
}
