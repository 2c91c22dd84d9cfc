/**
 * Whether somebody is at work on a log: it was written a moment ago, another process has it open for writing, or holds
 * the lock of its session directory (format.md §1.3). The last two are known where the system tells (Linux); elsewhere
 * the clock and the fingerprint have to do.
 */
import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ToolError } from '../tool-error.ts'

/** A log that was written less than this ago may be written again at any moment. */
const QUIET_MS = 3000
const WAIT = 'Close the session in DSH first, then repeat the command.'

/** @param now - milliseconds since the epoch. */
export async function mustBeAtRest(path: string, now: number): Promise<void> {
  const log = await realpath(path)
  const age = now - (await stat(log)).mtimeMs
  if (age >= 0 && age < QUIET_MS) {
    throw new ToolError(
      'refused',
      `${path} was written a moment ago`,
      'Wait a few seconds, then repeat the command.',
    )
  }
  const writer = await writerOf(log)
  if (writer !== undefined)
    throw new ToolError('refused', `process ${writer} has ${path} open for writing`, WAIT)
  const owner = await lockOwner(join(dirname(log), 'session.lock'))
  if (owner !== undefined) {
    throw new ToolError('refused', `process ${owner} holds the lock of the session directory`, WAIT)
  }
}

/** A process that has the file open for writing, as far as we may see its files. */
async function writerOf(file: string): Promise<string | undefined> {
  for (const pid of await processes()) {
    if (pid === String(process.pid)) continue
    for (const descriptor of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => undefined)
      if (target === file && (await isWriting(pid, descriptor))) return pid
    }
  }
  return undefined
}

/** The last two bits of the flags say how a file was opened: 0 is for reading. */
async function isWriting(pid: string, descriptor: string): Promise<boolean> {
  const info = await readFile(`/proc/${pid}/fdinfo/${descriptor}`, 'utf8').catch(() => '')
  const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0
}

async function lockOwner(lockFile: string): Promise<string | undefined> {
  const status = await stat(lockFile).catch(() => undefined)
  const locks = status === undefined ? '' : await readFile('/proc/locks', 'utf8').catch(() => '')
  // 1: FLOCK ADVISORY WRITE 4242 08:02:1315 0 EOF
  const line = locks
    .split('\n')
    .find((lock) => /:(\d+) /.exec(lock.split('->').at(-1) ?? '')?.[1] === String(status?.ino))
  return line === undefined ? undefined : (/\b(?:READ|WRITE)\s+(-?\d+)/.exec(line)?.[1] ?? 'unknown')
}

async function processes(): Promise<readonly string[]> {
  const names = await readdir('/proc').catch(() => [])
  return names.filter((name) => /^\d+$/.test(name))
}
