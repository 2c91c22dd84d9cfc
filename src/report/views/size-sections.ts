/** What takes the bytes of a log, largest first. */
import { grouped, plural } from '../number-text.ts'
import type { ReportData } from '../report.ts'
import type { Cell, Column, Section } from '../section.ts'
import { limited } from './view.ts'

type Sizes = NonNullable<ReportData<'info'>['sizes']>

export function* sizeSections(sizes: Sizes, limit: number): Iterable<Section> {
  const { bytes, header, events, deltas, images, repeated } = sizes
  const shareOf = (part: number): string => `${grouped(part)} bytes, ${percent(part, bytes)}`
  yield { kind: 'heading', text: `what takes ${plural(bytes, 'byte')} of text` }
  const rows: (readonly [string, Cell | undefined])[] = [
    ['header', shareOf(header)],
    ['records of no event', bytes > header + events ? shareOf(bytes - header - events) : undefined],
    [
      'streamed deltas',
      deltas.events > 0 ? `${plural(deltas.events, 'event')}, ${shareOf(deltas.bytes)}` : undefined,
    ],
    ['streams in answers', deltas.inAnswers > 0 ? shareOf(deltas.inAnswers) : undefined],
    ['images', images.count > 0 ? imageText(images) : undefined],
    [
      'texts stored again',
      repeated.count > 0 ? `${plural(repeated.count, 'text')}, ${shareOf(repeated.bytes)}` : undefined,
    ],
  ]
  yield { kind: 'fields', rows: rows.filter((row): row is readonly [string, Cell] => row[1] !== undefined) }
  yield* table('by type', sizes.types, limit, TYPE_COLUMNS, ({ type, events, bytes: own }) => [
    own,
    percent(own, bytes),
    events,
    type,
  ])
  yield* table(
    'by tool',
    sizes.tools,
    limit,
    TOOL_COLUMNS,
    ({ tool, calls, callBytes, results, resultBytes }) => [
      callBytes,
      calls,
      resultBytes,
      results,
      tool === '' ? '(no call)' : tool,
    ],
  )
  yield* table('largest records', sizes.records, limit, RECORD_COLUMNS, ({ bytes: own, seq, line, type }) => [
    own,
    seq,
    line,
    type,
  ])
  yield* table('texts stored more than once', repeated.largest, limit, REPEATED_COLUMNS, (text) => [
    (text.count - 1) * text.bytes,
    text.count,
    text.bytes,
    text.seq,
    text.type,
  ])
  yield* table('largest turns', sizes.turns, limit, TURN_COLUMNS, (turn) => [
    turn.bytes,
    percent(turn.bytes, bytes),
    turn.turn ?? 'none',
    turn.events,
    `${turn.seq}..${turn.lastSeq}`,
  ])
  yield* table('compactions', sizes.compactions, limit, COMPACTION_COLUMNS, (compaction) => [
    compaction.seq,
    compaction.messages,
    compaction.removed,
    compaction.added,
  ])
  yield { kind: 'heading', text: 'what convert would write' }
  const measured = sizes.conversions.flatMap((one) =>
    one.bytes === undefined ? [] : [[conversionName(one), shareOf(one.bytes)] as const],
  )
  yield { kind: 'fields', rows: [...measured, ...unmeasuredRows(sizes.conversions)] }
}

type Conversions = Sizes['conversions']

function conversionName({ to, rows }: Conversions[number]): string {
  return rows === 'packed' ? `${to}, packed rows` : to
}

/** Each reason once, with what it is about where that is not all. */
function unmeasuredRows(conversions: Conversions): (readonly [string, string])[] {
  const names = new Map<string, string[]>()
  for (const one of conversions) {
    if (one.reason !== undefined)
      names.set(one.reason, [...(names.get(one.reason) ?? []), conversionName(one)])
  }
  return [...names].map(([reason, own]) => [
    'not measured',
    own.length === conversions.length ? reason : `${own.join('; ')}: ${reason}`,
  ])
}

function imageText({ count, bytes, attachmentBytes }: Sizes['images']): string {
  const files = attachmentBytes > 0 ? `; the files that they name have ${grouped(attachmentBytes)}` : ''
  return `${plural(count, 'block')}, ${grouped(bytes)} bytes${files}`
}

function* table<Item>(
  title: string,
  items: readonly Item[],
  limit: number,
  columns: readonly Column[],
  cells: (item: Item) => readonly Cell[],
): Iterable<Section> {
  if (items.length === 0) return
  yield { kind: 'heading', text: title }
  const { shown, hidden } = limited(items, limit)
  yield { kind: 'table', columns, rows: shown.map(cells) }
  if (hidden > 0) yield { kind: 'list', items: [{ text: `… and ${hidden} more`, tone: 'dim' }] }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(1)} %`
}

function number(label: string): Column {
  return { label, width: label.length, align: 'right' }
}

function name(label: string): Column {
  return { label, width: 0 }
}

const TYPE_COLUMNS = [number('bytes'), number('share'), number('events'), name('type')]
const TOOL_COLUMNS = [
  number('bytes of calls'),
  number('calls'),
  number('bytes of results'),
  number('results'),
  name('tool'),
]
const RECORD_COLUMNS = [number('bytes'), number('seq'), number('line'), name('type')]
const REPEATED_COLUMNS = [
  number('bytes of copies'),
  number('times'),
  number('bytes of one'),
  number('first seq'),
  name('type'),
]
const TURN_COLUMNS = [number('bytes'), number('share'), number('turn'), number('events'), name('seqs')]
const COMPACTION_COLUMNS = [
  number('seq'),
  number('messages taken off'),
  number('their bytes'),
  number('bytes added'),
]
