/** What a view is: the sections of one kind of report for people. */
import type { Report, ReportData, UnreadInput } from '../report.ts'
import type { Entry, Section, Toned } from '../section.ts'

export interface ViewOptions {
  /** Most rows or findings to show; 0 for all. */
  readonly limit: number
}

export interface View {
  sections(report: Report, options: ViewOptions): Iterable<Section>
  /** One row of the main list by itself, for an answer that is printed while it is made. */
  entry?(row: unknown): Entry
  /** What follows the reports when there are several. */
  summary?(reports: readonly Report[], unread: readonly UnreadInput[]): Iterable<Section>
}

/** A view reads back what its own command wrote, live or from a saved report, so the shape is known here alone. */
export function dataOf<Data>(report: Report): Data {
  return report.data as ReportData as Data
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
