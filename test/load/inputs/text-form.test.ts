/** A log that was saved in another form is the same log to every command, and a repair writes what it was. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textFormOf } from '../../../src/storage/jsonl/text-form.ts'
import { reportIn } from '../../support/report-in.ts'
import { runMain } from '../../support/run-main.ts'
import { repair, undo } from '../../support/run-repair.ts'
import { rich } from '../../support/sample-logs.ts'
import { tempDir } from '../../support/temp-dir.ts'

const plain = rich().user('\u{1f600} \ufeff {[,]}').bytes()
const records = plain
  .toString('utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

const FORMS: readonly (readonly [name: string, codes: string[], bytes: Buffer])[] = [
  ['UTF-16, little end first', ['bytes/utf-16'], Buffer.from(`\ufeff${plain}`, 'utf16le')],
  ['UTF-16, big end first', ['bytes/utf-16'], bigEndian(`\ufeff${plain}`)],
  ['UTF-16 without a mark, little end first', ['bytes/utf-16'], Buffer.from(`${plain}`, 'utf16le')],
  ['UTF-16 without a mark, big end first', ['bytes/utf-16'], bigEndian(`${plain}`)],
  ['UTF-8 with a mark', ['bytes/byte-order-mark'], Buffer.from(`\ufeff${plain}`)],
  ['an array', ['bytes/layout'], Buffer.from(JSON.stringify(records))],
  ['an indented array', ['bytes/layout'], Buffer.from(JSON.stringify(records, null, 2))],
  ['lines with commas', ['bytes/layout'], Buffer.from(`${plain}`.replaceAll('\n', ',\r\n'))],
  [
    'an indented array in UTF-16',
    ['bytes/utf-16', 'bytes/layout'],
    Buffer.from(`\ufeff${JSON.stringify(records, null, '\t')}`, 'utf16le'),
  ],
  [
    'an array with a mark',
    ['bytes/byte-order-mark', 'bytes/layout'],
    Buffer.from(`\ufeff${JSON.stringify(records, null, 1)}`),
  ],
]

function saved(bytes: Buffer, name = 'log.jsonl'): string {
  const path = join(tempDir(), name)
  writeFileSync(path, bytes)
  return path
}

async function dataOf(...args: readonly string[]) {
  return reportIn((await runMain([...args, '--json'])).stdout)
}

test.each(FORMS)('%s: findings, surface and health', async (_name, codes, bytes) => {
  const path = saved(bytes)
  const [own, usual] = [await dataOf('check', path), await dataOf('check', saved(plain))]
  const found = ({ findings }: typeof own): string[] => findings.map(({ code }: { code: string }) => code)
  expect(found(own).toSorted()).toEqual([...codes, ...found(usual)].toSorted())
  expect(own.data.opens).toBe(false)
  const surface = await dataOf('surface', path)
  expect(surface.data).toEqual((await dataOf('surface', saved(plain))).data)
  const listed = await runMain(['ls', path, '--json'])
  expect(reportIn(listed.stdout).data.sessions).toMatchObject([{ health: 'damaged', id: records[0].id }])
})

test.each(FORMS)(
  '%s: repair and convert write the log that it was, and undo the file',
  async (_name, _codes, bytes) => {
    const path = saved(bytes)
    const converted = join(tempDir(), 'converted.jsonl')
    expect((await runMain(['convert', path, '-o', converted])).exitCode).toBe(0)
    expect(readFileSync(converted)).toEqual(plain)
    expect(readFileSync(path)).toEqual(bytes)
    const before = statSync(path)
    const done = await repair(path, '--in-place')
    expect({ exitCode: done.exitCode, refused: done.data.refused }).toEqual({
      exitCode: 0,
      refused: undefined,
    })
    expect(readFileSync(path)).toEqual(plain)
    expect(statSync(path).mode).toBe(before.mode)
    expect((await repair(path)).data.steps).toEqual([])
    await undo(path)
    expect(readFileSync(path)).toEqual(bytes)
  },
)

test.each([
  ['a log', plain],
  ['a log with a mark', Buffer.from(`\ufeff${plain}`)],
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.from([0xff])],
  ['NUL bytes', Buffer.alloc(100)],
  ['a torn header', plain.subarray(0, 30)],
  [
    'a torn header before events',
    Buffer.concat([plain.subarray(0, 30), plain.subarray(plain.indexOf('\n'))]),
  ],
  ['a header that lost its end before events', Buffer.from(`${plain}`.replace('}\n', '\n'))],
  ['an array of numbers', Buffer.from('[1,\n2]')],
  ['another object', Buffer.from('{\n  "name": "x"\n}\n')],
  ['text', Buffer.from('[section]\nkey = value\n')],
])('%s is read as it is', (_name, bytes) => {
  expect(textFormOf(saved(bytes))).toBeUndefined()
})

test('half a surrogate pair is the escape that it has in JSON', async () => {
  const text = `${plain}`.replace('\u{1f600} \ufeff', '\ud83d \ufeff')
  const path = saved(Buffer.from(text, 'utf16le'))
  const converted = join(tempDir(), 'converted.jsonl')
  expect((await runMain(['convert', path, '-o', converted])).exitCode).toBe(0)
  expect(readFileSync(converted, 'utf8')).toBe(text.replace('\ud83d \ufeff', '\\ud83d \ufeff'))
})

test('it does not grow record by record', async () => {
  const { exitCode, stderr } = await runMain(['watch', saved(Buffer.from(JSON.stringify(records)))])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('record by record')
})
