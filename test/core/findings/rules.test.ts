/** The registry as a whole, the verdict, and what a finding log keeps. */
import { describe, expect, test } from 'vitest'
import { type Finding, type FindingOf, findingOf, fingerprintOf } from '../../../src/core/findings/finding.ts'
import { FindingLog } from '../../../src/core/findings/finding-log.ts'
import { DEFAULT_POLICY } from '../../../src/core/findings/policy.ts'
import { type EvidenceOf, type FindingCode, RULES, ruleOf } from '../../../src/core/findings/rules.ts'
import { type FailOn, judge, type Verdict } from '../../../src/core/findings/verdict.ts'
import { faultsIn } from '../../support/plain-english.ts'

const CODES = Object.keys(RULES) as FindingCode[]

describe.each(CODES)('%s', (code) => {
  const rule = ruleOf(code)

  test('is complete', () => {
    expect(code).toMatch(/^[a-z]+\/[a-z0-9]+(-[a-z0-9]+)*$/)
    for (const text of [rule.title, rule.why, rule.fix, rule.source]) expect(text.trim()).not.toBe('')
    expect(rule.title).not.toMatch(/[.\n]$/)
  })

  test('speaks plain English', () => {
    for (const text of [rule.title, rule.why, rule.fix]) {
      expect(faultsIn(text)).toEqual([])
      expect(text).not.toMatch(/[Rr]eport it to/)
    }
  })

  test('a log that nobody opens is never clean, and one that needs no repair is not called repairable', () => {
    const { verdict, exitCode } = judge([{ code, severity: rule.severity, count: 1 }])
    if (rule.refused) expect([verdict, exitCode]).not.toEqual(['clean', 0])
    if (rule.severity === 'info') expect(rule.repairable).toBe(false)
    if (rule.repairable) expect(rule.repairs?.length).toBeGreaterThan(0)
  })
})

describe('verdict', () => {
  const counts = (...codes: FindingCode[]) =>
    codes.map((code) => ({ code, severity: ruleOf(code).severity, count: 1 }))

  test.each<[codes: FindingCode[], verdict: Verdict, exitCode: number, opens: boolean]>([
    [[], 'clean', 0, true],
    [['bytes/crlf'], 'clean', 0, true],
    [['turn/open'], 'findings', 0, true],
    [['order/seq-gap'], 'findings', 1, false],
    [['pair/result-missing'], 'findings', 1, true],
    [['format/newer'], 'unsupported', 4, false],
    [['vocabulary/unknown-type', 'turn/open'], 'unsupported', 4, false],
    [['bytes/line-too-long'], 'incomplete', 4, true],
    [['bytes/line-too-long', 'vocabulary/unknown-type'], 'incomplete', 4, false],
    [['bytes/line-too-long', 'order/seq-gap'], 'findings', 1, false],
    [['vocabulary/unknown-type', 'envelope/invalid'], 'findings', 1, false],
    [['bytes/empty-file'], 'findings', 3, false],
    [['bytes/not-a-log'], 'findings', 3, false],
  ])('%j: %s, exit %i, opens %s', (codes, verdict, exitCode, opens) => {
    expect(judge(counts(...codes))).toMatchObject({ verdict, exitCode, opens })
  })

  test.each<[failOn: FailOn, code: FindingCode, exitCode: number]>([
    ['error', 'turn/open', 0],
    ['warning', 'turn/open', 1],
    ['warning', 'bytes/crlf', 0],
    ['info', 'bytes/crlf', 1],
    ['never', 'order/seq-gap', 0],
    ['never', 'vocabulary/unknown-type', 4],
    ['warning', 'vocabulary/unknown-type', 1],
    ['never', 'bytes/empty-file', 3],
  ])('--fail-on %s with %s: exit %i', (failOn, code, exitCode) => {
    expect(judge(counts(code), failOn).exitCode).toBe(exitCode)
  })

  test('the layers show the worst of each, and a note leaves a layer ok', () => {
    const { layers } = judge(counts('turn/open', 'pair/result-missing', 'bytes/torn-tail', 'header/unknown'))
    expect(layers).toEqual({ bytes: 'warning', order: 'ok', meaning: 'error', compatibility: 'ok' })
  })
})

describe('finding log', () => {
  const finding = (code: FindingCode, byteOffset: number, seq?: number): Finding =>
    findingOf(code, {} as EvidenceOf<FindingCode>, {
      origin: { byteOffset },
      ...(seq !== undefined && { seq }),
    })

  test('counts all, keeps the first of each rule', () => {
    const log = new FindingLog(DEFAULT_POLICY, 2)
    for (let index = 0; index < 5; index++) log.add(finding('turn/nested', index, index))
    log.add(finding('order/seq-gap', 9, 9))
    expect(log.findings().map(({ seq }) => seq)).toEqual([0, 1, 9])
    expect(log.counts()).toEqual([
      { code: 'order/seq-gap', severity: 'error', count: 1 },
      { code: 'turn/nested', severity: 'warning', count: 5 },
    ])
  })

  test('lists in the order of the file, whatever the order of discovery', () => {
    const log = new FindingLog()
    log.add(finding('turn/open', 50, 5))
    log.add(finding('bytes/crlf', 10))
    log.add(finding('surface/op-missing', 50, 4))
    expect(log.findings().map(({ code }) => code)).toEqual(['bytes/crlf', 'surface/op-missing', 'turn/open'])
  })
})

test('a fingerprint survives moved lines, and tells events, rules, sessions and what is named apart', () => {
  const finding: FindingOf<'pair/result-repeated'> = {
    code: 'pair/result-repeated',
    origin: { line: 3, byteOffset: 70 },
    seq: 4,
    args: { callId: 'c', firstAt: 2 },
  }
  const print = fingerprintOf(finding, 's')
  expect(print).toMatch(/^[0-9a-f]{16}$/)
  expect(fingerprintOf({ ...finding, origin: { line: 9, byteOffset: 300 } }, 's')).toBe(print)
  // Numbers may grow while the log does; the finding is the same.
  expect(fingerprintOf({ ...finding, args: { callId: 'c', firstAt: 3 } }, 's')).toBe(print)
  const others = [
    fingerprintOf({ ...finding, seq: 5 }, 's'),
    fingerprintOf({ ...finding, code: 'pair/id-repeated' }, 's'),
    fingerprintOf(finding, 't'),
    fingerprintOf({ ...finding, args: { callId: 'c1', firstAt: 2 } }, 's'),
  ]
  expect(new Set([print, ...others]).size).toBe(5)
})
