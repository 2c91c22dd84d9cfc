/**
 * Writes chunks to a stream and waits for it, so that nothing is lost behind a slow reader and memory stays flat. A
 * reader that went away (EPIPE) is not an error: the rest is not written, and the exit code stays what it was.
 */
import type { Writable } from 'node:stream'

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

  async write(chunks: Iterable<string>): Promise<void> {
    let held = ''
    for (const chunk of chunks) {
      held += chunk
      if (held.length < FLUSH_UNITS) continue
      await this.#send(held)
      held = ''
      if (this.#closed) break
    }
    if (held !== '') await this.#send(held)
    if (this.#failure !== undefined) throw this.#failure
  }

  async #send(text: string): Promise<void> {
    if (this.#closed) return
    await new Promise<void>((resolve) => {
      this.#stream.write(text, () => resolve())
      if (this.#stream.destroyed) resolve()
    })
  }
}
