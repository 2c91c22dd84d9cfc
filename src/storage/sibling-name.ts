/** Names for files that are put next to one of the user's, no longer than a file system takes them. */
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'

/** Bytes of UTF-8 in the name of a file, on the systems that count bytes; the others take more. */
const LONGEST_NAME = 255
/** Digits of a hash that tells names apart whose beginnings are the same. */
const TELLING_DIGITS = 8

/** `before`, the name of the file and `after`; a name that would be too long is cut in the middle and told by a hash. */
export function siblingName(path: string, before: string, after: string): string {
  const name = basename(path)
  const room = LONGEST_NAME - Buffer.byteLength(before) - Buffer.byteLength(after)
  return join(dirname(path), `${before}${fitting(name, room)}${after}`)
}

function fitting(name: string, room: number): string {
  if (Buffer.byteLength(name) <= room) return name
  const telling = `~${createHash('sha256').update(name).digest('hex').slice(0, TELLING_DIGITS)}`
  const most = room - telling.length
  let kept = ''
  let bytes = 0
  // By code points, for half a character is no name.
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > most) break
    kept += character
  }
  return `${kept}${telling}`
}
