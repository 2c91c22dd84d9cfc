/**
 * Puts a repaired log in the place of the original, the one way in which a user's file is replaced. At every moment
 * the name stands for the old file or the new one, whole; the old bytes are kept in a backup that was read back and
 * compared first. The names and contents of backups are the business of `backups.ts`.
 */
import { chmod, chown, realpath, rm, stat } from 'node:fs/promises'
import { type Fingerprint, fingerprintFile, sameFingerprint } from '../fingerprint.ts'
import { ToolError } from '../tool-error.ts'
import { removeLeftovers, temporariesOf } from '../write-file.ts'
import { backupName, backupOf, copyVerified, isBackUp } from './backups.ts'
import { fileHash } from './file-hash.ts'
import { mustHaveNoWriter, writerOf } from './live-writer.ts'

const CHANGED = 'the log changed meanwhile, so it was left as it is'

export interface Replacing {
  /** The log itself, behind all links. */
  readonly log: string
  /** Hash of what it holds. */
  readonly hash: string
  /** Makes sure, once the new file is there, that no other run is at work. Only then may anything be put next to it. */
  readonly alone: (temporary: string) => Promise<void>
  /** Looks at the new file before it takes the place of the log, and makes the backup. */
  readonly ready: (temporary: string) => Promise<void>
}

/**
 * @param path - the log; of a symbolic link what it points to is replaced.
 * @param expected - the fingerprint of the log when it was read.
 * @param write - writes the new log whole, with `ready` called on the verified file before it takes its name.
 * @returns what `write` returns, and the backup.
 */
export async function replaceLog<Result>(
  path: string,
  expected: Fingerprint,
  write: (replacing: Replacing) => Promise<Result>,
): Promise<Result & { readonly backup: string }> {
  const log = await realpath(path)
  await mustHaveOneName(log)
  await mustStandAlone(log)
  const hash = await fileHash(log)
  let backup: string | undefined
  let isNew = false
  let mayBeReplaced = false
  const ready = async (temporary: string): Promise<void> => {
    const name = backupName(log, hash, await fileHash(temporary))
    isNew = !(await isBackUp(name, hash))
    backup = name
    await removeLeftovers(name)
    await keepAccess(log, temporary)
    // An old backup is written again, for the latest one is the one that undo takes.
    await copyVerified(log, name, hash, (copy) => keepAccess(log, copy))
    await mustBeUnchanged(log, expected, hash)
    mayBeReplaced = true
  }
  try {
    if (!sameFingerprint(await fingerprintFile(log), expected)) throw new ToolError('refused', CHANGED)
    await clearTemporaries(log)
    const alone = async (temporary: string): Promise<void> => {
      await mustBeAlone(log, temporary)
      // A run that has just finished has no temporary file any more, and what it put next to the log must stay.
      if (!sameFingerprint(await fingerprintFile(log), expected)) throw new ToolError('refused', CHANGED)
    }
    const written = await write({ log, hash, alone, ready })
    return { ...written, backup: backup as unknown as string }
  } catch (error) {
    // A backup of what is still there is of no use; in doubt it stays.
    const now = await fingerprintFile(log).catch(() => undefined)
    const isOld = !mayBeReplaced || (now !== undefined && sameFingerprint(now, expected))
    if (backup !== undefined && isNew && isOld) await rm(backup, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Brings back what the log was before its last repair. @returns the backup that it was brought back from. */
export async function restoreLog(path: string): Promise<string> {
  const log = await realpath(path)
  await mustHaveOneName(log)
  await mustStandAlone(log)
  const expected = await fingerprintFile(log)
  const hash = await fileHash(log)
  const { file, hash: was } = await backupOf(log, hash, path)
  await mustHaveNoWriter(log)
  await clearTemporaries(log)
  await copyVerified(file, log, was, async (copy) => {
    await mustBeAlone(log, copy)
    await keepAccess(log, copy)
    await mustBeUnchanged(log, expected, hash)
  })
  return file
}

/** The last look: the bytes first, which takes longest, and what one glance can tell at the very end. */
async function mustBeUnchanged(log: string, expected: Fingerprint, hash: string): Promise<void> {
  if ((await fileHash(log)) !== hash) throw new ToolError('refused', CHANGED)
  await mustStandAlone(log)
  await mustHaveNoWriter(log)
  if (!sameFingerprint(await fingerprintFile(log), expected)) throw new ToolError('refused', CHANGED)
}

/**
 * Two runs at once would take away each other's backup. Each of them makes its temporary file first and looks then,
 * so at least one sees the other, where the system shows who has a file open.
 */
async function mustBeAlone(log: string, own: string): Promise<void> {
  for (const temporary of await temporariesOf(log))
    if (temporary !== own) await mustBeLeftover(temporary, log)
}

/** Each file is asked for just before it goes: another run may have made one since the last look at the folder. */
async function clearTemporaries(log: string): Promise<void> {
  for (const temporary of await temporariesOf(log)) {
    await mustBeLeftover(temporary, log)
    await rm(temporary, { force: true })
  }
}

/** A run keeps its temporary file open until it has another name; one that nobody has open is of a run that was killed. */
async function mustBeLeftover(temporary: string, log: string): Promise<void> {
  const other = await writerOf(temporary)
  if (other === undefined) return
  throw new ToolError(
    'refused',
    `process ${other} is replacing ${log} at this moment`,
    'Wait for it, then repeat the command.',
  )
}

/** What SQLite has not yet carried into a database would be carried into whatever takes its place. */
async function mustStandAlone(log: string): Promise<void> {
  for (const part of ['-wal', '-journal']) {
    const size = await stat(`${log}${part}`).then(
      (status) => status.size,
      () => 0,
    )
    if (size === 0) continue
    throw new ToolError(
      'refused',
      `${log}${part} holds changes that are not in the database yet, so the database cannot be replaced`,
      'Open and close it once with DSH or sqlite3, then repeat the command; or write a copy with -o FILE, which holds them.',
    )
  }
}

async function mustHaveOneName(log: string): Promise<void> {
  const { nlink } = await stat(log)
  if (nlink === 1) return
  throw new ToolError(
    'refused',
    `${log} has ${nlink} names (hard links), and only one of them would get the other log`,
    'Write a copy with -o FILE instead.',
  )
}

/**
 * Owner, group and mode. Another owner can be given by a privileged user only, another group by its members; the mode
 * comes last, for a change of the owner may take bits from it.
 */
async function keepAccess(from: string, to: string): Promise<void> {
  const { mode, uid, gid } = await stat(from)
  const now = await stat(to)
  if (now.uid !== uid || now.gid !== gid) {
    await chown(to, uid, gid).catch(() => chown(to, now.uid, gid).catch(() => undefined))
  }
  await chmod(to, mode & 0o7777)
}
