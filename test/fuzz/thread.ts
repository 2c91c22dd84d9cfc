/** Runs the command line in a thread, so that one that hangs or takes too much memory is ended and told. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

export interface Answer {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** What went wrong with the thread itself; it was ended. */
  readonly ended?: string
}

export interface Call {
  readonly args: readonly string[]
  /** Columns of the terminal, if the answer goes to one. */
  readonly terminal?: number | undefined
}

/** Milliseconds after which a call on a small log has hung. */
const PATIENCE = 20_000
const MEGABYTES = 450

export class Thread {
  #worker: Worker | undefined

  async run(call: Call): Promise<Answer> {
    this.#worker ??= new Worker(new URL('thread.mjs', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
    })
    const worker = this.#worker
    const over = new AbortController()
    const { signal } = over
    const failed = (ended: string): Answer => ({ exitCode: -1, stdout: '', stderr: '', ended })
    worker.postMessage(call)
    const answer = await Promise.race([
      once(worker, 'message', { signal }).then(
        ([message]) => message as Answer,
        (error) => failed(String(error)),
      ),
      sleep(PATIENCE, failed(`no answer after ${PATIENCE / 1000} s`), { signal, ref: false }),
    ])
    over.abort()
    if (answer.ended !== undefined) await this.stop()
    return answer
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = undefined
  }
}
