/** The members of an event line (format.md §2.3), the vocabulary (§4.3), and JSON that is spelled unusually. */
import { type DraftLog, lineOf, type Row } from '../draft-log.ts'
import { add, type Expected, edit, type Mutation, rowsOf, SURFACE_TYPES, user } from './mutation.ts'

const ANY = ['turn/start', 'turn/end', 'step/start', 'tool/call', ...SURFACE_TYPES]
const PLAIN = ['step/end', 'tool/call', 'todo/write', 'session/title', 'session/end-seed']

/** The product asks for a known type before it looks at the envelope. */
const invalid: Expected = {
  refusal: /invalid event envelope|unknown to this harness/,
  code: 'envelope/invalid',
}

const withEdit = (name: string, change: (row: Row) => void, types: readonly string[] = ANY): Mutation =>
  edit(name, types, invalid, change)

const unknown = (name: string, marks: Row, expected: Expected): Mutation =>
  add(name, expected, (_draft, random) => {
    const type = random.pick(['later/thing', '', 'toString', '__proto__', 'turn/END', 'system/message'])
    return { type, data: {}, ...marks }
  })

const unsupported: Expected = { refusal: /unknown to this harness/, code: 'vocabulary/unknown-type' }

const retired = (type: string, data: Row): Mutation =>
  add(`retired ${type}`, { refusal: /unsupported legacy/, code: 'vocabulary/retired' }, () => ({
    type,
    data,
  }))

/** Spells one event line differently without saying anything else. */
const respelled = (name: string, spell: (line: string, row: Row) => string): Mutation => ({
  name,
  expected: 'opens',
  apply(draft: DraftLog, random) {
    const rows = rowsOf(draft)
    if (rows.length === 0) return false
    const row = random.pick(rows)
    draft.rows[draft.rows.indexOf(row)] = spell(lineOf(row), row)
    return true
  },
})

export const envelopeMutations: readonly Mutation[] = [
  withEdit('an unknown member', (row) => {
    row.added = null
  }),
  withEdit('a member called __proto__', (row) => {
    Object.defineProperty(row, '__proto__', { value: 1, enumerable: true })
  }),
  withEdit('no time', (row) => {
    delete row.time
  }),
  ...[null, '7', 0.5, 2 ** 53, []].map((time) =>
    withEdit(`time is ${JSON.stringify(time)}`, (row) => {
      row.time = time
    }),
  ),
  withEdit(
    'no data',
    (row) => {
      delete row.data
    },
    PLAIN.filter((type) => type !== 'tool/call'),
  ),
  ...[null, 7, []].map((type) =>
    withEdit(
      `type is ${JSON.stringify(type)}`,
      (row) => {
        row.type = type
      },
      ['todo/write', 'session/title', 'plan/mode'],
    ),
  ),
  ...[false, null, 'true', 1].map((ignorable) =>
    withEdit(`ignorable is ${JSON.stringify(ignorable)} on a known type`, (row) => {
      row.ignorable = ignorable
    }),
  ),
  edit('ignorable on a known type', ANY, 'opens', (row) => {
    row.ignorable = true
  }),
  edit('a negative time', ANY, 'opens', (row) => {
    row.time = -7
  }),
  edit(
    'data is null where nobody looks',
    ['todo/write', 'session/title', 'step/end', 'turn/end'],
    'opens',
    (row) => {
      row.data = null
    },
  ),
  unknown('an unknown type', {}, unsupported),
  unknown('an unknown type that is ignorable: false', { ignorable: false }, unsupported),
  unknown('an unknown type to be ignored', { ignorable: true }, 'opens'),
  unknown(
    'an unknown type to be ignored with surfaceOp',
    { ignorable: true, surfaceOp: 'append' },
    { refusal: /cannot carry surfaceOp/, code: 'surface/op-on-log-only' },
  ),
  unknown(
    'an unknown type to be ignored with sources',
    { ignorable: true, sourceEventSeqs: [0] },
    { refusal: /cannot carry sourceEventSeqs/, code: 'surface/sources-on-log-only' },
  ),
  retired('request/header-delta', {}),
  retired('mode/set', { mode: 'plan' }),
  retired('request/header', { reason: 'fallback', header: { config: { provider: 'p', model: 'm' } } }),
  add('context/message, which no build writes', unsupported, () => ({
    type: 'context/message',
    data: user(),
    surfaceOp: 'append',
  })),
  add('context/message to be ignored', 'opens', () => ({
    type: 'context/message',
    data: user(),
    ignorable: true,
  })),
  add(
    'context/message to be ignored with surfaceOp',
    { refusal: /cannot carry surfaceOp/, code: 'surface/op-on-log-only' },
    () => ({ type: 'context/message', data: user(), ignorable: true, surfaceOp: 'append' }),
  ),
  ...['model/selection', 'subagent/model-selection-policy', 'session-log-deepseek/delivery-accepted'].map(
    (type) => add(`${type} of 0.1.2`, 'opens', () => ({ type, data: {} })),
  ),
  add('range-encoded sources of 0.1.2', 'opens', (draft) =>
    draft.rows.length < 6
      ? undefined
      : { type: 'user/message', data: user(), surfaceOp: 'append', sourceEventSeqs: [[0, 2], 4] },
  ),
  respelled('blanks around an event', (line) => ` \t${line} \r`),
  respelled('seq with a fraction of nought', (line, { seq }) =>
    line.replace(`"seq":${seq}`, `"seq":${seq}.0`),
  ),
  respelled('seq with an exponent', (line, { seq }) => line.replace(`"seq":${seq}`, `"seq":${seq}e0`)),
  respelled('a member twice', (line) => line.replace('{', '{"seq":"no","type":0,')),
  respelled('names spelled with escapes', (line) =>
    line.replace('"type"', '"\\u0074ype"').replace('"surfaceOp"', '"surface\\u004fp"'),
  ),
  {
    name: 'seq of the first event is -0',
    expected: 'opens',
    apply(draft) {
      const [first] = draft.rows
      if (first === undefined || typeof first === 'string' || first.seq !== 0) return false
      draft.rows[0] = lineOf(first).replace('"seq":0', '"seq":-0')
      return true
    },
  },
]
