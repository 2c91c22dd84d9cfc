/** The line that shows how far a run has come: what it says, and that it always fits. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ProgressState, progressLine } from '../../src/cli/progress-line.ts'
import { displayWidth, loadMeasure } from '../../src/report/display-width.ts'
import { escapeText } from '../../src/report/escape-text.ts'

const half: ProgressState = {
  name: 'logs/session.jsonl',
  unit: 'bytes',
  done: 60_000_000,
  total: 120_000_000,
  milliseconds: 2000,
}

test.each<[what: string, state: ProgressState, line: string]>([
  [
    'bytes, rate and time left of one log',
    half,
    'reading  60.0 of 120.0 MB  30.0 MB/s  0:02 left  logs/session.jsonl',
  ],
  [
    'which of several',
    { ...half, position: { number: 3, count: 1200 } },
    'reading  log 3 of 1,200  60.0 of 120.0 MB  30.0 MB/s  0:02 left  logs/session.jsonl',
  ],
  [
    'no time left where nobody knows the end',
    { ...half, name: 'standard input', total: undefined },
    'reading  60.0 MB  30.0 MB/s  standard input',
  ],
  ['no rate before the first byte', { ...half, done: 0 }, 'reading  0.0 of 120.0 MB  logs/session.jsonl'],
  ['nor in no time', { ...half, milliseconds: 0 }, 'reading  60.0 of 120.0 MB  logs/session.jsonl'],
  [
    'a file that grows: nothing left, not less',
    { ...half, done: 121_000_000 },
    'reading  121.0 of 120.0 MB  60.5 MB/s  0:00 left  logs/session.jsonl',
  ],
  [
    'rows of a database',
    { ...half, name: 'store.db#a', unit: 'rows', done: 12_500, total: undefined },
    'reading  12,500 rows  store.db#a',
  ],
  [
    'attempts',
    { ...half, unit: 'attempts', done: 1_250, total: undefined },
    'searching  1,250 attempts  logs/session.jsonl',
  ],
])('%s', (_what, state, line) => {
  expect(progressLine(state, 120)).toBe(line)
})

test.each<[seconds: number, left: string]>([
  [0.2, '0:01 left'],
  [59.5, '1:00 left'],
  [754, '12:34 left'],
  [3723, '1:02:03 left'],
])('%d s are %s', (seconds, left) => {
  const state = { ...half, done: 1e6, total: 1e6 + seconds * 1e6, milliseconds: 1000 }
  expect(progressLine(state, 120)).toContain(`  ${left}  `)
})

describe('on a narrow terminal', () => {
  test.each<[columns: number, line: string]>([
    [68, 'reading  60.0 of 120.0 MB  30.0 MB/s  0:02 left  logs/session.jsonl'],
    [67, 'reading  60.0 of 120.0 MB  30.0 MB/s  0:02 left  …gs/session.jsonl'],
    [60, 'reading  60.0 of 120.0 MB  30.0 MB/s  0:02 left  …ion.jsonl'],
    [59, 'reading  60.0 of 120.0 MB  30.0 MB/s  0:02 left'],
    [48, 'reading  60.0 of 120.0 MB  30.0 MB/s  0:02 left'],
    [47, 'reading  60.0 of 120.0 MB  30.0 MB/s'],
    [30, 'reading  60.0 of 120.0 MB'],
    [20, 'reading  …ion.jsonl'],
    [5, 'read'],
    [1, ''],
  ])('%i columns', (columns, line) => {
    expect(progressLine(half, columns)).toBe(line)
  })

  test('it never fills the last column, whatever the name, and escapes it', async () => {
    await loadMeasure()
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.integer({ min: 1, max: 200 }),
        (name, columns) => {
          const line = progressLine({ ...half, name }, columns)
          expect(displayWidth(line)).toBeLessThan(columns)
          expect(line).toBe(escapeText(line))
        },
      ),
    )
  })
})
