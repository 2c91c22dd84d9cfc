/** Where known secrets are found again, and which marks they get. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KnownSecret } from '../../../src/core/redact/known-secret.ts'
import { KnownSecrets } from '../../../src/core/redact/known-secrets.ts'
import { redactedRow, redactedText } from '../../../src/core/redact/redact-row.ts'
import { runs } from '../../support/effort.ts'

function knowing(...secrets: readonly KnownSecret[]): KnownSecrets {
  const known = new KnownSecrets()
  for (const secret of secrets) known.add(secret)
  return known
}

const inText = (text: string, ...secrets: readonly KnownSecret[]): string =>
  redactedText(text, knowing(...secrets), () => {})

const NAME: KnownSecret = { kind: 'user-name', find: 'mallory', edge: 'word' }

test.each([
  ['mallory, Xmallory, mallory2, mallory_x, (mallory)', '[1], Xmallory, mallory2, [1]_x, ([1])'],
  ['-home-mallory-project', '-home-[1]-project'],
  ['{"a":"\\nmallory"}', '{"a":"\\n[1]"}'],
  ['{"a":"{\\"b\\":\\"\\\\nmallory\\"}"}', '{"a":"{\\"b\\":\\"\\\\n[1]\\"}"}'],
  ['{"a":"mall\\u006fry"}', '{"a":"[1]"}'],
])('a word by itself: %s', (text, expected) => {
  expect(inText(text, NAME)).toBe(expected.replaceAll('[1]', '[redacted:user-name:1]'))
})

test('in JSON an escape is no part of a word', () => {
  const nick: KnownSecret = { kind: 'user-name', find: 'nick', edge: 'word' }
  expect(inText('{"a":"x\\nick \\\\nick"}', nick)).toBe('{"a":"x\\nick \\\\[redacted:user-name:1]"}')
  expect(inText('C:\\Users\\nick', nick)).toBe('C:\\Users\\[redacted:user-name:1]')
})

test('a home folder ends where the name ends', () => {
  const home: KnownSecret = { kind: 'home-folder', find: '/home/mal', part: [6, 9], edge: 'folder' }
  expect(inText('/home/mal/x /home/mallory /home/mal.x /home/mal. /home/mal', home)).toBe(
    '/home/[1]/x /home/mallory /home/mal.x /home/[1]. /home/[1]'.replaceAll(
      '[1]',
      '[redacted:home-folder:1]',
    ),
  )
})

test('the longest of those that begin at a place, and one mark for those that overlap', () => {
  const secrets = ['secret-one', 'secret-one-two', 'two-three'].map((find) => ({ kind: 'k', find }))
  expect(inText('secret-one secret-one-two secret-one-two-three', ...secrets)).toBe(
    '[redacted:k:1] [redacted:k:2] [redacted:k:2]',
  )
})

test('equal secrets have equal marks, a user has one number, and marks are left alone', () => {
  const home: KnownSecret = { kind: 'home-folder', find: '/home/mallory', part: [6, 13], edge: 'folder' }
  const other: KnownSecret = { kind: 'user-name', find: 'trent', edge: 'word' }
  const once = inText('trent mallory /home/mallory', other, NAME, home)
  expect(once).toBe('[redacted:user-name:1] [redacted:user-name:2] /home/[redacted:home-folder:2]')
  const word: KnownSecret = { kind: 'k', find: 'user-name' }
  expect(inText(once, word, NAME)).toBe(once)
})

test('a log cannot hide a secret in what looks like a mark', () => {
  const token: KnownSecret = { kind: 'github-token', find: 'secret-of-36' }
  expect(inText('[redacted:secret-of-36:1]', token)).toBe('[redacted:[redacted:github-token:1]:1]')
})

test('base64 is left alone, but not what the user named', () => {
  const data = `data:image/png;base64,${'A'.repeat(60)}+mallory+${'A'.repeat(60)} mallory`
  expect(inText(data, NAME)).toBe(data.replace(/ mallory/, ' [redacted:user-name:1]'))
  expect(inText(data, { kind: 'NAME', find: 'mallory', isNamed: true })).not.toContain('mallory')
})

test('words of the format stay, as names and as values', () => {
  const row = {
    type: 'user/message',
    seq: 1,
    time: 0,
    data: { id: 'u', role: 'user', user: 'user', content: [] },
  }
  const known = knowing(
    { kind: 'k', find: 'user' },
    { kind: 'k', find: 'content' },
    { kind: 'k', find: 'role' },
  )
  const text = JSON.stringify(row)
  const places: (string | undefined)[] = []
  const redacted = redactedRow(text, row, known, (_, member) => places.push(member))
  expect(redacted).toBe(text.replace('"user":"user"', '"[redacted:k:1]":"[redacted:k:1]"'))
  expect(places).toEqual(['data.user', 'data.user'])
})

test('any text in any JSON: nothing is left, the rest is as it was, and it is JSON', () => {
  const word = fc.stringMatching(/^[a-z"\\/\nü🚀]{3,12}$/u)
  fc.assert(
    fc.property(fc.jsonValue(), word, (value, find) => {
      fc.pre(!'[redacted:k:1]'.includes(find) && !/^[[{"]|\\/.test(find))
      const row = { type: 'acme/x', data: [value, `a${find}b`, { [find]: JSON.stringify([find]) }] }
      const text = JSON.stringify(row)
      const redacted = redactedRow(text, row, knowing({ kind: 'k', find }), () => {})
      const expected = JSON.stringify(row, (_, member: unknown) => member)
      expect(JSON.parse(redacted).data[1]).toBe('a[redacted:k:1]b')
      expect(Object.keys(JSON.parse(redacted).data[2])).toEqual(['[redacted:k:1]'])
      expect(JSON.parse(Object.values(JSON.parse(redacted).data[2])[0] as string)).toEqual(['[redacted:k:1]'])
      expect(expected).toBe(text)
    }),
    { numRuns: runs(200) },
  )
})
