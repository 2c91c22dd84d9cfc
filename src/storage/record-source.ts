/**
 * Located records: what every container gives to the reader above it. A record is one line of the log, wherever its
 * bytes were stored.
 */

/** A place from which records can be read again. */
export interface Mark {
  readonly byteOffset: number
  readonly line: number
}

export interface RawRecord extends Mark {
  /** The line without its line feed. A view that is valid until the next batch. Empty when `oversize` is set. */
  readonly bytes: Buffer
  /** Whether a line feed follows: a record is complete only with it. */
  readonly ended: boolean
  /** Length of a record that is over the limit and was passed over. */
  readonly oversize?: number
}

export interface RecordSource {
  /** Records from the start, or from the mark of an earlier record. */
  records(from?: Mark): AsyncIterable<readonly RawRecord[]>
}

export interface ReadLimits {
  /** Longest record that is read, in bytes. */
  readonly maxRecord: number
}

export const DEFAULT_LIMITS: ReadLimits = { maxRecord: 128 * 1024 * 1024 }
