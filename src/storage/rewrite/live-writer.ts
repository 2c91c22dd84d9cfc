/**
 * Whether somebody is at work on a log: it was written a moment ago, another process has it open for writing, or holds
 * the lock of its session directory (format.md §1.3). Linux tells the last two by itself, macOS with `lsof`; on Windows
 * the clock and the fingerprint have to do.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ToolError } from '../tool-error.ts'
import { listedWriters } from './listed-writers.ts'

const HAS_PROC = existsSync('/proc/self/fdinfo')

/** A log that was written less than this ago may be written again at any moment. */
const QUIET_MS = 3000
const WAIT = 'Close the session in DSH first, then repeat the command.'

/** @param now - milliseconds since the epoch. */
export async function mustBeAtRest(path: string, now: number): Promise<void> {
  // The clock of a file server may be a little ahead of ours.
  const age = Math.abs(now - (await stat(path)).mtimeMs)
  if (age < QUIET_MS) {
    throw new ToolError(
      'refused',
      `${path} was written a moment ago`,
      'Wait a few seconds, then repeat the command.',
    )
  }
  await mustHaveNoWriter(path)
}

/** Also where it was written a moment ago, by ourselves. */
export async function mustHaveNoWriter(path: string): Promise<void> {
  const user = await userOf(path, openFiles())
  if (user === undefined) return
  const { process, holds } = user
  const what =
    holds === 'log' ? `has ${path} open for writing` : `holds the lock of the session directory of ${path}`
  throw new ToolError('refused', `process ${process} ${what}`, WAIT)
}

export interface LogUser {
  /** Its number. */
  readonly process: string
  readonly holds: 'log' | 'lock'
}

/**
 * The process that is at work on a log; absent also where the system does not tell. For a look at many logs one list of
 * open files serves for a second; what is to be written asks again.
 */
export async function userOf(path: string, files = recentFiles()): Promise<LogUser | undefined> {
  const log = await realpath(path)
  const writer = await writerOf(log, files)
  if (writer !== undefined) return { process: writer, holds: 'log' }
  const owner = await lockOwner(join(dirname(log), 'session.lock'))
  return owner === undefined ? undefined : { process: owner, holds: 'lock' }
}

interface FileIdentity {
  readonly path: string
  readonly dev: bigint
  readonly ino: bigint
}

async function identityOf(path: string): Promise<FileIdentity | undefined> {
  const status = await stat(path, { bigint: true }).catch(() => undefined)
  return status && { path, dev: status.dev, ino: status.ino }
}

/** Another process that has the file open for writing, as far as we may see its files. */
export async function writerOf(path: string, files = openFiles()): Promise<string | undefined> {
  const file = await identityOf(path)
  if (file === undefined) return undefined
  if (!HAS_PROC) return (await listedWriters(path))[0]
  for (const { pid, descriptor } of (await files).get(basename(file.path)) ?? [])
    if ((await isOpenAs(file, descriptor)) && (await isWriting(pid, descriptor))) return pid
  return undefined
}

/** By the names that the files have where they are open. */
type OpenFiles = Promise<
  ReadonlyMap<string, readonly { readonly pid: string; readonly descriptor: string }[]>
>

async function openFiles(): OpenFiles {
  const files = new Map<string, { pid: string; descriptor: string }[]>()
  for (const pid of await processes()) {
    if (pid === String(process.pid)) continue
    for (const descriptor of (await descriptorsOf(pid)) ?? []) {
      const target = await readlink(descriptor).catch(() => undefined)
      if (target === undefined) continue
      const name = basename(target)
      const known = files.get(name)
      if (known === undefined) files.set(name, [{ pid, descriptor }])
      else known.push({ pid, descriptor })
    }
  }
  return files
}

const RECENT_MS = 1000
let recent: { readonly since: number; readonly files: OpenFiles } | undefined

function recentFiles(): OpenFiles {
  const now = performance.now()
  if (recent === undefined || now - recent.since > RECENT_MS) recent = { since: now, files: openFiles() }
  return recent.files
}

/** The open files of a process; `undefined` where we may not see them. */
async function descriptorsOf(pid: string): Promise<readonly string[] | undefined> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => undefined)
  return names?.map((name) => `/proc/${pid}/fd/${name}`)
}

/** In another container a file has another path. Only files of the same name are asked, for a dead network hangs. */
async function isOpenAs(file: FileIdentity, descriptor: string): Promise<boolean> {
  const target = await readlink(descriptor).catch(() => undefined)
  if (target === undefined || basename(target) !== basename(file.path)) return false
  const open = await identityOf(descriptor)
  return open?.dev === file.dev && open.ino === file.ino
}

/** The last two bits of the flags say how a file was opened: 0 is for reading. */
async function isWriting(pid: string, descriptor: string): Promise<boolean> {
  const info = await readFile(`/proc/${pid}/fdinfo/${basename(descriptor)}`, 'utf8').catch(() => '')
  const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0
}

/**
 * The process that holds a lock on the file; that the file is there means nothing. Where locks are not listed, a process
 * that has it open is taken for the owner.
 */
async function lockOwner(path: string): Promise<string | undefined> {
  const file = await identityOf(path)
  if (file === undefined) return undefined
  if (!HAS_PROC) return (await listedWriters(path))[0]
  for (const lock of heldLocks(await readFile('/proc/locks', 'utf8').catch(() => ''))) {
    if (lock.inode === String(file.ino) && (await isOn(file, lock))) return lock.pid
  }
  return undefined
}

interface HeldLock {
  readonly pid: string
  /** Numbers of the device, in hexadecimal. */
  readonly major: string
  readonly minor: string
  readonly inode: string
}

/** `1: FLOCK ADVISORY WRITE 4242 08:02:1315 0 EOF`; anyone who waits for a lock has `->` in front and holds none. */
function* heldLocks(table: string): Iterable<HeldLock> {
  for (const line of table.split('\n')) {
    const match = /^\d+: \w+\s+\w+\s+\w+\s+(-?\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) /.exec(line)
    const [, pid, major, minor, inode] = match ?? []
    if (pid && major && minor && inode) yield { pid, major, minor, inode }
  }
}

/**
 * Other disks have files of the same number, and some file systems give one device to the table and another one to
 * anyone who asks. So where the device differs the process is asked; one that we cannot ask is taken for the owner.
 */
async function isOn(file: FileIdentity, { pid, major, minor }: HeldLock): Promise<boolean> {
  const [wantedMajor, wantedMinor] = deviceNumbers(file.dev)
  if (BigInt(`0x${major}`) === wantedMajor && BigInt(`0x${minor}`) === wantedMinor) return true
  const descriptors = await descriptorsOf(pid)
  if (descriptors === undefined) return true
  for (const descriptor of descriptors) if (await isOpenAs(file, descriptor)) return true
  return false
}

/** Linux spreads both numbers over the 64 bits of a device. */
function deviceNumbers(device: bigint): readonly [major: bigint, minor: bigint] {
  return [
    ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n),
    (device & 0xffn) | ((device >> 12n) & 0xffffff00n),
  ]
}

async function processes(): Promise<readonly string[]> {
  const names = await readdir('/proc').catch(() => [])
  return names.filter((name) => /^\d+$/.test(name))
}
