/** What differs between two logs, level by level; nothing is one line. */
import type { DiffLevel, DiffOutcome } from '../../core/diff/change.ts'
import type { ListItem } from '../main-list.ts'
import { grouped, plural } from '../number-text.ts'
import { rangeText } from '../position-text.ts'
import type { ReportData } from '../report.ts'
import type { Cell, Entry, Section, Tone } from '../section.ts'
import { limited, type View } from './view.ts'

type DiffData = ReportData<'diff'>
type Change = ListItem<'diff'>
type ChangePlace = NonNullable<Change['a']>
type MemberChange = NonNullable<Change['members']>[number]

const NOUNS: Readonly<Record<DiffLevel, string>> = { bytes: 'record', log: 'event', surface: 'message' }

export const diffView: View<'diff'> = {
  *sections(report, { limit }) {
    const data = report.data
    yield { kind: 'heading', text: headline(data), tone: TONES[data.outcome] }
    if (data.outcome !== 'different') return
    if (data.between !== undefined) yield* betweenSections(data.between, limit)
    const changes = new Lookahead(data.changes)
    for (const level of data.levels) {
      yield { kind: 'heading', text: `${level}: ${summaryText(level, data)}` }
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

function summaryText(level: DiffLevel, { summary, a, b }: DiffData): string {
  const { same: kept = 0, ...others } = summary[level]?.counts ?? {}
  if (summary[level]?.same === true) return `no difference in ${plural(kept, NOUNS[level])}`
  const parts = Object.entries(others).flatMap(([what, count]) =>
    count === 0 ? [] : [`${grouped(count)} ${what}`],
  )
  if (parts.length === 0)
    parts.push(level === 'log' ? 'another header' : `stored otherwise (${a.container} and ${b.container})`)
  return `${parts.join(', ')}; ${plural(kept, NOUNS[level])} the same`
}

function* betweenSections(
  { count, events }: NonNullable<DiffData['between']>,
  limit: number,
): Iterable<Section> {
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
