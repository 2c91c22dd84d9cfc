/** Records in any layout are the same lines, and damage costs the record that it is in. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecordLines } from '../../../src/storage/jsonl/record-lines.ts'
import { runs } from '../../support/effort.ts'

function linesOf(chunks: readonly Buffer[]): { lines: string[]; rest: string; scan: RecordLines } {
  const scan = new RecordLines()
  const made = [...chunks.map((chunk) => scan.push(chunk)), scan.push(Buffer.alloc(0), true)]
  const lines = Buffer.concat(made).toString('utf8').split('\n')
  const rest = lines.pop() ?? ''
  return { lines, rest, scan }
}

const events = [
  { type: 'session', version: 0, list: [[], {}, [{}]], text: 'a "b" \\ {[,]}\n' },
  { type: 'turn/start', seq: 0, time: 1, data: { turn: 1 } },
  {
    type: 'user/message',
    seq: 1,
    time: 2,
    data: { content: [{ type: 'text', text: '},{"type":"x/y","seq":9' }] },
  },
  { type: 'turn/end', seq: 2, time: -1.5e-7, data: { none: null, yes: true } },
]

const LAYOUTS: Readonly<Record<string, (records: readonly unknown[]) => string>> = {
  'one array': (records) => JSON.stringify(records),
  'an indented array': (records) => JSON.stringify(records, null, 2),
  'an array with commas in front': (records) => `[${records.map((one) => JSON.stringify(one)).join('\n,')}]`,
  'indented records': (records) => records.map((one) => JSON.stringify(one, null, '\t')).join('\r\n'),
  'records without indentation': (records) =>
    records.map((one) => JSON.stringify(one, null, 1).replace(/^ +/gm, '')).join(',\n'),
  'lines with commas': (records) => records.map((one) => `${JSON.stringify(one)},\n`).join(''),
  'records without anything between them': (records) => records.map((one) => JSON.stringify(one)).join(''),
}

test.each(Object.entries(LAYOUTS))('%s', (_name, layout) => {
  const bytes = Buffer.from(layout(events))
  const expected = events.map((event) => JSON.stringify(event))
  for (let size = 1; size <= bytes.length; size = size < 300 ? size + 1 : size * 2) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    expect(linesOf(chunks)).toMatchObject({ lines: expected, rest: '' })
  }
})

test.each(Object.entries(LAYOUTS))('%s, cut anywhere, keeps what is whole', (_name, layout) => {
  const text = layout(events)
  const ends = events.map((_, index) => layout(events.slice(0, index + 1)).replace(/[\],\s]*$/, '').length)
  for (let cut = 0; cut <= text.length; cut++) {
    const whole = ends.filter((end) => end <= cut).length
    const { lines } = linesOf([Buffer.from(text.slice(0, cut))])
    expect(lines).toEqual(events.slice(0, whole).map((event) => JSON.stringify(event)))
  }
})

test.each(Object.entries(LAYOUTS))(
  '%s, a byte of it taken out, costs no more than its neighbours',
  (_name, layout) => {
    const text = layout(events)
    for (let at = 0; at < text.length; at++) {
      const { lines, rest } = linesOf([Buffer.from(text.slice(0, at) + text.slice(at + 1))])
      const kept = events.filter((event) => [...lines, rest].includes(JSON.stringify(event)))
      expect(kept.length, `without character ${at}`).toBeGreaterThanOrEqual(events.length - 2)
    }
  },
)

test('values are what they were, whatever they are', () => {
  const record = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
  const layout = fc.constantFrom(...Object.values(LAYOUTS))
  fc.assert(
    fc.property(fc.array(record, { minLength: 1 }), layout, fc.nat(40), (records, write, size) => {
      const bytes = Buffer.from(write(records))
      const chunks = [bytes.subarray(0, size), bytes.subarray(size)]
      const { lines, rest } = linesOf(chunks)
      expect({ values: lines.map((line) => JSON.parse(line)), rest }).toEqual({
        values: JSON.parse(JSON.stringify(records)),
        rest: '',
      })
    }),
    { numRuns: runs(200) },
  )
})

test('what is deeper than anything is passed on, and the next event is found', () => {
  const deep = `{"type":"x/y","seq":0,"data":${'['.repeat(2_000_000)}`
  const { lines, rest } = linesOf([Buffer.from(`[${deep},{"type":"x/y","seq":1}]`)])
  expect(lines[0]?.length).toBeGreaterThan(2_000_000)
  expect([...lines.slice(1), rest]).toEqual(['{"type":"x/y","seq":1}', ''])
})
