/**
 * A corpus case: a small log, the answer that is right for it, and why anyone would care. Every bug becomes a case
 * named for what went wrong.
 */
import type { FindingCode } from '../../src/core/findings/rules.ts'
import type { Verdict } from '../../src/core/findings/verdict.ts'
import type { LookAlike } from '../../src/load/reading/look-alikes.ts'

export interface ExpectedFinding {
  readonly code: FindingCode
  readonly seq?: number
  readonly line?: number
  /** Code of the finding that it follows from. */
  readonly causedBy?: FindingCode
}

export interface Case {
  readonly name: string
  readonly why: string
  readonly log: Content
  /** Name of the file, with the folders that matter; `log.jsonl` without it. */
  readonly file?: string
  /** Other files next to it. */
  readonly others?: Readonly<Record<string, Content>>
  /** What is named on the command line: the file, or a folder above it. */
  readonly named?: string
  readonly dialect?: LookAlike
  /** Release that has to open the log. */
  readonly target?: string
  /** What is looked at more closely. */
  readonly profile?: 'plugin'
  /** All findings, in the order of the file. */
  readonly findings: readonly ExpectedFinding[]
  readonly verdict: Verdict
  readonly exitCode: 0 | 1 | 3 | 4
  /** Whether the shipped readers open the log. */
  readonly opens: boolean
  /** Rules that the log comes close to and does not break. */
  readonly nearMissOf?: readonly FindingCode[]
  readonly maxRecord?: number
  /** Rules that it explains better than a smaller case would. */
  readonly exampleOf?: readonly FindingCode[]
}

/** A log that is built, bytes, or a file that only a writer can make. */
export type Content = { bytes(): Buffer } | Buffer | (() => Promise<Buffer>)

export async function bytesOf(content: Content): Promise<Buffer> {
  if (Buffer.isBuffer(content)) return content
  return typeof content === 'function' ? content() : content.bytes()
}

type Outcome = Pick<Case, 'verdict' | 'exitCode' | 'opens'>

/** Nothing worse than a note: opens. */
export const clean: Outcome = { verdict: 'clean', exitCode: 0, opens: true }
/** Warnings that DSH mends or ignores. */
export const mended: Outcome = { verdict: 'findings', exitCode: 0, opens: true }
/** Opens, and misleads the model or loses something. */
export const misleading: Outcome = { verdict: 'findings', exitCode: 1, opens: true }
/** DSH refuses a damaged log. */
export const refused: Outcome = { verdict: 'findings', exitCode: 1, opens: false }
/** DSH refuses an intact log. */
export const unsupported: Outcome = { verdict: 'unsupported', exitCode: 4, opens: false }
/** There is no session in it. */
export const notALog: Outcome = { verdict: 'findings', exitCode: 3, opens: false }

/** A finding at an event, in a log in which every line before it is one event. */
export function at(code: FindingCode, seq: number, causedBy?: FindingCode): ExpectedFinding {
  return { code, seq, line: seq + 2, ...(causedBy && { causedBy }) }
}

const NO_LINES = new Set(['bytes/utf-16', 'bytes/layout', 'bytes/frame-structure'])

/** Whether the log is lines of UTF-8 as it is: readers of bytes take it, and it may grow record by record. */
export function isOfLines({ findings }: Case): boolean {
  return !findings.some(({ code, line = 1 }) => line === 1 && NO_LINES.has(code))
}
