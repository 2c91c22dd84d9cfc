/** A finished database from a private folder → a file of the user, whole or not at all. */
import { stat } from 'node:fs/promises'
import { copyRange, writeFileWhole } from '../write-file.ts'

export async function writeDatabaseCopy(
  database: string,
  output: string,
  ready: (written: string) => Promise<void>,
): Promise<void> {
  const { size } = await stat(database)
  await writeFileWhole(output, (file) => copyRange(database, 0, size, file), ready)
}
