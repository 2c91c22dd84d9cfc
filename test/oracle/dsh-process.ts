/** The one child process in which the published DSH packages of 0.1.0-rc.8 run. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AnsweringProcess, missingNode } from './answering-process.ts'
import type { DshAnswer } from './dsh-answer.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const PACKAGE = here('node_modules/@deepseek-ai/dsh-session/package.json')
const WORKER = here('worker.mjs')

/** Why the oracle cannot run here; `undefined` when it can. */
export function missingOracle(): string | undefined {
  if (!existsSync(PACKAGE)) return 'test/oracle is not installed: run "npm run oracle:install"'
  return missingNode()
}

export interface StoreAnswer {
  readonly isListed: boolean
  readonly opens: boolean
}

export class DshProcess {
  readonly #process = new AnsweringProcess(WORKER)

  /** @param stored - the same log in zstd frames, to be judged in place of the plain one. */
  ask(file: string, stored?: string): Promise<DshAnswer> {
    return this.#process.request({ file, stored }) as Promise<DshAnswer>
  }

  /** Has the packages write a plain log in zstd frames. */
  async write(file: string, writeTo: string): Promise<void> {
    await this.#process.request({ file, writeTo })
  }

  /** Whether a store lists a session and opens it. */
  store(root: string, compression: 'none' | 'zstd', id: string): Promise<StoreAnswer> {
    return this.#process.request({ root, compression, id }) as Promise<StoreAnswer>
  }

  /** One zstd frame of the encoder in Node, each text in blocks of its own. */
  async frame(texts: readonly Buffer[]): Promise<Buffer> {
    const blocks = texts.map((text) => text.toString('base64'))
    return Buffer.from((await this.#process.request({ blocks })) as string, 'base64')
  }

  stop(): Promise<void> {
    return this.#process.stop()
  }
}
