/** What differs between two logs, level by level; nothing is one line. */
import type { Change, ChangePlace, DiffLevel } from '../../core/diff/change.ts'
import type { EventCounts } from '../../core/diff/event-changes.ts'
import type { MemberChange } from '../../core/diff/member-changes.ts'
import type { MessageCounts } from '../../core/diff/message-changes.ts'
import type { DiffOutcome } from '../../core/diff/outcome.ts'
import type { RecordCounts } from '../../core/diff/record-changes.ts'
import { grouped, plural } from '../number-text.ts'
import { rangeText } from '../position-text.ts'
import type { Cell, Entry, Section, Tone } from '../section.ts'
import { dataOf, limited, type View } from './view.ts'

export interface DiffSide {
  readonly path: string
  readonly sessionId?: string
  readonly format?: number
  readonly container: string
  /** The seq after which the surface is compared, when it is not the end of the log. */
  readonly at?: number
  readonly events: number
  /** Messages for the model, and their hash. */
  readonly messages?: number
  readonly digest?: string
  /** Findings that say that a part of the log was not read. */
  readonly unread?: readonly string[]
}

export interface BetweenEvents {
  readonly count: number
  /** The events in order, those of one type that follow one another together. */
  readonly events: readonly { readonly first: number; readonly last: number; readonly type: string }[]
}

interface LevelSummary<Counts> {
  readonly same: boolean
  readonly counts: Counts
}

export interface DiffSummary {
  readonly bytes?: LevelSummary<RecordCounts>
  readonly log?: LevelSummary<EventCounts>
  readonly surface?: LevelSummary<MessageCounts>
}

export interface DiffData {
  readonly outcome: DiffOutcome
  readonly levels: readonly DiffLevel[]
  readonly a: DiffSide
  readonly b: DiffSide
  readonly summary: DiffSummary
  /** The events between two moments of one log. */
  readonly between?: BetweenEvents
  /** By level, then in the order of the logs. */
  readonly changes: Iterable<Change>
}

const NOUNS: Readonly<Record<DiffLevel, string>> = { bytes: 'record', log: 'event', surface: 'message' }

export const diffView: View = {
  *sections(report, { limit }) {
    const data = dataOf<DiffData>(report)
    yield { kind: 'heading', text: headline(data), tone: TONES[data.outcome] }
    if (data.outcome !== 'different') return
    if (data.between !== undefined) yield* betweenSections(data.between, limit)
    const changes = new Lookahead(data.changes)
    for (const level of data.levels) {
      const summary = data.summary[level] as LevelSummary<object>
      yield { kind: 'heading', text: `${level}: ${summaryText(level, summary, data)}` }
      yield* levelSections(level, changes, limit === 0 ? Number.POSITIVE_INFINITY : limit)
    }
  },
}

const TONES: Readonly<Record<DiffOutcome, Tone>> = { same: 'ok', different: 'strong', unknown: 'warning' }

function headline({ outcome, levels, a, b }: DiffData): string {
  const sides =
    a.at === undefined ? `${a.path} and ${b.path}` : `${a.path} after seq ${a.at} and after seq ${b.at}`
  const what = levels.join(', ')
  if (outcome === 'same') return `${sides}: no difference in ${what}`
  if (outcome === 'different') return `${sides}: different`
  const unread = [...new Set([...(a.unread ?? []), ...(b.unread ?? [])])].join(', ')
  return `${sides}: no difference found in ${what}, but not everything could be read (${unread})`
}

function summaryText(level: DiffLevel, { same, counts }: LevelSummary<object>, { a, b }: DiffData): string {
  const { same: kept = 0, ...others } = counts as Readonly<Record<string, number>>
  if (same) return `no difference in ${plural(kept, NOUNS[level])}`
  const parts = Object.entries(others).flatMap(([what, count]) =>
    count === 0 ? [] : [`${grouped(count)} ${what}`],
  )
  if (parts.length === 0)
    parts.push(level === 'log' ? 'another header' : `stored otherwise (${a.container} and ${b.container})`)
  return `${parts.join(', ')}; ${plural(kept, NOUNS[level])} the same`
}

function* betweenSections({ count, events }: BetweenEvents, limit: number): Iterable<Section> {
  yield { kind: 'heading', text: `${plural(count, 'event')} between` }
  const { shown, hidden } = limited(events, limit)
  yield {
    kind: 'rows',
    columns: BETWEEN_COLUMNS,
    rows: shown.map(({ first, last, type }) => [rangeText(first, last), type]),
  }
  if (hidden > 0) yield more(`… and ${plural(hidden, 'more row')} (--all shows all)`)
}

const BETWEEN_COLUMNS = [
  { label: 'seq', width: 16 },
  { label: 'type', width: 0 },
]

function more(text: string): Section {
  return { kind: 'list', items: [{ text, tone: 'dim' }] }
}

function* levelSections(level: DiffLevel, changes: Lookahead, most: number): Iterable<Section> {
  const details: Entry[] = []
  let hidden = 0
  function* rows(): Iterable<readonly Cell[]> {
    let shown = 0
    for (let change = changes.take(level); change !== undefined; change = changes.take(level)) {
      if (shown === most) {
        hidden++
        continue
      }
      shown++
      if (change.members !== undefined) details.push(entryOf(change))
      yield [
        { text: change.change, tone: CHANGE_TONES[change.change] },
        placeText(change.a),
        placeText(change.b),
        whatText(change),
      ]
    }
  }
  if (!changes.isAt(level)) return
  yield { kind: 'rows', columns: COLUMNS, rows: rows() }
  if (hidden > 0) yield more(`… and ${plural(hidden, 'more difference')} (--all shows all)`)
  if (details.length > 0) yield { kind: 'entries', entries: details }
}

const COLUMNS = [
  { label: 'change', width: 10 },
  { label: 'A', width: 16 },
  { label: 'B', width: 16 },
  { label: 'what', width: 0 },
]

const CHANGE_TONES: Readonly<Record<Change['change'], Tone>> = {
  added: 'ok',
  removed: 'error',
  changed: 'warning',
  renumbered: 'info',
  moved: 'info',
}

function placeText(place: ChangePlace | undefined): string {
  if (place === undefined) return ''
  const { first, last, line, lastLine, row } = place
  if (first !== undefined) return `seq ${rangeText(first, last)}`
  if (row !== undefined) return `row ${row}`
  return line === undefined ? '' : `line ${rangeText(line, lastLine)}`
}

function whatText({ level, count, kinds, says, a, b }: Change): string {
  if (level === 'bytes') {
    const { byteOffset, byteLength, frame } = a ?? b ?? {}
    const parts = [plural(count, 'record')]
    if (frame !== undefined) parts.push(`frame ${frame}`)
    if (byteOffset !== undefined) parts.push(`byte ${byteOffset}`)
    if (byteLength !== undefined) parts.push(`${plural(byteLength, 'byte')} long`)
    return parts.join(', ')
  }
  const what = kindsText(kinds ?? {})
  if (level === 'surface') return says === undefined || says === '' ? what : `${what}: ${says}`
  return count === 1 ? what : `${plural(count, 'event')}: ${what}`
}

function kindsText(kinds: Readonly<Record<string, number>>): string {
  return Object.entries(kinds)
    .map(([kind, count]) => (count === 1 ? kind : `${kind} (${grouped(count)})`))
    .join(', ')
}

function entryOf({ level, a, b, kinds, members = [], more }: Change): Entry {
  const [from, to] = [placeText(a), placeText(b)]
  const where = from === to ? from : `${from} → ${to}`
  const rest = more === true ? ['… and more members'] : []
  return {
    heading: [level === 'surface' ? 'message' : 'event', where, kindsText(kinds ?? {})]
      .filter((part) => part !== '')
      .join(' '),
    tone: 'warning',
    body: [...members.flatMap(memberLines), ...rest].join('\n'),
  }
}

function memberLines({ path, a, b, lines, hiddenLines = 0 }: MemberChange): readonly string[] {
  const rest = hiddenLines === 0 ? [] : [`… and ${plural(hiddenLines, 'more line')}`]
  return [
    path,
    ...(a === undefined ? [] : [`- ${a}`]),
    ...(b === undefined ? [] : [`+ ${b}`]),
    ...(lines ?? []),
    ...rest,
  ]
}

/** The changes of one level after the other, read once. */
class Lookahead {
  readonly #changes: Iterator<Change>
  #next: Change | undefined

  constructor(changes: Iterable<Change>) {
    this.#changes = changes[Symbol.iterator]()
    this.#advance()
  }

  isAt(level: DiffLevel): boolean {
    return this.#next?.level === level
  }

  take(level: DiffLevel): Change | undefined {
    const change = this.#next
    if (change?.level !== level) return undefined
    this.#advance()
    return change
  }

  #advance(): void {
    const next = this.#changes.next()
    this.#next = next.done === true ? undefined : next.value
  }
}
