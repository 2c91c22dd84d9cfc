import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Pseudonyms } from '../../../src/core/anonymize/pseudonyms.ts'

const fresh = (constant?: ReadonlySet<string>): Pseudonyms => new Pseudonyms((text) => text, constant)

test.each([
  ['Hello, World 42!', 'xxxxxx xxxxx xxx'],
  ['/home/ana/Project-7', '/xxxx/xxx/xxxxxxx-x'],
  ['C:\\Users\\ana', 'x:\\xxxxx\\xxx'],
  ['a\tb\n"c"', 'x\tx\n"x"'],
  ['größer 漢字 🚀', 'xx××xx ｘｘ 𝗑'],
  ['\u202e\ufeff\u3000', 'ｘ\ufeff\u3000'],
  ['\ud800', '\udfff'],
  ['', ''],
  ['6f1b2c3d-0000-4000-8000-9a8b7c6d5e4f', 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'],
])('%j becomes %j', (text, neutral) => {
  expect(fresh().textFor(text)).toBe(neutral)
})

test('texts of one shape are counted in the order of their appearance', () => {
  const names = fresh()
  const texts = ['abcde', 'fghij', 'abcde', 'klmno', 'fghij', 'pq rs']
  expect(texts.map((text) => names.textFor(text))).toEqual([
    'xxxxx',
    'xxxx0',
    'xxxxx',
    'xxxx1',
    'xxxx0',
    'xx xx',
  ])
})

test('a text that looks like what stands for others is one of them', () => {
  const names = fresh()
  expect(['ab', 'xx', 'x0'].map((text) => names.textFor(text))).toEqual(['xx', 'x0', 'x1'])
})

test('ids that are made of others name what stands for them', () => {
  const names = fresh()
  const call = names.textFor('call_abc')
  const session = names.textFor('session-1')
  expect(names.textFor('interrupted-tool-result-call_abc-41')).toBe(`interrupted-tool-result-${call}-41`)
  expect(names.textFor('repaired-call:session-1:7:0')).toBe(`repaired-call:${session}:7:0`)
  expect(names.textFor('plugin:acme')).toMatch(/^plugin:x{3}\w$/)
})

test('a constant text stays', () => {
  expect(fresh(new Set(['bash'])).textFor('bash')).toBe('bash')
})

const texts = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 4, maxLength: 30 }), { maxLength: 60 })

test('a text keeps its length, and what differs stays different', () => {
  fc.assert(
    fc.property(texts, (list) => {
      const names = fresh()
      const neutral = list.map((text) => names.textFor(text))
      for (const [index, text] of list.entries()) {
        const other = neutral[index] as string
        expect(other).toHaveLength(text.length)
        expect(Buffer.byteLength(other)).toBe(Buffer.byteLength(text))
        expect(other.trim() === '').toBe(text.trim() === '')
        expect(names.textFor(text)).toBe(other)
      }
      const said = list.filter((text) => /\p{L}{4}/u.test(text))
      expect(new Set(said.map((text) => names.textFor(text))).size).toBe(said.length)
    }),
  )
})

test('a thousand texts of four characters stay apart', () => {
  const names = fresh()
  const list = Array.from({ length: 1000 }, (_, index) => `w${String(index).padStart(3, '0')}`)
  expect(new Set(list.map((text) => names.textFor(text))).size).toBe(1000)
})

describe('numbers', () => {
  test.each([
    ['0', '0'],
    ['-0', '-0'],
    ['0.00', '0.00'],
    ['7', '1'],
    ['-42', '-10'],
    ['0.52', '0.01'],
    ['3.14e-7', '1.01e-7'],
    ['12.0', '10.0'],
    ['9007199254740993', '9999999999999999'],
    ['9007199254740992', '1000000000000000'],
  ])('%s becomes %s', (written, neutral) => {
    expect(fresh().numberFor(written)).toBe(neutral)
  })

  test('what was equal stays equal', () => {
    const names = fresh()
    expect(['55', '66', '55', '-55'].map((written) => names.numberFor(written))).toEqual([
      '10',
      '11',
      '10',
      '-12',
    ])
  })

  test('keep their length, their sign, whether they are whole, and whether they can be read', () => {
    const written = fc.oneof(
      fc.bigInt(-(10n ** 24n), 10n ** 24n).map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    )
    fc.assert(
      fc.property(written, (text) => {
        const neutral = fresh().numberFor(text)
        expect(neutral).toHaveLength(text.length)
        const [before, after] = [JSON.parse(text), JSON.parse(neutral)]
        expect(Math.sign(after)).toBe(Math.sign(before))
        if (!/e/i.test(text)) expect(Number.isInteger(after)).toBe(Number.isInteger(before))
      }),
    )
  })
})

test('a whole number too long for a reader stays one, and does not end the run', () => {
  const pseudonyms = new Pseudonyms((text) => text)
  for (const digits of [309, 400]) {
    const neutral = pseudonyms.numberFor('8'.repeat(digits))
    expect(neutral).toHaveLength(digits)
    expect(Number(neutral)).toBe(Number.POSITIVE_INFINITY)
  }
})

test('prose that begins like an id of DSH is prose', () => {
  const pseudonyms = new Pseudonyms((text) => text)
  expect(pseudonyms.textFor('legacy-message: call me :491701234567890')).toBe(
    'xxxxxx-xxxxxxx: xxxx xx :xxxxxxxxxxxxxxx',
  )
  expect(pseudonyms.textFor('legacy-message:session-1:12')).toMatch(/^legacy-message:.{9}:12$/)
})

test('a text and a number of the same spelling are no one value', () => {
  const pseudonyms = new Pseudonyms((text) => text)
  pseudonyms.numberFor('1')
  expect(pseudonyms.textFor('number 1')).not.toBe(pseudonyms.textFor('abcdef g'))
})
