/**
 * Faults of single lines, as they are met in the field: each makes other lines of the rows of a log, and says whether the
 * log can come back as it was.
 */
import type { JsonValue } from '../../src/core/json/json-value.ts'
import type { Row } from './log-builder.ts'

export interface Fault {
  readonly name: string
  /** The lines with the fault at one of them; `undefined` where the line cannot have it. */
  readonly apply: (lines: readonly string[], at: number) => readonly string[] | undefined
  /** The line is lost. */
  readonly loses?: true
  /** What the line says comes back, though not to the letter. */
  readonly changes?: true
  /** The place or the number of the line is wrong. */
  readonly misplaces?: true
  /** Only readers of format 4 look at it. */
  readonly relation?: true
}

const GARBAGE = '%%%garbage'

export const FAULTS: readonly Fault[] = [
  { name: 'lost', loses: true, apply: (lines, at) => lines.toSpliced(at, 1) },
  {
    name: 'torn',
    loses: true,
    apply: (lines, at) => lines.with(at, (lines[at] as string).slice(0, (lines[at] as string).length >> 1)),
  },
  { name: 'doubled', apply: (lines, at) => lines.toSpliced(at, 0, lines[at] as string) },
  {
    name: 'swapped with the next',
    misplaces: true,
    apply: (lines, at) =>
      at + 1 < lines.length
        ? lines.toSpliced(at, 2, lines[at + 1] as string, lines[at] as string)
        : undefined,
  },
  {
    name: 'joined with the next',
    apply: (lines, at) =>
      at + 1 < lines.length ? lines.toSpliced(at, 2, `${lines[at]}${lines[at + 1]}`) : undefined,
  },
  { name: 'after garbage', apply: (lines, at) => lines.toSpliced(at, 0, GARBAGE) },
  { name: 'after a blank line', apply: (lines, at) => lines.toSpliced(at, 0, '') },
  { name: 'after another value', apply: (lines, at) => lines.toSpliced(at, 0, 'null') },
  { ...edited('numbered one too high', (row) => number(row, (seq) => seq + 1)), misplaces: true },
  {
    ...edited('numbered one too low', (row) => number(row, (seq) => (seq === 0 ? undefined : seq - 1))),
    misplaces: true,
  },
  { ...edited('numbered far too high', (row) => number(row, (seq) => seq + 5000)), misplaces: true },
  { ...edited('without a number', (row) => number(row, () => null)), misplaces: true },
  { ...edited('with a fraction as its number', (row) => number(row, (seq) => seq + 0.5)), misplaces: true },
  edited('with a member too many', (row) => ({ ...row, extra: 1 })),
  edited('marked as not ignorable', (row) =>
    row.seq === undefined ? undefined : { ...row, ignorable: false },
  ),
  { ...edited('without a time', (row) => without(row, 'time')), changes: true },
  edited('without its surface operation', (row) =>
    row.surfaceOp === 'append' ? without(row, 'surfaceOp') : undefined,
  ),
  {
    ...edited('citing nothing', (row) =>
      row.surfaceOp === 'append' ? { ...row, sourceEventSeqs: null } : undefined,
    ),
    changes: true,
  },
  {
    ...edited('citing a later event', (row) =>
      row.surfaceOp === 'append'
        ? { ...row, sourceEventSeqs: [...list(row.sourceEventSeqs), Number(row.seq) + 3] as JsonValue[] }
        : undefined,
    ),
    changes: true,
  },
  edited('of another role', (row) => inMessage(row, (message) => ({ ...message, role: 'robot' }))),
  { ...edited('of a later turn', (row) => place(row, 'turn', 5)), relation: true },
  { ...edited('of the next turn', (row) => place(row, 'turn', 1)), relation: true },
  { ...edited('of the next step', (row) => place(row, 'step', 1)), relation: true },
]

function edited(name: string, change: (row: Row) => Row | undefined): Fault {
  return {
    name,
    apply(lines, at) {
      const row = change(JSON.parse(lines[at] as string))
      return row && lines.with(at, JSON.stringify(row))
    },
  }
}

function number(row: Row, change: (seq: number) => number | null | undefined): Row | undefined {
  const member = row.seq0 === undefined ? 'seq' : 'seq0'
  const seq = change(Number(row[member]))
  return seq === undefined ? undefined : { ...row, [member]: seq }
}

function without(row: Row, member: string): Row | undefined {
  const { [member]: gone, ...rest } = row
  return gone === undefined ? undefined : rest
}

function list(value: Row[string]): Row[string][] {
  return Array.isArray(value) ? value : []
}

function inMessage(row: Row, change: (message: Row) => Row): Row | undefined {
  const data = row.data as Row | undefined
  if (row.surfaceOp === undefined || data === undefined) return undefined
  if (row.type === 'user/message') return { ...row, data: change(data) } as Row
  return { ...row, data: { ...data, message: change(data.message as Row) } } as Row
}

/** No reader looks at the turn of a hook; the turn of a compaction is another matter. */
const UNJUDGED = /^(?:compaction|hook)\//

/** What brackets and messages say of their place; a rewrite of a result speaks of another one. */
function place(row: Row, member: 'turn' | 'step', by: number): Row | undefined {
  const data = row.data as Row | undefined
  const isRewrite = row.surfaceOp !== undefined && row.surfaceOp !== 'append'
  if (typeof data?.[member] !== 'number' || isRewrite || UNJUDGED.test(String(row.type))) return undefined
  return { ...row, data: { ...data, [member]: data[member] + by } } as Row
}
