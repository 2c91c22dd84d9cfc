/**
 * The files below a folder, folder by folder. Links are followed, each real folder once; a folder that cannot be read is
 * said and does not hide the rest.
 */
import { type Dirent, existsSync, realpathSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from '../../storage/reason-of.ts'

export interface WalkedFolder {
  readonly folder: string
  /** Names of the files in it. */
  readonly files: readonly string[]
  /** Why it, or something in it, could not be read. */
  readonly problems: readonly { readonly path: string; readonly reason: string }[]
}

/** @param allows - whether a file or folder may be read, by its real path; others are passed over. */
export async function walkFolders(
  root: string,
  allows: (real: string) => boolean = () => true,
): Promise<readonly WalkedFolder[]> {
  const walked: WalkedFolder[] = []
  const seen = new Set<string>()
  const pending = [root]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const files: string[] = []
    const problems: { path: string; reason: string }[] = []
    try {
      const real = await realpath(folder)
      if (seen.has(real) || !allows(real)) continue
      seen.add(real)
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name)
        try {
          if (entry.isSymbolicLink() && existsSync(path) && !allows(realpathSync(path))) continue
          const kind = await kindOf(entry, path)
          if (kind === 'folder') pending.push(path)
          else if (kind === 'file') files.push(entry.name)
        } catch (error) {
          problems.push({ path, reason: reasonOf(error) })
        }
      }
    } catch (error) {
      problems.push({ path: folder, reason: reasonOf(error) })
    }
    walked.push({ folder, files, problems })
  }
  return walked.toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
}

async function kindOf(entry: Dirent, path: string): Promise<'file' | 'folder' | 'other'> {
  // A link to nothing is told when it is opened, if it is called like a log at all.
  if (entry.isSymbolicLink() && !existsSync(path)) return 'file'
  const what = entry.isSymbolicLink() ? await stat(path) : entry
  if (what.isDirectory()) return 'folder'
  return what.isFile() ? 'file' : 'other'
}
