/** Private temporary folders for copies of what the user has. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepAtExit, removeAtExit } from './left-behind.ts'
import { ToolError } from './tool-error.ts'

export interface PrivateFolder {
  readonly path: string
  remove(): Promise<void>
}

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
