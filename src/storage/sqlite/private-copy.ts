/**
 * Copies a database with what SQLite keeps next to it into a private folder, so that opening it changes nothing where
 * it lies: even a read-only connection to a resting write-ahead database leaves files behind. The copy is consistent
 * when nothing changed while it was made; otherwise it is made again, and at last reported as changed.
 */
import { chmod, copyFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Fingerprint, fingerprintFile, sameFingerprint } from '../fingerprint.ts'
import { privateFolder } from '../left-behind.ts'
import { ToolError } from '../tool-error.ts'

/** One for each part, `undefined` where there is none. */
export type Copied = readonly (Fingerprint | undefined)[]

export interface PrivateCopy {
  /** The database inside the private folder. */
  readonly file: string
  /** A writer was at work during every attempt. */
  readonly changed: boolean
  /** What was copied: the database and what is next to it, as it was before. */
  readonly copied: Copied
  remove(): Promise<void>
}

/** The write-ahead log holds committed rows, the rollback journal what has to be undone. The -shm file is a cache. */
const PARTS = ['', '-wal', '-journal']
const ATTEMPTS = 3
const PAUSE_MS = 50

export async function privateCopy(path: string): Promise<PrivateCopy> {
  const { path: folder, remove } = await privateFolder()
  try {
    // SQLite looks for the files next to the database itself, not next to a link to it.
    const source = await realpath(path)
    const file = join(folder, 'database')
    for (let attempt = 1; ; attempt++) {
      const { steady, copied } = await copyParts(source, file)
      if (steady || attempt === ATTEMPTS) return { file, changed: !steady, copied, remove }
      await pause(PAUSE_MS)
    }
  } catch (error) {
    await remove()
    throw new ToolError(
      'input',
      `cannot copy ${path} to read it: ${error instanceof Error ? error.message : String(error)}`,
      'A database is read from a private copy. TMPDIR names the folder for it.',
    )
  }
}

/** Whether the files were the same before and after. */
async function copyParts(source: string, target: string): Promise<{ steady: boolean; copied: Copied }> {
  const before = await fingerprints(source)
  for (const [index, part] of PARTS.entries()) {
    await rm(`${target}${part}`, { force: true })
    if (before[index] === undefined) continue
    try {
      await copyFile(`${source}${part}`, `${target}${part}`)
    } catch (error) {
      if (part !== '' && isMissing(error)) return { steady: false, copied: before }
      throw error
    }
    await chmod(`${target}${part}`, 0o600)
  }
  return { steady: sameCopied(before, await fingerprints(source)), copied: before }
}

export function sameCopied(a: Copied, b: Copied): boolean {
  return a.every((was, index) => {
    const is = b[index]
    return was === undefined || is === undefined ? was === is : sameFingerprint(was, is)
  })
}

/** What there is to copy, as it is now. */
export function fingerprints(source: string): Promise<Copied> {
  return Promise.all(
    PARTS.map(async (part) => {
      try {
        return await fingerprintFile(`${source}${part}`)
      } catch (error) {
        if (part !== '' && isMissing(error)) return undefined
        throw error
      }
    }),
  )
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
