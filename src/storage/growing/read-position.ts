/**
 * A position in a file with the bytes right before it, remembered to see later whether they are still there. A log that was cut,
 * rewritten or written again differs there, except where what it holds now is the same as far as it was read.
 */
import type { FileHandle } from 'node:fs/promises'

const MOST_BYTES = 4096

export class ReadPosition {
  static readonly START = new ReadPosition(0, Buffer.alloc(0))

  /** Where reading goes on. */
  readonly offset: number
  readonly #bytes: Buffer

  private constructor(offset: number, bytes: Buffer) {
    this.offset = offset
    this.#bytes = bytes
  }

  static async at(offset: number, file: FileHandle): Promise<ReadPosition> {
    return new ReadPosition(offset, await lastBytes(file, offset, Math.min(offset, MOST_BYTES)))
  }

  /** The position after `bytes`, which follow here. */
  after(bytes: Buffer): ReadPosition {
    const known = Buffer.concat([this.#bytes, bytes.subarray(-MOST_BYTES)])
    return new ReadPosition(this.offset + bytes.length, known.subarray(-MOST_BYTES))
  }

  async isUnchangedIn(file: FileHandle): Promise<boolean> {
    return this.#bytes.equals(await lastBytes(file, this.offset, this.#bytes.length))
  }
}

/** Fewer than `count` where the file ends before. */
async function lastBytes(file: FileHandle, end: number, count: number): Promise<Buffer> {
  const bytes = Buffer.alloc(count)
  let done = 0
  while (done < count) {
    const { bytesRead } = await file.read(bytes, done, count - done, end - count + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}
