/** Writes one session into a fresh database, in the place of one whose pages are damaged. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { privateFolder } from '../private-folder.ts'
import { type SessionToWrite, writeDatabase } from '../sqlite/write-database.ts'
import { writeDatabaseCopy } from './write-database-copy.ts'

export async function writeFreshDatabase(
  session: SessionToWrite,
  output: string,
  ready: (written: string) => Promise<void>,
): Promise<void> {
  const folder = await privateFolder()
  try {
    const file = join(folder.path, 'database')
    await writeDatabase(file, [session], { schema: 17, newId: idsOf(session.header.id) })
    await writeDatabaseCopy(file, output, ready)
  } finally {
    await folder.remove()
  }
}

/** Ids that follow from the session, so that the same damage gives the same database. */
function idsOf(sessionId: string): () => string {
  let given = 0
  return () => {
    const digits = createHash('sha256').update(`${sessionId}\n${given++}`).digest('hex')
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
  }
}
