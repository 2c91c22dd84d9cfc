/** Messages that wait in the inbox: a cut leaves them, the plan says so, and they can be taken out. */
import { expect, test } from 'vitest'
import { readBack } from '../support/containers.ts'
import { later } from '../support/later-log.ts'
import { log } from '../support/log-builder.ts'
import { kindsOf, mended } from '../support/repairing.ts'
import { repair } from '../support/run-repair.ts'
import { tempFile } from '../support/temp-dir.ts'

const queued = (id: string) => ({
  id,
  role: 'user',
  source: { kind: 'user' },
  content: [{ type: 'text', text: id }],
})
const put = (target: string, ...ids: string[]) => ({ target, start: 0, inserted: ids.map(queued) })

test.each([0, 2, 3, 4] as const)('of format %i, after a cut', async (version) => {
  const built = version === 0 ? log() : later(version)
  built.event('agent/inbox/spliced', put('next-turn', 'a', 'b'))
  built.event('agent/inbox/spliced', put('next-step', 'c'))
  if ('announce' in built) built.turn()
  else built.turn()
  built.event('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 2, inserted: [] })
  const path = tempFile(built.text())
  const cut = await mended(path, '--truncate-after', 'turn:1')
  expect(cut.data.waiting?.map(({ text }) => text)).toEqual(['c', 'a', 'b'])
  const { data, output } = await mended(path, '--truncate-after', 'turn:1', '--drop-waiting')
  expect(kindsOf(data)).toEqual(['truncate', 'cancel-waiting'])
  expect(data.waiting).toBeUndefined()
  const { events } = await readBack(output)
  expect(events.slice(-2)).toMatchObject([
    {
      type: 'agent/inbox/spliced',
      data: { target: 'next-step', start: 0, removedCount: 1, outcome: 'canceled' },
    },
    {
      type: 'agent/inbox/spliced',
      data: { target: 'next-turn', start: 0, removedCount: 2, outcome: 'canceled' },
    },
  ])
  expect(JSON.stringify(events)).toContain('"text":"b"')
})

test('where nothing waits there is nothing to take out', async () => {
  const { data } = await repair(tempFile(log().turn().text()), '--drop-waiting')
  expect(data.steps).toEqual([])
})
