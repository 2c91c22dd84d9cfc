/** What our own patterns take for a secret, and what looks like one and is none. */
import { describe, expect, test } from 'vitest'
import { replacedPart } from '../../../src/core/redact/known-secret.ts'
import { namedMember, recognised } from '../../../src/core/redact/own-recognition.ts'

const found = (text: string): string[] =>
  [...recognised(text)].map((secret) => `${secret.kind} ${replacedPart(secret)}`)

describe('found', () => {
  test.each([
    ['write to mallory@example.org.', ['mail-address mallory@example.org']],
    ['jürgen@müller.example', ['mail-address jürgen@müller.example']],
    ['in /home/mallory.s/x', ['home-folder mallory.s', 'user-name mallory.s']],
    ['in /home/mallory.', ['home-folder mallory', 'user-name mallory']],
    ['file:///Users/mallory/x', ['home-folder mallory', 'user-name mallory']],
    ['/mnt/c/Users/mallory', ['home-folder mallory', 'user-name mallory']],
    [
      'C:\\Users\\Mallory Smith\\x',
      ['home-folder Mallory Smith', 'user-name Mallory Smith', 'home-folder Mallory', 'user-name Mallory'],
    ],
    [
      'C:\\\\Users\\\\mallory\\\\x',
      ['home-folder mallory', 'user-name mallory', 'home-folder mallory', 'user-name mallory'],
    ],
    ['/home/ubuntu/x', ['home-folder ubuntu']],
    ['mallory@laptop:~/x$ ls', ['user-name mallory']],
    ['https://eve:abc@host/', ['url-password abc']],
    ['redis://:s3cretPw@10.0.0.1:6379', ['url-password s3cretPw']],
    ['password: "a1b2c3"', ['password a1b2c3']],
    ["DB_PASSWORD='x y'; TOKEN=abc", []],
  ])('%j', (text, secrets) => {
    expect(found(text)).toEqual(secrets)
  })

  test('a private key that is cut off, and one in a line', () => {
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} EC PRIV${'ATE KEY'}-----`)
    const line = 'Ab3/'.repeat(16)
    expect(found(`${begin}\n${line}\n${line.slice(0, 20)}`)).toEqual([
      `private-key ${begin}\n${line}\n${line.slice(0, 20)}`,
    ])
    expect(found(`KEY="${begin}\\n${line}\\n${end}\\n"`)).toEqual([`private-key ${begin}\\n${line}\\n${end}`])
    expect(found(`grep '${begin}' *`)).toEqual([])
  })
})

test.each([
  'git@github.com:org/repo.git',
  'icon@2x.png and lodash@4.17.21',
  'https://example.org/home/index.html',
  'https://api.example.org/Users/1',
  '/Users/Shared/x /home/$USER/x /home/<name>/x ~/x /root/x',
  'https://user:$PASSWORD@host/ https://user:***@host/',
  'password: string, token: Token, secret = process.env.SECRET_1',
  'max_tokens: 4096, tokenizer=bert-base-uncased-v2x9',
  'const token = getToken2("abc")',
  'sk-learn-contrib-project',
  'the password is hunter2',
  'x@y',
])('no secret in %j', (text) => {
  expect(found(text)).toEqual([])
})

test('what is a mark is no secret, wherever it is', () => {
  const mark = '[redacted:password:1]'
  for (const text of [`https://a:${mark}@h.org/`, `password=${mark}`, `/home/${mark}/x`, `Bearer ${mark}`])
    expect(found(text)).toEqual([])
  expect([...namedMember('password', mark)]).toEqual([])
})

test('members that are called a secret', () => {
  const kinds = (name: string, value: string) =>
    [...namedMember(name, value)].map(({ kind, edge }) => [kind, edge])
  expect(kinds('db_password', 'hunter22x')).toEqual([['password', 'word']])
  expect(kinds('password', 'hunte2')).toEqual([['password', 'whole']])
  expect(kinds('apiKey', 'a1b2c3d4e5f6a7b8')).toEqual([['named-secret', 'word']])
  expect(kinds('max_tokens', 'a1b2c3d4e5f6a7b8')).toEqual([])
  expect(kinds('token', 'a sentence with 1 blank')).toEqual([])
  expect(kinds('password', 'string')).toEqual([])
})
