/**
 * Reports rows that use seqs taken before. Of a log that still grows, what is said of a clash is said at once, and made
 * good at the end, when all rows that belong to it are there.
 */
import type { Finding } from '../../core/findings/finding.ts'
import type { JsonObject } from '../../core/json/json-value.ts'
import { laterStays } from '../../core/repair/arrange-runs.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { type Clash, ClashIndex, type OddRecord } from './clash-index.ts'
import type { ItemQueue } from './item-queue.ts'
import type { GapFinding, Repetition } from './numbering.ts'

/** How often a growing log is read again for a clash in its new part; of more clashes only the end tells the kind. */
const MOST_READINGS = 16

export class ClashReports {
  readonly #source: RecordSource
  readonly #queue: ItemQueue
  readonly #early: { readonly finding: Finding; readonly repetition: Repetition }[] = []
  #index: ClashIndex | undefined
  #readings = 0

  readonly #gaps: readonly GapFinding[]

  /** @param gaps - those that were found so far. */
  constructor(source: RecordSource, queue: ItemQueue, gaps: readonly GapFinding[]) {
    this.#source = source
    this.#queue = queue
    this.#gaps = gaps
  }

  async report(repetition: Repetition): Promise<void> {
    const finding = findingOf(repetition, await this.#explain(repetition))
    this.#queue.emit(finding)
    this.#explainGaps(finding)
    if (this.#source.stored !== undefined) this.#early.push({ finding, repetition })
  }

  async finish(): Promise<void> {
    if (this.#early.length === 0) return
    const index = await ClashIndex.of(this.#source)
    for (const { finding: instead, repetition } of this.#early) {
      this.#queue.emit({ ...findingOf(repetition, told(index, repetition)), instead })
    }
  }

  /** What comes elsewhere in the file is not missing. */
  #explainGaps(finding: Finding): void {
    if (finding.code !== 'order/misplaced') return
    const { belongsAt, belongsTo } = finding.args
    for (const gap of this.#gaps) {
      const { expected, got } = gap.args
      if (belongsAt <= expected && got - 1 <= belongsTo)
        this.#queue.emit({ ...gap, causedBy: finding, instead: gap })
    }
  }

  async #explain(repetition: Repetition): Promise<Clash | OddRecord | undefined> {
    if (this.#index === undefined || this.#index.lastLine < repetition.lastLine) {
      if (this.#readings++ >= MOST_READINGS) return undefined
      this.#index = await ClashIndex.of(this.#source)
    }
    return told(this.#index, repetition)
  }
}

function told(index: ClashIndex, repetition: Repetition): Clash | OddRecord {
  const odd = index.oddRecord(repetition)
  if (odd !== undefined) return odd
  const clash = index.explain(repetition)
  const { rows, first, expected } = repetition
  // A last row that repeats the number before it is no second writer.
  const isOdd = clash.kind === 'two-writers' && clash.livesOn === 0 && rows === 1 && first === expected - 1
  return isOdd ? { kind: 'misnumbered', belongsAt: expected, belongsTo: expected } : clash
}

function findingOf(
  { origin, first, last, rows, expected }: Repetition,
  clash: Clash | OddRecord | undefined,
): Finding {
  const where = { origin, seq: first, related: first === last ? [first] : [first, last] }
  if (clash !== undefined && 'belongsAt' in clash)
    return { code: 'order/misplaced', ...where, args: { first, last, rows, expected, ...clash } }
  const seen = clash as (Pick<Clash, 'kind'> & JsonObject) | undefined
  const stays =
    clash && (laterStays(clash.kind, 'living', rows + clash.livesOn, expected - first) ? 'later' : 'earlier')
  const args = { first, last, rows, expected, kind: 'unknown' as const, ...(stays && { stays }), ...seen }
  return { code: 'order/seq-repeated', ...where, args }
}
