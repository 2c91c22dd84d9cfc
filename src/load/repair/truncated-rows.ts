/** A log up to a place where nothing is open, because somebody asked for it. */
import { isCount, isJsonObject, type JsonObject } from '../../core/json/json-value.ts'
import type { QuietSpan } from '../../core/repair/quiet-spans.ts'
import { expandRow } from '../../storage/packed-rows/expand-row.ts'
import type { RecordEdit } from './edited-source.ts'
import type { Examined } from './examine.ts'
import type { Quarantine } from './quarantine.ts'
import { lineOf, rowIn } from './stored-row.ts'

/** `turn`: behind the end of the turn with this number. `seq`: behind this event. */
export interface Boundary {
  readonly unit: 'turn' | 'seq'
  readonly number: number
}

export type Truncation =
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'cut'
      readonly after: number
      readonly events: number
      readonly begin: () => RecordEdit
    }

export function truncatedRows(
  boundary: Boundary,
  { results, end, header }: Examined,
  quarantine: Quarantine,
): Truncation {
  const after = safePlace(boundary, results.quiet)
  if (after === undefined) return { kind: 'refused', reason: unsafe(boundary, results.quiet) }
  const seedLength = header?.seedLength ?? 0
  if (after < seedLength - 1) {
    const reason = `the first ${seedLength} events are inherited; a log cannot be cut inside them`
    return { kind: 'refused', reason }
  }
  const events = (end.last?.event.seq ?? -1) - after
  return {
    kind: 'cut',
    after,
    events,
    begin: () => (record) => {
      const value = record.line === 1 ? undefined : rowIn(record)
      const seq = isJsonObject(value) ? (value.seq0 ?? value.seq) : undefined
      if (!isJsonObject(value) || !isCount(seq)) return undefined
      const { rows } = expandRow(value) as { rows: readonly JsonObject[] }
      if (seq + rows.length - 1 <= after) return undefined
      const kept = rows.slice(0, Math.max(0, after + 1 - seq)).map(lineOf)
      const gone = rows.slice(kept.length).map(lineOf)
      quarantine.record(record, 'truncated', kept.length === 0 ? undefined : joined(gone))
      return kept
    },
  }
}

function joined(lines: readonly Buffer[]): Buffer {
  return Buffer.from(lines.join('\n'))
}

function safePlace({ unit, number }: Boundary, quiet: readonly QuietSpan[]): number | undefined {
  if (unit === 'turn') return quiet.find(({ turn }) => turn === number)?.first
  return quiet.some(({ first, last }) => first <= number && number <= last) ? number : undefined
}

function unsafe({ unit, number }: Boundary, quiet: readonly QuietSpan[]): string {
  if (unit === 'turn') {
    const turns = quiet.flatMap(({ turn }) => turn ?? [])
    return `turn ${number} does not end in this log; ${turns.length === 0 ? 'no turn does' : `the last one that does is ${turns.at(-1)}`}`
  }
  const before = quiet.findLast(({ last }) => last < number)?.last
  const behind = quiet.find(({ first }) => first > number)?.first
  const nearest = [before, behind].filter((seq) => seq !== undefined).join(' and ')
  return `behind seq ${number} something is still open; ${nearest === '' ? 'no place is safe' : `the nearest safe places are behind seq ${nearest}`}`
}
