/** Answers of `check` as a saved report holds them: hostile, huge, clean, of several logs. */
import { isFindingCode, ruleOf } from '../../src/core/findings/rules.ts'
import {
  type Report,
  type ReportFinding,
  type ReportSet,
  type RuleCount,
  reportSetOf,
} from '../../src/report/report.ts'

export const HOSTILE =
  '\x1b[2J\x00\u202e ]]> </failure> &amp; "\' % :,\r\n::error::x [a](http://x) {0} \ud800\ufffe'

export function checkReport(
  findings: readonly ReportFinding[],
  subject: Partial<NonNullable<Report['subject']>> = {},
): Report<'check'> {
  const counted = new Map<string, number>()
  for (const { code } of findings) counted.set(code, (counted.get(code) ?? 0) + 1)
  const rules = [...counted].map(([code, count]) => {
    const { severity = 'error' } = findings.find((finding) => finding.code === code) ?? {}
    return ruleCount(code, severity, count)
  })
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of findings) counts[severity]++
  return {
    schema: 'resurface/check@1',
    subject: { path: 'logs/session.jsonl', sessionId: 's', format: 0, container: 'jsonl', ...subject },
    verdict: findings.length === 0 ? 'clean' : 'findings',
    findings,
    data: {
      layers: { bytes: 'ok', order: 'ok', meaning: 'ok', compatibility: 'ok' },
      counts,
      opens: true,
      answers: { opens: 'yes', resumes: 'yes', nextRequest: 'yes' },
      events: 7,
      rules,
      compatibility: [],
    },
  }
}

/** A rule as the report has it; a code that there is none of has texts of its own. */
export function ruleCount(code: string, severity: ReportFinding['severity'], count: number): RuleCount {
  const { title, why, fix, repairable } = isFindingCode(code)
    ? ruleOf(code)
    : { title: code, why: `why ${code}`, fix: `fix ${code}`, repairable: false }
  return { code, severity, count, title, why, fix, repairable }
}

export function finding(code: string, more: Partial<ReportFinding> = {}): ReportFinding {
  return {
    code,
    severity: 'error',
    layer: 'order',
    message: 'expected seq 10, found 8',
    seq: 8,
    line: 11,
    byteOffset: 1566,
    fingerprint: '2d2d4dd9f31b2001',
    ...more,
  }
}

export function hostileReport(): Report<'check'> {
  return checkReport(
    [finding(HOSTILE, { message: HOSTILE }), finding('turn/open', { severity: 'warning', message: HOSTILE })],
    {
      path: `logs/${HOSTILE}`,
      sessionId: HOSTILE,
    },
  )
}

export function reportSet(
  reports: readonly Report<'check'>[],
  more: Partial<ReportSet<'check'>> = {},
): ReportSet<'check'> {
  return { schema: 'resurface/check@1', reports, ...more }
}

/** A report alone is the answer about one log. */
export function asReportSet(set: Report<'check'> | ReportSet<'check'>): ReportSet<'check'> {
  return 'reports' in set ? set : reportSetOf(set)
}
