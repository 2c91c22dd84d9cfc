/** The data of `check` on a log that has been judged; `report` has it too. */
import type { ReleaseVerdict } from '../core/compatibility/compatibility.ts'
import type { ReportData } from '../report/report.ts'
import type { JudgedLog } from './log-report.ts'

export function checkData(
  log: JudgedLog<unknown>,
  compatibility: readonly ReleaseVerdict[],
): ReportData<'check'> {
  const { findings, judgement } = log
  const { layers, counts, opens } = judgement
  const { known } = findings
  return {
    layers,
    counts,
    opens,
    compatibility,
    events: log.end.eventCount,
    rules: findings.counts(),
    ...(known > 0 && { known }),
  }
}
