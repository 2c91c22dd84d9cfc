/** Clashes of seqs: what each of them is, and how often a log full of them is read. */
import { expect, test } from 'vitest'
import { loadLog } from '../../../src/load/sessions/load-log.ts'
import { memoryLines } from '../../../src/storage/jsonl/memory-lines.ts'
import { DEFAULT_LIMITS, type RecordSource } from '../../../src/storage/record-source.ts'
import { log } from '../../support/log-builder.ts'

const TURNS = 40
const built = Array.from({ length: TURNS }).reduce<ReturnType<typeof log>>(
  (whole, _, turn) => whole.turn((one) => one.user(`question ${turn}`)),
  log(),
)
const [header = '', ...rows] = built.lines().map(String)

async function clashesOf(lines: readonly string[]): Promise<{ kinds: unknown[]; readings: number }> {
  const records = [header, ...lines].map((line) => ({ bytes: Buffer.from(line), ended: true }))
  const whole = memoryLines(records, DEFAULT_LIMITS)
  let readings = 0
  const source: RecordSource = {
    items(fromLine) {
      readings++
      return whole.items(fromLine)
    },
  }
  const { findings } = await loadLog(source, {}, { limits: DEFAULT_LIMITS })
  const repeated = findings.findings().flatMap((one) => (one.code === 'order/seq-repeated' ? [one] : []))
  return { kinds: repeated.map(({ args }) => args.kind), readings }
}

test('every third row written twice: each is a copy of its own', async () => {
  const { kinds } = await clashesOf(rows.flatMap((row, index) => (index % 3 === 0 ? [row, row] : [row])))
  expect(kinds).toHaveLength(Math.ceil(rows.length / 3))
  expect(new Set(kinds)).toEqual(new Set(['identical']))
})

test('a copy of what a second writer wrote is a copy', async () => {
  const branch = rows.slice(-4).map((row) => row.replace(/"time":(\d+)/, '"time":1$1'))
  const { kinds } = await clashesOf([...rows, ...branch, ...branch])
  expect(kinds).toEqual(['two-writers', 'identical'])
})

test('two logs in one file are no copies in packed rows', async () => {
  const packed = log().turn((turn) => turn.step((step) => step.packed(['a', 'b', 'c']).user('x')))
  const { kinds } = await clashesOf([...packed.lines().slice(1).map(String), ...rows])
  expect(kinds).toEqual(['two-writers'])
  const other = await clashesOf([...rows, ...packed.lines().slice(1).map(String)])
  expect(other.kinds).toEqual(['two-writers'])
})

test('a log is read as often with many clashes as with a few', async () => {
  const clashing = (count: number): readonly string[] =>
    rows.flatMap((row, index) => (index < count ? [row, row] : [row]))
  const { readings } = await clashesOf(clashing(2))
  expect((await clashesOf(clashing(rows.length - 1))).readings).toBe(readings)
  // Rows in the opposite order are nothing but clashes.
  const [last = '', ...rest] = rows.toReversed()
  expect((await clashesOf([...rest, last])).readings).toBeLessThanOrEqual(readings)
})
