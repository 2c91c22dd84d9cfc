/**
 * The bytes right before a place in a file, remembered to see later whether they are still there. A log that was cut,
 * rewritten or written again differs there, except where what it holds now is the same as far as it was read.
 */
import type { FileHandle } from 'node:fs/promises'

const MOST_BYTES = 4096

export class Footing {
  static readonly START = new Footing(0, Buffer.alloc(0))

  /** The place: where reading goes on. */
  readonly end: number
  readonly #bytes: Buffer

  private constructor(end: number, bytes: Buffer) {
    this.end = end
    this.#bytes = bytes
  }

  static async before(end: number, file: FileHandle): Promise<Footing> {
    return new Footing(end, await lastBytes(file, end, Math.min(end, MOST_BYTES)))
  }

  /** The place behind `bytes`, which follow here. */
  after(bytes: Buffer): Footing {
    const known = Buffer.concat([this.#bytes, bytes.subarray(-MOST_BYTES)])
    return new Footing(this.end + bytes.length, known.subarray(-MOST_BYTES))
  }

  async holdsIn(file: FileHandle): Promise<boolean> {
    return this.#bytes.equals(await lastBytes(file, this.end, this.#bytes.length))
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
