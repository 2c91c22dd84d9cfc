/** The rules of the library: that each is used, what of its answers is trusted, and what happens without it. */
import { expect, test } from 'vitest'
import { KINDS } from '../../../src/core/redact/marks.ts'
import { kindOf, loadTokenRules } from '../../../src/load/redact/token-rules.ts'
import { MADE_SECRETS } from '../../support/made-secrets.ts'

const rules = await loadTokenRules()

test('the marks of all rules are known', async () => {
  const { rules: creators } = await import('@secretlint/secretlint-rule-preset-recommend')
  const named = creators.map((creator: { meta: { id: string } }) => kindOf(creator.meta.id))
  expect(named.filter((kind: string | undefined) => kind !== undefined && !KINDS.includes(kind))).toEqual([])
  expect(named.filter((kind: string | undefined) => kind !== undefined).length).toBeGreaterThan(15)
})

test('without the package, a sentence with the command that installs it', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  await expect(loadTokenRules(() => Promise.reject(missing))).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('not installed'),
    hint: expect.stringContaining('npm install @secretlint/secretlint-rule-preset-recommend@'),
  })
  await expect(loadTokenRules(() => Promise.reject(new Error('other')))).rejects.toThrow('other')
})

test('the secret is what a rule quotes, not the range that it gives', () => {
  const { text = '', secret } = MADE_SECRETS['AWS secret access key'] ?? {}
  expect(rules(text)).toEqual([{ kind: 'aws-secret-key', find: secret }])
})

test('a text cannot ask not to be searched', () => {
  const { secret = '' } = MADE_SECRETS['GitHub token'] ?? {}
  const text = `/* secretlint-disable */ ${secret} // secretlint-disable-line`
  expect(rules(text)).toEqual([{ kind: 'github-token', find: secret }])
})

test('what is no secret', () => {
  expect(rules('a text with https://example.org/ and a hash 0a1b2c3d4e5f67890a1b2c3d4e5f6789')).toEqual([])
})
