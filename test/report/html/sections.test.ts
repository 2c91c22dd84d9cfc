/** Sections as HTML: every kind, and the limit of the lists. */
import { expect, test } from 'vitest'
import { MOST_ITEMS, sectionsMarkup } from '../../../src/report/renderers/html/sections.ts'
import type { Section } from '../../../src/report/section.ts'

function written(...sections: readonly Section[]): string {
  return [...sectionsMarkup(sections, 2)].join('').replaceAll('\n', '')
}

const COLUMNS = [
  { label: 'n', width: 1, align: 'right' as const },
  { label: 'says', width: 0 },
]

test.each<[section: Section, expected: string]>([
  [{ kind: 'heading', text: 'a<b', tone: 'error' }, '<h2 class="tone-error">a&lt;b</h2>'],
  [{ kind: 'fields', rows: [['k', 'v']] }, '<dl><div><dt>k</dt><dd class="tone-plain">v</dd></div></dl>'],
  [
    { kind: 'list', items: [{ text: '  x', tone: 'dim' }] },
    '<ul class="plain"><li class="tone-dim">x</li></ul>',
  ],
  [{ kind: 'code', text: '{"a":\n1}' }, '<pre>{&quot;a&quot;:1}</pre>'],
  [
    { kind: 'entries', entries: [{ heading: 'user #1', tone: 'user', body: 'hi' }] },
    '<article class="entry"><p><span class="who tone-user">user #1</span></p><pre class="said">hi</pre></article>',
  ],
  [
    { kind: 'excerpt', title: 'log', lines: [{ number: 7, text: '<', tone: 'error' }] },
    '<p>log</p><pre>&gt; 7  &lt;</pre>',
  ],
])('%j', (section, expected) => {
  expect(written(section)).toBe(expected)
})

test('a table', () => {
  expect(written({ kind: 'rows', columns: COLUMNS, rows: [[1, 'one']] })).toContain(
    '<table><thead><tr><th scope="col" class="right">n</th><th scope="col" class="left">says</th></tr></thead><tbody><tr><td class="right tone-plain">1</td><td class="left tone-plain">one</td></tr></tbody></table>',
  )
})

test('a long body is folded', () => {
  const entry = (body: string): string =>
    written({ kind: 'entries', entries: [{ heading: 'h', tone: 'plain', body }] })
  expect(entry('x'.repeat(4000))).not.toContain('<details>')
  expect(entry('x'.repeat(4001))).toContain(
    '<details><summary><span class="who tone-plain">h</span> <span class="meta">4,001 characters',
  )
  expect(entry('x\n'.repeat(39))).not.toContain('<details>')
  expect(entry('x\n'.repeat(40))).toContain('<details>')
})

test('lists without end are cut at the limit, and say how much is missing', () => {
  function* many<Item>(item: Item): Iterable<Item> {
    for (let count = 0; count < MOST_ITEMS + 1234; count++) yield item
  }
  const long: readonly Section[] = [
    { kind: 'rows', columns: COLUMNS, rows: many([1, 'x']) },
    { kind: 'list', items: many('x') },
    { kind: 'entries', entries: many({ heading: 'x', tone: 'plain' }) },
  ]
  for (const section of long) {
    const page = written(section)
    expect(page.match(/<tr><td|<li|<article/g)).toHaveLength(MOST_ITEMS)
    expect(page).toContain('… and 1,234 more, left out of this page; --format json or ndjson has all.')
  }
})
