/**
 * What a repaired log consists of: the original up to a cut, and closing events behind it. The three writers beside
 * this file put it into the container the original has, copying what stays byte for byte.
 */
import type { SessionEvent } from '../../core/event/session-event.ts'

export interface RepairedLog {
  /** The file that holds the original bytes. Never written to. */
  readonly file: string
  /** First byte that is not carried over, or the length of the file. */
  readonly cutAt: number
  /** Leave out the byte order mark in front. */
  readonly dropByteOrderMark: boolean
  /** Whole lines behind the cut that belong to the log all the same: the readable part of a torn frame. */
  readonly recovered: readonly Buffer[]
  readonly closers: readonly SessionEvent[]
}

export const BYTE_ORDER_MARK_BYTES = 3

/** Recovered lines and closers, as the lines to write behind the cut. */
export function addedLines({ recovered, closers }: RepairedLog): Buffer {
  const lines = [...recovered, ...closers.map((closer) => Buffer.from(JSON.stringify(closer)))]
  return Buffer.concat(lines.flatMap((line) => [line, LF]))
}

const LF = Buffer.from('\n')
