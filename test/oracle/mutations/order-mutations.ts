/**
 * Breaks in the numbering and lines that cannot be read (format.md §2.6). The same break is damage when a turn end
 * follows it and a crash tail otherwise, so each one is made in both places.
 */
import { type DraftLog, lineOf, type Row } from '../draft-log.ts'
import type { Random } from '../random.ts'
import { type Expected, lastTurnEnd, type Mutation, push, rowsOf } from './mutation.ts'

type Break = (draft: DraftLog, at: number, random: Random) => void

const gap: Expected = { refusal: /seq gap in committed region/, code: 'order/seq-gap' }
const repeated: Expected = { refusal: /seq gap in committed region/, code: 'order/seq-repeated' }
const noSeq: Expected = { refusal: /seq gap in committed region/, code: 'order/seq-invalid' }
const badLine: Expected = { refusal: /unparsable committed event/, code: 'bytes/bad-line' }

const setSeq =
  (make: (seq: number) => unknown): Break =>
  (draft, at) => {
    const row = draft.rows[at] as Row
    const key = row.seq0 === undefined ? 'seq' : 'seq0'
    row[key] = make(row[key] as number)
  }

const insert =
  (line: string): Break =>
  (draft, at) => {
    draft.rows.splice(at, 0, line)
  }

const BREAKS: readonly (readonly [name: string, expected: Expected, make: Break])[] = [
  ['a missing row', gap, (draft, at) => void draft.rows.splice(at, 1)],
  ['a row twice', repeated, (draft, at) => void draft.rows.splice(at, 0, draft.rows[at] as Row)],
  ['a seq too great', gap, setSeq((seq) => seq + 5)],
  ['a line of garbage', badLine, insert('garbage')],
  ['a blank line', badLine, insert('')],
  ['a line of blanks', badLine, insert(' \t\r')],
  ['a NUL line', badLine, insert('\0\0\0')],
  [
    'a torn line in the middle',
    badLine,
    (draft, at) => {
      draft.rows[at] = lineOf(draft.rows[at] as Row).slice(0, -4)
    },
  ],
  [
    'a second object on the line',
    badLine,
    (draft, at) => {
      draft.rows[at] = `${lineOf(draft.rows[at] as Row)}{}`
    },
  ],
  ['null for a row', { refusal: /TypeError/, code: 'bytes/bad-line' }, insert('null')],
  ['a list for a row', noSeq, insert('[]')],
  ['a number for a row', noSeq, insert('42')],
  ['a string for a row', noSeq, insert('"turn/end"')],
  ['an object without seq', noSeq, insert('{}')],
  ['an invalid packed row', badLine, insert('{"type":"text-chunks","seq0":0,"time0":0,"data":{}}')],
  [
    'a second header',
    { refusal: /seq gap in committed region/, code: 'header/repeated' },
    (draft, at) => {
      draft.rows.splice(at, 0, draft.header)
    },
  ],
]

/** Rows whose loss cannot be mended by the rows after them. */
function placesBefore(draft: DraftLog): number[] {
  const end = lastTurnEnd(draft)
  return draft.rows.flatMap((row, at) => (at < end && isSound(row) ? [at] : []))
}

function isSound(row: Row | string): row is Row {
  return typeof row !== 'string' && row.type !== 'turn/end'
}

const committed: readonly Mutation[] = BREAKS.map(([name, expected, make]) => ({
  name: `${name}, a turn end after it`,
  expected,
  apply(draft, random) {
    const places = placesBefore(draft)
    if (places.length === 0) return false
    make(draft, random.pick(places), random)
    return true
  },
}))

/** A turn is opened at the end, so that there is something after the last turn end. */
const inTail: readonly Mutation[] = BREAKS.map(([name, , make]) => ({
  name: `${name}, no turn end after it`,
  expected: 'opens',
  apply(draft, random) {
    push(draft, { type: 'turn/start', data: { turn: 90 } })
    for (let step = 1; step <= 3; step++) push(draft, { type: 'step/start', data: { turn: 90, step } })
    const end = lastTurnEnd(draft)
    make(draft, random.whole(end + 1, draft.rows.length - 1), random)
    return true
  },
}))

const seqOfTurnEnd = (label: string, code: Expected, make: (seq: number) => unknown): Mutation => ({
  name: `the last turn end has ${label}`,
  expected: code,
  apply(draft, random) {
    const at = lastTurnEnd(draft)
    if (at === -1) return false
    setSeq(make)(draft, at, random)
    return true
  },
})

export const orderMutations: readonly Mutation[] = [
  ...committed,
  ...inTail,
  seqOfTurnEnd('a seq of text', noSeq, String),
  seqOfTurnEnd('no seq', noSeq, () => undefined),
  seqOfTurnEnd('a seq of 0.5', noSeq, (seq) => seq + 0.5),
  seqOfTurnEnd('a seq too great', gap, (seq) => seq + 1),
  // What closes an interrupted turn may be taken for a second writer's; any other is a wrong number.
  seqOfTurnEnd('a seq too small', { refusal: /seq gap in committed region/ }, (seq) => seq - 1),
  {
    name: 'two neighbours change places',
    expected: gap,
    apply(draft, random) {
      const places = placesBefore(draft).filter((at) => isSound(draft.rows[at + 1] as Row))
      if (places.length === 0) return false
      const at = random.pick(places)
      draft.rows.splice(at, 2, draft.rows[at + 1] as Row, draft.rows[at] as Row)
      return true
    },
  },
  {
    name: 'garbage before a turn end whose type is spelled with an escape',
    expected: badLine,
    wish: { whole: true },
    apply(draft) {
      const at = lastTurnEnd(draft)
      if (at === -1) return false
      const line = lineOf(draft.rows[at] as Row).replace('turn/end', 'turn\\u002fend')
      draft.rows.splice(at, 1, 'garbage', line)
      return rowsOf(draft).every(({ type }, index) => type !== 'turn/end' || index < at)
    },
  },
]
