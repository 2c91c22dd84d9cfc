/** The sessions of a store, one a line. */
import { excerptOf } from '../../core/projections/shorten-entry.ts'
import type { ListItem } from '../main-list.ts'
import { plural } from '../number-text.ts'
import type { Cell, Tone } from '../section.ts'
import type { View } from './view.ts'

export const lsView: View<'ls'> = {
  *sections(report, { columns }) {
    const { sessions, asOf } = report.data
    if (columns !== undefined && columns < LEAST_COLUMNS)
      yield { kind: 'list', items: sessions.flatMap((session) => twoLines(session, asOf)) }
    else if (sessions.length > 0)
      yield { kind: 'rows', columns: COLUMNS, rows: sessions.map((session) => row(session, asOf)) }
    yield { kind: 'heading', text: plural(sessions.length, 'session') }
  },
}

/** A narrower terminal has two lines for a session: which it is, and what it was about. */
const LEAST_COLUMNS = 130

const COLUMNS = [
  { label: 'health', width: 11 },
  { label: 'age', width: 5, align: 'right' as const },
  { label: 'events', width: 8, align: 'right' as const },
  { label: 'turns', width: 5, align: 'right' as const },
  { label: 'size', width: 7, align: 'right' as const },
  { label: 'format', width: 8 },
  { label: 'id', width: 24 },
  { label: 'directory', width: 20 },
  { label: 'title', width: 0 },
]

const TONES: Readonly<Record<string, Tone>> = {
  closed: 'ok',
  running: 'ok',
  clean: 'ok',
  open: 'warning',
  torn: 'warning',
  warnings: 'warning',
}

function twoLines(session: ListItem<'ls'>, asOf: number): Cell[] {
  const { health, turns, bytes, format, container, id, path } = session
  const first = [
    health.padEnd(8),
    age(asOf - session.updated).padStart(4),
    id === '' ? path : id,
    turns === undefined ? '' : plural(turns, 'turn'),
  ]
  const second = [about(session), directory(session), `${size(bytes)}, format ${format ?? '?'} ${container}`]
  return [
    { text: first.join('  ').trimEnd(), tone: TONES[health] ?? 'error' },
    {
      text: `  ${second.filter((part) => part !== '').join(' · ')}`,
      tone: 'dim',
    },
  ]
}

const LONGEST_FAILURE = 100

function directory({ cwd, cwdMissing }: ListItem<'ls'>): string {
  return `${cwd ?? ''}${cwdMissing === true ? ' (missing)' : ''}`
}

function about({ title, parent, failure }: ListItem<'ls'>): string {
  const child = parent === undefined ? '' : ` (child of ${parent})`
  return `${title ?? ''}${child}${failure === undefined ? '' : ` failed: ${excerptOf(failure, LONGEST_FAILURE)}`}`.trim()
}

function row(session: ListItem<'ls'>, asOf: number): Cell[] {
  const { health, events, turns, bytes, format, container, id, path } = session
  return [
    { text: health, tone: TONES[health] ?? 'error' },
    age(asOf - session.updated),
    events ?? '?',
    turns ?? '?',
    size(bytes),
    `${format ?? '?'} ${container}`,
    id === '' ? path : id,
    directory(session),
    about(session),
  ]
}

const AGES: readonly (readonly [unit: string, ms: number])[] = [
  ['y', 31_557_600_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
]

function age(ms: number): string {
  const [unit, length] = AGES.find(([, length]) => ms >= length) ?? ['s', 1000]
  return `${Math.max(Math.floor(ms / length), 0)}${unit}`
}

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = bytes / 1024
  let unit = 0
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}
