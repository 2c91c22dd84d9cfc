/** JUnit XML: well-formed whatever a log holds, one suite a log, one case a rule. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderJunit } from '../../src/report/renderers/junit.ts'
import type { Report, ReportSet } from '../../src/report/report.ts'
import { type Element, parseXml } from '../support/parse-xml.ts'
import { asReportSet, checkReport, finding, hostileReport, reportSet, ruleCount } from './saved-checks.ts'

function junit(set: Report<'check'> | ReportSet<'check'>): Element {
  const text = [...renderJunit(asReportSet(set))].join('')
  expect(text).toMatch(/[^\n]\n$/)
  return parseXml(text)
}

const onlyCase = (report: Report<'check'>): Element | undefined =>
  junit(report).children[0]?.children.find(({ name }) => name === 'testcase')

test('a clean log is one case that passes', () => {
  const root = junit(checkReport([]))
  expect(root.attributes).toEqual({
    name: 'resurface',
    tests: '1',
    failures: '0',
    errors: '0',
    skipped: '0',
    time: '0',
  })
  expect(onlyCase(checkReport([]))).toMatchObject({
    attributes: { name: 'clean', classname: 'logs/session.jsonl' },
    children: [],
  })
})

test('a rule that was broken is one case, however often', () => {
  const findings = [finding('order/seq-repeated', { seq: 8 }), finding('order/seq-repeated', { seq: 9 })]
  const broken = onlyCase(checkReport(findings))
  expect(broken?.attributes.name).toBe('order/seq-repeated')
  const [failure] = broken?.children ?? []
  expect(failure?.name).toBe('failure')
  expect(failure?.attributes).toEqual({
    type: 'order/seq-repeated',
    message: 'there are duplicate sequence numbers (2 times)',
  })
  expect(failure?.text.split('\n').slice(0, 2)).toEqual([
    'error: line 11, seq 8: expected seq 10, found 8',
    'error: line 11, seq 9: expected seq 10, found 8',
  ])
  expect(failure?.text).toContain('\nfix: ')
})

test('warnings and notes pass with their text; what was not checked does not pass', () => {
  const child = (code: string, severity: 'warning' | 'info') =>
    onlyCase(checkReport([finding(code, { severity })]))?.children.map(({ name }) => name)
  expect(child('turn/open', 'warning')).toEqual(['system-out'])
  expect(child('bytes/crlf', 'info')).toEqual(['system-out'])
  expect(child('bytes/line-too-long', 'warning')).toEqual(['skipped', 'system-out'])
  expect(child('format/newer', 'warning')).toEqual(['skipped', 'system-out'])
})

test('totals add up over the logs, and an input that could not be read is an error', () => {
  const set = reportSet(
    [
      checkReport([finding('order/seq-repeated'), finding('turn/open', { severity: 'warning' })]),
      checkReport([], { path: 'b' }),
      checkReport([finding('bytes/line-too-long', { severity: 'warning' })], { path: 'c' }),
    ],
    { unread: [{ path: 'd', message: 'cannot read d: permission denied' }] },
  )
  const root = junit(set)
  const { tests, failures, errors, skipped } = root.attributes
  expect([tests, failures, errors, skipped]).toEqual(['5', '1', '1', '1'])
  expect(root.children.map((suite) => suite.attributes.name)).toEqual(['logs/session.jsonl', 'b', 'c', 'd'])
  for (const key of ['tests', 'failures', 'errors', 'skipped'])
    expect(root.children.reduce((sum, suite) => sum + Number(suite.attributes[key]), 0)).toBe(
      Number(root.attributes[key]),
    )
})

test('findings beyond those that are kept are counted', () => {
  const report = checkReport([finding('order/seq-repeated')])
  const rules = [ruleCount('order/seq-repeated', 'error', 12)]
  const flooded = onlyCase({ ...report, data: { ...report.data, rules } })
  expect(flooded?.children[0]?.text).toContain('… and 11 more findings of this rule')
})

describe('hostile text', () => {
  test('is shown as its escape', () => {
    const root = junit(hostileReport())
    const suite = root.children[0]
    expect(suite?.attributes.name).toContain('\\x1b[2J\\x00\\u202e ]]> </failure> &amp; "\' % :,\\r\\n')
    expect(suite?.attributes.name).toContain('\\ud800\\ufffe')
  })

  test('never breaks the document', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' }), (a, b) => {
        const report = checkReport([finding(a, { message: b }), finding('turn/open', { message: a })], {
          path: b,
        })
        expect(junit(report).children).toHaveLength(1)
      }),
    )
  })
})
