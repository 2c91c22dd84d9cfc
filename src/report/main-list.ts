/**
 * The main list of a report: what NDJSON prints a line each, and a live report gives item by item. `kind` is the kind of
 * those lines, where the items have none of their own.
 */
import type { ReportData, ReportKind } from './schemas/report-data.ts'

const LISTS = {
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
} as const satisfies { readonly [Kind in ReportKind]?: MainList<Kind> }

interface MainList<Kind extends ReportKind> {
  readonly member: keyof ReportData<Kind>
  readonly kind?: string
}

export type ListKind = keyof typeof LISTS

/** One item of the main list. */
export type ListItem<Kind extends ListKind> = {
  [Each in Kind]: ReportData<Each>[(typeof LISTS)[Each]['member'] & keyof ReportData<Each>] extends Iterable<
    infer Item
  >
    ? Item
    : never
}[Kind]

export function mainListOf(
  kind: ReportKind,
): { readonly member: string; readonly kind?: string } | undefined {
  const lists: { readonly [Kind in ReportKind]?: MainList<Kind> } = LISTS
  return lists[kind]
}

type PlainItem = Readonly<Record<string, unknown>>

/** The items of a report, and its data without them. */
export function splitList(kind: ReportKind, data: ReportData): { items: Iterable<PlainItem>; rest: object } {
  const members: PlainItem = data
  const { [mainListOf(kind)?.member ?? '']: items, ...rest } = members
  return { items: isList(items) ? items : [], rest }
}

/** A list that is made anew whenever it is read: of a long one nothing is held, and it can be printed twice. */
export function madeAnew<Item>(make: () => Iterable<Item>): Iterable<Item> {
  return { [Symbol.iterator]: () => make()[Symbol.iterator]() }
}

/** Data with arrays for all of its lists. */
export function listed<Data extends object>(data: Data): Data {
  const entries = Object.entries(data).map(([key, value]) => [key, isList(value) ? [...value] : value])
  return Object.fromEntries(entries)
}

function isList(value: unknown): value is Iterable<PlainItem> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}
