/** The child process in which the published readers of the formats 0 to 3 run. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AnsweringProcess, missingNode } from './answering-process.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const PACKAGE = here('readers/node_modules/@deepseek-ai/dsh-session-format-v2-to-v3/package.json')
const WORKER = here('readers/worker.mjs')

/** Formats whose releases can be asked. */
export type ReaderFormat = 2 | 3

export interface ReaderAnswer {
  readonly opens: boolean
  /** Their words, when they refuse. */
  readonly why?: string
  /** The rows can be decoded; whether the release makes a session of them is not said. */
  readonly rowsOnly?: true
}

/** A release is not asked about a format that is newer than its own. */
export type ReaderAnswers = Readonly<Partial<Record<ReaderFormat, ReaderAnswer>>>

/** The formats whose answer about a log says all that the release would. */
export function answeredFormats(answers: ReaderAnswers): readonly ReaderFormat[] {
  return ([2, 3] as const).filter((format) => {
    const answer = answers[format]
    return answer !== undefined && answer.rowsOnly !== true
  })
}

/** Why the readers cannot be asked here; `undefined` when they can. */
export function missingReaders(): string | undefined {
  if (!existsSync(PACKAGE)) return 'test/oracle/readers is not installed: run "npm run readers:install"'
  return missingNode()
}

export class ReadersProcess {
  readonly #process = new AnsweringProcess(WORKER)

  /** @param text - the log as plain JSONL. */
  ask(text: string): Promise<ReaderAnswers> {
    return this.#process.request({ text }) as Promise<ReaderAnswers>
  }

  stop(): Promise<void> {
    return this.#process.stop()
  }
}
