/**
 * Gives streamed deltas as runs where they are due: as lines that were recognised by their bytes, as packed rows, or row
 * by row from containers that have decoded them already.
 */
import type { Origin } from '../../core/findings/origin.ts'
import type { DeltaRun, DeltaSpan } from '../../core/replay/delta-run.ts'
import type { StoredDeltas, StoredRecord } from '../../storage/record-source.ts'
import { quietItem, RowRun, recordsIn, runOfLines, runOfPackedRow, spanOfRow } from './delta-run.ts'
import type { EventDecoder } from './event-decoder.ts'
import type { ItemQueue } from './item-queue.ts'
import type { Numbering } from './numbering.ts'
import type { StoredRow } from './stored-row.ts'

export class DeltaRuns {
  readonly #queue: ItemQueue
  readonly #numbering: Numbering

  constructor(queue: ItemQueue, numbering: Numbering) {
    this.#queue = queue
    this.#numbering = numbering
  }

  takeLines(stored: StoredDeltas, decoder: EventDecoder): boolean {
    if (!this.#isDue(stored)) return false
    const { line, byteOffset, frame } = stored
    const origin = { line, byteOffset, ...(frame !== undefined && { frame }) }
    this.#push(runOfLines(stored), origin, () => recordsIn(stored), decoder)
    return true
  }

  /** Takes a packed row, or the decoded row of one delta, as a run or as the next part of one. */
  takeRow({ record, value, isPacked }: StoredRow, decoder: EventDecoder): boolean {
    const packed = isPacked ? runOfPackedRow(value) : undefined
    if (packed !== undefined && this.#isDue(packed)) {
      this.#push(packed, record.origin, () => [{ ...record, content: { kind: 'value', value } }], decoder)
      return true
    }
    const span = record.content.kind === 'value' ? spanOfRow(value) : undefined
    if (span === undefined || !this.#isDue(span)) return false
    const { last } = this.#queue
    if (last?.kind === 'deltas' && last.run instanceof RowRun && last.run.takes(span, record)) {
      this.#numbering.take(1)
      return true
    }
    const run = new RowRun(span, record)
    this.#push(run, record.origin, () => run.records(), decoder)
    return true
  }

  /** Nothing is open that a single one of them could settle. */
  #isDue({ first }: DeltaSpan): boolean {
    return this.#numbering.isSteadyAt(first)
  }

  #push(run: DeltaRun, origin: Origin, records: () => Iterable<StoredRecord>, decoder: EventDecoder): void {
    this.#queue.isLog = true
    this.#numbering.take(run.count)
    this.#queue.push(quietItem(run, origin, records, decoder))
  }
}
