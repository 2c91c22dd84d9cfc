/** A log without some of its rows: as if they had never been written. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { removeRows } from '../../../src/load/minimize/remove-rows.ts'
import { rowsOf } from '../../../src/load/minimize/row.ts'
import { fileOf } from '../../../src/storage/jsonl/memory-lines.ts'
import { findingsOf } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, twoTurns } from '../../support/sample-logs.ts'

function rowsIn(built: LogBuilder) {
  return rowsOf(built.lines().map((bytes) => ({ bytes, ended: true })))
}

/** The log without the rows that `isGone` says; rows are counted with the header as 0. */
function lacking(built: LogBuilder, isGone: (row: { type?: string }, index: number) => boolean): Buffer {
  const rows = rowsIn(built)
  return fileOf(
    removeRows(
      rows,
      rows.filter((row, index) => index === 0 || !isGone(row, index)),
    ),
  )
}

function parsed(file: Buffer) {
  return file
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Turns of some steps each, with calls, packed and loose deltas. */
function turns(stepsOf: readonly number[]): LogBuilder {
  const built = log()
  for (const [turn, steps] of stepsOf.entries()) {
    built.turn((each) => {
      each.user(`message ${turn}`)
      for (let step = 0; step < steps; step++) {
        each.step((one) =>
          one
            .packed(['a', 'b'])
            .chunk('c')
            .assistant('abc', { sources: [one.nextSeq - 3, one.nextSeq - 2, one.nextSeq - 1] })
            .call(`c${turn}-${step}`, 'bash')
            .result(`c${turn}-${step}`, 'done'),
        )
      }
    })
  }
  return built
}

test('a sound log without any of its turns and steps is sound, and numbered without a gap', async () => {
  const plans = fc.array(fc.array(fc.boolean(), { maxLength: 4 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(
      plans,
      fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      async (plan, turnsGone) => {
        const built = turns(plan.map((steps) => steps.length))
        let turn = -1
        let step = -1
        const file = lacking(built, ({ type }) => {
          if (type === 'turn/start') [turn, step] = [turn + 1, -1]
          if (type === 'step/start') step++
          const inStep = type !== undefined && !['turn/start', 'turn/end', 'user/message'].includes(type)
          return turnsGone[turn] === true || (inStep && plan[turn]?.[step] === true)
        })
        expect(await findingsOf(file)).toEqual([])
        const started = parsed(file).filter(({ type }) => type === 'turn/start')
        expect(started.map(({ data }) => data.turn)).toEqual(started.map((_, index) => index + 1))
      },
    ),
  )
})

test('what cites an event that is gone cites it no more, and the rest by new numbers', () => {
  const file = lacking(log().user('a').user('b').user('c').compaction(0, 2), (_row, index) => index === 2)
  const rows = parsed(file)
  const summary = rows.find(({ type }) => type === 'compaction/summary')
  expect(summary.data.shadowedSeqs).toEqual([0, 1])
  expect(rows.find(({ surfaceOp }) => surfaceOp?.op === 'replace')).toMatchObject({
    surfaceOp: { start: 0, end: 1 },
    sourceEventSeqs: [2, 3, 0, 1],
  })
})

describe('what is out of order stays so', () => {
  test('a gap', () => {
    const rows = parsed(lacking(twoTurns().drop(11), (_row, index) => index >= 1 && index <= 9))
    expect(rows.slice(1).map(({ seq }) => seq)).toEqual([0, 1, 3, 4, 5])
  })

  test('a seq that is there twice, of which one goes', () => {
    const built = base()
    const again = built.lines()[5] as Buffer
    const rows = parsed(lacking(built.raw(again), (_row, index) => index === 5))
    expect(rows.slice(1).map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 4])
  })
})

test('a line that cannot be read has the seqs that are missing around it', () => {
  const built = base().edit(4, () => ({}))
  const lines = built
    .lines()
    .map((bytes, index) => ({ bytes: index === 5 ? Buffer.from('%%%') : bytes, ended: true }))
  const rows = rowsOf(lines)
  const file = fileOf(
    removeRows(
      rows,
      rows.filter((_, index) => index !== 5),
    ),
  )
  expect(
    parsed(file)
      .slice(1)
      .map(({ seq }) => seq),
  ).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('the inherited events of a fork are counted anew', () => {
  const rows = parsed(lacking(twoTurns().header({ seedLength: 9 }), (_row, index) => index === 2))
  expect(rows[0].seedLength).toBe(8)
})

test('bytes that say more than their value are kept, but for the number', () => {
  const strange = Buffer.from(
    '{"type":"acme/x" ,"seq" : 9,"time":1700000000009,"data":{"note":"\\u0041 \\"seq\\":9"}}',
  )
  const file = lacking(base().raw(strange), (_row, index) => index === 1)
  expect(file.toString()).toContain(strange.toString().replace('"seq" : 9', '"seq" : 8'))
})
