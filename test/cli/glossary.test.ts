/** docs/glossary.md says what the help says. RESURFACE_UPDATE=1, or `npm run docs`, writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { glossaryPage } from '../../src/cli/glossary.ts'
import { faultsIn } from '../support/plain-english.ts'
import { runMain } from '../support/run-main.ts'

const PATH = new URL('../../docs/glossary.md', import.meta.url)

test('docs/glossary.md is that of the help', () => {
  if (process.env.RESURFACE_UPDATE === '1') writeFileSync(PATH, glossaryPage())
  else expect(readFileSync(PATH, 'utf8')).toBe(glossaryPage())
})

test('the help names it, prints it, and fits', async () => {
  expect((await runMain(['help'])).stdout).toContain('resurface help glossary')
  const { stdout, exitCode } = await runMain(['help', 'glossary'], { terminal: 60 })
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^ {2}quarantine {2,}\S/m)
  expect(stdout.split('\n').filter((line) => line.length > 60)).toEqual([])
  expect(faultsIn(stdout)).toEqual([])
})
