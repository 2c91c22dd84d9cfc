/** Threads that share the logs of a run. They are started where that pays, and there are none where they cannot be had. */
import { existsSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { InputOutcomes, InputWorker, ThreadPool } from '../commands/definition/command.ts'
import type { LogInput } from '../load/inputs/resolve-inputs.ts'

/** A thread has to start and to warm up; less than this is read before it could help. */
const WORTH_BYTES = 256 * 1024 * 1024
/** More are used only when they are asked for: each holds a heap of its own. */
const MOST_THREADS = 4
const MOST_JOBS = 64

/** Built next to the command line; when the source itself is run there is none. */
const ENTRY = new URL('../cli/log-worker.js', import.meta.url)

/** What a thread is started with. */
export interface ThreadData {
  readonly argv: readonly string[]
}

/** What it gives back. */
export interface ThreadOutcomes {
  /** Absent when the input is not for a thread. */
  readonly outcomes?: InputOutcomes
  /** Real paths of what was read. */
  readonly opened: readonly string[]
}

/**
 * @param jobs - threads to use, this one included; absent for automatic.
 * @param argv - arguments of this run.
 * @param opened - gets the real paths of what the threads read.
 */
export function startThreads(
  inputs: readonly LogInput[],
  jobs: number | undefined,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  opened: Set<string>,
): ThreadPool | undefined {
  const wanted = jobs ?? (isWorth(inputs) ? Math.min(availableParallelism(), MOST_THREADS) : 1)
  const count = Math.min(wanted, inputs.length, MOST_JOBS) - 1
  if (count < 1 || !existsSync(fileURLToPath(ENTRY))) return undefined
  const threads = Array.from({ length: count }, () => new LogThread(argv, env, opened))
  const end = async (): Promise<void> => {
    await Promise.all(threads.map((thread) => thread.end()))
  }
  return { workers: threads, end }
}

function isWorth(inputs: readonly LogInput[]): boolean {
  let bytes = 0
  for (const { path } of inputs) bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return bytes >= WORTH_BYTES
}

interface Waiting {
  readonly resolve: (outcomes: InputOutcomes | undefined) => void
  readonly reject: (reason: Error) => void
}

class LogThread implements InputWorker<LogInput, InputOutcomes> {
  readonly #worker: Worker
  readonly #opened: Set<string>
  /** Inputs that it has been given, oldest first; it answers in this order. */
  readonly #waiting: Waiting[] = []
  #failure: Error | undefined

  constructor(
    argv: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
    opened: Set<string>,
  ) {
    this.#opened = opened
    const workerData: ThreadData = { argv }
    this.#worker = new Worker(ENTRY, { workerData, env: { ...env } })
    this.#worker.on('message', (message: ThreadOutcomes) => this.#take(message))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('the thread has ended')))
  }

  run(input: LogInput): Promise<InputOutcomes | undefined> {
    // There is one standard input, and it is read in the thread that has it.
    if (input.path === '-') return Promise.resolve(undefined)
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#worker.postMessage(input)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #take({ outcomes, opened }: ThreadOutcomes): void {
    for (const path of opened) this.#opened.add(path)
    this.#waiting.shift()?.resolve(outcomes)
  }

  #fail(reason: Error): void {
    this.#failure ??= reason
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure)
  }
}
