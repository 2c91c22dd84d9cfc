/**
 * Reports rows that use seqs taken before. Of a log that still grows, what is said of a clash is said at once, and made
 * good at the end, when all rows that belong to it are there.
 */
import type { Finding } from '../../core/findings/finding.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { clashFinding } from './explain-clash.ts'
import type { ItemQueue } from './item-queue.ts'
import type { Repetition } from './numbering.ts'

export class ClashReports {
  readonly #source: RecordSource
  readonly #queue: ItemQueue
  readonly #early: { readonly finding: Finding; readonly repetition: Repetition }[] = []

  constructor(source: RecordSource, queue: ItemQueue) {
    this.#source = source
    this.#queue = queue
  }

  async report(repetition: Repetition): Promise<void> {
    const finding = await clashFinding(this.#source, repetition)
    this.#queue.emit(finding)
    if (this.#source.stored !== undefined) this.#early.push({ finding, repetition })
  }

  async finish(): Promise<void> {
    for (const { finding: instead, repetition } of this.#early) {
      const finding = await clashFinding(this.#source, repetition)
      this.#queue.push({ kind: 'finding', finding, instead })
    }
  }
}
