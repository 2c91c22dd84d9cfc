/** JSON text of a value, on one line. What nests deeper than `JSON.stringify` can follow is walked instead. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return walked(value)
  }
}

type Pending = { readonly text: string } | { readonly value: unknown }

function walked(root: unknown): string {
  const parts: string[] = []
  const pending: Pending[] = [{ value: root }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) parts.push(next.text)
    else if (typeof next.value !== 'object' || next.value === null)
      parts.push(JSON.stringify(next.value) ?? 'null')
    else {
      const isList = Array.isArray(next.value)
      const entries = Object.entries(next.value).filter(([, child]) => child !== undefined)
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
