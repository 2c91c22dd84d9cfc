/**
 * A stream that can be read only once becomes a private file, where reading may look ahead and come back. A gzip stream
 * is unpacked on the way, and text in another form than lines of UTF-8 is written as such.
 */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { privateFolder } from '../../storage/left-behind.ts'
import { reasonOf } from '../../storage/reason-of.ts'
import type { ReadLimits } from '../../storage/record-source.ts'
import { ToolError } from '../../storage/tool-error.ts'
import type { ReadingProgress } from './watched-source.ts'

export interface Spooled {
  readonly file: string
  readonly remove: () => Promise<void>
}

type Stage = (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

export interface SpoolOptions {
  /** The stream is gzip, and this bounds what it may become. */
  readonly unpack?: ReadLimits
  readonly rewrite?: Stage
}

export async function spool(
  stream: Readable,
  progress: ReadingProgress | undefined,
  { unpack, rewrite }: SpoolOptions = {},
): Promise<Spooled> {
  const { path: folder, remove } = await privateFolder()
  const file = join(folder, 'log')
  const target = createWriteStream(file, { mode: 0o600 })
  if (progress !== undefined) watch(stream, progress)
  try {
    if (unpack !== undefined) await pipeline(stream, createGunzip(), bounded(unpack.maxUnpacked), target)
    else if (rewrite !== undefined) await pipeline(stream, rewrite, target)
    else await pipeline(stream, target)
    return { file, remove }
  } catch (error) {
    await remove()
    if (error instanceof ToolError) throw error
    const isSystem = (error as NodeJS.ErrnoException).syscall !== undefined
    if (isSystem) throw new ToolError('input', `cannot make a private copy in ${folder}: ${reasonOf(error)}`)
    if (unpack === undefined) throw error
    throw new ToolError('input', `the gzip stream is damaged: ${reasonOf(error)}`)
  }
}

/** Counts the bytes of a stream while something else reads it, which has to begin at once. */
function watch(stream: Readable, progress: ReadingProgress): void {
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    progress.reach(bytes)
  })
}

function bounded(most: number): Stage {
  return async function* (chunks) {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > most) throw new ToolError('unsupported', `the file unpacks to more than ${most} bytes`)
      yield chunk
    }
  }
}
