/** Text in a template is text, whatever it says. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html, lines } from '../../../src/report/renderers/html/markup.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(...'<>&"\'`=/ \n\t\x00\u202e\ufeff\ud800', '&lt;', '</p>', '<!--', 'a'))
    .map((parts) => parts.join('')),
)

/** What may be between tags and between the quotes of a value. */
const INERT = /^(?:[^<>&"'\p{Cc}\p{Cs}\p{Bidi_Control}]|&(?:amp|lt|gt|quot|#39);)*$/u

test('no text makes an element, an attribute or an entity', () => {
  fc.assert(
    fc.property(text, (value) => {
      const written = String(html`<p title="${value}">${value}</p>`)
      const [, title, content] = /^<p title="([\s\S]*?)">([\s\S]*)<\/p>$/.exec(written) ?? []
      expect(title).toMatch(INERT)
      expect(content).toMatch(INERT)
      expect(title).toBe(content)
      expect(String(lines(value)).replaceAll('\n', '')).toMatch(INERT)
    }),
    { numRuns: 1000 },
  )
})

test('what a browser reads is what was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'a;#39lt') }), (value) => {
      const read = String(html`${value}`).replace(
        /&(amp|lt|gt|quot|#39);/g,
        (_, name: string) => READ[name] as string,
      )
      expect(read).toBe(value)
    }),
  )
})

const READ: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

test('markup in markup is not escaped again, and nothing is nothing', () => {
  const inner = html`<b>${'<'}</b>`
  expect(String(html`<i>${inner}${[inner, inner]}${false}${undefined}${0}</i>`)).toBe(
    '<i><b>&lt;</b><b>&lt;</b><b>&lt;</b>0</i>',
  )
})

test('lines stay lines, other controls are shown', () => {
  expect(String(lines('a\n\tb\r\n\x1b<'))).toBe('a\n    b\\r\n\\x1b&lt;')
  expect(String(html`${'a\n\tb'}`)).toBe('a\\n\\tb')
})
