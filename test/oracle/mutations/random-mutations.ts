/** Blind damage: nobody says which rule it breaks, or whether it breaks any. Both sides must agree about it. */
import { runs } from '../../support/effort.ts'
import { type DraftLog, draftBytes, type Row } from '../draft-log.ts'
import type { Random } from '../random.ts'
import type { Mutation } from './mutation.ts'

const LOGS = runs(60, 3)

const VALUES: readonly unknown[] = [
  null,
  0,
  1,
  -1,
  0.5,
  '',
  'append',
  '0',
  true,
  [],
  [0],
  {},
  { kind: 'user' },
]

const blind = (name: string, apply: (draft: DraftLog, random: Random) => boolean): Mutation => ({
  name,
  expected: 'either',
  logs: LOGS,
  apply,
})

/** Every object and list in a value, itself included. */
function containersIn(value: unknown): Row[] {
  if (typeof value !== 'object' || value === null) return []
  return [value as Row, ...Object.values(value).flatMap(containersIn)]
}

function bytesChanged(draft: DraftLog, change: (bytes: Buffer) => Buffer): boolean {
  const bytes = change(draftBytes(draft))
  draft.damage = () => bytes
  return true
}

export const randomMutations: readonly Mutation[] = [
  blind('one member anywhere is changed', (draft, random) => {
    if (draft.rows.length === 0) return false
    const row = random.pick(draft.rows) as Row
    const container = random.pick(containersIn(row))
    const keys = Object.keys(container)
    if (keys.length === 0) return false
    container[random.pick(keys)] = random.pick(VALUES)
    return true
  }),
  blind('one member anywhere is missing', (draft, random) => {
    if (draft.rows.length === 0) return false
    const row = random.pick(draft.rows) as Row
    const container = random.pick(containersIn(row).filter((value) => !Array.isArray(value)))
    const keys = Object.keys(container)
    if (keys.length === 0) return false
    delete container[random.pick(keys)]
    return true
  }),
  blind('one surface mark is changed', (draft, random) => {
    const rows = draft.rows.filter((row): row is Row => typeof row !== 'string' && row.seq !== undefined)
    if (rows.length === 0) return false
    const row = random.pick(rows)
    const seq = (): number => random.whole(0, (row.seq as number) + 1)
    if (random.chance(0.5)) row.surfaceOp = { op: 'replace', start: seq(), end: seq() }
    else row.sourceEventSeqs = Array.from({ length: random.whole(0, 3) }, seq)
    return true
  }),
  blind('one row is moved', (draft, random) => {
    const [row] = draft.rows.splice(random.whole(0, draft.rows.length - 1), 1)
    if (row === undefined) return false
    draft.rows.splice(random.whole(0, draft.rows.length), 0, row)
    return true
  }),
  blind('one byte is changed', (draft, random) =>
    bytesChanged(draft, (bytes) => {
      bytes[random.whole(0, bytes.length - 1)] = random.whole(0, 255)
      return bytes
    }),
  ),
  blind('the file is cut anywhere', (draft, random) =>
    bytesChanged(draft, (bytes) => bytes.subarray(0, random.whole(0, bytes.length))),
  ),
  blind('a piece of the file is missing', (draft, random) =>
    bytesChanged(draft, (bytes) => {
      const from = random.whole(0, bytes.length - 1)
      const to = random.whole(from, Math.min(from + 400, bytes.length))
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
    }),
  ),
]
