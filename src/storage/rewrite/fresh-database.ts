/** Writes sessions into a fresh database of the user, whole or not at all. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { copyInto } from '../file-ranges.ts'
import { privateFolder } from '../left-behind.ts'
import { type SessionToWrite, type WriteOptions, writeDatabase } from '../sqlite/write-database.ts'
import { writeFileWhole } from '../write-file.ts'

export async function writeFreshDatabase(
  sessions: AsyncIterable<SessionToWrite> | Iterable<SessionToWrite>,
  options: WriteOptions,
  output: string,
  ready: (written: string) => Promise<void>,
): Promise<void> {
  const folder = await privateFolder()
  try {
    const file = join(folder.path, 'database')
    await writeDatabase(file, sessions, options)
    await writeFileWhole(output, (copy) => copyInto(file, copy), ready)
  } finally {
    await folder.remove()
  }
}

/** Ids that follow from the session, so that the same damage gives the same database. */
export function idsOf(sessionId: string): () => string {
  let given = 0
  return () => {
    const digits = createHash('sha256').update(`${sessionId}\n${given++}`).digest('hex')
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
  }
}
