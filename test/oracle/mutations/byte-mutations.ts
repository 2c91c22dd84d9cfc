/** Damage to the bytes of the file: torn tails, line ends, marks and characters that do not belong (format.md §2.6). */
import { lineOf, type Row } from '../draft-log.ts'
import type { Mutation } from './mutation.ts'

const LF = 10
const MARK = Buffer.from([0xef, 0xbb, 0xbf])

const damaged = (
  name: string,
  expected: Mutation['expected'],
  damage: (bytes: Buffer) => Buffer,
): Mutation => ({
  name,
  expected,
  apply(draft) {
    draft.damage = damage
    return true
  },
})

export const byteMutations: readonly Mutation[] = [
  {
    name: 'a last line cut anywhere',
    expected: 'opens',
    apply(draft, random) {
      const last = draft.rows.pop()
      if (last === undefined) return false
      const line = lineOf(last)
      draft.tail = line.slice(0, random.whole(1, line.length))
      return true
    },
  },
  {
    name: 'a last line that lacks only its line feed',
    expected: 'opens',
    apply(draft) {
      const last = draft.rows.pop()
      if (last === undefined) return false
      draft.tail = lineOf(last)
      return true
    },
  },
  {
    name: 'a torn turn end after garbage',
    expected: 'opens',
    apply(draft) {
      draft.rows.push('garbage')
      draft.tail = '{"type":"turn/end","seq":0,"time":0,"data":{}}'
      return true
    },
  },
  {
    name: 'NUL bytes at the end',
    expected: 'opens',
    apply(draft) {
      draft.tail = '\0'.repeat(64)
      return true
    },
  },
  {
    name: 'CR LF line ends',
    expected: 'opens',
    apply(draft) {
      draft.lineEnd = '\r\n'
      return true
    },
  },
  {
    name: 'the header alone',
    expected: 'opens',
    apply(draft) {
      draft.rows = []
      return true
    },
  },
  damaged(
    'the header alone, without its line feed',
    { refusal: /empty or header-less/, code: 'header/missing' },
    (bytes) => bytes.subarray(0, bytes.indexOf(LF)),
  ),
  damaged('an empty file', { refusal: /empty or header-less/, code: 'bytes/empty-file' }, () =>
    Buffer.alloc(0),
  ),
  damaged(
    'a file of one line feed',
    { refusal: /header line is not valid JSON/, code: 'bytes/not-a-log' },
    () => Buffer.from('\n'),
  ),
  damaged(
    'a byte order mark',
    { refusal: /header line is not valid JSON/, code: 'bytes/byte-order-mark' },
    (bytes) => Buffer.concat([MARK, bytes]),
  ),
  damaged('UTF-16', { refusal: /header line is not valid JSON/ }, (bytes) =>
    Buffer.from(bytes.toString('utf8'), 'utf16le'),
  ),
  damaged('commas after the records', { refusal: /header line is not valid JSON/ }, (bytes) =>
    Buffer.from(bytes.toString('utf8').replaceAll('\n', ',\n')),
  ),
  {
    name: 'a blank line before the header',
    expected: { refusal: /header line is not valid JSON/, code: 'header/missing' },
    wish: { whole: true },
    apply(draft) {
      draft.damage = (bytes) => Buffer.concat([Buffer.from('\n'), bytes])
      return true
    },
  },
  {
    name: 'bytes that are no UTF-8 inside a text',
    expected: 'opens',
    apply(draft) {
      const row = draft.rows.find((candidate) => lineOf(candidate).includes('"text":"')) as Row | undefined
      if (row === undefined) return false
      draft.rows[draft.rows.indexOf(row)] = lineOf(row).replace('"text":"', '"text":"\u{10fffd}')
      draft.damage = (bytes) => {
        const out = Buffer.from(bytes)
        out[out.indexOf('\u{10fffd}') + 1] = 0xff
        return out
      }
      return true
    },
  },
]
