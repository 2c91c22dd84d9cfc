/** Which rows are changed: identities that are missing or given twice, inbox splices, unknown types. */
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/event/json-value.ts'
import { rowPatches } from '../../../src/core/repair/row-patches.ts'
import { later } from '../../support/later-log.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich } from '../../support/sample-logs.ts'

const SESSION = 'session-00000000-0000-4000-8000-000000000001'

async function patchesOf(built: { bytes(): Buffer }, allowUnknown = false) {
  const { results } = await load(built.bytes(), { patches: rowPatches(allowUnknown) })
  return [...results.patches].flatMap(([seq, list]) => list.map((patch) => ({ seq, ...patch })))
}

/** Changes the message of a row. */
function message(built: LogBuilder, seq: number, members: JsonObject): LogBuilder {
  return built.edit(seq, (row) => {
    const data = row.data as JsonObject
    const isUser = row.type === 'user/message'
    return {
      ...row,
      data: isUser
        ? { ...data, ...members }
        : { ...data, message: { ...(data.message as JsonObject), ...members } },
    }
  })
}

test('a whole log needs none', async () => {
  expect(await patchesOf(rich(), true)).toEqual([])
})

describe('message ids', () => {
  const given = (seq: number) => ({ seq, kind: 'message-id', id: `repaired-message:${SESSION}:${seq}` })

  test.each<[name: string, log: LogBuilder, seqs: number[]]>([
    ['an empty id', message(base(), 1, { id: '' }), [1]],
    ['an id that is no text', message(base(), 6, { id: 5 }), [6]],
    ['an id of two messages', message(base(), 4, { id: 'u1' }), [4]],
    ['an id of three messages', message(message(base(), 4, { id: 'u1' }), 6, { id: 'u1' }), [4, 6]],
    ['an empty id of two messages', message(message(base(), 1, { id: '' }), 4, { id: '' }), [1, 4]],
    ['a rewrite, which keeps the id of what it rewrites', base().prune(6), []],
  ])('%s', async (_name, built, seqs) => {
    expect(await patchesOf(built)).toEqual(seqs.map(given))
  })

  test('an id that an earlier repair gave to a message that moved since', async () => {
    const built = message(message(base(), 4, { id: 'u1' }), 6, { id: given(4).id })
    expect(await patchesOf(built)).toEqual([4, 6].map(given))
  })

  test('a rewrite of a message that gets an id gets the same', async () => {
    const patches = await patchesOf(message(message(base(), 6, { id: '' }).prune(6), 10, { id: '' }))
    expect(patches).toEqual([given(6), { ...given(6), seq: 10 }])
  })
})

describe('calls without an id', () => {
  const callId = (seq: number, block: number) => `repaired-call:${SESSION}:${seq}:${block}`

  test('announced, started and answered', async () => {
    const built = log().turn((turn) => turn.step((step) => step.assistant('').call('', 'x').result('', 'y')))
    expect(await patchesOf(built)).toEqual([
      { seq: 2, kind: 'call-blocks', blocks: new Map([[0, { id: callId(2, 0) }]]) },
      { seq: 3, kind: 'call-id', callId: callId(2, 0) },
      { seq: 4, kind: 'call-id', callId: callId(2, 0) },
    ])
  })

  test('two of one answer, in the order they were announced', async () => {
    const built = log().turn((turn) =>
      turn.step((step) => step.assistant('so').call('', 'x').call('', 'y').result('', '1').result('', '2')),
    )
    const ids = [callId(2, 1), callId(2, 2)]
    expect(await patchesOf(built)).toMatchObject([
      {
        seq: 2,
        blocks: new Map([
          [1, { id: ids[0] }],
          [2, { id: ids[1] }],
        ]),
      },
      { seq: 3, callId: ids[0] },
      { seq: 4, callId: ids[1] },
      { seq: 5, callId: ids[0] },
      { seq: 6, callId: ids[1] },
    ])
  })

  test('one beside a call that has its id', async () => {
    const built = log().turn((turn) =>
      turn.step((step) => step.assistant('').call('a', 'x').call('', 'y').result('a', '1').result('', '2')),
    )
    expect((await patchesOf(built)).map(({ seq }) => seq)).toEqual([2, 4, 6])
  })

  test('a result without a call that waits keeps what it has', async () => {
    const built = log().turn((turn) => turn.step((step) => step.result('', '1')))
    expect(await patchesOf(built)).toEqual([])
  })

  test('a call does not wait into the next step', async () => {
    const built = log().turn((turn) =>
      turn.step((step) => step.assistant('').announce('', 'x')).step((step) => step.result('', '1')),
    )
    expect((await patchesOf(built)).map(({ seq }) => seq)).toEqual([2])
  })

  test('a name that only the start has', async () => {
    const built = log().turn((turn) => turn.step((step) => step.assistant('').announce('a', '')))
    built.edit(3, () => ({
      type: 'tool/call',
      seq: 3,
      time: 1,
      data: { turn: 1, step: 1, callId: 'a', name: 'bash', arguments: '{}' },
    }))
    expect(await patchesOf(built)).toEqual([
      { seq: 2, kind: 'call-blocks', blocks: new Map([[0, { name: 'bash' }]]) },
    ])
  })

  test('in format 2 an answer must be what its stream says', async () => {
    const built = later(2).turn((turn) =>
      turn.step((step) =>
        step
          .assistant('', [{ id: '' }])
          .call('')
          .result(''),
      ),
    )
    expect((await patchesOf(built)).filter(({ kind }) => kind === 'call-blocks')).toEqual([])
  })
})

describe('inbox splices', () => {
  const splice = (built: LogBuilder, data: JsonObject) =>
    built.event('agent/inbox/spliced', { target: 'next-turn', ...data })

  test.each<[name: string, splices: JsonObject[], patches: object[]]>([
    [
      'that fit',
      [
        { start: 0, inserted: ['a', 'b'] },
        { start: 1, removedCount: 1, inserted: [] },
      ],
      [],
    ],
    ['that begin past the end', [{ start: 3, inserted: ['a'] }], [{ seq: 0, start: 0, removedCount: 0 }]],
    [
      'that remove more than there is',
      [
        { start: 0, inserted: ['a', 'b'] },
        { start: 1, removedCount: 5, inserted: ['c'] },
        { start: 2, inserted: [] },
      ],
      [{ seq: 1, start: 1, removedCount: 1 }],
    ],
    [
      'of two targets',
      [
        { start: 0, inserted: ['a'] },
        { target: 'other', start: 1, inserted: [] },
      ],
      [{ seq: 1, start: 0, removedCount: 0 }],
    ],
    ['whose start is no number', [{ start: 'x', inserted: [] }], [{ seq: 0, start: 0, removedCount: 0 }]],
  ])('%s', async (_name, splices, patches) => {
    expect(await patchesOf(splices.reduce(splice, log()))).toEqual(
      patches.map((patch) => ({ kind: 'inbox', ...patch })),
    )
  })
})

describe('unknown types', () => {
  const built = () => base().event('acme/x', {}).event('acme/y', {}, { ignorable: true })

  test('are left alone', async () => {
    expect(await patchesOf(built())).toEqual([])
  })

  test('are marked when that is allowed', async () => {
    expect(await patchesOf(built(), true)).toEqual([{ seq: 9, kind: 'ignorable' }])
  })
})
