/** Answers of `check` as a saved report holds them: hostile, huge, clean, of several logs. */
import type { Report, ReportFinding, ReportSet } from '../../src/report/report.ts'

export const HOSTILE =
  '\x1b[2J\x00\u202e ]]> </failure> &amp; "\' % :,\r\n::error::x [a](http://x) {0} \ud800\ufffe'

export function checkReport(
  findings: readonly ReportFinding[],
  subject: Partial<NonNullable<Report['subject']>> = {},
): Report<'check'> {
  const rules = new Map<string, { code: string; severity: ReportFinding['severity']; count: number }>()
  for (const { code, severity } of findings) {
    const rule = rules.get(code)
    if (rule === undefined) rules.set(code, { code, severity, count: 1 })
    else rule.count++
  }
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
      events: 7,
      rules: [...rules.values()],
      compatibility: [],
    },
  }
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
