/** JSON text of a value, on one line. What nests deeper than `JSON.stringify` can follow is walked instead. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return walkedJson(value, PLAIN)
  }
}

/** How the parts of a value are written. */
export interface JsonWriting {
  /** The members of an object, in the order in which they are written. */
  readonly members: (object: object) => readonly (readonly [key: string, value: unknown])[]
  /** The text of a value that holds no other. */
  readonly leaf: (value: unknown) => string
}

const PLAIN: JsonWriting = { members: Object.entries, leaf: (value) => JSON.stringify(value) ?? 'null' }

type Pending = { readonly text: string } | { readonly value: unknown }

/** JSON text without a call for every level: however deeply a value nests. */
export function walkedJson(root: unknown, { members, leaf }: JsonWriting): string {
  const parts: string[] = []
  const pending: Pending[] = [{ value: root }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) parts.push(next.text)
    else if (typeof next.value !== 'object' || next.value === null) parts.push(leaf(next.value))
    else {
      const isList = Array.isArray(next.value)
      const entries = members(next.value).filter(([, child]) => child !== undefined)
      parts.push(isList ? '[' : '{')
      pending.push({ text: isList ? ']' : '}' })
      for (const [index, [key, child]] of [...entries.entries()].toReversed()) {
        pending.push({ value: child })
        const comma = index === 0 ? '' : ','
        pending.push({ text: isList ? comma : `${comma}${JSON.stringify(key)}:` })
      }
    }
  }
  return parts.join('')
}
