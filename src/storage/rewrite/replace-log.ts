/**
 * Puts a repaired log in the place of the original, the one way in which a user's file is replaced. At every moment
 * the name stands for the old file or the new one, whole; the old bytes are kept in a backup that was read back and
 * compared first. The name of the backup says what it holds and what took its place, so that it can be undone.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, chown, open, readdir, realpath, rename, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Fingerprint, fingerprintFile, sameFingerprint } from '../fingerprint.ts'
import { ToolError } from '../tool-error.ts'
import { copyRange, syncFolder, writeFileWhole } from '../write-file.ts'

/** Digits of each hash in the name of a backup. */
const NAMED_DIGITS = 16
const CHANGED = 'the log changed while the repair was at work, so it was left as it is'

export interface Replaced {
  readonly backup: string
}

/**
 * @param path - the log; of a symbolic link what it points to is replaced.
 * @param expected - the fingerprint of the log when it was read.
 * @param write - writes the new file under the name it is given, whole and verified.
 */
export async function replaceLog(
  path: string,
  expected: Fingerprint,
  write: (temporary: string) => Promise<void>,
): Promise<Replaced> {
  const log = await realpath(path)
  await mustHaveOneName(log)
  const next = join(dirname(log), `.${basename(log)}.repaired`)
  await write(next)
  const [was, is] = [await hashOf(log), await hashOf(next)]
  const backup = backupName(log, was, is)
  await backUp(log, backup, was)
  await takePlace(next, log, expected)
  return { backup }
}

/** Brings back what the log was before its last repair. @returns the backup that it was brought back from. */
export async function restoreLog(path: string): Promise<string> {
  const log = await realpath(path)
  const expected = await fingerprintFile(log)
  const is = await hashOf(log)
  const backups = await backupsOf(log)
  const wanted = backups.find(({ now }) => is.startsWith(now))
  if (wanted === undefined) {
    const problem = backups.length === 0 ? 'there is no backup of it' : 'it has changed since it was repaired'
    throw new ToolError('refused', `nothing to undo for ${path}: ${problem}`, backupHint(backups))
  }
  const was = await hashOf(wanted.file)
  if (!was.startsWith(wanted.before)) {
    throw new ToolError('refused', `the backup ${wanted.file} is not what it was when it was made`)
  }
  const next = join(dirname(log), `.${basename(log)}.restored`)
  await copyWhole(wanted.file, next, was)
  await takePlace(next, log, expected)
  return wanted.file
}

function backupHint(backups: readonly Backup[]): string | undefined {
  return backups.length === 0 ? undefined : `What it was is in ${backups.map(({ file }) => file).join(', ')}`
}

interface Backup {
  readonly file: string
  /** Beginnings of the hashes of what it holds, and of what took its place. */
  readonly before: string
  readonly now: string
}

function backupName(log: string, was: string, is: string): string {
  return `${log}.before-${was.slice(0, NAMED_DIGITS)}-${is.slice(0, NAMED_DIGITS)}`
}

async function backupsOf(log: string): Promise<readonly Backup[]> {
  const start = `${basename(log)}.before-`
  const backups: Backup[] = []
  for (const name of await readdir(dirname(log))) {
    const match = name.startsWith(start)
      ? /^([0-9a-f]{16})-([0-9a-f]{16})$/.exec(name.slice(start.length))
      : null
    const [, before, now] = match ?? []
    if (before !== undefined && now !== undefined)
      backups.push({ file: join(dirname(log), name), before, now })
  }
  return backups
}

async function backUp(log: string, backup: string, hash: string): Promise<void> {
  const existing = await hashOf(backup).catch(() => undefined)
  if (existing === hash) return
  await copyWhole(log, backup, hash)
}

/** Copies a file and reads the copy back before it takes its name. */
async function copyWhole(from: string, to: string, hash: string): Promise<void> {
  await writeFileWhole(
    to,
    async (target) => copyRange(from, 0, (await stat(from)).size, target),
    async (written) => {
      if ((await hashOf(written)) !== hash) throw new ToolError('refused', CHANGED)
    },
  )
  await keepAccess(from, to)
}

async function takePlace(next: string, log: string, expected: Fingerprint): Promise<void> {
  await keepAccess(log, next)
  if (!sameFingerprint(await fingerprintFile(log), expected)) throw new ToolError('refused', CHANGED)
  await rename(next, log)
  await syncFolder(dirname(log))
}

/** Another owner can be given by a privileged user only; the log is readable all the same. */
async function keepAccess(from: string, to: string): Promise<void> {
  const { mode, uid, gid } = await stat(from)
  await chmod(to, mode & 0o7777)
  const now = await stat(to)
  if (now.uid !== uid || now.gid !== gid) await chown(to, uid, gid).catch(() => undefined)
}

async function mustHaveOneName(log: string): Promise<void> {
  const { nlink } = await stat(log)
  if (nlink === 1) return
  throw new ToolError(
    'refused',
    `${log} has ${nlink} names (hard links), and only one of them would get the repaired log`,
    'Write a copy with -o FILE instead.',
  )
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Hash of a log and of what SQLite keeps beside it, to know it again. */
export async function logHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  for (const part of ['', '-wal', '-journal']) {
    const file = await open(`${path}${part}`, 'r').catch((error: NodeJS.ErrnoException) => {
      if (part !== '' && error.code === 'ENOENT') return undefined
      throw error
    })
    if (file === undefined) continue
    for await (const chunk of file.createReadStream()) hash.update(chunk as Buffer)
  }
  return hash.digest('hex')
}
