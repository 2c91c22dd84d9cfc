/** docs/rules.md says what the registry says. RESURFACE_UPDATE=1, or `npm run docs`, writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RULES } from '../../src/core/findings/rules.ts'
import { rulesPage } from '../../src/report/rules-page.ts'

const path = new URL('../../docs/rules.md', import.meta.url)

test('docs/rules.md is the page of the present registry', () => {
  const page = [...rulesPage()].join('')
  if (process.env.RESURFACE_UPDATE === '1') writeFileSync(path, page)
  else expect(readFileSync(path, 'utf8')).toBe(page)
})

test('every rule has an entry', () => {
  const headings = [...rulesPage()].join('').match(/^### .*$/gm)
  expect(headings?.toSorted()).toEqual(
    Object.keys(RULES)
      .map((code) => `### ${code}`)
      .toSorted(),
  )
})
