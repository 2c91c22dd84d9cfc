/** Older shapes of format 0 are mended in their own shape: the rest of the row stays as it was written. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/json/json-value.ts'
import { readBack } from '../support/containers.ts'
import { log } from '../support/log-builder.ts'
import { kindsOf, mended } from '../support/repairing.ts'
import { tempFile } from '../support/temp-dir.ts'

const text = [{ type: 'text', text: 'x' }]
const call = (id: string) => ({ type: 'tool-call', id, name: 'bash', arguments: '{}' })

/** An answer and a result without their wrappers. */
function bare(callId: string, withResult: boolean) {
  return log().turn((turn) =>
    turn.step((step) => {
      const place = { turn: 1, step: 1 }
      const provenance = { provider: 'p', model: 'm' }
      step.event(
        'assistant/message',
        { ...place, content: [call(callId)], provenance },
        { surfaceOp: 'append' },
      )
      step.event('tool/call', { ...place, callId, name: 'bash', arguments: '{}' })
      if (withResult) {
        const result = { ...place, callId, content: text, isError: false }
        step.event('tool/result', result, { surfaceOp: 'append', sourceEventSeqs: [3] })
      }
    }),
  )
}

test('a call without an id in them', async () => {
  const { data, output } = await mended(tempFile(bare('', true).bytes()))
  expect(kindsOf(data)).toContain('set-identities')
  const { events } = await readBack(output)
  const id = 'repaired-call:session-00000000-0000-4000-8000-000000000001:2:0'
  expect(events[2]?.data).toMatchObject({ content: [{ id }] })
  expect(events[3]?.data).toMatchObject({ callId: id })
  expect(events[4]?.data).toMatchObject({ callId: id })
  expect(events[4]?.data).not.toHaveProperty('message')
})

test('a call without a result in them', async () => {
  const { data, output } = await mended(tempFile(bare('a', false).bytes()))
  expect(kindsOf(data)).toEqual(['insert-results'])
  expect((await readBack(output)).events[2]).toEqual(bare('a', false).events()[2])
})

test('steering messages that share an id', async () => {
  const message = { id: 's', role: 'user', source: { kind: 'user' }, content: text }
  const built = log().turn((turn) => {
    for (let n = 0; n < 2; n++) {
      turn.event('steering/message', { turn: 1, message }, { surfaceOp: 'append' })
    }
  })
  const { data, output } = await mended(tempFile(built.bytes()))
  expect(kindsOf(data)).toEqual(['set-identities'])
  const { events } = await readBack(output)
  expect(events.map(({ data: row }) => ((row as JsonObject).message as JsonObject | undefined)?.id)).toEqual([
    undefined,
    's',
    'repaired-message:session-00000000-0000-4000-8000-000000000001:2',
    undefined,
  ])
})

test('a log without any marker of the surface: every message is marked as it is read, as appended', async () => {
  const built = log().turn((turn) => turn.user('one').step((step) => step.assistant('two')))
  const lines = built.text().replaceAll(',"surfaceOp":"append"', '')
  const { data, output } = await mended(tempFile(lines))
  expect(kindsOf(data)).toEqual(['mend-rows'])
  expect((await readBack(output)).events).toEqual(built.events())
})
