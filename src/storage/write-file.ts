/**
 * Writes a file that is either there whole or not at all: a temporary file in the same folder, flushed, then renamed.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { keepAtExit, removeAtExit } from './left-behind.ts'

/** @param verify - looks at the flushed file before it takes its name; throwing leaves nothing behind. */
export async function writeFileWhole(
  path: string,
  write: (file: FileHandle) => Promise<void>,
  verify?: (written: string) => Promise<void>,
): Promise<void> {
  // A link stays a link: what it points to is written.
  const target = await realpath(path).catch(() => path)
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`)
  removeAtExit(temporary)
  const file = await open(temporary, 'wx', 0o600)
  try {
    try {
      await write(file)
      await file.sync()
    } finally {
      await file.close()
    }
    await verify?.(temporary)
    await rename(temporary, target)
    await syncFolder(dirname(target))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    keepAtExit(temporary)
  }
}

/** Makes a new name in a folder last. Not every system can, and then the name lasts as it does there. */
export async function syncFolder(folder: string): Promise<void> {
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
      if (bytesRead === 0) throw new Error(`${source} became shorter while it was copied`)
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
