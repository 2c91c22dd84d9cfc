/** Paths that must not outlive the process, also when a signal ends it, which the command line turns into an exit. */
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolError } from './tool-error.ts'

/** Each with the temporary file that it goes with, if it has one. */
const paths = new Map<string, string | undefined>()

/** @param temporary - a file without which the path stays: it has got its name, and the path belongs to it. */
export function removeAtExit(path: string, temporary?: string): void {
  if (paths.size === 0) process.once('exit', removeAll)
  paths.set(path, temporary)
}

/** The path was removed, or has become something to keep. */
export function keepAtExit(path: string): void {
  paths.delete(path)
  if (paths.size === 0) process.off('exit', removeAll)
}

function removeAll(): void {
  const removed = new Set<string>()
  // A rename that is under way has happened, or finds nothing any more: anyone who removes a temporary file knows which.
  for (const [path, temporary] of paths) if (temporary === undefined && isRemoved(path)) removed.add(path)
  for (const [path, temporary] of paths)
    if (temporary !== undefined && removed.has(temporary)) isRemoved(path)
}

function isRemoved(path: string): boolean {
  try {
    rmSync(path, { recursive: true })
    return true
  } catch {
    // It is not there, or cannot be removed; the others have to go all the same, and the run has its exit code already.
    return false
  }
}

export interface PrivateFolder {
  readonly path: string
  remove(): Promise<void>
}

/** Private temporary folders for copies of what the user has. */
export async function privateFolder(): Promise<PrivateFolder> {
  const path = await mkdtemp(join(tmpdir(), 'resurface-')).catch((error: Error) => {
    throw new ToolError(
      'input',
      `cannot make a private copy in ${tmpdir()}: ${error.message}`,
      'TMPDIR names the folder for it.',
    )
  })
  removeAtExit(path)
  return {
    path,
    async remove() {
      // What it was for is done; where it cannot be removed now, the end of the process is the next try.
      await rm(path, { recursive: true, force: true }).then(
        () => keepAtExit(path),
        () => undefined,
      )
    },
  }
}
