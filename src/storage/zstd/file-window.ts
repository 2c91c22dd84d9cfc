/**
 * Bytes of a file at any offset, through one chunk: going forward in small steps costs one read per chunk. The
 * length is that of the moment of opening, so a file that grows meanwhile is read as it was, until somebody says how
 * long it is now.
 */
import { type FileHandle, open } from 'node:fs/promises'

const CHUNK_BYTES = 256 * 1024

export class FileWindow {
  length: number
  /** Nothing more will be written: what is cut off at the end stays cut off. */
  isComplete = true
  readonly #file: FileHandle
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  #start = 0
  #held = 0

  static async open(path: string): Promise<FileWindow> {
    const file = await open(path, 'r')
    try {
      return new FileWindow(file, (await file.stat()).size)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  constructor(file: FileHandle, length: number) {
    this.#file = file
    this.length = length
  }

  /** Goes on with a file that has changed. */
  renew(length: number, isComplete: boolean): void {
    this.length = length
    this.isComplete = isComplete
    this.#held = 0
  }

  /** The bytes from `offset` on, fewer than `count` only at the end of the file. A view until the next call. */
  async at(offset: number, count: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(count, this.length - offset))
    if (wanted > CHUNK_BYTES) {
      const bytes = Buffer.allocUnsafe(wanted)
      return bytes.subarray(0, await this.#read(bytes, offset, wanted))
    }
    if (offset < this.#start || offset + wanted > this.#start + this.#held) {
      this.#start = offset
      this.#held = await this.#read(this.#chunk, offset, Math.min(CHUNK_BYTES, this.length - offset))
    }
    const from = offset - this.#start
    return this.#chunk.subarray(from, Math.min(from + wanted, this.#held))
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #read(into: Buffer, offset: number, count: number): Promise<number> {
    let done = 0
    while (done < count) {
      const { bytesRead } = await this.#file.read(into, done, count - done, offset + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return done
  }
}
