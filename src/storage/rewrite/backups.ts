/**
 * What a log was before it was replaced. The name of a backup says what it holds and what took its place, so that a
 * repair can be undone, and only as long as nothing was done since.
 */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { copyInto } from '../file-ranges.ts'
import { siblingName } from '../sibling-name.ts'
import { ToolError } from '../tool-error.ts'
import { writeFileWhole } from '../write-file.ts'
import { fileHash } from './file-hash.ts'

/** Digits of each hash in the name of a backup. */
const NAMED_DIGITS = 16
const NAMED = /^([0-9a-f]{16})-([0-9a-f]{16})$/
const MARK = '.before-'

/** @param was - hash of what the log is. @param is - hash of what it will be. */
export function backupName(log: string, was: string, is: string): string {
  return siblingName(log, '', `${MARK}${was.slice(0, NAMED_DIGITS)}-${is.slice(0, NAMED_DIGITS)}`)
}

export async function isBackUp(path: string, hash: string): Promise<boolean> {
  return (await fileHash(path).catch(() => undefined)) === hash
}

interface Backup {
  readonly file: string
  /** Beginnings of the hashes of what it holds, and of what took its place. */
  readonly before: string
  readonly now: string
}

/**
 * The backup to bring back where the log holds what a repair made of it.
 *
 * @param hash - of what the log holds.
 * @param name - of the log, as the user knows it.
 */
export async function backupOf(
  log: string,
  hash: string,
  name: string,
): Promise<{ readonly file: string; readonly hash: string }> {
  const backups = await backupsOf(log, async () => hash)
  const wanted = backups.find(({ now }) => hash.startsWith(now))
  if (wanted === undefined) {
    const isOld = backups.some(({ before }) => hash.startsWith(before))
    const problem =
      backups.length === 0
        ? 'there is no backup of it'
        : isOld
          ? 'it is already as it was before its repair'
          : 'it has changed since it was repaired'
    throw new ToolError('refused', `nothing to undo for ${name}: ${problem}`, backupHint(backups))
  }
  const was = await fileHash(wanted.file)
  if (!was.startsWith(wanted.before)) {
    throw new ToolError(
      'refused',
      `the backup ${wanted.file} is not what it was when it was made, so ${name} was left as it is`,
    )
  }
  return { file: wanted.file, hash: was }
}

/** Whether a log was replaced, as far as its backups tell, and whether it is as it was before. */
export async function replacementOf(log: string): Promise<'none' | 'made' | 'undone'> {
  let hash: string | undefined
  const hashOf = async (): Promise<string> => {
    hash ??= await fileHash(log)
    return hash
  }
  const backups = await backupsOf(log, hashOf)
  if (backups.length === 0) return 'none'
  const now = await hashOf()
  const isMade = backups.some((backup) => now.startsWith(backup.now))
  return isMade || !backups.some(({ before }) => now.startsWith(before)) ? 'made' : 'undone'
}

const NO_BACKUP_HINT =
  'A backup stays where the log was repaired. If the log was moved to another folder since, move it back first.'

function backupHint([newest, ...older]: readonly Backup[]): string {
  if (newest === undefined) return NO_BACKUP_HINT
  if (older.length === 0) return `What it was before its repair is in ${newest.file}`
  const others = older.map(({ file }) => file).join(', ')
  return `What it was before its last repair is in ${newest.file}; before earlier ones, newest first: ${others}`
}

/**
 * Those that bear the name of the log, and those whose log has another name now and may be this one: what took their place
 * tells. The newest comes first: several logs may have become the same one.
 */
async function backupsOf(log: string, hashOf: () => Promise<string>): Promise<readonly Backup[]> {
  const empty = '0'.repeat(NAMED_DIGITS)
  const own = basename(backupName(log, empty, empty)).slice(0, -`${empty}-${empty}`.length)
  const names = (await readdir(dirname(log))).toSorted()
  const backups: (Backup & { readonly written: bigint })[] = []
  for (const name of names) {
    const end = name.lastIndexOf(MARK) + MARK.length
    const [, before, now] = (end > MARK.length && NAMED.exec(name.slice(end))) || []
    if (before === undefined || now === undefined) continue
    const isOwn = name.slice(0, end) === own
    if (!isOwn && (names.includes(name.slice(0, end - MARK.length)) || !(await hashOf()).startsWith(now)))
      continue
    const file = join(dirname(log), name)
    const { mtimeNs: written } = await stat(file, { bigint: true })
    backups.push({ file, before, now, written })
  }
  return backups.toSorted((a, b) => (a.written < b.written ? 1 : a.written > b.written ? -1 : 0))
}

/** Copies a file and reads the copy back. @param ready - called on the copy before it takes its name. */
export async function copyVerified(
  from: string,
  to: string,
  hash: string,
  ready: (copy: string) => Promise<void>,
): Promise<void> {
  await writeFileWhole(
    to,
    (target) => copyInto(from, target),
    async (copy) => {
      if ((await fileHash(copy)) !== hash)
        throw new ToolError('refused', `${from} changed while it was copied`)
      await ready(copy)
    },
  )
}
