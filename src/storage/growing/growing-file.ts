/** A text log that still grows, under its name: another file of that name is another log. */
import { type FileHandle, open } from 'node:fs/promises'
import { type Fingerprint, fingerprintFile, fingerprintOf, sameFingerprint } from '../fingerprint.ts'
import { FileWatch } from './file-watch.ts'
import { LogReplaced, OTHER_FILE, rejectMissing } from './log-replaced.ts'
import type { PollTiming } from './poll-timer.ts'

export interface GrowingFile {
  readonly path: string
  readonly watch: FileWatch<Fingerprint>
}

/** @param isCurrent - throws when the session goes on elsewhere. */
export async function growingFile(
  path: string,
  timer: PollTiming,
  isCurrent: () => Promise<void>,
): Promise<GrowingFile> {
  const first = await fingerprintFile(path).catch(rejectMissing)
  const take = async (): Promise<Fingerprint> => {
    await isCurrent()
    const now = await fingerprintFile(path).catch(rejectMissing)
    mustBe(first, now)
    return now
  }
  return { path, watch: await FileWatch.begin(take, sameFingerprint, timer) }
}

/** Opens the file that is watched. */
export async function openGrowing({ path, watch }: GrowingFile): Promise<FileHandle> {
  const file = await open(path, 'r').catch(rejectMissing)
  try {
    mustBe(watch.state, fingerprintOf(await file.stat({ bigint: true })))
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

function mustBe(was: Fingerprint, is: Fingerprint): void {
  if (was.device !== is.device || was.inode !== is.inode) throw new LogReplaced(OTHER_FILE)
}
