/**
 * Private temporary folders for copies of what the user has. Each is removed when it is no longer needed, and at the
 * latest when the process ends, be it by a signal that the command line turns into an exit.
 */
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface PrivateFolder {
  readonly path: string
  remove(): Promise<void>
}

const folders = new Set<string>()

export async function privateFolder(): Promise<PrivateFolder> {
  const path = await mkdtemp(join(tmpdir(), 'resurface-'))
  if (folders.size === 0) process.once('exit', removeAll)
  folders.add(path)
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true })
      folders.delete(path)
      if (folders.size === 0) process.off('exit', removeAll)
    },
  }
}

function removeAll(): void {
  for (const path of folders) rmSync(path, { recursive: true, force: true })
}
