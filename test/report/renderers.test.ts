/** Sections and values as text: the rules of each format, not its looks. */
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { compact, jsonText } from '../../src/report/json-text.ts'
import { renderMarkdown } from '../../src/report/renderers/markdown.ts'
import { renderNdjson } from '../../src/report/renderers/ndjson.ts'
import { renderText } from '../../src/report/renderers/text.ts'
import { type Report, reportSetOf } from '../../src/report/report.ts'
import type { Section } from '../../src/report/section.ts'
import { createStyle } from '../../src/report/style.ts'

async function text(sections: readonly Section[], width?: number, level: 0 | 1 = 0): Promise<string> {
  let out = ''
  for await (const chunk of renderText(sections, await createStyle(level, width))) out += chunk
  return out
}

const markdown = (...sections: Section[]): string => [...renderMarkdown(sections)].join('')
const json = (value: unknown): string => [...jsonText(value)].join('')

describe('lines of JSON', () => {
  test('say of every row what it says, however alike rows are', () => {
    const value = fc.constantFrom<unknown>(1, 2, 'a', '\u0007', null, [], { a: 1 }, undefined)
    const seq = fc.oneof(fc.nat(), fc.constantFrom<unknown>('seven', null, undefined, -0))
    const row = fc.oneof(
      fc.record({ seq, type: value, turn: value }, { requiredKeys: ['seq'] }),
      fc.record({ seq, type: fc.constant('a') }),
      fc.record({ type: value, seq }),
    )
    fc.assert(
      fc.property(fc.array(row), (events) => {
        const report = { schema: 'resurface/classify@1', findings: [], data: { events } } as unknown as Report
        const lines = [...renderNdjson(reportSetOf(report))].map((line) => JSON.parse(line))
        const rows = events.map((event) => ({ kind: 'event', ...event }))
        expect(lines.slice(0, -2)).toEqual(JSON.parse(JSON.stringify(rows)))
      }),
      { numRuns: 1000 },
    )
  })

  test('are text: half of a surrogate pair is U+FFFD, and nothing else changes', () => {
    const unit = fc.constantFrom('\ud800', '\udc00', '\\', 'ud800', '"', 'a', '\u{e0001}', '🚀', '\u0007')
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = units.join('')
        const data = { events: [{ seq: 1, type: text }] }
        const report = { schema: 'resurface/classify@1', findings: [], data } as unknown as Report
        const [line = ''] = renderNdjson(reportSetOf(report))
        expect(JSON.parse(line).type).toBe(Buffer.from(text).toString())
      }),
      { numRuns: 1000 },
    )
  })
})

describe('JSON', () => {
  test('reads back as what it was, however it is nested', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(json(value))).toEqual(JSON.parse(JSON.stringify(value)))
        expect(JSON.parse(json({ data: { rows: value } }))).toEqual(
          JSON.parse(JSON.stringify({ data: { rows: value } })),
        )
        expect(JSON.parse(compact(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('streams are read once and become lists', () => {
    function* rows(): Iterable<object> {
      yield { seq: 0 }
      yield { seq: 1 }
    }
    expect(JSON.parse(json({ data: { events: rows(), none: new Set() } }))).toEqual({
      data: { events: [{ seq: 0 }, { seq: 1 }], none: [] },
    })
  })

  test('absent members are left out', () => {
    expect(JSON.parse(json({ a: undefined, b: { c: undefined } }))).toEqual({ b: {} })
  })

  test('values deeper than the call stack are written', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 50_000; level++)
      deep = level % 2 === 0 ? [deep, 1] : { a: deep, b: undefined, c: 2 }
    const written = compact(deep)
    expect(written.startsWith('{"a":[{"a":[')).toBe(true)
    expect(written.endsWith(',1],"c":2}')).toBe(true)
  })
})

describe('Markdown', () => {
  test.each([
    ['# heading', '\\# heading'],
    ['[link](x)', '\\[link\\]\\(x\\)'],
    ['<img src=x>', '&lt;img src=x&gt;'],
    ['a | b', 'a \\| b'],
    ['`code`', '\\`code\\`'],
    ['*b* _i_ ~s~', '\\*b\\* \\_i\\_ \\~s\\~'],
  ])('%s does not act', (raw, escaped) => {
    expect(markdown({ kind: 'list', items: [raw] })).toBe(`- ${escaped}\n`)
  })

  test('a fence is longer than any in the text', () => {
    const out = markdown({ kind: 'code', text: 'a\n````\nb' })
    expect(out.startsWith('`````text\n')).toBe(true)
    expect(out.endsWith('\n`````\n')).toBe(true)
  })

  test('a row of a table is one line with as many cells as columns', () => {
    const columns = [
      { label: 'a', width: 1 },
      { label: 'b', width: 1 },
    ]
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (cell) => {
        const out = markdown({ kind: 'rows', columns, rows: [[cell, cell]] })
        const lines = out.trimEnd().split('\n')
        expect(lines).toHaveLength(3)
        expect(lines[2]?.match(/(?<!\\)(?:\\\\)*\|/g)).toHaveLength(3)
      }),
    )
  })
})

describe('text', () => {
  const sections: readonly Section[] = [
    { kind: 'heading', text: 'title', tone: 'error' },
    { kind: 'fields', rows: [['label', { text: 'value', tone: 'ok' }]] },
    {
      kind: 'rows',
      columns: [
        { label: 'n', width: 4, align: 'right' },
        { label: 'x', width: 0 },
      ],
      rows: [[7, 'seven']],
    },
    { kind: 'table', columns: [{ label: 't', width: 4 }], rows: [['cell']] },
    { kind: 'list', items: ['item'] },
    { kind: 'entries', entries: [{ heading: 'who', tone: 'user', body: 'said\nthat' }] },
    {
      kind: 'excerpt',
      title: 'file',
      lines: [
        { number: 9, text: '' },
        { number: 10, text: 'wrong', tone: 'error' },
      ],
    },
    { kind: 'code', text: '{\n}' },
  ]

  test('ends in one line feed, without trailing blanks, without colour', async () => {
    const out = await text(sections)
    expect(out).toMatch(/[^\n]\n$/)
    expect(out).not.toMatch(/[ \t]\n/)
    expect(out).not.toContain('\x1b')
    expect(out).toContain('   7  seven\n')
    expect(out).toContain('file\n   9\n> 10  wrong\n')
  })

  test('colours change nothing but colours', async () => {
    const coloured = await text(sections, undefined, 1)
    expect(coloured).toContain('\x1b[')
    expect(coloured.replace(/\x1b\[[0-9;]*m/g, '')).toBe(await text(sections))
  })

  test('a terminal is never overrun by rows, bodies and excerpts', async () => {
    const wide = '漢字 and words '.repeat(20)
    const rows: Section = {
      kind: 'rows',
      columns: [
        { label: 'n', width: 4 },
        { label: 'x', width: 0 },
      ],
      rows: [[1, wide]],
    }
    const body: Section = { kind: 'entries', entries: [{ heading: 'h', tone: 'plain', body: wide }] }
    const lines = [
      { number: 1, text: wide },
      { number: 2, text: wide, tone: 'error' as const },
    ]
    const excerpt: Section = { kind: 'excerpt', title: 'file', lines }
    for (const line of (await text([rows, body, excerpt], 40)).split('\n'))
      expect(stringWidth(line)).toBeLessThanOrEqual(40)
  })

  test('a body is wrapped without losing a character', async () => {
    const wrapped = fc.string({ unit: 'grapheme', maxLength: 200 }).filter((value) => !/[\n\t]/.test(value))
    await fc.assert(
      fc.asyncProperty(wrapped, async (body) => {
        const entries = [{ heading: 'h', tone: 'plain' as const, body }]
        const [narrow, whole] = await Promise.all([
          text([{ kind: 'entries', entries }], 30),
          text([{ kind: 'entries', entries }]),
        ])
        expect(narrow.replace(/\s/g, '')).toBe(whole.replace(/\s/g, ''))
      }),
      { numRuns: 100 },
    )
  })
})
