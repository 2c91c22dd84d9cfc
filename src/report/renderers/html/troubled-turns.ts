/** The turns in which something went wrong, as links into the conversation: where a reader begins. */

import { beginningOf } from '../../../core/projections/shorten-entry.ts'
import { OPEN, type TurnSpan, turnAt } from '../../../core/projections/turn-spans.ts'
import { failureText } from '../../failure-text.ts'
import { grouped, plural } from '../../number-text.ts'
import type { ReportData, ReportFinding } from '../../report.ts'
import { turnName } from './charts/turn-charts.ts'
import { html, type Markup } from './markup.ts'

type LogReportData = ReportData<'report'>

/** The last ones are listed. */
const MOST_LISTED = 50
const LONGEST_ERROR = 200

export function* troubledTurns(data: LogReportData, findings: readonly ReportFinding[]): Iterable<Markup> {
  const { entries, turns } = data
  const troubles = new Map(turns.turns.map((span) => [span, [] as string[]]))
  const add = (seq: number, what: string): void => {
    const span = turnAt(turns.turns, seq)
    if (span !== undefined) troubles.get(span)?.push(what)
  }
  const explained = new Set<TurnSpan | undefined>()
  const linked = new Set<TurnSpan | undefined>()
  for (const entry of entries) {
    const span = turnAt(turns.turns, entry.seq)
    linked.add(span)
    if (entry.kind !== 'failure') continue
    explained.add(span)
    const said = entry.text === '' ? '' : `: ${beginningOf(entry.text, LONGEST_ERROR)}`
    add(entry.seq, `${failureText({ ...entry, turn: undefined })}${said}`)
  }
  for (const span of turns.turns)
    if (span.outcome !== 'completed' && !explained.has(span)) add(span.seq, endOf(span))
  for (const { first, events } of data.check.gaps ?? [])
    add(first, events === undefined ? 'events are lost' : `${plural(events, 'event')} lost`)
  for (const [span, errors] of countErrors(findings, turns.turns)) add(span.seq, plural(errors, 'error'))
  const troubled = [...troubles].filter(([, what]) => what.length > 0)
  if (troubled.length === 0) return
  const listed = troubled.slice(-MOST_LISTED)
  const items = listed.map(([span, what]) => {
    const name = linked.has(span)
      ? html`<a href="#turn-${span.seq}">${turnName(span)}</a>`
      : html`${turnName(span)}`
    const said = span.prompt !== undefined && html` <span class="prompt">${span.prompt}</span>`
    return html`<li>${name}${said}: ${what.join('; ')}</li>\n`
  })
  const before = troubled.length - listed.length
  const more = before > 0 && html`<p class="note">… and ${grouped(before)} before them</p>\n`
  yield html`<h3>Turns with trouble</h3>\n<ul class="troubled">${items}</ul>\n${more}`
}

function endOf({ outcome }: TurnSpan): string {
  return outcome === OPEN ? 'never ended' : `ended as ${outcome}`
}

function countErrors(
  findings: readonly ReportFinding[],
  turns: readonly TurnSpan[],
): ReadonlyMap<TurnSpan, number> {
  const counts = new Map<TurnSpan, number>()
  for (const { severity, seq } of findings) {
    const span = severity === 'error' && seq !== undefined ? turnAt(turns, seq) : undefined
    if (span !== undefined) counts.set(span, (counts.get(span) ?? 0) + 1)
  }
  return counts
}
