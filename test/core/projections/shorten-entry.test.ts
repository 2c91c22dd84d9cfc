import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginningOf, shortenEntry, unitsOf } from '../../../src/core/projections/shorten-entry.ts'
import type { TranscriptEntry } from '../../../src/core/projections/transcript.ts'

test('a beginning holds no half of a character that the text holds whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, most) => {
      const beginning = beginningOf(text, most)
      expect(text.startsWith(beginning)).toBe(true)
      expect(beginning.length).toBeGreaterThanOrEqual(Math.min(text.length, most - 1))
      expect(beginning.length).toBeLessThanOrEqual(most)
      if (!/\p{Cs}/u.test(text)) expect(beginning).not.toMatch(/\p{Cs}/u)
    }),
  )
})

const ENTRY: TranscriptEntry = {
  kind: 'tool',
  seq: 1,
  time: 2,
  callId: 'c',
  name: 'bash',
  arguments: 'aaaa',
  isError: false,
  text: 'tttttttt',
}

test('what is short stays the same, of what is long the beginning does, and the rest is counted', () => {
  expect(shortenEntry(ENTRY, 8)).toBe(ENTRY)
  expect(shortenEntry(ENTRY, 3)).toEqual({ ...ENTRY, name: 'bas', arguments: 'aaa', text: 'ttt', cut: 7 })
})

test('an entry weighs what it holds', () => {
  expect(unitsOf(ENTRY)).toBe(17)
  const calls = [{ callId: '12', name: '345' }]
  expect(unitsOf({ kind: 'assistant', seq: 1, time: 1, text: '678', reasoning: '9', calls })).toBe(9)
})
