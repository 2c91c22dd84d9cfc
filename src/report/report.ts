/**
 * What a command has to say, before anybody decides how it looks. `data` is the documented content of `--json`; a view
 * turns it into sections for people, a renderer turns sections or data into text. All types come from the schemas.
 */
import type { Static } from '../core/json/json-schema.ts'
import { type ListItem, type ListKind, mainListOf } from './main-list.ts'
import type { ReportData, ReportKind } from './schemas/report-data.ts'
import type { SHARED_DEFINITIONS } from './schemas/shared-definitions.ts'

export type { ReportData, ReportKind }

type Shared<Name extends keyof typeof SHARED_DEFINITIONS> = Static<(typeof SHARED_DEFINITIONS)[Name]>

/** The log as it was named on the command line, and what it is. */
export type Subject = Shared<'subject'>
export type ReportFinding = Shared<'finding'>
/** How often a rule was broken. */
export type RuleCount = Shared<'ruleCount'>
export type UnreadInput = Shared<'unread'>

export type SchemaName<Kind extends ReportKind = ReportKind> = `resurface/${Kind}@1`

export interface Report<Kind extends ReportKind = ReportKind> {
  readonly schema: SchemaName<Kind>
  readonly subject?: Subject
  readonly verdict?: Shared<'verdict'>
  readonly findings: readonly ReportFinding[]
  readonly data: ReportData<Kind>
}

/** What a command has to say: a report for each log, for one log as for many. */
export interface ReportSet<Kind extends ReportKind = ReportKind> {
  readonly schema: SchemaName<Kind>
  readonly reports: readonly Report<Kind>[]
  /** Inputs that could not be read at all, so that a saved report does not hide them. */
  readonly unread?: readonly UnreadInput[]
}

export function reportSetOf<Kind extends ReportKind>(report: Report<Kind>): ReportSet<Kind> {
  return { schema: report.schema, reports: [report] }
}

/** A report whose items were printed while they came, with all of them in it. */
export function withItems(set: ReportSet, items: readonly object[]): ReportSet {
  const member = mainListOf(kindOf(set.schema))?.member ?? ''
  const whole = (report: Report): Report => ({
    ...report,
    data: { ...report.data, [member]: items } as ReportData,
  })
  return { ...set, reports: set.reports.map(whole) }
}

/** A report that is printed while it is made: item by item, and the rest when there are no more. */
export interface LiveList<Kind extends ListKind = ListKind> {
  readonly schema: SchemaName<Kind>
  /** The main list of the report's data. */
  readonly items: AsyncIterable<ListItem<Kind>>
  /** The report without its items. To be called after the last of them. */
  readonly rest: () => ReportSet<Kind>
}

/** The name of the schema of a kind of report. */
export function schemaName<Kind extends ReportKind>(kind: Kind): SchemaName<Kind> {
  return `resurface/${kind}@1`
}

export function kindOf<Kind extends ReportKind>(schema: SchemaName<Kind>): Kind {
  return schema.slice('resurface/'.length, -'@1'.length) as Kind
}

/** Kinds whose lines are rows of tables over many logs (docs/fleet.md): each names its log, for one log as for many. */
const TABLES: readonly ReportKind[] = ['check', 'events', 'info']

export function isTable(kind: ReportKind): boolean {
  return TABLES.includes(kind)
}

export function isKind<Kind extends ReportKind>(set: ReportSet, kind: Kind): set is ReportSet<Kind> {
  return set.schema === schemaName(kind)
}
