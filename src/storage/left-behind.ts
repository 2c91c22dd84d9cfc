/** Paths that must not outlive the process, be it ended by a signal that the command line turns into an exit. */
import { rmSync } from 'node:fs'

const paths = new Set<string>()

export function removeAtExit(path: string): void {
  if (paths.size === 0) process.once('exit', removeAll)
  paths.add(path)
}

/** The path was removed, or has become something to keep. */
export function keepAtExit(path: string): void {
  paths.delete(path)
  if (paths.size === 0) process.off('exit', removeAll)
}

function removeAll(): void {
  for (const path of paths) {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // The others have to go all the same, and the run has its exit code already.
    }
  }
}
