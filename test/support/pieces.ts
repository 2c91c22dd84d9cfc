/** A text in parts of one to seven units, the same for the same text. */
export function pieces(text: string): readonly string[] {
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = 1 + ((parts.length * 5) % 7)
    parts.push(text.slice(at, at + length))
    at += length
  }
  return parts
}
