/** A record of a log → the same with marks in the place of its secrets, and every other byte as it was. */
import type { JsonValue } from '../json/json-value.ts'
import type { KnownSecrets, Marked } from './known-secrets.ts'
import { type Edit, edited, editsByPiece, editsOf, offsetsInSpelling } from './redact-text.ts'
import { RowStrings } from './row-strings.ts'
import { deltasOf, streamsOf } from './streamed-pieces.ts'

/** Is told of every mark that is set: its secret, and the member that has it, if that has a name. */
export type OnMark = (secret: Marked, member?: string) => void

/**
 * @param text - the JSON text of the record.
 * @param row - what it says.
 * @param deltas - edits of the pieces of a streamed text that the record is a part of, in their order.
 */
export function redactedRow(
  text: string,
  row: JsonValue,
  known: KnownSecrets,
  onMark: OnMark,
  deltas: readonly (readonly Edit[])[] = [],
): string {
  const edits: Edit[] = []
  const isOfStream = deltasOf(row) !== undefined
  const pieces = isOfStream ? [] : embedded(row, known)
  let piece = 0
  for (const string of new RowStrings(text, row)) {
    const { value, start, isPiece } = string
    if (string.isConstant) continue
    const place = isPiece ? piece++ : -1
    const streamed = isOfStream && isPiece ? { text: value, list: deltas[place] ?? [] } : pieces[place]
    const found = streamed?.text === value ? streamed.list : editsOf(known.hitsIn(value))
    if (found.length === 0) continue
    const offsetOf = offsetsInSpelling(string.spelled)
    for (const edit of found) {
      edits.push({ ...edit, start: start + offsetOf(edit.start), end: start + offsetOf(edit.end) })
      if (edit.secret !== undefined) onMark(edit.secret, string.path)
    }
  }
  return edited(text, edits)
}

interface Piece {
  /** What it has to be, for a row may say the same in another order. */
  readonly text: string
  readonly list: readonly Edit[]
}

/** Edits of the pieces that an answer embeds, in the order of its JSON text. */
function embedded(row: JsonValue, known: KnownSecrets): readonly Piece[] {
  const { pieces, streams } = streamsOf(row)
  if (pieces.length === 0) return []
  const lists = new Map<string, readonly (readonly Edit[])[]>()
  for (const [of, texts] of streams) lists.set(of, editsByPiece(texts, known))
  const taken = new Map<string, number>()
  return pieces.map(({ of, text }) => {
    const index = taken.get(of) ?? 0
    taken.set(of, index + 1)
    return { text, list: lists.get(of)?.[index] ?? [] }
  })
}

/** The same for a record that is no JSON: as far as it can be read, it is one text. */
export function redactedText(text: string, known: KnownSecrets, onMark: OnMark): string {
  const edits = editsOf(known.hitsIn(text))
  for (const { secret } of edits) if (secret !== undefined) onMark(secret)
  return edited(text, edits)
}
