import { createHash } from 'node:crypto'

/** Ids that follow from the session, so that the same damage gives the same database. */
export function idsOf(sessionId: string): () => string {
  let given = 0
  return () => {
    const digits = createHash('sha256').update(`${sessionId}\n${given++}`).digest('hex')
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
  }
}
