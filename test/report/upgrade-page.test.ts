/** docs/upgrade.md says what the families of upgrades say. RESURFACE_UPDATE=1, or `npm run docs`, writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { upgradePage } from '../../src/report/upgrade-page.ts'

const path = new URL('../../docs/upgrade.md', import.meta.url)

test('docs/upgrade.md is the page of the present families', () => {
  const page = [...upgradePage()].join('')
  if (process.env.RESURFACE_UPDATE === '1') writeFileSync(path, page)
  else expect(readFileSync(path, 'utf8')).toBe(page)
})
