/** The few shapes that every view is made of. Strings in them are raw: escaping is the renderer's business. */

export type Tone =
  | 'plain'
  | 'strong'
  | 'dim'
  | 'ok'
  | 'error'
  | 'warning'
  | 'info'
  | 'user'
  | 'assistant'
  | 'tool'

export interface Toned {
  readonly text: string
  readonly tone: Tone
}

export type Cell = string | number | Toned

export interface Column {
  readonly label: string
  /** Columns to reserve when rows are printed as they come. */
  readonly width: number
  readonly align?: 'right'
}

/** A heading with a body of log text under it, as in a transcript. */
export interface Entry {
  readonly heading: string
  readonly tone: Tone
  readonly body?: string
}

export interface ExcerptLine {
  readonly number: number
  readonly text: string
  /** Marks the line that everything is about. */
  readonly tone?: Tone
}

export type Section =
  | { readonly kind: 'heading'; readonly text: string; readonly tone?: Tone }
  | { readonly kind: 'fields'; readonly rows: readonly (readonly [label: string, value: Cell])[] }
  /** A short table, drawn with borders. */
  | {
      readonly kind: 'table'
      readonly columns: readonly Column[]
      readonly rows: readonly (readonly Cell[])[]
    }
  /** A list of any length, printed in columns while it is read. */
  | { readonly kind: 'rows'; readonly columns: readonly Column[]; readonly rows: Iterable<readonly Cell[]> }
  | { readonly kind: 'list'; readonly items: Iterable<Cell> }
  | { readonly kind: 'entries'; readonly entries: Iterable<Entry> }
  /** The lines of a file, some of them marked. */
  | { readonly kind: 'excerpt'; readonly title: string; readonly lines: readonly ExcerptLine[] }
  /** Machine text printed as it is, but escaped: an event as JSON. */
  | { readonly kind: 'code'; readonly text: string }

export function textOf(cell: Cell): string {
  return typeof cell === 'object' ? cell.text : String(cell)
}

export function toneOf(cell: Cell): Tone {
  return typeof cell === 'object' ? cell.tone : 'plain'
}
