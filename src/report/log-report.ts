/** A log that was judged, as a report: its findings, its verdict, and the data that several commands have in common. */

import type { ReleaseVerdict } from '../core/compatibility/compatibility.ts'
import type { SessionHeader } from '../core/event/session-event.ts'
import { describe } from '../core/findings/describe.ts'
import { type Finding, fingerprintOf } from '../core/findings/finding.ts'
import type { FindingLog } from '../core/findings/finding-log.ts'
import { type FindingCode, fixIn, ruleOf } from '../core/findings/rules.ts'
import type { Judgement } from '../core/findings/verdict.ts'
import { present } from '../core/json/json-value.ts'
import type { Classification } from '../core/projections/classification.ts'
import type { Gaps } from '../core/projections/gaps.ts'
import type { Inheritance } from '../core/projections/inheritance.ts'
import type { Statistics } from '../core/projections/statistics.ts'
import type { WaitingMessage } from '../core/replay/inbox-list.ts'
import { remedyText } from './remedy.ts'
import { type Report, type ReportData, type ReportFinding, type ReportKind, schemaName } from './report.ts'

/** What a report is made of. */
export interface ReportedLog {
  /** The log as it was named. */
  readonly name: string
  readonly header: SessionHeader | undefined
  readonly judgement: Judgement
  readonly findings: FindingLog
  readonly input: {
    readonly container: string
    readonly marks?: ReadonlySet<string>
    readonly secretsLeft?: ReadonlySet<string>
  }
}

/** A report on a log, with its findings and the verdict they give. */
export function logReport<Kind extends ReportKind>(
  kind: Kind,
  log: ReportedLog,
  data: ReportData<Kind>,
): Report<Kind> {
  const { name, header, judgement, input } = log
  return {
    schema: schemaName(kind),
    subject: {
      path: name,
      ...(header !== undefined && { sessionId: header.id, format: header.version }),
      container: input.container,
    },
    verdict: judgement.verdict,
    findings: log.findings.findings().map((finding) => reportFinding(finding, log.findings)),
    data,
  }
}

export function reportFinding(finding: Finding, log: FindingLog): ReportFinding {
  const { sessionId } = log
  const { code, origin, seq, related, causedBy, excerpt } = finding
  const { layer } = ruleOf(code)
  const severity = log.severityOf(code)
  const { line, byteOffset, byteLength, frame, row } = origin
  return {
    code,
    severity,
    layer,
    message: describe(finding),
    ...present({ seq, line, byteOffset, byteLength, frame, row }),
    ...(related !== undefined && related.length > 0 && { related }),
    ...(excerpt !== undefined && { excerpt }),
    ...(causedBy !== undefined && { causedBy: fingerprintOf(causedBy, sessionId) }),
    fingerprint: fingerprintOf(finding, sessionId),
  }
}

/** The data of `check`; `report` has it too. */
export function checkData(
  {
    name,
    judgement,
    findings,
    end,
    results,
  }: ReportedLog & {
    readonly end: { readonly eventCount: number }
    readonly results: { readonly gaps: Gaps }
  },
  compatibility: readonly ReleaseVerdict[],
): ReportData<'check'> {
  const { layers, counts, opens, answers } = judgement
  const { known } = findings
  const firsts = new Map<FindingCode, Finding>()
  for (const finding of findings.findings())
    if (finding.causedBy === undefined && !firsts.has(finding.code)) firsts.set(finding.code, finding)
  const lost = withoutMisplaced(results.gaps.kept, findings.findings())
  const gapCount = results.gaps.count - (results.gaps.kept.length - lost.length)
  return {
    layers,
    counts,
    opens,
    answers,
    compatibility,
    events: end.eventCount,
    rules: findings.counts().map((counted) => {
      const { title, why, repairable } = ruleOf(counted.code)
      const remedy = remedyText(fixIn(counted.code, answers.opens !== 'no'), name, firsts.get(counted.code))
      return { ...counted, title, why, fix: remedy, repairable }
    }),
    ...(gapCount > 0 && { gaps: lost, gapCount }),
    ...(known > 0 && { known }),
  }
}

/** What is in the file under another number or in another place is not lost. */
function withoutMisplaced(gaps: Gaps['kept'], findings: readonly Finding[]): Gaps['kept'] {
  const ranges = findings.flatMap(({ code, args }) =>
    code === 'order/misplaced' ? [{ from: args.belongsAt, to: args.belongsTo }] : [],
  )
  return gaps.filter(({ kind, first, last }) => {
    const isFilled = ranges.some(({ from, to }) => from <= first && last !== undefined && last <= to)
    return kind !== 'missing' || !isFilled
  })
}

/** The data of `info`; `report` has it too. */
export function infoData({
  header,
  fileBytes,
  layout,
  results,
}: Pick<ReportedLog, 'header'> & {
  readonly fileBytes: number
  readonly layout: { readonly records: number }
  readonly results: {
    readonly statistics: Statistics
    readonly classes: Classification
    readonly inherited: Inheritance | undefined
    readonly waiting: readonly WaitingMessage[]
  }
}): ReportData<'info'> {
  const { inherited } = results
  const waiting = results.waiting.map(({ seq, text }) => ({ seq, text }))
  return {
    ...(header !== undefined && { header }),
    bytes: fileBytes,
    records: layout.records,
    ...(inherited !== undefined && { inherited }),
    ...(waiting.length > 0 && { waiting }),
    classes: results.classes.counts,
    ...results.statistics,
  }
}
