/** Numbers for hashes: the same for the same, another for any other, however many there are. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { HashIds } from '../../../src/core/diff/hash-ids.ts'

test('numbers rise with every new hash, and stay', () => {
  const ids = new HashIds()
  const hashes = Array.from({ length: 20_000 }, (_, index) =>
    createHash('md5').update(`${index}`).digest('binary'),
  )
  const first = hashes.map((hash) => ids.idOf(hash))
  expect(first).toEqual([...hashes.keys()])
  expect(hashes.map((hash) => ids.idOf(hash))).toEqual(first)
  expect(ids.count).toBe(hashes.length)
})

test.each([0, 3, 4, 7, 8, 12, 15])('hashes that differ in byte %d alone are distinguished', (at) => {
  const ids = new HashIds()
  const bytes = Buffer.alloc(16, 0xff)
  const one = ids.idOf(bytes.toString('binary'))
  bytes[at] = 0x7f
  expect(ids.idOf(bytes.toString('binary'))).not.toBe(one)
})

test('what follows the first 16 bytes does not count', () => {
  const ids = new HashIds()
  expect(ids.idOf(`${'\xaa'.repeat(16)}x`)).toBe(ids.idOf(`${'\xaa'.repeat(16)}y`))
})
