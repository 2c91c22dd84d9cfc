/**
 * The conversation as the human saw it, folded by turn. What happened to it is shown where it happened: compactions, turns
 * that were cut off, the place where what was inherited ends.
 */
import type { SurfaceStep } from '../../../core/projections/surface-growth.ts'
import { OPEN, type TurnSpan, turnAt } from '../../../core/projections/turn-spans.ts'
import type { ListItem } from '../../main-list.ts'
import { momentText, spanText } from '../../moment-text.ts'
import { plural } from '../../number-text.ts'
import type { ReportData } from '../../report.ts'
import { leftOutText } from '../../views/report-view.ts'
import type { Anchors } from './anchors.ts'
import { isCutOff, turnName } from './charts/turn-charts.ts'
import { entryMarkup } from './entry.ts'
import { html, type Markup } from './markup.ts'

type LogReportData = ReportData<'report'>

/** Conversations of no more entries stand open. Of longer ones the last turns do. */
const MOST_OPEN = 100
const OPEN_TURNS = 3
/** Entries that are folded together; a longer turn is divided. */
const MOST_TOGETHER = 200

export function* conversationMarkup(data: LogReportData, anchors: Anchors): Iterable<Markup> {
  const { entries, leftOut, part } = data
  if (part !== undefined) yield html`<p class="note">Only part of it: ${part}.</p>\n`
  if (leftOut > 0) yield html`<p class="note">${sentence(leftOutText(leftOut, entries))}</p>\n`
  if (entries.length === 0) yield html`<p class="note">There is nothing to show.</p>\n`
  if (entries.some((entry) => entry.replacedBy !== undefined))
    yield html`<p class="note">A solid line at the left marks what the model still sees, a broken one what it no longer sees.</p>\n`
  const groups = groupsOf(data)
  const around: Surroundings = {
    data,
    anchors,
    steps: new Map(data.surface.replacements.map((step) => [step.seq, step])),
    linked: new Set(),
    firstOwn: entries.find(({ seq }) => seq >= (data.inherited?.before ?? 0)),
  }
  for (const [index, group] of groups.entries()) {
    const isOpen = entries.length <= MOST_OPEN || index >= groups.length - OPEN_TURNS
    if (data.inherited !== undefined && group.entries[0] === around.firstOwn) yield forkMarkup(data.inherited)
    yield* groupMarkup(group, isOpen, around)
    const { span } = group
    if (span !== undefined && groups[index + 1]?.span !== span) yield endMarkup(span, data)
  }
  if (data.inherited !== undefined && around.firstOwn === undefined && entries.length > 0)
    yield forkMarkup(data.inherited)
  const last = data.turns.turns.at(-1)
  if (last?.outcome === OPEN && part === undefined && groups.at(-1)?.span !== last)
    yield endMarkup(last, data)
}

/** Entries that follow one another in a turn, or outside of turns. */
interface Group {
  readonly span: TurnSpan | undefined
  readonly entries: ListItem<'report'>[]
  /** Which stretch of its turn it is, from 1 on. */
  readonly stretch: number
}

function groupsOf({ entries, turns }: LogReportData): readonly Group[] {
  const groups: Group[] = []
  let group: Group | undefined
  for (const entry of entries) {
    const span = turnAt(turns.turns, entry.seq)
    if (group === undefined || span !== group.span || group.entries.length === MOST_TOGETHER) {
      const stretch: number = group !== undefined && span === group.span ? group.stretch + 1 : 1
      group = { span, entries: [], stretch }
      groups.push(group)
    }
    group.entries.push(entry)
  }
  return groups
}

interface Surroundings {
  readonly data: LogReportData
  readonly anchors: Anchors
  readonly steps: ReadonlyMap<number, SurfaceStep>
  /** Turns that have an anchor: entries of another one may come between those of a turn. */
  readonly linked: Set<TurnSpan>
  /** The first entry that was not inherited. */
  readonly firstOwn: ListItem<'report'> | undefined
}

function* groupMarkup(group: Group, isOpen: boolean, around: Surroundings): Iterable<Markup> {
  const { span, stretch } = group
  if (span === undefined) {
    yield* entriesMarkup(group.entries, around)
    return
  }
  const isFirst = !around.linked.has(span)
  around.linked.add(span)
  const isInherited = span.lastSeq < (around.data.inherited?.before ?? 0)
  yield html`<details class="turn${isInherited && ' inherited'}"${isFirst && html` id="turn-${span.seq}"`}${isOpen && html` open`}><summary>${headOf(span, stretch, isInherited)}</summary>\n`
  yield* entriesMarkup(group.entries, around)
  yield html`</details>\n`
}

function* entriesMarkup(entries: readonly ListItem<'report'>[], around: Surroundings): Iterable<Markup> {
  const { data, anchors, steps, firstOwn } = around
  const { inherited } = data
  for (const entry of entries) {
    // Where a group begins, it comes before the group.
    if (inherited !== undefined && entry === firstOwn && entry !== entries[0]) yield forkMarkup(inherited)
    const isInherited = inherited !== undefined && entry.seq < inherited.before
    yield entryMarkup(entry, { ...anchors.take(entry), step: steps.get(entry.seq), isInherited })
  }
}

function headOf(span: TurnSpan, stretch: number, isInherited: boolean): Markup {
  const { outcome, steps, calls, seq, lastSeq, time, lastTime } = span
  const name = sentence(turnName(span), '')
  const said = span.prompt !== undefined && html` <span class="prompt">${span.prompt}</span>`
  const facts = [
    isInherited ? 'inherited' : undefined,
    plural(steps, 'step'),
    calls > 0 ? plural(calls, 'call') : undefined,
    momentText(time),
    lastTime > time ? spanText(lastTime - time) : undefined,
    `#${seq} to #${lastSeq}`,
  ].filter((fact) => fact !== undefined)
  const ending = outcome === OPEN ? 'never ended' : outcome
  const tone = outcome === 'completed' ? 'ok' : isCutOff(span) ? 'error' : 'warning'
  return html`<h3>${name}${stretch > 1 && `, continued (${stretch})`}</h3>${said} <span class="tone-${tone}">${ending}</span> <span class="meta">· ${facts.join(' · ')}</span>`
}

/** How the turn ended, when it did not end as turns do. */
function endMarkup(span: TurnSpan, { turns }: LogReportData): Markup {
  const { outcome, lastSeq } = span
  if (outcome === 'completed') return html``
  const isLast = turns.turns.at(-1) === span
  const name = sentence(turnName(span), '')
  const text =
    outcome === OPEN && isLast
      ? `The log ends here, after #${lastSeq}, inside of ${turnName(span)}: the writer crashed, or is still at work.`
      : outcome === OPEN
        ? `${name} was never ended: the next one starts.`
        : outcome === 'interrupted'
          ? `${name} was cut off here, and ended as interrupted when the session was resumed.`
          : `${name} ended as: ${outcome}.`
  return html`<p class="mark${isCutOff(span) && ' crash'}">${text}</p>\n`
}

function forkMarkup({ before, from }: NonNullable<LogReportData['inherited']>): Markup {
  const where = from === undefined ? '' : ` from session ${from}`
  const range = before === 1 ? 'Event #0 was' : `Events #0 to #${before - 1} were`
  return html`<p class="mark fork"><strong>Fork.</strong> ${range} inherited${where}. From #${before} on this session is its own.</p>\n`
}

function sentence(text: string, end = '.'): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`
}
