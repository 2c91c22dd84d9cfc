/**
 * What a repair takes out of a log: every piece with its place and the reason. Pieces are noted while the repaired log
 * is written, and only then: planning reads the same log several times.
 */
import type { Origin } from '../../core/findings/origin.ts'
import { type ContainerFault, jsonLine, type StoredRecord } from '../../storage/record-source.ts'

export interface QuarantinedPiece {
  readonly origin: Origin
  readonly why: string
  /** The bytes of it; absent where they have to be read from the file at its origin. */
  readonly bytes?: Buffer
}

export class Quarantine {
  #pieces: QuarantinedPiece[] = []
  #isOpen = false

  open(): void {
    this.#isOpen = true
  }

  /** What is read from now on is read again. */
  close(): void {
    this.#isOpen = false
  }

  /** A record that is taken out, whole or in part; `bytes` are the part. */
  record(record: StoredRecord, why: string, bytes?: Buffer): void {
    if (!this.#isOpen) return
    const { content, origin } = record.was ?? record
    // What a database holds is read there.
    const isOfDatabase = content.kind === 'value' && origin.row !== undefined
    const stored = content.kind === 'value' && !isOfDatabase ? jsonLine(content.value) : undefined
    const held = content.kind === 'bytes' ? content.bytes : stored
    const piece = record.was === undefined ? (bytes ?? held) : held
    this.#pieces.push({ origin, why, ...(piece !== undefined && { bytes: Buffer.from(piece) }) })
  }

  /** A record that stays and is not what it was; the first change of it keeps the original. */
  changed(record: StoredRecord, why: string): void {
    if (record.was === undefined) this.record(record, why)
  }

  fault({ origin, code, losesRecords }: ContainerFault): void {
    // What was read of them is not all of it, or not certain.
    const isDoubtful = code === 'bytes/torn-frame' || code === 'bytes/corrupt-frame'
    if (this.#isOpen && (losesRecords || isDoubtful)) this.#pieces.push({ origin, why: code })
  }

  /** The pieces since the last call. */
  take(): readonly QuarantinedPiece[] {
    const pieces = this.#pieces
    this.#pieces = []
    return pieces
  }
}
