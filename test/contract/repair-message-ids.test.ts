/** A missing message id is given, and ids that came back with a part of the history stay, for they tell what it is. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/json/json-value.ts'
import { appendedAgain } from '../support/appended-again.ts'
import { answerOf, readBack, wholeLog, written } from '../support/containers.ts'
import { kindsOf, mended } from '../support/repairing.ts'
import { twoTurns } from '../support/sample-logs.ts'

/** Two turns, the second without the id of its question at seq 10, and the first one again: its messages at 16, 19, 21. */
const broken = () =>
  appendedAgain(twoTurns(), [1, 4, 6]).edit(10, (row) => {
    const { id: _id, ...data } = row.data as JsonObject
    return { ...row, data }
  })

test.each(['plain', 'zstd', 'SQLite 14', 'SQLite 17'] as const)(
  'history that was appended again next to a message without an id: %s',
  async (container) => {
    const path = await written(container, await wholeLog(broken().bytes()))
    const { data, output, exitCode } = await mended(path)
    expect(exitCode).toBe(1)
    expect(kindsOf(data)).toEqual(['set-identities'])
    expect(data.remaining).toEqual([{ code: 'message/history-repeated', count: 1 }])
    const { findings } = await answerOf(output)
    const onIds = findings.filter(({ code }) => code.startsWith('message/'))
    expect(onIds).toMatchObject([{ code: 'message/history-repeated', seq: 16 }])
    const id = 'repaired-message:session-00000000-0000-4000-8000-000000000001:10'
    const { events } = await readBack(output)
    expect(events).toEqual(
      broken()
        .edit(10, (row) => ({ ...row, data: { ...(row.data as JsonObject), id } }))
        .events(),
    )
    expect(events[16]).toMatchObject({ data: { id: 'u1' } })
  },
)
