/**
 * Payloads that nobody writes but that DSH reads on its way to the closers (format.md §6.1): what it makes of them is
 * part of what it accepts. The turn is left open, because only then the closers are made from them.
 */
import type { DraftLog, Row } from '../draft-log.ts'
import { type Expected, type Mutation, push, rowsOf } from './mutation.ts'

/** Opens a turn, with everything in it that a closer is made from. */
function openTurn(draft: DraftLog): void {
  push(draft, { type: 'turn/start', data: { turn: 90 } })
  push(draft, { type: 'step/start', data: { turn: 90, step: 1 } })
  const calls = ['last-1', 'last-2'].map((id) => ({ type: 'tool-call', id, name: 'bash', arguments: '{}' }))
  const source = { kind: 'model', provider: 'p', model: 'm' }
  const message = { id: 'last', role: 'assistant', content: calls, source }
  push(draft, { type: 'assistant/message', data: { turn: 90, step: 1, message }, surfaceOp: 'append' })
  push(draft, {
    type: 'tool/call',
    data: { turn: 90, step: 1, callId: 'last-1', name: 'bash', arguments: '{}' },
  })
}

const last = (
  name: string,
  type: string,
  expected: Expected,
  change: (row: Row, data: Row, blocks: Row[]) => void,
): Mutation => ({
  name: `in an open turn, ${name}`,
  expected,
  apply(draft) {
    openTurn(draft)
    const row = rowsOf(draft, [type]).at(-1) as Row
    const data = row.data as Row
    const message = data.message as { content: Row[] } | undefined
    change(row, data, message?.content ?? [])
    return true
  },
})

const unreadable: Expected = { refusal: /TypeError/ }

const nullData = (type: string): Mutation =>
  last(`${type} with data null`, type, unreadable, (row) => {
    row.data = null
  })

const value = (type: string, key: string, values: readonly unknown[]): readonly Mutation[] =>
  values.map((wrong) =>
    last(
      `${type} with ${key} ${wrong === undefined ? 'missing' : JSON.stringify(wrong)}`,
      type,
      'opens',
      (_row, data) => {
        if (wrong === undefined) delete data[key]
        else data[key] = wrong
      },
    ),
  )

const callId = (values: readonly unknown[], expected: Expected): readonly Mutation[] =>
  values.map((id) =>
    last(
      `an announced call with id ${id === undefined ? 'missing' : JSON.stringify(id)}`,
      'assistant/message',
      expected,
      (_row, _data, blocks) => {
        if (id === undefined) delete blocks[1]?.id
        else (blocks[1] as Row).id = id
      },
    ),
  )

export const payloadMutations: readonly Mutation[] = [
  last('nothing odd', 'tool/call', 'opens', () => {}),
  nullData('turn/start'),
  nullData('step/start'),
  nullData('tool/call'),
  ...value('turn/start', 'turn', ['90', null, undefined, 1.5, {}]),
  ...value('step/start', 'step', ['1', null, undefined, -1]),
  ...value('assistant/message', 'step', ['1', null, undefined]),
  ...value('tool/call', 'callId', ['last-2', null, undefined, 7]),
  ...callId(['', undefined, null, 7], { refusal: /must have tool source/, code: 'pair/id-empty' }),
  ...callId(['last-1'], 'opens'),
  last('a block that is null', 'assistant/message', unreadable, (_row, _data, blocks) => {
    blocks.push(null as unknown as Row)
  }),
  last('a block that is a text', 'assistant/message', 'opens', (_row, _data, blocks) => {
    blocks.push('text' as unknown as Row)
  }),
]
