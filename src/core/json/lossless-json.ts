/** Whether a value survives being written as JSON and read back (format.md §2.1). Walks without recursion. */
export function isLosslessJson(root: unknown): boolean {
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    switch (typeof value) {
      case 'string':
      case 'boolean':
        break
      case 'number':
        if (!Number.isFinite(value) || Object.is(value, -0)) return false
        break
      case 'object': {
        if (value === null) break
        if (Array.isArray(value)) {
          if (Object.keys(value).length !== value.length) return false
        } else {
          const prototype = Object.getPrototypeOf(value)
          if (prototype !== Object.prototype && prototype !== null) return false
        }
        for (const child of Object.values(value)) pending.push(child)
        break
      }
      default:
        return false
    }
  }
  return true
}
