/** Private temporary folders for copies of what the user has. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepAtExit, removeAtExit } from './left-behind.ts'

export interface PrivateFolder {
  readonly path: string
  remove(): Promise<void>
}

export async function privateFolder(): Promise<PrivateFolder> {
  const path = await mkdtemp(join(tmpdir(), 'resurface-'))
  removeAtExit(path)
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true })
      keepAtExit(path)
    },
  }
}
