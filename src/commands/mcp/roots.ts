/**
 * The folders that a client may have read. What it names is looked for in them only, and `allows` decides about every
 * file and folder once more, by its real path, when it is opened: a link does not lead out.
 */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { sessionsNamed } from '../../load/inputs/resolve-inputs.ts'
import { reasonOf } from '../../storage/reason-of.ts'
import { ToolError } from '../../storage/tool-error.ts'

export class Roots {
  /** As they were given, and without links. */
  readonly paths: readonly string[]
  readonly #real: readonly string[]

  constructor(folders: readonly string[]) {
    this.paths = folders.map((folder) => resolve(folder))
    this.#real = this.paths.map(realFolder)
  }

  /** @param real - a path without links. */
  readonly allows = (real: string): boolean => this.#real.some((root) => isIn(root, real))

  /** A log, a database, a session of one, or a folder: by an absolute path, a path in a root, or an id. */
  async locate(name: string): Promise<string> {
    for (const root of this.paths) {
      const path = resolve(root, name)
      // What lies elsewhere is not even looked for.
      const isInside = [...this.paths, ...this.#real].some((known) => isIn(known, path))
      if (name !== '' && isInside && isThere(path)) return path
    }
    for (const root of name.includes('/') ? [] : this.paths) {
      const [log] = (await sessionsNamed(name, root)) ?? []
      if (log !== undefined) return dirname(log.path)
    }
    throw new ToolError(
      'refused',
      `there is no ${name} in the folders that may be read`,
      `They are ${this.paths.join(', ')}.`,
    )
  }
}

function realFolder(path: string): string {
  try {
    if (statSync(path).isDirectory()) return realpathSync(path)
  } catch (error) {
    throw new ToolError('input', `cannot read ${path}: ${reasonOf(error)}`)
  }
  throw new ToolError('input', `${path} is not a folder`, 'Name the folder that the logs are in.')
}

function isIn(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)
}

/** A session of a database is where the database is. */
function isThere(path: string): boolean {
  if (existsSync(path)) return true
  for (let hash = path.lastIndexOf('#'); hash > 0; hash = path.lastIndexOf('#', hash - 1))
    if (existsSync(path.slice(0, hash))) return true
  return false
}
