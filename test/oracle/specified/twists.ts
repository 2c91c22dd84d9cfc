/** One thing that is not as it should be, or only looks as if it were not. Most of them leave it open who is right. */
import type { Random } from '../random.ts'
import { anything, type Row } from './spellings.ts'

const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  2,
  -1,
  0.5,
  1e21,
  2 ** 53,
  '',
  '0',
  'append',
  'replace',
  [],
  [0],
  [0, 0],
  [-0],
  ['0'],
  [null],
  [0.5],
  [999],
  {},
  { op: 'replace', start: 0, end: 0 },
  { op: 'replace', start: -0, end: 0 },
  { op: 'replace', startSeq: 0, endSeq: 0 },
  { op: 'replace', start: 0, end: 0, more: 1 },
  { op: 'append' },
  { kind: 'user' },
  { kind: '' },
]

const ENVELOPE = ['type', 'seq', 'time', 'data', 'surfaceOp', 'sourceEventSeqs', 'ignorable', 'extra']
const HEADER = [
  'type',
  'version',
  'id',
  'createdAt',
  'delegationDepth',
  'cwd',
  'parentSession',
  'seedLength',
  'origin',
  'agentPreset',
  'sandboxMode',
  'approvalPolicy',
  'isSeeded',
]

/** @returns the name of the twist. */
export function twistRows(rows: Row[], random: Random): string {
  const row = random.pick(rows)
  const isHeader = row === rows[0]
  const kind = random.whole(0, 9)
  if (kind < 4) {
    const name = random.pick(isHeader ? HEADER : ENVELOPE)
    const value = random.chance(0.2) ? undefined : random.pick(VALUES)
    row[name] = value
    return `${isHeader ? 'header' : String(row.type)}: ${name} ${JSON.stringify(value)}`
  }
  if (kind < 8) {
    const places = placesIn(row.data)
    if (places.length === 0) return 'nothing'
    const [container, key] = random.pick(places)
    const value = random.chance(0.3) ? undefined : random.chance(0.2) ? anything(random) : random.pick(VALUES)
    // What is left out of a list would move the others.
    container[key] = Array.isArray(container) && value === undefined ? null : value
    return `${String(row.type)}: ${key} in its data ${JSON.stringify(value)}`
  }
  if (kind === 8 && rows.length > 2) {
    const at = random.whole(1, rows.length - 2)
    ;[rows[at], rows[at + 1]] = [rows[at + 1] as Row, rows[at] as Row]
    return 'two rows swapped'
  }
  if (rows.length < 2) return 'nothing'
  const at = random.whole(1, rows.length - 1)
  if (random.chance(0.5)) rows.splice(at, 1)
  else rows.splice(at, 0, rows[at] as Row)
  return 'a row lost or twice'
}

const LINES = [
  '',
  ' ',
  '%',
  '{}',
  '[]',
  '42',
  '"x"',
  '{"type":"turn/end"}',
  '{"seq":0}',
  '\ufeff',
  '{"type":"session","version":0}',
]

/** @returns the name of the twist. */
export function twistLines(lines: string[], random: Random): string {
  const at = random.whole(0, lines.length - 1)
  const line = lines[at] as string
  const kind = random.whole(0, 5)
  if (kind === 0) lines.splice(at, 0, random.pick(LINES))
  else if (kind === 1) lines[at] = line.slice(0, random.whole(0, line.length))
  else if (kind === 2) lines[at] = `${random.pick(['\ufeff', ' ', '\t', '\0', 'x'])}${line}`
  else if (kind === 3) lines[at] = `${line}${random.pick([' ', '}', ',', '\0', '\u2028'])}`
  else if (kind === 4) lines.length = at + 1
  else lines[at] = changed(line, random)
  return `line ${at + 1}, kind ${kind}`
}

function changed(line: string, random: Random): string {
  if (line === '') return line
  const at = random.whole(0, line.length - 1)
  return line.slice(0, at) + random.pick(['', '"', '0', '-', '\u0001', '}']) + line.slice(at + 1)
}

type Container = Record<string, unknown>

function placesIn(value: unknown): [Container, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => [
    [value as Container, key] as [Container, string],
    ...placesIn(child),
  ])
}
