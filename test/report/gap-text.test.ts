/** What is lost at a gap, in words. */
import { expect, test } from 'vitest'
import { gapText } from '../../src/report/gap-text.ts'

test.each([
  [{ kind: 'missing', first: 17, last: 17, events: 1 }, '1 event is missing (seq 17); it may be a message'],
  [
    { kind: 'missing', first: 17, last: 21, events: 5, turn: 2, step: 1 },
    '5 events are missing (seqs 17 to 21, in turn 2, step 1); messages may be among them',
  ],
  // Two of the five were put back.
  [
    { kind: 'missing', first: 17, last: 21, events: 3 },
    '3 events are missing (among seqs 17 to 21); messages may be among them',
  ],
  [
    { kind: 'unreadable', first: 4 },
    'events cannot be read (where seq 4 is due); how many cannot be told, and messages may be among them',
  ],
] as const)('%j', (gap, words) => {
  expect(gapText(gap)).toBe(words)
})
