/** A row with less in it. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { smallerRow } from '../../../src/load/minimize/smaller-value.ts'

/** What is left of a row when everything may go that `holds` does not need. */
async function smallest(row: JsonObject, holds: (row: JsonObject) => boolean): Promise<JsonObject> {
  let best = row
  await smallerRow(row, async (candidate) => {
    const isSmaller = JSON.stringify(candidate).length < JSON.stringify(best).length
    if (!isSmaller || !holds(candidate)) return false
    best = candidate
    return true
  })
  return best
}

const ROW = {
  type: 'acme/x',
  seq: 3,
  time: 1,
  data: {
    turn: 1,
    callId: 'a-rather-long-id',
    note: 'x'.repeat(100),
    list: [1, { kind: 'this kind', text: 'some words here' }, 3, 4],
  },
  ignorable: true,
  surfaceOp: { op: 'replace', start: 1, end: 2 },
}

test('what makes it the event it is stays: type, numbers, data', async () => {
  expect(await smallest(ROW, () => true)).toEqual({ type: 'acme/x', seq: 3, time: 1, data: { turn: 1 } })
})

test('only what is needed of a list, and within', async () => {
  const small = await smallest(ROW, ({ data }) => JSON.stringify(data).includes('this kind'))
  expect(small.data).toEqual({ turn: 1, list: [{ kind: 'this kind' }] })
})

test('a string is halved as long as it holds; an id is left out or left alone', async () => {
  const isLong = ({ data }: JsonObject): boolean => {
    const { note, callId } = data as { note?: string; callId?: string }
    return (note ?? '').length >= 20 && callId !== undefined
  }
  const { data } = await smallest(ROW, isLong)
  expect(data).toEqual({ turn: 1, callId: 'a-rather-long-id', note: 'x'.repeat(25) })
})

test('a value that nests deeper than anything is passed over', async () => {
  let nested: JsonObject = {}
  for (let depth = 0; depth < 50; depth++) nested = { nested }
  const row = { type: 'x', seq: 0, time: 0, data: nested }
  expect(await smallest(row, (each) => JSON.stringify(each) === JSON.stringify(row))).toEqual(row)
})
