/**
 * Writes chunks to a stream and waits for it, so that nothing is lost behind a slow reader and memory stays flat. A
 * reader that went away (EPIPE) is not an error: the rest is not written, and the exit code stays what it was.
 */
import type { Writable } from 'node:stream'
import type { Chunks } from '../report/render.ts'

const FLUSH_UNITS = 64 * 1024

export class Output {
  readonly #stream: Writable
  #closed = false
  #failure: Error | undefined

  constructor(stream: Writable) {
    this.#stream = stream
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#closed = true
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') this.#failure = error
    })
  }

  async write(chunks: Chunks): Promise<void> {
    let held = ''
    for await (const chunk of inBlocks(chunks)) {
      held += chunk
      if (held.length < FLUSH_UNITS) continue
      await this.#send(held)
      held = ''
      if (this.#closed) break
    }
    if (held !== '') await this.#send(held)
    if (this.#failure !== undefined) throw this.#failure
  }

  async writeBytes(bytes: Uint8Array): Promise<void> {
    await this.#send(bytes)
    if (this.#failure !== undefined) throw this.#failure
  }

  async #send(content: string | Uint8Array): Promise<void> {
    if (this.#closed) return
    await new Promise<void>((resolve) => {
      this.#stream.write(content, () => resolve())
      if (this.#stream.destroyed) resolve()
    })
  }
}

/** Joins the pieces of a synchronous source, so that a million rows are not a million turns of the event loop. */
function* joined(chunks: Iterable<string>): Iterable<string> {
  let block = ''
  for (const chunk of chunks) {
    block += chunk
    if (block.length < FLUSH_UNITS) continue
    yield block
    block = ''
  }
  if (block !== '') yield block
}

function inBlocks(chunks: Chunks): Chunks {
  return Symbol.asyncIterator in chunks ? chunks : joined(chunks)
}
