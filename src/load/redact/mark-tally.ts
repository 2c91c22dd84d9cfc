/** The account of the marks that were set: which, how often and where. It holds no secret. */

import { isJsonObject } from '../../core/json/json-value.ts'
import type { Marked } from '../../core/redact/known-secrets.ts'
import type { ReadRecord } from './read-records.ts'

/** Where a mark is: the record, its event, and the member. */
export interface MarkPlace {
  readonly line: number
  readonly seq?: number
  readonly member?: string
}

export interface MarkCount {
  readonly kind: string
  readonly mark: string
  readonly count: number
  /** The first of them. */
  readonly places: readonly MarkPlace[]
}

const MOST_PLACES = 20

export class MarkTally {
  readonly #counts = new Map<string, { kind: string; count: number; places: MarkPlace[] }>()

  /** @param redact - names of members may be secrets, too. */
  add(
    { line, row }: ReadRecord,
    { mark, kind }: Marked,
    member: string | undefined,
    redact: (text: string) => string,
  ): void {
    const counted = this.#counts.get(mark) ?? { kind, count: 0, places: [] }
    this.#counts.set(mark, counted)
    counted.count++
    if (counted.places.length === MOST_PLACES) return
    const seq = isJsonObject(row ?? null) ? seqOf(row as { seq?: unknown; seq0?: unknown }) : undefined
    counted.places.push({
      line,
      ...(seq !== undefined && { seq }),
      ...(member !== undefined && { member: redact(member) }),
    })
  }

  /** In the order in which the log has them. */
  counts(): readonly MarkCount[] {
    return [...this.#counts].map(([mark, counted]) => ({ mark, ...counted }))
  }
}

function seqOf({ seq, seq0 }: { readonly seq?: unknown; readonly seq0?: unknown }): number | undefined {
  const number = seq ?? seq0
  return typeof number === 'number' ? number : undefined
}
