/** Where a file would come to lie that is written under a name, whether something is there or not. */
import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { ToolError } from './tool-error.ts'

/** As many links as systems follow. */
const MOST_LINKS = 40

/** Follows links, also one that leads to a file that is yet to be; what cannot be followed stays as it was named. */
export async function linkTarget(path: string): Promise<string> {
  let target = path
  for (let links = 0; links < MOST_LINKS; links++) {
    const real = await realpath(target).catch(() => undefined)
    if (real !== undefined) return real
    const folder = await realpath(dirname(target)).catch(() => undefined)
    if (folder === undefined) return target
    target = join(folder, basename(target))
    const next = await readlink(target).catch(() => undefined)
    if (next === undefined) return target
    target = resolve(folder, next)
  }
  throw new ToolError('input', `cannot write ${path}: too many symbolic links`)
}
