/** docs/resurface.1 says what the help says. RESURFACE_UPDATE=1, or `npm run docs`, writes it anew. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { manPage } from '../../src/cli/man-page.ts'
import { flagsOf } from '../../src/commands/definition/option.ts'
import { COMMANDS } from '../../src/commands/index.ts'
import { testUnlessMissing } from '../support/unless-missing.ts'

const PATH = new URL('../../docs/resurface.1', import.meta.url)
const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))

async function page(): Promise<string> {
  let text = ''
  for await (const part of manPage()) text += part
  return text
}

test('docs/resurface.1 is the page of the present commands', async () => {
  if (process.env.RESURFACE_UPDATE === '1') writeFileSync(PATH, await page())
  else expect(readFileSync(PATH, 'utf8')).toBe(await page())
})

test('it has every command with its options', async () => {
  const text = (await page()).replaceAll('\\-', '-')
  for (const { name, load } of COMMANDS) {
    expect(text).toMatch(new RegExp(`^\\.SS resurface ${name}`, 'm'))
    const { options } = (await load()).command
    for (const [option, declared] of Object.entries(options))
      expect(text).toContain(flagsOf(option, declared))
  }
})

test('it has every variable of the environment that is read', async () => {
  const text = await page()
  const read = new Set<string>()
  for (const name of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue
    const source = readFileSync(join(SOURCE, name), 'utf8')
    for (const [, variable = ''] of source.matchAll(/\benv\.([A-Z_]+)/g)) read.add(variable)
  }
  for (const common of ['CI', 'HOME', 'USERPROFILE', 'TERM', 'COLORTERM']) read.delete(common)
  expect([...read].filter((variable) => !text.includes(variable))).toEqual([])
})

const missing = spawnSync('groff', ['--version']).status === 0 ? undefined : 'groff is not here'

testUnlessMissing(missing, 'it is set without a warning, and no line is lost', async () => {
  const { stderr, stdout } = spawnSync('groff', ['-man', '-ww', '-Tascii', '-P-cbou'], {
    input: await page(),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(stdout).toContain('resurface check [logs...]')
  expect(stdout).toContain('--fail-on <severity>')
})
