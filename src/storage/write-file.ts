/**
 * Writes a file that is either there whole or not at all: a temporary file in the same folder, flushed, then renamed.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { keepAtExit, removeAtExit } from './left-behind.ts'
import { linkTarget } from './link-target.ts'
import { siblingName } from './sibling-name.ts'
import { ToolError } from './tool-error.ts'

/** Random, in hexadecimal: DSH names its temporary files alike, and readers of a store pass over them. */
const RANDOM_BYTES = 6
const TEMPORARY = /^[0-9a-f]{12}\.tmp$/

/** @param verify - looks at the flushed file before it takes its name; throwing leaves nothing behind. */
export async function writeFileWhole(
  path: string,
  write: (file: FileHandle) => Promise<void>,
  verify?: (written: string) => Promise<void>,
): Promise<void> {
  // A link stays a link: what it points to is written.
  const target = await linkTarget(path)
  const temporary = siblingName(target, '.', `.${randomBytes(RANDOM_BYTES).toString('hex')}.tmp`)
  removeAtExit(temporary)
  try {
    // Made in one go, so that a signal finds it made or not made. It stays open, under this very number, until it has
    // its name: that is how another process knows that it is no leftover.
    const descriptor = openSync(temporary, 'wx', 0o600)
    try {
      await writeAndVerify(temporary, write, verify)
      if (RENAMES_OPEN_FILES) await rename(temporary, target)
    } finally {
      closeSync(descriptor)
    }
    if (!RENAMES_OPEN_FILES) await rename(temporary, target)
  } catch (error) {
    // What went wrong first is what the user has to know.
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  } finally {
    keepAtExit(temporary)
  }
  await makeLast(target)
}

async function writeAndVerify(
  path: string,
  write: (file: FileHandle) => Promise<void>,
  verify: ((written: string) => Promise<void>) | undefined,
): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await write(file)
    await file.sync()
    await verify?.(path)
  } finally {
    // All bytes are flushed by now, or something worse is on its way up.
    await file.close().catch(() => undefined)
  }
}

const RENAMES_OPEN_FILES = process.platform !== 'win32'

/** The file has its name; only whether the name outlives a power cut could not be made sure. */
export class NotFlushedError extends ToolError {
  /** The file, behind all links. */
  readonly path: string
  readonly reason: string

  constructor(path: string, reason: string) {
    super('input', `${path} is written whole, but its folder could not be flushed to the disk: ${reason}`)
    this.name = 'NotFlushedError'
    this.path = path
    this.reason = reason
  }
}

/** Temporary files of runs that write `path`, still writing or killed. */
export async function temporariesOf(path: string): Promise<readonly string[]> {
  const end = `.${'0'.repeat(2 * RANDOM_BYTES)}.tmp`
  const start = basename(siblingName(path, '.', end)).slice(0, 1 - end.length)
  const names = await readdir(dirname(path))
  return names
    .filter((name) => name.startsWith(start) && TEMPORARY.test(name.slice(start.length)))
    .map((name) => join(dirname(path), name))
}

/** For those who know that nobody else is writing `path`. */
export async function removeLeftovers(path: string): Promise<void> {
  for (const left of await temporariesOf(path)) await rm(left, { force: true })
}

async function makeLast(path: string): Promise<void> {
  try {
    await syncFolder(dirname(path))
  } catch (error) {
    throw new NotFlushedError(path, (error as Error).message)
  }
}

/** Makes a new name in a folder last. Not every system can, and then the name lasts as it does there. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  try {
    await handle?.sync()
  } catch (error) {
    if (!NO_FOLDER_SYNC.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await handle?.close()
  }
}

/** What systems say that cannot flush a folder. */
const NO_FOLDER_SYNC: ReadonlySet<string> = new Set(['EPERM', 'EINVAL', 'EISDIR', 'EBADF', 'ENOTSUP'])
