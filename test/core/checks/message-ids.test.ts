/** Ids that come back: one by one, or a part of the history in its order. */
import { expect, test } from 'vitest'
import { load } from '../../support/load.ts'
import { log } from '../../support/log-builder.ts'

/** A log of user messages with these ids; a number after the id makes another text of it. */
async function found(ids: readonly string[]): Promise<readonly unknown[]> {
  const built = log()
  for (const name of ids) {
    const [id, text = 'text'] = name.split('=')
    const content = [{ type: 'text', text }]
    const data = { id, role: 'user', source: { kind: 'user' }, content }
    built.event('user/message', data as never, { surfaceOp: 'append' })
  }
  const { list } = await load(built, {})
  return list.map(({ code, seq, related }) => [code, seq, related])
}

const single = 'message/id-repeated'
const history = 'message/history-repeated'

test.each<[ids: string, findings: unknown[]]>([
  ['a b c', []],
  ['a b a', [[single, 2, [0]]]],
  ['a b a b', [[history, 2, [3, 0, 1]]]],
  ['a b c b c d', [[history, 3, [4, 1, 2]]]],
  [
    'a b a x b',
    [
      [single, 2, [0]],
      [single, 4, [1]],
    ],
  ],
  [
    'a b b a',
    [
      [single, 2, [1]],
      [single, 3, [0]],
    ],
  ],
  [
    'a a a',
    [
      [single, 1, [0]],
      [single, 2, [0]],
    ],
  ],
  // Appended twice more: each time is one fault.
  [
    'a b a b a b',
    [
      [history, 2, [3, 0, 1]],
      [history, 4, [5, 0, 1]],
    ],
  ],
  [
    'a b c a b a b c',
    [
      [history, 3, [4, 0, 1]],
      [history, 5, [7, 0, 2]],
    ],
  ],
  // Another text under an old id is no copy of the history.
  [
    'a b a b=longer',
    [
      [single, 2, [0]],
      [single, 3, [1]],
    ],
  ],
])('%s', async (ids, findings) => {
  expect(await found(ids.split(' '))).toEqual(findings)
})

test('the range of what was repeated', async () => {
  const built = log()
  for (let copy = 0; copy < 2; copy++) {
    for (let index = 0; index < 500; index++) {
      const data = { id: `u${index}`, role: 'user', source: { kind: 'user' }, content: [] }
      built.event('user/message', data, { surfaceOp: 'append' })
    }
  }
  const { list } = await load(built, {})
  expect(list).toMatchObject([
    { code: history, seq: 500, args: { id: 'u0', messages: 500, last: 999, firstAt: 0, lastAt: 499 } },
  ])
})
