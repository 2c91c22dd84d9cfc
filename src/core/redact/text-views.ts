import { firstIndex } from '../json/first-index.ts'

/**
 * A text as it reads with its escapes resolved, and again for JSON that is inside of a string: a secret after a line
 * feed is `\nghp_…` in the arguments of a tool call, where no rule would see the beginning of a word.
 */
export interface TextView {
  readonly text: string
  /** Offset in the text that the views are of. */
  readonly offsetOf: (offset: number) => number
}

/** JSON in a string in a string in a string. */
const DEEPEST = 3
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g
const SHORT: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** The text itself, and what it says with one more level of escapes resolved, as long as there are any. */
export function* viewsOf(text: string): Iterable<TextView> {
  let view: TextView = { text, offsetOf: (offset) => offset }
  yield view
  for (let depth = 0; depth < DEEPEST && view.text.includes('\\'); depth++) {
    const next = unescaped(view)
    if (next === undefined) return
    yield next
    view = next
  }
}

function unescaped({ text, offsetOf }: TextView): TextView | undefined {
  const parts: string[] = []
  /** Offsets after each escape: in the view, and in the text. */
  const here: number[] = [0]
  const there: number[] = [0]
  let at = 0
  let length = 0
  for (const { 0: escaped, 1: code, 2: letter = '', index } of text.matchAll(ESCAPE)) {
    parts.push(
      text.slice(at, index),
      code === undefined ? (SHORT[letter] as string) : String.fromCharCode(Number.parseInt(code, 16)),
    )
    length += index - at + 1
    at = index + escaped.length
    here.push(length)
    there.push(at)
  }
  if (at === 0) return undefined
  parts.push(text.slice(at))
  return {
    text: parts.join(''),
    offsetOf: (offset) => {
      const place = firstIndex(here.length, (index) => (here[index] as number) <= offset) - 1
      return offsetOf((there[place] as number) + offset - (here[place] as number))
    },
  }
}
