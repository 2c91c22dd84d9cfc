/** Names next to a file: as they are where they fit, otherwise cut, distinguished, and never longer than a system takes. */
import { basename, dirname } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { siblingName } from '../../src/storage/sibling-name.ts'

test('a short name is kept', () => {
  expect(siblingName('/a/session.jsonl', '.', '.tmp')).toBe('/a/.session.jsonl.tmp')
})

test('names of the same beginning stay apart', () => {
  const long = 'x'.repeat(254)
  expect(siblingName(`/a/${long}1`, '', '.before')).not.toBe(siblingName(`/a/${long}2`, '', '.before'))
})

test('any name fits, stays in its folder, keeps its ending and whole characters', () => {
  const names = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 255 })
    .filter((name) => !/[/\0]/.test(name) && name !== '.' && name !== '..')
  fc.assert(
    fc.property(names, (name) => {
      const beside = siblingName(`/a/${name}`, '.', '.quarantine.0123456789ab.tmp')
      expect(dirname(beside)).toBe('/a')
      expect(Buffer.byteLength(basename(beside))).toBeLessThanOrEqual(255)
      expect(beside.endsWith('.quarantine.0123456789ab.tmp')).toBe(true)
      expect(Buffer.from(beside).toString('utf8')).toBe(beside)
    }),
  )
})
