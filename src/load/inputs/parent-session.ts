/**
 * The session that a log names as its parent, and that one's parent, where the log is kept with them. The store is asked
 * only when the path says that there is one, and says nothing when it cannot be listed: a parent is missing, or it is not
 * known.
 */
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { containerOf } from '../../storage/detect.ts'
import { plainFile } from '../../storage/jsonl/plain-file.ts'
import { DEFAULT_LIMITS, type RecordSource } from '../../storage/record-source.ts'
import { readHeaderLine } from '../reading/header-line.ts'
import { encodeSegment, generationOf, isProjectDirectory, storeRootOf } from './store-layout.ts'

/** Sessions of a circle that are named. */
const MOST_NAMED = 100

/**
 * The ids of sessions that are their own ancestors, when following the parents of a session comes to such. However many
 * ancestors there are, few of them are held (Brent, 1980).
 * @param parentOf - id of the parent, where that is known.
 */
export async function circleOfParents(
  id: string,
  parent: string,
  parentOf: (id: string) => Promise<string | undefined> | string | undefined,
): Promise<readonly string[] | undefined> {
  const above = async (one: string | undefined): Promise<string | undefined> =>
    one === id ? parent : one && (await parentOf(one))
  let met: string = id
  let next: string | undefined = parent
  let length = 1
  for (let most = 1; next !== met; length++) {
    if (next === undefined) return undefined
    if (length === most) {
      met = next
      most *= 2
      length = 0
    }
    next = await above(next)
  }
  let first: string | undefined = id
  let ahead: string | undefined = id
  for (let step = 0; step < length; step++) ahead = await above(ahead)
  while (first !== ahead) {
    first = await above(first)
    ahead = await above(ahead)
  }
  const circle: string[] = []
  for (
    let one = first;
    one !== undefined && circle.length < Math.min(length, MOST_NAMED);
    one = await above(one)
  )
    circle.push(one)
  return first === undefined ? undefined : [...circle, ...(length > MOST_NAMED ? ['…'] : []), first]
}

/** The parent that the log of a session names. */
export async function parentNamedIn(file: string): Promise<string | undefined> {
  const source = await sourceOf(file)
  for await (const items of source?.items() ?? []) {
    for (const item of items) {
      if (item.kind === 'fault') continue
      const line = readHeaderLine(item)
      return line.kind === 'header' ? line.header?.parentSession : undefined
    }
  }
  return undefined
}

async function sourceOf(file: string): Promise<RecordSource | undefined> {
  const container = await containerOf(file)
  if (container === 'jsonl') return plainFile(file, DEFAULT_LIMITS)
  if (container !== 'zstd') return undefined
  const { zstdFile } = await import('../../storage/zstd/zstd-file.ts')
  return zstdFile(file, DEFAULT_LIMITS)
}

/**
 * The newest log of a session in the store that `path` lies in; `false` when the store has no such session, and
 * `undefined` when the path lies in no store, or the store cannot or may not be asked.
 * @param allows - whether a file or folder may be read, by its real path.
 */
export async function logInStoreOf(
  path: string,
  id: string,
  allows: (real: string) => boolean = () => true,
): Promise<string | false | undefined> {
  const root = storeRootOf(path)
  if (root === undefined || id === '') return undefined
  try {
    if (!allows(await realpath(root))) return undefined
    const projects = (await readdir(root)).filter(isProjectDirectory)
    for (const project of ownFirst(projects, path)) {
      const log = await logIn(join(root, project), encodeSegment(id))
      if (log !== undefined) return allows(await realpath(log)) ? log : undefined
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

async function logIn(project: string, session: string): Promise<string | undefined> {
  const folder = join(project, session)
  const names = (await exists(folder)) ? await readdir(folder) : []
  const [newest] = names.flatMap((name) => generationOf(name)?.version ?? []).toSorted((a, b) => b - a)
  const found = names.find((name) => newest !== undefined && generationOf(name)?.version === newest)
  if (found !== undefined) return join(folder, found)
  // The flat layout of early builds.
  for (const flat of [`${folder}.jsonl`, `${folder}.jsonl.zstd`]) if (await exists(flat)) return flat
  return undefined
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
