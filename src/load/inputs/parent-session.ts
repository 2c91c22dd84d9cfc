/**
 * Whether the session that a log names as its parent is in the store where the log lies. The store is asked only when
 * the path says that there is one, and says nothing when it cannot be listed: a parent is missing, or it is not known.
 */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { encodeSegment, generationOf, isProjectDirectory, storeRootOf } from './store-layout.ts'

/** `undefined` when the log lies in no store, or the store cannot be asked. */
export async function isInStoreOf(path: string, id: string): Promise<boolean | undefined> {
  const root = storeRootOf(path)
  if (root === undefined || id === '') return undefined
  try {
    const projects = (await readdir(root)).filter(isProjectDirectory)
    for (const project of ownFirst(projects, path)) {
      if (await holds(join(root, project), encodeSegment(id))) return true
    }
    return false
  } catch {
    return undefined
  }
}

/** Parent and child mostly belong to the same working directory. */
function ownFirst(projects: readonly string[], path: string): readonly string[] {
  const parents = new Set([basename(dirname(path)), basename(dirname(dirname(path)))])
  return projects.toSorted((a, b) => Number(parents.has(b)) - Number(parents.has(a)))
}

async function holds(project: string, session: string): Promise<boolean> {
  const folder = join(project, session)
  if ((await exists(folder)) && (await readdir(folder)).some((name) => generationOf(name) !== undefined))
    return true
  // The flat layout of early builds.
  return (await exists(`${folder}.jsonl`)) || (await exists(`${folder}.jsonl.zstd`))
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
