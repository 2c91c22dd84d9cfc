/**
 * Located records: what every container gives to the reader above it. A record is one line of a log, or one database
 * row, wherever it was stored. What is wrong with the container itself comes in between, at its place.
 */
import type { Finding } from '../core/findings/finding.ts'
import type { Origin } from '../core/findings/origin.ts'
import type { JsonValue } from '../core/json/json-value.ts'
import { stringifyJson } from '../core/json/stringify-json.ts'
import type { DeltaSpan } from '../core/replay/delta-run.ts'

export interface StoredRecord {
  readonly kind: 'record'
  /** Position among the records of the log from 1; the header is 1. For text it is the line number. */
  readonly line: number
  readonly origin: Origin
  readonly content: RecordContent
  /** Whether the record was stored whole. A line is whole only with its line feed. */
  readonly ended: boolean
  readonly standing?: Standing
  /** What the record was before it was edited. */
  readonly was?: Pick<StoredRecord, 'origin' | 'content'>
}

/**
 * What DSH makes of a break in the log at a record, where it is not the tail rule that decides. In a whole frame nothing
 * is a crash tail: DSH takes every line of it or refuses the log, and so it does with a row that SQLite cannot give it. What is hidden lies after damage that DSH takes for the
 * end of the file.
 */
export type Standing = 'whole-frame' | 'hidden'

/**
 * The bytes of a line, without its line feed, as a part of a chunk; they are valid until the next batch. A view of them is
 * made when one is asked for: there are millions of lines, and most are only parsed.
 */
export class LineContent {
  readonly kind = 'bytes'
  readonly chunk: Buffer
  readonly start: number
  readonly end: number
  #bytes: Buffer | undefined

  constructor(chunk: Buffer, start: number, end: number) {
    this.chunk = chunk
    this.start = start
    this.end = end
  }

  get bytes(): Buffer {
    this.#bytes ??= this.chunk.subarray(this.start, this.end)
    return this.#bytes
  }
}

const CR = 0x0d

/** Whether a line ended in CR LF. */
export function endsInCr(content: Extract<RecordContent, { kind: 'bytes' }>): boolean {
  const last = content instanceof LineContent ? content.chunk[content.end - 1] : content.bytes.at(-1)
  return last === CR
}

export type RecordContent =
  | LineContent
  /** The same, on its own. */
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /** A row that the container has decoded already, in the shape of a line of format 0. */
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** A row that the container could not decode. */
  | {
      readonly kind: 'unreadable'
      readonly problem: string
      /** The row without its optional columns, where nothing else is wrong with it. */
      readonly rest?: JsonValue
    }
  /** A record over the limit, which was passed over. */
  | { readonly kind: 'oversize'; readonly bytes: number }

/** Something wrong with the container, as the finding it makes. */
export type ContainerFault = Finding & {
  readonly kind: 'fault'
  /** Records are missing at this place, so the numbering may break right after it. */
  readonly losesRecords: boolean
  /** DSH takes this for the end of the file. */
  readonly hidesRest?: true
  /** The last write was cut off, so records are missing at the end: what can be read of the first of them. */
  readonly cutRecord?: Buffer
}

export type StoredItem = StoredRecord | ContainerFault

/** Lines of streamed deltas that were recognised by their bytes (`delta-lines.ts`), as one item. */
export interface StoredDeltas extends DeltaSpan {
  readonly kind: 'deltas'
  /** Number of the first line. */
  readonly line: number
  /** How many lines they are; a packed one holds several deltas. */
  readonly lines: number
  /** Place of the first byte; in a compressed log, of the frame. */
  readonly byteOffset: number
  /** Zero-based index of the compressed frame. */
  readonly frame?: number
  readonly standing?: Standing
  /** The lines with their line feeds. A view that is valid until the next batch. */
  readonly bytes: Buffer
}

export interface RecordSource {
  /** Items from the start, or from the record with this line on. */
  items(fromLine?: number): AsyncIterable<readonly StoredItem[]>
  /** All items, with streamed deltas as runs where the source can tell; for anyone who need not see each of them. */
  itemsWithRuns?(): AsyncIterable<readonly (StoredItem | StoredDeltas)[]>
  /** The items that are stored now, of a source that otherwise waits for more. */
  stored?(): AsyncIterable<readonly StoredItem[]>
}

/** How much is read at once; what is larger is a finding, and the rest is read. */
export interface ReadLimits {
  /** Longest record that is read, in bytes. */
  readonly maxRecord: number
  /** Most bytes that a compressed file may become when it has to be unpacked as a whole. */
  readonly maxUnpacked: number
}

/** 128 MiB for a record, and 16 GiB for what is unpacked. */
export const DEFAULT_LIMITS: ReadLimits = { maxRecord: 128 * 1024 * 1024, maxUnpacked: 16 * 1024 ** 3 }

/** The line of a row or of a header, without its line feed. */
export function jsonLine(value: object | JsonValue): Buffer {
  return Buffer.from(stringifyJson(value as JsonValue))
}

/** Bytes of a record that is at hand as bytes; 0 for others. */
export function bytesIn({ content }: StoredRecord): number {
  return content.kind === 'bytes' ? content.bytes.length : 0
}
