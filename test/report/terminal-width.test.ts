/**
 * Text on a terminal of any width, of texts that are hard to measure: it ends, nothing of it is missing, no line is
 * wider than the terminal, and no word is broken that fits on a line.
 */
import fc from 'fast-check'
import stringWidth from 'string-width'
import { beforeAll, describe, expect, test } from 'vitest'
import { displayWidth, fitWidth, loadMeasure, wrapLine } from '../../src/report/display-width.ts'
import { renderText } from '../../src/report/renderers/text.ts'
import type { Section } from '../../src/report/section.ts'
import { createStyle } from '../../src/report/style.ts'
import { runs } from '../support/effort.ts'

const piece = fc.constantFrom(
  'word',
  'a',
  ' ',
  '     ',
  ' \u0301',
  'x'.repeat(260),
  'very-long-word/'.repeat(40),
  '漢字かな交じり文',
  '한국어',
  'e\u0301\u0308',
  `Z${'\u0335'.repeat(100)}`,
  '\u0301',
  '\u200b\u200b',
  '\ufe0f',
  '👨‍👩‍👧‍👦',
  '🇩🇪🇫🇷🇩',
  '👍🏽',
  'עברית',
  '\u202e',
  '\x1b[31m',
  '\x07',
  '\ud83d',
  '\t',
  '…',
)
const text = fc
  .array(fc.tuple(piece, fc.constantFrom('', ' ')), { maxLength: 24 })
  .map((parts) => parts.map((part) => part.join('')).join(''))
const width = fc.integer({ min: 0, max: 250 })

/** Characters that a terminal shows, without the blanks between them. */
const shown = (value: string): string => value.replace(/ /g, '')
const isOneCharacter = (value: string): boolean => [...new Intl.Segmenter().segment(value)].length <= 1
const wordsOf = (value: string): string[] => value.split(' ').filter((word) => word !== '')

beforeAll(loadMeasure)

describe('a line', () => {
  test('is taken apart without loss, in pieces that fit, and never without end', () => {
    fc.assert(
      fc.property(text, width, (line, columns) => {
        const pieces: string[] = []
        for (const one of wrapLine(line, columns)) {
          pieces.push(one)
          if (pieces.length > line.length + 1) throw new Error('more pieces than characters')
        }
        expect(shown(pieces.join(''))).toBe(shown(line))
        const room = Math.max(columns, 1)
        for (const one of pieces) if (stringWidth(one) > room) expect(isOneCharacter(one)).toBe(true)
      }),
      { numRuns: runs(1500) },
    )
  })

  test.each([Number.NaN, -1, -Infinity, 0, 0.5, 1.5, Infinity])('%d columns', (columns) => {
    const pieces = [...wrapLine('ab c', columns)]
    expect(pieces).toEqual(columns === Infinity ? ['ab c'] : ['a', 'b', 'c'])
  })

  test('keeps every word that fits', () => {
    const plain = fc.stringMatching(/^[a-z漢字é]{1,30}$/)
    const line = fc.tuple(fc.constantFrom('', '  ', '        '), fc.array(plain, { maxLength: 40 }))
    fc.assert(
      fc.property(line, width, ([indent, words], columns) => {
        const pieces = [...wrapLine(indent + words.join(' '), columns)]
        const kept = pieces.flatMap(wordsOf)
        for (const word of words)
          if (stringWidth(word) <= columns) expect(kept, `${word} in ${columns} columns`).toContain(word)
      }),
      { numRuns: runs(1500) },
    )
  })

  test.each<[line: string, columns: number, pieces: readonly string[]]>([
    ['one two three', 7, ['one two', 'three']],
    ['one two three', 8, ['one two', 'three']],
    ['a reason', 6, ['a', 'reason']],
    ['    indented text', 12, ['    indented', 'text']],
    ['    indented text', 9, ['indented', 'text']],
    ['one    two', 5, ['one', 'two']],
    ['', 5, ['']],
    ['        ', 5, ['']],
    ['abcdefgh ij', 3, ['abc', 'def', 'gh', 'ij']],
    ['漢字漢字', 5, ['漢字', '漢字']],
    ['漢字', 1, ['漢', '字']],
  ])('%j in %i columns', (line, columns, pieces) => {
    expect([...wrapLine(line, columns)]).toEqual(pieces)
  })

  test('of 200,000 characters that take no column is taken apart in one go', () => {
    let count = 0
    for (const one of wrapLine(`a ${'\u200b'.repeat(200_000)}`, 1)) count += one.length
    expect(count).toBe(200_001)
  })
})

describe('a text', () => {
  test('is as wide as it is when it is measured at once', () => {
    const any = fc.string({
      unit: fc.constantFrom('a', '漢', 'e\u0301', '👨‍👩‍👧‍👦', '🇩🇪', '한', 'é'),
      maxLength: 300,
    })
    fc.assert(
      fc.property(any, (value) => {
        expect(displayWidth(value)).toBe(stringWidth(value))
      }),
      { numRuns: runs(200) },
    )
  })

  test.each(['word ', '漢字', 'e\u0301', '👨‍👩‍👧‍👦'])(
    'of 100,000 of %j is measured and cut in one go',
    (unit) => {
      const long = unit.repeat(100_000)
      const once = stringWidth(unit)
      expect(displayWidth(`${long}漢`)).toBe(100_000 * once + 2)
      expect(stringWidth(fitWidth(`${long}漢`, 40))).toBeGreaterThan(40 - once - 1)
    },
  )
})

const tone = fc.constantFrom('plain' as const, 'error' as const, 'dim' as const)
const cell = fc.oneof(text, fc.nat(), fc.record({ text, tone }))
const columns = fc.array(
  fc.record({ label: fc.constantFrom('seq', 'type of event', '漢字'), width: fc.nat(30) }),
  { minLength: 1, maxLength: 4 },
)
const tabular = columns.chain((heads) =>
  fc.record({
    columns: fc.constant(heads),
    rows: fc.array(fc.tuple(...heads.map(() => cell)), { maxLength: 4 }),
  }),
)
const section: fc.Arbitrary<Section> = fc.oneof(
  fc.record({ kind: fc.constant('heading' as const), text, tone }),
  fc.record({ kind: fc.constant('fields' as const), rows: fc.array(fc.tuple(text, cell), { maxLength: 4 }) }),
  tabular.map((content) => ({ kind: 'table' as const, ...content })),
  tabular.map((content) => ({ kind: 'rows' as const, ...content })),
  fc.record({ kind: fc.constant('list' as const), items: fc.array(cell, { maxLength: 4 }) }),
  fc.record({
    kind: fc.constant('entries' as const),
    entries: fc.array(fc.record({ heading: text, tone, body: text }), { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('excerpt' as const),
    title: text,
    lines: fc
      .array(fc.record({ number: fc.nat(2_000_000), text, tone }), { maxLength: 3 })
      .map((lines) => lines.toSorted((a, b) => a.number - b.number)),
  }),
)

/** Stops what would go on for ever. */
async function printed(sections: readonly Section[], columns: number): Promise<string> {
  let out = ''
  for await (const chunk of renderText(sections, await createStyle(0, columns))) {
    out += chunk
    if (out.length > 5_000_000) throw new Error('output without end')
  }
  return out
}

test('no section is wider than the terminal, whatever is in it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(section, { maxLength: 3 }), width, async (sections, columns) => {
      const out = await printed(sections, columns)
      expect(out).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}]/u)
      for (const line of out.split('\n'))
        if (stringWidth(line) > Math.max(columns, 1)) expect(isOneCharacter(line), line).toBe(true)
    }),
    { numRuns: runs(2000) },
  )
})
