/** Older shapes inside format 0 that the shipped loader upgrades in memory, and those it refuses (format.md §9.1). */
import { type Row, surfaceBefore } from '../draft-log.ts'
import { add, type Expected, edit, type Mutation, messageIn, rowsOf } from './mutation.ts'

const malformed: Expected = { refusal: /malformed pre-react-loop/, code: 'legacy/malformed' }

const reasons: readonly (readonly [label: string, reason: unknown, expected: Expected])[] = [
  ['aborted', { kind: 'aborted' }, 'opens'],
  ['disposed', { kind: 'disposed' }, 'opens'],
  [
    'error with failure',
    { kind: 'error', step: 1, failure: { message: 'm', code: 'C', status: 500 } },
    'opens',
  ],
  ['error with message', { kind: 'error', step: 0, message: 'm' }, 'opens'],
  ['error with message and code', { kind: 'error', step: 0, message: 'm', code: 'C' }, 'opens'],
  [
    'error with a failure too wide',
    { kind: 'error', step: 1, failure: { message: 'm', code: 'C', x: 1 } },
    malformed,
  ],
  ['error without step', { kind: 'error', message: 'm' }, malformed],
  ['error with a code of null', { kind: 'error', step: 1, message: 'm', code: null }, malformed],
  ['completed with more', { kind: 'completed', why: 1 }, malformed],
  ['aborted with more', { kind: 'aborted', why: 1 }, malformed],
  ['no kind', {}, malformed],
  ['a text', 'completed', malformed],
]

const flatResult = (row: Row): void => {
  const { message, ...rest } = row.data as { message: { content: [Row] } }
  const { toolCallId, content, isError } = message.content[0]
  row.data = { ...rest, callId: toolCallId, content, isError: isError ?? false }
}

export const legacyMutations: readonly Mutation[] = [
  edit('turn/start with a trigger', ['turn/start'], 'opens', (row) => {
    row.data = { ...(row.data as Row), trigger: { kind: 'user', more: 1 } }
  }),
  edit('turn/start with a trigger and more', ['turn/start'], malformed, (row) => {
    row.data = { ...(row.data as Row), trigger: { kind: 'user' }, more: 1 }
  }),
  edit('turn/start with a trigger without kind', ['turn/start'], malformed, (row) => {
    row.data = { ...(row.data as Row), trigger: {} }
  }),
  ...reasons.map(([label, reason, expected]) =>
    edit(`turn/end reason: ${label}`, ['turn/end'], expected, (row) => {
      row.data = { ...(row.data as Row), reason }
    }),
  ),
  edit('turn/end without a reason', ['turn/end'], malformed, (row) => {
    row.data = { turn: 1 }
  }),
  edit('turn/end of turn 0', ['turn/end'], malformed, (row) => {
    row.data = { ...(row.data as Row), turn: 0 }
  }),
  edit('turn/end with one member more', ['turn/end'], malformed, (row) => {
    row.data = { ...(row.data as Row), more: 1 }
  }),
  add('steering/message with a message', 'opens', () => ({
    type: 'steering/message',
    data: { turn: 1, message: { id: 'old', role: 'user', content: [], source: { kind: 'user' } } },
    surfaceOp: 'append',
  })),
  add('steering/message with content', 'opens', () => ({
    type: 'steering/message',
    data: { turn: 1, content: [{ type: 'text', text: 'old' }], source: { kind: 'user' } },
    surfaceOp: 'append',
  })),
  add('steering/message without turn', malformed, () => ({
    type: 'steering/message',
    data: { content: [], source: { kind: 'user' } },
    surfaceOp: 'append',
  })),
  edit('user/message without id and role', ['user/message'], 'opens', (row) => {
    const { id: _id, role: _role, ...rest } = messageIn(row)
    row.data = rest
  }),
  edit('assistant/message without wrapper', ['assistant/message'], 'opens', (row) => {
    const { message, ...rest } = row.data as { message: { content: unknown } }
    row.data = { ...rest, content: message.content, provenance: { provider: 'p', model: 'm', kind: 'x' } }
  }),
  {
    name: 'tool/result without wrapper, everywhere',
    expected: 'opens',
    apply(draft) {
      const rows = rowsOf(draft, ['tool/result'])
      for (const row of rows) flatResult(row)
      // A flat rewrite takes over the id of its target; isError is spelled out in all of them.
      return rows.length > 0
    },
  },
  {
    name: 'one rewrite of a wrapped result without wrapper',
    expected: 'opens',
    apply(draft, random) {
      const nodes = surfaceBefore(draft)
      const results = rowsOf(draft, ['tool/result']).filter((row) => {
        const [block] = messageIn(row).content as [Row]
        return nodes.includes(row.seq as number) && block.isError !== undefined
      })
      if (results.length === 0) return false
      const target = random.pick(results)
      const [block] = messageIn(target).content as [Row]
      const { message: _message, ...rest } = target.data as Row
      const seq = (draft.rows.at(-1) as Row).seq as number
      if (typeof seq !== 'number') return false
      draft.rows.push({
        type: 'tool/result',
        seq: seq + 1,
        time: 1,
        data: { ...rest, callId: block.toolCallId, content: [], isError: block.isError },
        surfaceOp: { op: 'replace', start: target.seq, end: target.seq },
        sourceEventSeqs: [target.seq],
      })
      return true
    },
  },
]
