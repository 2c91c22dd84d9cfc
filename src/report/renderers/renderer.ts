/** What a renderer is: a report becomes pieces of text. It prints nothing and decides no exit code. */
import type { ReportKind, ReportSet } from '../report.ts'
import type { Style } from '../style.ts'

export type Renderer<Kind extends ReportKind = ReportKind> = (
  set: ReportSet<Kind>,
  options: RenderOptions,
) => Promise<Chunks>

/** Text in pieces, to be written as it comes. */
export type Chunks = Iterable<string> | AsyncIterable<string>

export interface RenderOptions {
  readonly style: Style
  /** Most rows or findings that a view for people shows; 0 for all. */
  readonly limit: number
  /** The text is for a person at a terminal. */
  readonly onTerminal?: boolean
  readonly columns?: number
  /** Long outputs of tools are shown by their beginnings. */
  readonly isShort?: boolean
  /** Version of this program, for formats that name the tool. */
  readonly version: string
}
