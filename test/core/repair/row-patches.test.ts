/** Which rows are changed: identities that are missing or given twice, inbox splices, unknown types. */
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { rowPatches } from '../../../src/core/repair/row-patches.ts'
import { later } from '../../support/later-log.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich } from '../../support/sample-logs.ts'

const SESSION = 'session-00000000-0000-4000-8000-000000000001'

async function patchesOf(built: { bytes(): Buffer }, allowUnknown = false) {
  const { results } = await load(built.bytes(), { patches: rowPatches(allowUnknown) })
  return [...results.patches.keys()].flatMap((seq) =>
    (results.patches.get(seq) ?? []).map((patch) => ({ seq, ...patch })),
  )
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
  const id = (seq: number) => `repaired-message:${SESSION}:${seq}`
  const missing = (seq: number) => ({ seq, kind: 'message-id', id: id(seq), problem: 'missing' })
  const repeated = (seq: number) => ({ seq, kind: 'message-id', id: id(seq), problem: 'repeated' })

  test.each<[name: string, log: LogBuilder, patches: object[]]>([
    ['an empty id', message(base(), 1, { id: '' }), [missing(1)]],
    ['an id that is no text', message(base(), 6, { id: 5 }), [missing(6)]],
    ['an id of two messages', message(base(), 4, { id: 'u1' }), [repeated(4)]],
    [
      'an id of three messages',
      message(message(base(), 4, { id: 'u1' }), 6, { id: 'u1' }),
      [repeated(4), repeated(6)],
    ],
    [
      'an empty id of two messages',
      message(message(base(), 1, { id: '' }), 4, { id: '' }),
      [missing(1), missing(4)],
    ],
    ['a rewrite, which keeps the id of what it rewrites', base().prune(6), []],
  ])('%s', async (_name, built, patches) => {
    expect(await patchesOf(built)).toEqual(patches)
  })

  /** User messages with these ids, all with the same text. */
  const said = (...ids: readonly string[]) =>
    ids.reduce((built, id) => {
      const data = { id, role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text: 'so' }] }
      return built.event('user/message', data, { surfaceOp: 'append' })
    }, log())

  test.each<[what: string, log: LogBuilder, patches: object[]]>([
    ['a part of the history that was appended again', said('a', 'b', 'a', 'b'), []],
    ['one twice over', said('a', 'b', 'a', 'b', 'a', 'b'), []],
    ['one after a message that is repeated alone', said('a', 'b', 'b', 'a', 'b'), [repeated(2)]],
    ['one before such a message', said('a', 'b', 'a', 'b', 'c', 'a'), [repeated(5)]],
    ['one with an id missing in it', said('a', 'b', 'a', '', 'b'), [missing(3)]],
  ])('%s keeps its ids', async (_what, built, patches) => {
    expect(await patchesOf(built)).toEqual(patches)
  })

  test('an id that an earlier repair gave to a message that moved since', async () => {
    const built = message(message(base(), 4, { id: 'u1' }), 6, { id: id(4) })
    expect(await patchesOf(built)).toEqual([repeated(4), repeated(6)])
  })

  test('a rewrite of a message that gets an id gets the same', async () => {
    const patches = await patchesOf(message(message(base(), 6, { id: '' }).prune(6), 10, { id: '' }))
    expect(patches).toEqual([missing(6), { ...missing(6), seq: 10 }])
  })

  test.each([2, 3, 4] as const)('a rewrite in format %i, where it names its place', async (version) => {
    const built = later(version)
    const nameless = { message: { id: '' } }
    const rewrite = { ...nameless, sources: [4], op: built.replace(4) }
    built.turn((turn) =>
      turn.step((step) =>
        step
          .assistant('', [{ id: 'a' }])
          .call('a')
          .result('a', 'much', nameless)
          .result('a', 'little', rewrite),
      ),
    )
    const [first, second] = await patchesOf(built)
    expect(first).toMatchObject({ seq: 4, kind: 'message-id', problem: 'missing' })
    expect(second).toEqual({ ...first, seq: 5 })
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

  test('one next to a call that has its id', async () => {
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
        { target: 'next-step', start: 1, inserted: [] },
      ],
      [{ seq: 1, start: 0, removedCount: 0 }],
    ],
    ['of a target that there is not', [{ target: 'other', start: 1, inserted: [] }], []],
    ['that insert no list', [{ start: 0, inserted: 'a' }], [{ seq: 0, start: 0, removedCount: 0 }]],
    ['whose start is no number', [{ start: 'x', inserted: [] }], [{ seq: 0, start: 0, removedCount: 0 }]],
  ])('%s', async (_name, splices, patches) => {
    expect(await patchesOf(splices.reduce(splice, log()))).toEqual(
      patches.map((patch) => ({ kind: 'inbox', ...patch })),
    )
  })

  test('of a fork that began with an empty inbox are cut to what is in that', async () => {
    const built = later(2).header({ isSeeded: true, parentSession: 'p' })
    const spliced = (data: JsonObject) => built.event('agent/inbox/spliced', { target: 'next-turn', ...data })
    spliced({ start: 0, inserted: [{ id: 'a' }, { id: 'b' }] }).event('session/end-seed', { inherited: true })
    // It waits already in the inbox of the parent, which is therefore not the one of the fork.
    spliced({ start: 0, inserted: [{ id: 'a' }] })
    spliced({ start: 2, inserted: [] })
    expect(await patchesOf(built)).toEqual([{ seq: 3, kind: 'inbox', start: 1, removedCount: 0 }])
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
