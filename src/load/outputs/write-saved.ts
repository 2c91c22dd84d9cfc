/** Writes a file of ours that is read back, such as a plan or a baseline. */
import { isRegularFile, mustBeVacant } from '../../storage/output-guard.ts'
import { readSaved, type SavedKind } from '../../storage/read-saved.ts'
import { writeFileWhole } from '../../storage/write-file.ts'
import { LOG_IS_SAFE, writing } from './writing.ts'

/**
 * Takes the place of an earlier file of its kind at most: a damaged log does not look like one, and must not be lost.
 *
 * @param opened - real paths of what was read.
 */
export async function writeSaved<Type>(
  path: string,
  saved: Type,
  kind: SavedKind<Type>,
  opened: ReadonlySet<string>,
): Promise<void> {
  if (!(await holds(path, kind)))
    await mustBeVacant(path, opened, { ...kind, hint: `Only an earlier ${kind.name} is replaced.` })
  const content = `${JSON.stringify(saved, null, 2)}\n`
  await writing(path, () => writeFileWhole(path, (file) => file.writeFile(content)), LOG_IS_SAFE)
}

async function holds(path: string, kind: SavedKind<unknown>): Promise<boolean> {
  if (!(await isRegularFile(path))) return false
  return readSaved(path, kind).then(
    () => true,
    () => false,
  )
}
