/**
 * Which summary belongs to a checkpoint: one that it cites (format.md §8.3), or the one right before it, for writers
 * that cite the replaced events only.
 */
import { citedSeqs, type SessionEvent } from '../event/session-event.ts'
import { numberIn } from '../replay/turn-cursor.ts'

export interface CompactionSummary {
  readonly seq: number
  /** Estimated tokens of what the compaction hid. */
  readonly tokens: number | undefined
}

export class CompactionSummaries {
  /** Those that no checkpoint has claimed yet. */
  readonly #open = new Map<number, CompactionSummary>()

  note(event: SessionEvent): void {
    if (event.type !== 'compaction/summary') return
    this.#open.set(event.seq, { seq: event.seq, tokens: numberIn(event, 'shadowedTokenCount') })
  }

  claim(checkpoint: SessionEvent): CompactionSummary | undefined {
    const cited = citedSeqs(checkpoint).find((seq) => this.#open.has(seq))
    const summary = this.#open.get(cited ?? checkpoint.seq - 1)
    if (summary !== undefined) this.#open.delete(summary.seq)
    return summary
  }
}
