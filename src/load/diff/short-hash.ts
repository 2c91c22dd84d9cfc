/** The hash by which records and events are known again: SHA-256 in one call, of which `HashIds` keeps 128 bits. */
import { hash } from 'node:crypto'

/** @returns 32 characters from 0 to 255: a million small buffers would cost more than the hashing. */
export function shortHash(content: string | Uint8Array): string {
  return hash('sha256', content, 'binary')
}
