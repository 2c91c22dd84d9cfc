/**
 * Writes chunks to a stream and waits for it, so that nothing is lost with a slow reader and memory stays flat. A
 * reader that went away (EPIPE) is not an error: the rest is not written, and the exit code stays what it was.
 */
import type { Writable } from 'node:stream'
import type { Chunks } from '../report/renderers/render.ts'

const FLUSH_UNITS = 64 * 1024

export class Output {
  readonly #stream: Writable
  readonly #unread = new AbortController()
  #closed = false
  #failure: Error | undefined

  constructor(stream: Writable) {
    this.#stream = stream
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#closed = true
      this.#unread.abort()
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') this.#failure = error
    })
  }

  /** Aborts when nobody takes what is written any more. */
  get unread(): AbortSignal {
    return this.#unread.signal
  }

  /** Writes what comes when it comes: nothing is held back while the source has nothing more at hand. */
  async writeLive(chunks: AsyncIterable<string>): Promise<void> {
    const source = chunks[Symbol.asyncIterator]()
    let held = ''
    for (let next = source.next(); ; next = source.next()) {
      if (held.length >= FLUSH_UNITS || (held !== '' && (await isLate(next)))) {
        await this.#send(held)
        held = ''
      }
      const { done, value } = await next
      if (done === true) break
      held += value
    }
    if (held !== '') await this.#send(held)
    if (this.#failure !== undefined) throw this.#failure
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

/** Whether it takes longer than what is already under way in this turn of the event loop. */
function isLate(next: Promise<unknown>): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => setImmediate(resolve, true))
  const settled = next.then(
    () => false,
    () => false,
  )
  return Promise.race([settled, turn])
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
