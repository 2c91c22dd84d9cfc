/**
 * What `JSON.parse` hides about a text that it accepts: members that occur twice (the last one wins), numbers that
 * change when they are read, nesting deeper than most programs can follow, and halves of surrogate pairs. The text is
 * known to be valid JSON, so the scan only has to find its way.
 */

export interface Anomaly {
  readonly code:
    | 'bytes/duplicate-member'
    | 'bytes/number-changed'
    | 'bytes/deep-nesting'
    | 'bytes/lone-surrogate'
  readonly evidence: string
}

const DEEPEST = 512
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** The first anomaly of each kind in a valid JSON text. */
export function jsonAnomalies(text: string): readonly Anomaly[] {
  const found = new Map<Anomaly['code'], string>()
  const note = (code: Anomaly['code'], evidence: string): void => {
    if (!found.has(code)) found.set(code, evidence)
  }
  /** Per open object the members seen so far; `undefined` per open list. */
  const open: (Set<string> | undefined)[] = []
  let deepest = 0
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string
    if (character === '"') {
      const end = stringEnd(text, at)
      const value: string = JSON.parse(text.slice(at, end))
      if (LONE_SURROGATE.test(value)) note('bytes/lone-surrogate', value)
      at = end
      const members = open.at(-1)
      if (members === undefined || !isMember(text, at)) continue
      if (members.has(value)) note('bytes/duplicate-member', value)
      members.add(value)
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined)
      if (open.length > deepest) deepest = open.length
      at++
    } else if (character === '}' || character === ']') {
      open.pop()
      at++
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      NUMBER.lastIndex = at
      const [number = character] = NUMBER.exec(text) ?? []
      if (!survives(number)) note('bytes/number-changed', number)
      at += number.length
    } else at++
  }
  if (deepest > DEEPEST) note('bytes/deep-nesting', String(deepest))
  return [...found].map(([code, evidence]) => ({ code, evidence }))
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** Whether the string that ends here is the name of a member. */
function isMember(text: string, end: number): boolean {
  let at = end
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at++
  return text[at] === ':'
}

/** Whether a number is read as what is written: whole numbers exactly, others to the precision of a double. */
export function survives(number: string): boolean {
  const value = Number(number)
  if (!Number.isFinite(value)) return false
  return !/^-?\d{16,}$/.test(number) || BigInt(number) === BigInt(value)
}
