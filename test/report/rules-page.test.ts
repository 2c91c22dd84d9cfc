/** docs/rules.md says what registry and corpus say. RESURFACE_UPDATE=1, or `npm run docs`, writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RULES } from '../../src/core/findings/rules.ts'
import { rulesPage } from '../../src/report/rules-page.ts'
import { ruleExamples } from '../corpus/rule-examples.ts'

const path = new URL('../../docs/rules.md', import.meta.url)

test('docs/rules.md is the page of the present registry and corpus', async () => {
  const page = [...rulesPage(await ruleExamples({}))].join('')
  if (process.env.RESURFACE_UPDATE === '1') writeFileSync(path, page)
  else expect(readFileSync(path, 'utf8')).toBe(page)
})

test('every rule has an entry', () => {
  const headings = [...rulesPage({})].join('').match(/^### .*$/gm)
  expect(headings?.toSorted()).toEqual(
    Object.keys(RULES)
      .map((code) => `### ${code}`)
      .toSorted(),
  )
})
