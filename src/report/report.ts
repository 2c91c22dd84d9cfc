/**
 * What a command answers, before anybody decides how it looks. `data` is the documented content of `--json`; a view
 * turns it into sections for people, a renderer turns sections or data into text. Large lists in `data` are iterables
 * that are read once.
 */
import type { Layer, Severity } from '../core/findings/finding.ts'
import type { Verdict } from '../core/findings/verdict.ts'

export interface Subject {
  /** The log as it was named on the command line. */
  readonly path: string
  readonly sessionId?: string
  /** Session format version. */
  readonly format?: number
  readonly container?: string
}

export interface ReportFinding {
  readonly code: string
  readonly severity: Severity
  readonly layer: Layer
  readonly message: string
  readonly seq?: number
  readonly line?: number
  readonly byteOffset?: number
  readonly byteLength?: number
  readonly frame?: number
  readonly row?: number
  readonly related?: readonly number[]
  /** Fingerprint of the finding without which this one would not be there. */
  readonly causedBy?: string
  readonly fingerprint: string
}

export interface Report {
  /** `resurface/<command>@<version>`. */
  readonly schema: string
  readonly subject?: Subject
  readonly verdict?: Verdict
  readonly findings: readonly ReportFinding[]
  readonly data: ReportData
}

/** Content of a report; lists may be iterables that can be read once. */
export type ReportData = { readonly [key: string]: unknown }

/** A report that is printed while it is made: row by row, and the rest when there are no more. */
export interface LiveRows {
  readonly schema: string
  /** The main list of the report's data. */
  readonly rows: AsyncIterable<unknown>
  /** The report without its rows. To be called behind the last of them. */
  readonly rest: () => Report
}

/** The answer for several inputs. */
export interface ReportSet {
  readonly schema: string
  readonly reports: readonly Report[]
  /** Inputs that could not be read at all, so that a saved answer does not hide them. */
  readonly unread?: readonly UnreadInput[]
}

export interface UnreadInput {
  readonly path: string
  readonly message: string
}

export function isReportSet(answer: Report | ReportSet): answer is ReportSet {
  return 'reports' in answer
}
