/**
 * A log of format 4 that lost a line, any of them. Its readers enforce what a turn consists of, so where the rest of a
 * turn has no place any more the turn ends at the gap; what can stay stays, and what cannot goes to quarantine.
 */
import { expect, test } from 'vitest'
import { readBack } from '../support/containers.ts'
import { later } from '../support/later-log.ts'
import { kindsOf, mended, repairing } from '../support/repairing.ts'
import { tempFile } from '../support/temp-dir.ts'

function threeTurns(): string[] {
  const built = later()
  for (const id of ['c1', 'c2', 'c3']) {
    built.turn((turn) => {
      turn.step((step) => {
        if (id === 'c1') step.system()
        step.user('go on').request().tool(id)
      })
      turn.step((step) => step.request().assistant('done'))
    })
  }
  return built.text().trimEnd().split('\n')
}

const lines = threeTurns()
const types = lines.map((line) => JSON.parse(line).type as string)
const places = types.flatMap((type, place) => (place === 0 ? [] : [[place, type] as const]))

test.each(places)('line %i, a %s', async (place, type) => {
  const path = tempFile(`${lines.toSpliced(place, 1).join('\n')}\n`)
  const result = await repairing(path)
  if (result.kind === 'refused') {
    // Readers want every turn number, and this one is gone.
    expect(type, result.data.refused?.join('\n')).toBe('turn/start')
    return
  }
  const { events } = await readBack(result.output)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
  const kept = events.length - result.data.closers.length
  expect(kept + result.pieces.length).toBeGreaterThanOrEqual(lines.length - 2)
})

test('the turn ends at the gap, and the next one follows', async () => {
  const place = types.lastIndexOf('tool/call', types.lastIndexOf('turn/start') - 1)
  const result = await mended(tempFile(`${lines.toSpliced(place, 1).join('\n')}\n`))
  expect(kindsOf(result.data)).toEqual(['close-gap', 'close-turn'])
  const { events } = await readBack(result.output)
  const ends = events.filter((event) => event.type === 'turn/end')
  expect(ends.map(({ data }) => data)).toMatchObject([
    { turn: 1, reason: { kind: 'completed' } },
    { turn: 2, reason: { kind: 'interrupted' } },
    { turn: 3, reason: { kind: 'completed' } },
  ])
  const closing = events.find((event) => JSON.stringify(event.data).includes('TOOL_NOT_STARTED'))
  expect(closing).toMatchObject({ type: 'tool/result', data: { message: { toolCallId: 'c2' } } })
})
