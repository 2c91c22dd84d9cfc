/** Nothing that acts on a terminal gets through, and nothing is lost. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeText } from '../../src/report/escape-text.ts'
import { renderHtml } from '../../src/report/renderers/html/sections.ts'
import { renderMarkdown } from '../../src/report/renderers/markdown.ts'
import { renderText } from '../../src/report/renderers/text.ts'
import { reportSetOf } from '../../src/report/report.ts'
import type { Section } from '../../src/report/section.ts'
import { createStyle } from '../../src/report/style.ts'

/** C0, DEL, C1, bidi controls, invisible joiners and tags, line and paragraph separators, lone surrogates. */
const DANGEROUS =
  /[\p{Cc}\p{Bidi_Control}\u200b-\u200d\u2060-\u2064\ufeff\u{e0000}-\u{e007f}\p{Zl}\p{Zp}\p{Cs}]/u

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
)

test('every dangerous character of the whole of Unicode is escaped', () => {
  const through: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code)
    if (DANGEROUS.test(character) && DANGEROUS.test(escapeText(character))) through.push(code.toString(16))
  }
  expect(through).toEqual([])
})

test('random text comes out safe', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(escapeText(value)).not.toMatch(DANGEROUS)
    }),
    { numRuns: 1000 },
  )
})

test('safe text comes out as it is, and text escaped once stays', () => {
  fc.assert(
    fc.property(text, (value) => {
      const once = escapeText(value)
      expect(escapeText(once)).toBe(once)
      if (!/[\p{C}\p{Zl}\p{Zp}]/u.test(value)) expect(once).toBe(value)
    }),
  )
})

test.each([
  ['\x1b[2J', '\\x1b[2J'],
  ['a\u202eb', 'a\\u202eb'],
  ['\ud800', '\\ud800'],
  ['\u{e0041}', '\\u{e0041}'],
  ['\n\r\t', '\\n\\r\\t'],
  ['\u009b', '\\x9b'],
])('%j becomes %s', (raw, escaped) => {
  expect(escapeText(raw)).toBe(escaped)
})

/** Line feeds are the renderers' own. */
async function rendered(value: string, as: 'text' | 'markdown' | 'html'): Promise<string> {
  const sections: Section[] = [
    { kind: 'heading', text: value },
    { kind: 'fields', rows: [[value, value]] },
    {
      kind: 'rows',
      columns: [
        { label: 'a', width: 4 },
        { label: 'b', width: 0 },
      ],
      rows: [[value, value]],
    },
    { kind: 'list', items: [value] },
    { kind: 'entries', entries: [{ heading: value, tone: 'plain', body: value }] },
    { kind: 'code', text: value },
  ]
  const style = await createStyle(0, 40)
  let out = ''
  const chunks =
    as === 'text'
      ? renderText(sections, style)
      : as === 'markdown'
        ? renderMarkdown(sections)
        : renderHtml(
            reportSetOf({
              schema: 'resurface/schema@1',
              subject: { path: value },
              findings: [],
              data: { document: {} },
            }),
            sections,
            value,
          )
  for await (const chunk of chunks) out += chunk
  return out.replaceAll('\n', '')
}

test('no section of the text renderer lets any through', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      expect(await rendered(value, 'text')).not.toMatch(DANGEROUS)
    }),
    { numRuns: 300 },
  )
})

test('no section of the Markdown renderer lets any through', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      // The zero-width space that breaks links up is the renderer's own.
      expect((await rendered(value, 'markdown')).replaceAll(':\u200b//', '')).not.toMatch(DANGEROUS)
    }),
    { numRuns: 300 },
  )
})

test('no section of the HTML renderer lets any through', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      expect(await rendered(value, 'html')).not.toMatch(DANGEROUS)
    }),
    { numRuns: 300 },
  )
})
