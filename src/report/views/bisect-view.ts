/** The event with which a log turns bad, what is found there, and where to look next. */

import { timeText } from '../moment-text.ts'
import { plural } from '../number-text.ts'
import { findingText } from '../position-text.ts'
import type { Report, ReportData } from '../report.ts'
import type { Cell, Section } from '../section.ts'
import { shellWord } from '../shell-word.ts'
import { limited, moreKept, type View } from './view.ts'

type BisectData = ReportData<'bisect'>
type RecordPosition = NonNullable<BisectData['first']>

export const bisectView: View<'bisect'> = {
  *sections(report, { limit }) {
    const data = report.data
    const path = report.subject?.path
    const { first, settles } = data
    if (first === undefined) {
      yield { kind: 'heading', text: `${path}: ${goodText(data)}`, tone: 'ok' }
      if (settles === true) yield { kind: 'list', items: [{ text: `  ${SETTLED}`, tone: 'dim' }] }
      return
    }
    yield { kind: 'heading', text: `${path}: ${badText(data)} from ${eventText(first)} on`, tone: 'error' }
    yield { kind: 'fields', rows: fieldsOf(data, first) }
    yield* findingSections(report, limit)
    const next = commandsOn(data, first, path ?? '')
    if (next.length > 0) yield { kind: 'fields', rows: next }
  },
}

const SETTLED = 'Later events can settle this rule: a part of the log may raise it for a while.'

function goodText({ rule }: BisectData): string {
  return rule === undefined ? 'the command finds it good' : `${rule} is not raised`
}

function badText({ rule }: BisectData): string {
  return rule === undefined ? 'the command finds it bad' : `${rule} is raised`
}

function eventText({ line, seq, type }: RecordPosition): string {
  if (seq !== undefined) return `seq ${seq}${type === undefined ? '' : ` (${type})`}`
  return type === 'session' ? 'the header' : `record ${line}`
}

function fieldsOf(
  { checks, method, lasts, settles, untold }: BisectData,
  first: RecordPosition,
): [string, Cell][] {
  const { line, frame, row, turn, step, time } = first
  const place = [`${row === undefined ? 'line' : 'record'} ${line}`]
  if (frame !== undefined) place.push(`frame ${frame}`)
  if (row !== undefined) place.push(`row ${row}`)
  const rows: [string, Cell][] = [['place', place.join(', ')]]
  if (turn !== undefined) rows.push(['turn', step === undefined ? turn : `${turn}, step ${step}`])
  const shown = timeText(time)
  if (shown !== undefined) rows.push(['time', shown])
  if (lasts !== undefined)
    rows.push(['afterwards', lasts ? 'it stays' : 'what is found there is settled later'])
  if (settles === true) rows.push(['before', { text: SETTLED, tone: 'dim' }])
  if (untold !== undefined) {
    const text = `any of records ${untold.from} to ${untold.to} may be the first: the command could not tell`
    rows.push(['before', { text, tone: 'warning' }])
  }
  const how = method === 'place' ? 'at the place of the finding and right before it' : 'by halving'
  rows.push(['found by', `${plural(checks, 'check')}, ${how}`])
  return rows
}

function* findingSections({ findings }: Report, limit: number): Iterable<Section> {
  if (findings.length === 0) return
  const { shown, hidden } = limited(findings, limit)
  const items: Cell[] = shown.map((finding) => ({
    text: `  ${findingText(finding)}`,
    tone: finding.severity,
  }))
  if (hidden > 0) items.push(moreKept(hidden))
  yield { kind: 'list', items }
}

function commandsOn({ rule }: BisectData, { seq }: RecordPosition, name: string): [string, Cell][] {
  const rows: [string, Cell][] = []
  const path = shellWord(name)
  // Standard input cannot be asked again.
  if (path === '-') return rows
  if (seq !== undefined) rows.push(['the event', `resurface why ${path} ${seq}`])
  if (seq !== undefined && seq > 0)
    rows.push(['the surface before', `resurface surface ${path} --at ${seq - 1}`])
  if (rule !== undefined) {
    rows.push(['a small case', `resurface minimize ${path} --rule ${rule} -o small.jsonl`])
    rows.push(['the rule', `resurface explain ${rule}`])
  }
  return rows
}
