/**
 * The main list of a report: what NDJSON prints a line each, and a live report gives row by row. `kind` is the kind of
 * those lines, where the rows have none of their own.
 */
import type { ReportData, ReportKind } from './schemas/report-data.ts'

const ROWS = {
  anonymize: { member: 'fields', kind: 'field' },
  classify: { member: 'events', kind: 'event' },
  'crash-points': { member: 'points', kind: 'point' },
  diff: { member: 'changes', kind: 'change' },
  events: { member: 'events', kind: 'event' },
  explain: { member: 'rules', kind: 'rule' },
  find: { member: 'hits' },
  ls: { member: 'sessions', kind: 'session' },
  messages: { member: 'messages', kind: 'message' },
  repair: { member: 'steps' },
  report: { member: 'entries' },
  surface: { member: 'nodes', kind: 'node' },
  transcript: { member: 'entries' },
  watch: { member: 'found', kind: 'finding' },
} as const satisfies { readonly [Kind in ReportKind]?: RowsOf<Kind> }

interface RowsOf<Kind extends ReportKind> {
  readonly member: keyof ReportData<Kind>
  readonly kind?: string
}

export type KindWithRows = keyof typeof ROWS

/** One row of the main list. */
export type Row<Kind extends KindWithRows> = {
  [Each in Kind]: ReportData<Each>[(typeof ROWS)[Each]['member'] & keyof ReportData<Each>] extends Iterable<
    infer Item
  >
    ? Item
    : never
}[Kind]

export function rowsOf(kind: ReportKind): { readonly member: string; readonly kind?: string } | undefined {
  const rows: { readonly [Kind in ReportKind]?: RowsOf<Kind> } = ROWS
  return rows[kind]
}

type PlainRow = Readonly<Record<string, unknown>>

/** The rows of a report, and its data without them. */
export function splitRows(kind: ReportKind, data: ReportData): { rows: Iterable<PlainRow>; rest: object } {
  const members: PlainRow = data
  const { [rowsOf(kind)?.member ?? '']: rows, ...rest } = members
  return { rows: areRows(rows) ? rows : [], rest }
}

/** A list that is made anew whenever it is read: of a long one nothing is held, and it can be printed twice. */
export function madeAnew<Item>(make: () => Iterable<Item>): Iterable<Item> {
  return { [Symbol.iterator]: () => make()[Symbol.iterator]() }
}

function areRows(value: unknown): value is Iterable<PlainRow> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}
