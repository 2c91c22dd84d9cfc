/** Writes one session into a fresh database of the user, whole or not at all. */
import { join } from 'node:path'
import { copyInto } from '../file-ranges.ts'
import { privateFolder } from '../private-folder.ts'
import { type SessionToWrite, type WriteOptions, writeDatabase } from '../sqlite/write-database.ts'
import { writeFileWhole } from '../write-file.ts'

export async function writeFreshDatabase(
  session: SessionToWrite,
  options: WriteOptions,
  output: string,
  ready: (written: string) => Promise<void>,
): Promise<void> {
  const folder = await privateFolder()
  try {
    const file = join(folder.path, 'database')
    await writeDatabase(file, [session], options)
    await writeFileWhole(output, (copy) => copyInto(file, copy), ready)
  } finally {
    await folder.remove()
  }
}
