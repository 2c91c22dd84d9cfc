/**
 * Logs of format 0 from the words of the specification, event by event, and not from what a session would do: turns and
 * steps need not fit, members hold whatever nobody looks at, and lines are spelled as JSON allows. Then up to two twists.
 */
import type { Random } from '../random.ts'
import { MESSAGES, OTHER_TYPES, type Place, STRUCTURE } from './event-data.ts'
import { spellJson } from './spell-json.ts'
import { anything, more, type Row, time } from './spellings.ts'
import { twistLines, twistRows } from './twists.ts'

export interface SpecifiedLog {
  readonly text: string
  /** The twists, by name. */
  readonly twists: readonly string[]
}

const MOST_EVENTS = 26

export function specifiedLog(random: Random): SpecifiedLog {
  const rows: Row[] = [header(random), ...events(random)]
  const twists: string[] = []
  const count = random.pick([0, 0, 1, 1, 1, 2])
  const inLines = random.whole(0, count)
  for (let twist = inLines; twist < count; twist++) twists.push(twistRows(rows, random))
  const lines = rows.map((row) => spellJson(row, random))
  for (let twist = 0; twist < inLines; twist++) twists.push(twistLines(lines, random))
  const end = random.pick(['\n', '\n', '\n', '\n', '\r\n'])
  const tail = random.chance(0.1) ? random.pick(['{"type":"turn/end","seq":', 'x', '{}', ' ', '\0']) : ''
  return { text: lines.map((line) => line + end).join('') + tail, twists }
}

function header(random: Random): Row {
  const cwd = random.pick<unknown>([
    undefined,
    undefined,
    '/',
    '/srv/demo',
    '/ü/漢',
    '/a/../b',
    '//x',
    '/a b~',
  ])
  return {
    type: 'session',
    version: 0,
    id: random.pick(['id', 'a/b', '.', '~', '漢', 'x'.repeat(60), '-']),
    createdAt: random.pick([0, 1, 1_700_000_000_000, 9_007_199_254_740_991]),
    delegationDepth: random.pick([0, 0, 1, 7]),
    ...(cwd !== undefined && { cwd }),
    ...(random.chance(0.2) && { parentSession: random.pick(['', 'parent', 'id']) }),
    ...(random.chance(0.2) && { seedLength: random.pick([0, 1, 5, 99]) }),
    ...(random.chance(0.1) && { origin: 'subagent' }),
    ...(random.chance(0.1) && { agentPreset: random.pick(['', 'p']) }),
    ...(random.chance(0.1) && { newer: anything(random) }),
    ...more(random),
  }
}

function events(random: Random): Row[] {
  const rows: Row[] = []
  const nodes: number[] = []
  let names = 0
  let [turn, step] = [1, 1]
  const fresh = (): string => (random.chance(0.05) ? 'm0' : `m${++names}`)
  for (let count = random.whole(0, MOST_EVENTS); count > 0; count--) {
    const nextSeq = rows.reduce((sum, row) => sum + seqsIn(row), 0)
    const place: Place = { turn, step, nextSeq, fresh }
    const kind = random.whole(0, 9)
    if (kind < 4) rows.push(message(random, place, nodes))
    else if (kind < 8) {
      const type = random.pick(Object.keys(STRUCTURE))
      rows.push(event(random, place, type, STRUCTURE[type]?.(random, place)))
      if (type === 'turn/end') [turn, step] = [turn + 1, 1]
      if (type === 'step/end') step++
    } else if (kind === 8) rows.push(packed(random, place))
    else rows.push(other(random, place))
  }
  return rows
}

function event(random: Random, { nextSeq: seq }: Place, type: string, data: unknown): Row {
  return { type, seq, time: time(random, 1_700_000_000_000 + seq), data: data ?? null }
}

/** Known and unlooked-at, known and to be ignored, or unknown and to be ignored. */
function other(random: Random, place: Place): Row {
  if (random.chance(0.7)) return event(random, place, random.pick(OTHER_TYPES), anything(random, 3))
  const type = random.pick([
    ...OTHER_TYPES,
    'newer/thing',
    '',
    'constructor',
    'developer/message',
    'system/message',
  ])
  return { ...event(random, place, type, anything(random, 3)), ignorable: true }
}

function message(random: Random, place: Place, nodes: number[]): Row {
  const type = random.pick(Object.keys(MESSAGES))
  const row = event(random, place, type, MESSAGES[type]?.(random, place))
  const { nextSeq: seq } = place
  const earlier = Array.from({ length: random.whole(0, 3) }, () => random.whole(0, Math.max(seq - 1, 0)))
  const cited = seq === 0 ? [] : [...new Set(earlier)]
  if (nodes.length === 0 || type === 'tool/result' || random.chance(0.75)) {
    nodes.push(seq)
    const sources =
      cited.length > 0 || (type === 'assistant/message' && random.chance(0.2)) ? cited : undefined
    return random.chance(0.6) || sources === undefined
      ? { ...row, surfaceOp: 'append' }
      : { ...row, sourceEventSeqs: sources, surfaceOp: 'append' }
  }
  const from = random.whole(0, nodes.length - 1)
  const to = random.whole(from, Math.min(nodes.length - 1, from + 4))
  const shadowed = nodes.splice(from, to - from + 1, seq)
  const surfaceOp = { op: 'replace', start: shadowed[0], end: shadowed.at(-1) }
  return { ...row, surfaceOp, sourceEventSeqs: random.shuffled([...new Set([...shadowed, ...cited])]) }
}

function packed(random: Random, { turn, step, nextSeq }: Place): Row {
  const count = random.whole(1, 5)
  const dt = Array.from({ length: count - 1 }, () => random.pick([0, 1, 7, -3]))
  const texts = Array.from({ length: count }, () => random.pick(['', 'a', '漢', '\ud800', '\n']))
  const type = random.pick(['text-chunks', 'reasoning-chunks', 'tool-call-chunks'])
  const base = { turn, step, index: random.pick([0, 1, -1, 2.5]) }
  const data =
    type === 'tool-call-chunks'
      ? {
          ...base,
          id: random.pick(['call-1', '']),
          ...(random.chance(0.5) && { name: 'bash' }),
          dt,
          args: texts,
        }
      : { ...base, dt, texts }
  return { type, seq0: nextSeq, time0: 1_700_000_000_000 + nextSeq, data }
}

function seqsIn({ seq0, data }: Row): number {
  if (seq0 === undefined) return 1
  const { texts, args } = data as { texts?: unknown[]; args?: unknown[] }
  return (texts ?? args ?? []).length
}
