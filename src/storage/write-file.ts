/**
 * Writes a file that is either there whole or not at all: a temporary file in the same folder, flushed, then renamed.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { keepAtExit, removeAtExit } from './left-behind.ts'
import { linkTarget } from './link-target.ts'
import { nameBeside } from './name-beside.ts'
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
  const temporary = nameBeside(target, '.', `.${randomBytes(RANDOM_BYTES).toString('hex')}.tmp`)
  removeAtExit(temporary)
  try {
    await fill(temporary, write)
    await verify?.(temporary)
    await rename(temporary, target)
  } catch (error) {
    // What went wrong first is what the user has to know.
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  } finally {
    keepAtExit(temporary)
  }
  await makeLast(target)
}

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

/** Removes temporary files that killed runs left when they wrote `path`. A run that is still at it fails cleanly. */
export async function removeLeftovers(path: string): Promise<void> {
  const start = basename(nameBeside(path, '.', `.${'0'.repeat(2 * RANDOM_BYTES)}.tmp`)).slice(
    0,
    -LEFTOVER_END,
  )
  for (const name of await readdir(dirname(path))) {
    if (name.startsWith(start) && TEMPORARY.test(name.slice(start.length)))
      await rm(join(dirname(path), name), { force: true })
  }
}

const LEFTOVER_END = '000000000000.tmp'.length

async function fill(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await write(file)
    await file.sync()
  } finally {
    await file.close()
  }
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

/** Copies the bytes from `from` up to `to` of a file to the end of another one. */
export async function copyRange(source: string, from: number, to: number, target: FileHandle): Promise<void> {
  const input = await open(source, 'r')
  try {
    const chunk = Buffer.allocUnsafe(1024 * 1024)
    for (let position = from; position < to; ) {
      const { bytesRead } = await input.read(chunk, 0, Math.min(chunk.length, to - position), position)
      if (bytesRead === 0) throw new ToolError('refused', `${source} became shorter while it was copied`)
      await target.writeFile(chunk.subarray(0, bytesRead))
      position += bytesRead
    }
  } finally {
    await input.close()
  }
}

/** The bytes from `from` up to `to` of a file, for pieces that fit in memory. */
export async function readRange(path: string, from: number, to: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const bytes = Buffer.alloc(to - from)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
