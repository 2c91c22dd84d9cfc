/**
 * Packed chunk rows that break a rule of their own (format.md §2.4). Such a row is a line that cannot be read, so it
 * is damage as soon as a turn end follows.
 */
import type { Row } from '../draft-log.ts'
import { lastTurnEnd, type Mutation } from './mutation.ts'

type Change = (row: Row, data: Row) => void

const setRow =
  (key: string, value: unknown): Change =>
  (row) => {
    row[key] = value
  }

const setData =
  (key: string, value: unknown): Change =>
  (_row, data) => {
    data[key] = value
  }

/** Sets the members, whichever of the two names they go by, and the gaps between them. */
const setMembers =
  (members: readonly unknown[], gaps: readonly unknown[]): Change =>
  (_row, data) => {
    data[data.texts === undefined ? 'args' : 'texts'] = members
    data.dt = gaps
  }

const CHANGES: readonly (readonly [name: string, change: Change])[] = [
  ['with one member more', setRow('added', 1)],
  ['with ignorable', setRow('ignorable', true)],
  ['with a time of null', setRow('time0', null)],
  ['with a time out of range', setRow('time0', 2 ** 53)],
  ['with a seq of text', setRow('seq0', '0')],
  ['with a seq of -1', setRow('seq0', -1)],
  ['with data null', setRow('data', null)],
  ['with one data member more', setData('added', 1)],
  ['without turn', (_row, data) => void delete data.turn],
  ['with a text for an index', setData('index', '0')],
  ['with gaps that are no list', setData('dt', {})],
  ['with a gap too many', setMembers(['a'], [1])],
  ['with a gap too few', setMembers(['a', 'b'], [])],
  ['with a gap of 0.5', setMembers(['a', 'b'], [0.5])],
  ['with gaps that lead out of range', setMembers(['a', 'b'], [Number.MAX_SAFE_INTEGER])],
  ['without members', setMembers([], [])],
  ['with a member that is no text', setMembers([1], [])],
]

export const packedRowMutations: readonly Mutation[] = CHANGES.map(([name, change]) => ({
  name: `a packed row ${name}, a turn end after it`,
  expected: { refusal: /unparsable committed event/, code: 'bytes/bad-line' },
  apply(draft, random) {
    const end = lastTurnEnd(draft)
    const rows = draft.rows.filter(
      (row, at): row is Row => at < end && typeof row !== 'string' && row.seq0 !== undefined,
    )
    if (rows.length === 0) return false
    const row = random.pick(rows)
    // A time at which the greatest gap leads out of range.
    row.time0 = 1
    change(row, row.data as Row)
    return true
  },
}))
