/** Texts that go through a file and come out as they were. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { SpooledTexts } from '../../src/storage/spooled-texts.ts'
import { runs } from '../support/effort.ts'
import { tempDir } from '../support/temp-dir.ts'

afterEach(() => vi.unstubAllEnvs())

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\ud800', 'x\udc00', '😀'),
  fc.nat(40).map((times) => 'é€x😀'.repeat(times * 10_000)),
)

function mustComeBack(lists: readonly string[]): void {
  const texts = new SpooledTexts()
  for (const one of lists) texts.push(one)
  expect(texts.length).toBe(lists.length)
  const indexes = lists.map((_, index) => index)
  for (const index of [...indexes, ...indexes.toReversed(), ...indexes.filter((at) => at % 3 === 0)])
    if (texts.at(index) !== lists[index]) expect.unreachable(`text ${index} is another one`)
}

test('in any order, from memory and from the file', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), (list) => mustComeBack(list)),
    { numRuns: runs(40) },
  )
})

test('no file is left, nor seen meanwhile', () => {
  const folder = tempDir()
  vi.stubEnv('TMPDIR', folder)
  const texts = new SpooledTexts()
  for (let count = 0; count < 20; count++) texts.push('x'.repeat(1024 * 1024))
  expect(texts.at(0).length + texts.at(19).length).toBe(2 * 1024 * 1024)
  expect(readdirSync(folder)).toEqual([])
})

test('where there is no place for a file, memory is', () => {
  vi.stubEnv('TMPDIR', join(tempDir(), 'missing'))
  mustComeBack(Array.from({ length: 20 }, (_, index) => String(index).repeat(1024 * 1024)))
})
