/** Lines are what is between line feeds, wherever the chunks end. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineScanner } from '../../../src/storage/jsonl/line-scanner.ts'
import type { StoredRecord } from '../../../src/storage/record-source.ts'

function scan(chunks: readonly Buffer[], limit = 1000): StoredRecord[] {
  const scanner = new LineScanner(limit)
  const records = chunks.flatMap((chunk) => scanner.push(Buffer.from(chunk)))
  const last = scanner.finish()
  return last === undefined ? records : [...records, last]
}

const textsOf = (records: readonly StoredRecord[]): unknown[] =>
  records.map(({ content }) => (content.kind === 'bytes' ? content.bytes.toString('latin1') : content))

test.each<[name: string, text: string, lines: string[], ended: boolean[]]>([
  ['nothing', '', [], []],
  ['one line', 'a\n', ['a'], [true]],
  ['a torn line', 'a\nb', ['a', 'b'], [true, false]],
  ['blank lines', '\n\n', ['', ''], [true, true]],
  ['other line ends', 'a\rb\x0bc\x0cd\x85e\n', ['a\rb\x0bc\x0cd\x85e'], [true]],
  ['carriage returns stay', 'a\r\n', ['a\r'], [true]],
  ['NUL bytes', 'a\0b\n\0', ['a\0b', '\0'], [true, false]],
])('%s', (_name, text, lines, ended) => {
  const records = scan([Buffer.from(text, 'latin1')])
  expect(textsOf(records)).toEqual(lines)
  expect(records.map((record) => record.ended)).toEqual(ended)
})

test('a line over the limit is passed over, counted and not held', () => {
  const records = scan([Buffer.from('abcd\nabc'), Buffer.from('de\nabcd\nabcdef')], 4)
  expect(textsOf(records)).toEqual([
    'abcd',
    { kind: 'oversize', bytes: 5 },
    'abcd',
    { kind: 'oversize', bytes: 6 },
  ])
  expect(records.map(({ line }) => line)).toEqual([1, 2, 3, 4])
  expect(records.map(({ origin }) => origin.byteOffset)).toEqual([0, 5, 11, 16])
})

test('any chunks give the lines of the whole, with their offsets', () => {
  const bytes = fc.uint8Array({ maxLength: 200, max: 14 })
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(200)), (content, cuts) => {
      const whole = Buffer.from(content)
      const ends = [...cuts.map((cut) => Math.min(cut, whole.length)), whole.length].toSorted((a, b) => a - b)
      const chunks = ends.map((end, index) => whole.subarray(ends[index - 1] ?? 0, end))
      const records = scan(chunks)
      const lines = whole.toString('latin1').split('\n')
      if (lines.at(-1) === '') lines.pop()
      expect(textsOf(records)).toEqual(lines)
      for (const { origin } of records) {
        const { byteOffset = 0, byteLength = 0 } = origin
        expect(byteOffset === 0 || whole[byteOffset - 1] === 10).toBe(true)
        expect([10, undefined]).toContain(whole[byteOffset + byteLength])
      }
    }),
  )
})
