/** Every rule words whatever evidence its kinds allow: on one line, with no hole in it, and with the right number. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describe as wordingOf } from '../../../src/core/findings/describe.ts'
import type { Finding } from '../../../src/core/findings/finding.ts'
import type { EvidenceKind, EvidenceKinds } from '../../../src/core/findings/rule.ts'
import { type FindingCode, RULES, ruleOf } from '../../../src/core/findings/rules.ts'
import type { JsonObject } from '../../../src/core/json/json-value.ts'

const CODES = Object.keys(RULES) as FindingCode[]

const count = fc.oneof(fc.constantFrom(0, 1, 2), fc.nat())
const word = fc.constantFrom('x', 'call_7', 'tool/result', 'a long one '.repeat(300))

const EVIDENCE: Readonly<Record<EvidenceKind, fc.Arbitrary<unknown>>> = {
  count,
  number: count,
  seq: count,
  seqs: fc.array(count, { minLength: 1, maxLength: 40 }),
  text: word,
  name: word,
  value: fc.oneof(
    fc.constant(undefined),
    fc.jsonValue({ noUnicodeString: true, depthSize: 'large' } as object),
  ),
  flag: fc.boolean(),
}

function evidenceOf(kinds: EvidenceKinds): fc.Arbitrary<JsonObject> {
  const members = Object.entries(kinds).map(([name, kind]) => {
    if (typeof kind !== 'string')
      return [name, fc.constantFrom(...(Array.isArray(kind) ? kind : Object.keys(kind)))]
    if (!kind.endsWith('?')) return [name, EVIDENCE[kind as EvidenceKind]]
    return [name, fc.option(EVIDENCE[kind.slice(0, -1) as EvidenceKind], { nil: undefined })]
  })
  return fc.record(Object.fromEntries(members)) as fc.Arbitrary<JsonObject>
}

const wordingWith = (code: FindingCode, args: JsonObject): string =>
  wordingOf({ code, args } as unknown as Finding)

describe.each(CODES)('%s', (code) => {
  test('words any evidence of its kinds', () => {
    fc.assert(
      fc.property(evidenceOf(ruleOf(code).args), (args) => {
        const text = wordingWith(code, args)
        expect(text).not.toBe('')
        expect(text.length).toBeLessThan(1000)
        expect(text).not.toMatch(/undefined|NaN|\[object|\$\{/)
      }),
      { numRuns: 50 },
    )
  })

  const kinds = Object.entries(ruleOf(code).args)
  const counts = kinds.filter(([, kind]) => kind === 'count' || kind === 'count?')
  if (counts.length > 0) {
    test('agrees in number', () => {
      const others = fc.sample(
        evidenceOf(Object.fromEntries(kinds.filter((one) => !counts.includes(one)))),
        20,
      )
      for (const rest of others) {
        const one = wordingWith(code, { ...rest, ...Object.fromEntries(counts.map(([name]) => [name, 1])) })
        const many = wordingWith(code, { ...rest, ...Object.fromEntries(counts.map(([name]) => [name, 62])) })
        expect(one).not.toMatch(/(?<![\w.-])1 (?!is\b|was\b|has\b)[a-z]+s\b/)
        expect(many).not.toMatch(/(?<![\w.-])62 (?!more\b|(?:[a-z]+ )?[a-z]+s\b)/)
      }
    })
  }
})
