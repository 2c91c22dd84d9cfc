/**
 * Short texts of ASCII that come again and again in a log, names of members and types above all: each is made once, and
 * found by its bytes. A table of fixed size in which the later text takes the place of the earlier one. Texts with digits
 * are left out: ids do not come again, and what waits in the table for its place to be taken outlives the young heap.
 */
import type { TextBytes } from './json-bytes.ts'

const SLOTS = 1024
const LONGEST = 32
const ZERO = 0x30
const NINE = 0x39

const texts: string[] = new Array(SLOTS).fill('')
const lengths = new Uint8Array(SLOTS)
const stored = new Uint8Array(SLOTS * LONGEST)

/** The text of ASCII between two places; `undefined` when it is none of those that are kept. */
export function shortText(bytes: TextBytes, start: number, end: number): string | undefined {
  const length = end - start
  if (length > LONGEST) return undefined
  if (length === 0) return ''
  let hash = length
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    if (byte >= ZERO && byte <= NINE) return undefined
    hash = Math.imul(hash ^ byte, 0x01000193)
  }
  const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
  const place = slot * LONGEST
  if (lengths[slot] === length) {
    let same = 0
    while (same < length && stored[place + same] === bytes[start + same]) same++
    if (same === length) return texts[slot]
  }
  const text = bytes.toString('latin1', start, end)
  texts[slot] = text
  lengths[slot] = length
  for (let index = 0; index < length; index++) stored[place + index] = bytes[start + index] as number
  return text
}
