/** The hash by which records and events are known again: SHA-256 in one call, of which {@link HashIds} keeps 128 bits. */
import { hash } from 'node:crypto'

export function shortHash(content: string | Uint8Array): Buffer {
  return hash('sha256', content, 'buffer')
}
