/**
 * A log before it is written: the header, the stored rows and how they are put into a file. A row is an object, or
 * the text of a line that is meant to be broken. Mutations change a draft in place.
 */

export type Row = Record<string, unknown>

export interface DraftLog {
  header: Row | string
  /** Events and packed chunk rows, in file order. */
  rows: (Row | string)[]
  lineEnd: string
  /** Text after the last line end: a torn line. */
  tail: string
  /** What to do with the finished bytes, for damage that no text can express. */
  damage?: (bytes: Buffer) => Buffer
}

export function draftBytes(draft: DraftLog): Buffer {
  const lines = [draft.header, ...draft.rows].map((row) => lineOf(row) + draft.lineEnd)
  const bytes = Buffer.from(lines.join('') + draft.tail)
  return draft.damage === undefined ? bytes : draft.damage(bytes)
}

export function lineOf(row: Row | string): string {
  return typeof row === 'string' ? row : JSON.stringify(row)
}

/** The seqs that a stored row takes up. A broken line takes none. */
export function seqsOf(row: Row | string): { readonly first: number; readonly count: number } {
  if (typeof row === 'string') return { first: -1, count: 0 }
  if (typeof row.seq0 !== 'number') return { first: row.seq as number, count: 1 }
  const { texts, args } = row.data as { texts?: unknown[]; args?: unknown[] }
  return { first: row.seq0, count: (texts ?? args ?? []).length }
}

export function nextSeq(draft: DraftLog): number {
  const last = draft.rows.at(-1)
  if (last === undefined) return 0
  const { first, count } = seqsOf(last)
  return first + count
}

/** The nodes of the surface before the row at `index`, by the plain words of the specification. */
export function surfaceBefore(draft: DraftLog, index = draft.rows.length): number[] {
  const nodes: number[] = []
  for (const row of draft.rows.slice(0, index)) {
    if (typeof row === 'string' || row.surfaceOp === undefined) continue
    if (row.surfaceOp === 'append') nodes.push(row.seq as number)
    else {
      const { start, end } = row.surfaceOp as { start: number; end: number }
      const from = nodes.indexOf(start)
      nodes.splice(from, nodes.indexOf(end) - from + 1, row.seq as number)
    }
  }
  return nodes
}

/** The row of an event that is not packed. */
export function rowAt(draft: DraftLog, seq: number): Row {
  const row = draft.rows.find((candidate) => typeof candidate !== 'string' && candidate.seq === seq)
  if (row === undefined) throw new Error(`no row with seq ${seq}`)
  return row as Row
}
