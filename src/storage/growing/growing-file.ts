/** A text log that still grows, under its name: another file of that name is another log. */
import { type FileHandle, open } from 'node:fs/promises'
import { type Fingerprint, fingerprintFile, fingerprintOf, sameFingerprint } from '../fingerprint.ts'
import { Growth } from './growth.ts'
import { gone, LogReplaced, OTHER_FILE } from './log-replaced.ts'
import type { Pace } from './polling.ts'

export interface GrowingFile {
  readonly path: string
  readonly growth: Growth<Fingerprint>
}

/** @param isCurrent - throws when the session goes on elsewhere. */
export async function growingFile(
  path: string,
  pace: Pace,
  isCurrent: () => Promise<void>,
): Promise<GrowingFile> {
  const first = await fingerprintFile(path).catch(gone)
  const take = async (): Promise<Fingerprint> => {
    await isCurrent()
    const now = await fingerprintFile(path).catch(gone)
    mustBe(first, now)
    return now
  }
  return { path, growth: await Growth.begin(take, sameFingerprint, pace) }
}

/** Opens the file that the growth is about. */
export async function openGrowing({ path, growth }: GrowingFile): Promise<FileHandle> {
  const file = await open(path, 'r').catch(gone)
  try {
    mustBe(growth.state, fingerprintOf(await file.stat({ bigint: true })))
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

function mustBe(was: Fingerprint, is: Fingerprint): void {
  if (was.device !== is.device || was.inode !== is.inode) throw new LogReplaced(OTHER_FILE)
}
