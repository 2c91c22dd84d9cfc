/**
 * What a clash of seqs is: rows that use numbers taken before are compared with the rows that took them. The source is
 * read again for that, which happens only when a log is broken.
 */

import { isCloser, isTurnCloser } from '../../core/event-types/closers.ts'
import type { Finding } from '../../core/findings/finding.ts'
import { isJsonObject, type JsonObject, sameJson } from '../../core/json/json-value.ts'
import type { ClashKind } from '../../core/repair/arrange-runs.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import type { Repetition } from './numbering.ts'
import { rowIn, type StoredRow } from './stored-row.ts'

export interface Clash {
  readonly kind: ClashKind
  /** Rows of the earlier and the later branch that share seqs. */
  readonly earlier: Branch
  readonly later: Branch
  /** Events behind the clash that go on from the later branch. */
  readonly livesOn: number
}

export interface Branch {
  readonly rows: number
  readonly bytes: number
  readonly turns: number
  readonly firstTime?: number
  readonly lastTime?: number
}

/** Longest clash that is compared row by row. */
const MOST_COMPARED = 20_000

type SharedSeqs = Omit<Repetition, 'origin'>

export async function explainClash(source: RecordSource, clash: SharedSeqs): Promise<Clash | undefined> {
  if (clash.rows > MOST_COMPARED) return undefined
  const earlier = new Rows()
  const later = new Rows()
  let isPacked = false
  let livesOn = 0
  for await (const batch of source.stored?.() ?? source.items()) {
    for (const item of batch) {
      if (item.kind !== 'record') continue
      if (item.line > clash.lastLine) {
        livesOn += eventsOf(rowIn(item)).length
        continue
      }
      const isLater = item.line >= clash.firstLine
      const stored = rowIn(item)
      for (const row of eventsOf(stored)) {
        const seq = row.seq as number
        if (isLater ? seq >= clash.first && seq <= clash.last : seq >= clash.first && seq < clash.expected) {
          ;(isLater ? later : earlier).add(row, item.origin.byteLength ?? 0)
          if (isLater) isPacked ||= stored?.isPacked === true
        }
      }
    }
  }
  return { kind: kindOf(earlier, later, isPacked), earlier: earlier.branch(), later: later.branch(), livesOn }
}

export async function clashFinding(source: RecordSource, repetition: Repetition): Promise<Finding> {
  const { origin, first, last, rows, expected } = repetition
  const clash = await explainClash(source, repetition)
  const seen = clash as (Pick<Clash, 'kind'> & JsonObject) | undefined
  const args = { first, last, rows, expected, kind: 'unknown' as const, ...seen }
  const related = first === last ? [first] : [first, last]
  return { code: 'order/seq-repeated', origin, seq: first, args, related }
}

class Rows {
  readonly rows: JsonObject[] = []
  #bytes = 0

  add(row: JsonObject, bytes: number): void {
    this.rows.push(row)
    this.#bytes += bytes
  }

  branch(): Branch {
    const times = this.rows.map(({ time }) => time).filter((time) => typeof time === 'number')
    const turns = this.rows.filter(({ type }) => type === 'turn/start').length
    const span = times.length === 0 ? {} : { firstTime: Math.min(...times), lastTime: Math.max(...times) }
    return { rows: this.rows.length, bytes: this.#bytes, turns, ...span }
  }
}

function kindOf(earlier: Rows, later: Rows, isPacked: boolean): ClashKind {
  const bySeq = new Map(earlier.rows.map((row) => [row.seq, row]))
  if (later.rows.every((row) => sameJson(row, bySeq.get(row.seq)))) return 'identical'
  if (earlier.rows.length > 0 && earlier.rows.every(isCloser) && earlier.rows.some(isTurnCloser))
    return 'closers'
  if (later.rows.every(isCloser) && later.rows.some(isTurnCloser)) return 'late-closers'
  return isPacked ? 'packed-overlap' : 'two-writers'
}

function eventsOf(row: StoredRow | undefined): JsonObject[] {
  return row?.events.filter(isJsonObject) ?? []
}
