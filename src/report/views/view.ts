/** What a view is: the sections of one kind of report for people. */
import type { ListItem, ListKind } from '../main-list.ts'
import type { Report, ReportKind, UnreadInput } from '../report.ts'
import type { Entry, Section, Tone, Toned } from '../section.ts'

export interface ViewOptions {
  /** Most rows or findings to show; 0 for all. */
  readonly limit: number
  /** For a person at a terminal. */
  readonly onTerminal?: boolean
  /** Columns of the terminal. */
  readonly columns?: number
  /** Show the beginnings of long outputs alone. */
  readonly isShort?: boolean
}

export interface View<Kind extends ReportKind = ReportKind> {
  sections(report: Report<Kind>, options: ViewOptions): Iterable<Section>
  /** One item of the main list by itself, for a report that is printed while it is made. */
  entry?(item: ListItem<Kind & ListKind>): Entry
  /** The sections do not name the log, so several reports get a heading each. */
  readonly isUntitled?: true
  /** What stands for a report when there are several; all its sections where it is not given. */
  brief?(report: Report<Kind>, options: ViewOptions): Section
  /** What follows the reports when there are several. */
  summary?(reports: readonly Report<Kind>[], unread: readonly UnreadInput[]): Iterable<Section>
}

/** The first line of a report: the log, and what is said of it. */
export function headingOf(
  { subject }: { readonly subject?: Report['subject'] | undefined },
  text: string | undefined,
  tone?: Tone,
): Section {
  return { kind: 'heading', text: `${subject?.path}: ${text}`, ...(tone !== undefined && { tone }) }
}

/** At most `limit` items, and how many were left out. */
export function limited<Item>(
  items: readonly Item[],
  limit: number,
): { shown: readonly Item[]; hidden: number } {
  if (limit === 0 || items.length <= limit) return { shown: items, hidden: 0 }
  return { shown: items.slice(0, limit), hidden: items.length - limit }
}

/** What stands for findings that are not shown. */
export function moreKept(hidden: number): Toned {
  return { text: `  … and ${hidden} more (--all shows all that are kept)`, tone: 'dim' }
}
