/** Where a text stops being JSON. It is asked of damaged records only, so it may be slower than `JSON.parse`. */

const PRIMITIVE = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const BLANKS = /[ \t\n\r]*/y

/** What may come next: a value, a key, what follows a key, or what follows a value. */
type Due = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'rest'

const MAY_END: ReadonlySet<Due> = new Set(['rest', 'first-value', 'first-key'])

/** The first place, in units, that no JSON text has there; the length of a text that is only cut off, or whole. */
export function jsonFault(text: string): number {
  const open: string[] = []
  let due = 'value' as Due
  for (let at = after(BLANKS, text, 0); at < text.length; at = after(BLANKS, text, at)) {
    const character = text[at] as string
    if (character === open.at(-1) && MAY_END.has(due)) {
      open.pop()
      due = 'rest'
      at++
    } else if (due === 'rest') {
      if (character !== ',' || open.length === 0) return at
      due = open.at(-1) === '}' ? 'key' : 'value'
      at++
    } else if (due === 'colon') {
      if (character !== ':') return at
      due = 'value'
      at++
    } else if (character === '"') {
      const end = stringEnd(text, at)
      if (end < 0) return -end
      due = due === 'key' || due === 'first-key' ? 'colon' : 'rest'
      at = end
    } else if (due === 'key' || due === 'first-key') return at
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']')
      due = character === '{' ? 'first-key' : 'first-value'
      at++
    } else {
      const end = after(PRIMITIVE, text, at)
      if (end === at) return at
      due = 'rest'
      at = end
    }
  }
  return text.length
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** After the string that begins here; the negative place of what cannot be in one. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; ) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) return at + 1
    if (unit < 0x20) return -at
    const next = unit === 0x5c ? after(ESCAPE, text, at) : at + 1
    if (next === at) return -at
    at = next
  }
  return -text.length
}
