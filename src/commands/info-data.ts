/** The data of `info` on a log; `report` has it too. */
import type { Classification } from '../core/projections/classification.ts'
import type { Statistics } from '../core/projections/statistics.ts'
import type { ReportData } from '../report/report.ts'
import type { JudgedLog } from './log-report.ts'

export function infoData({
  header,
  fileBytes,
  results,
}: JudgedLog<{ statistics: Statistics; classes: Classification }>): ReportData<'info'> {
  return {
    ...(header !== undefined && { header }),
    bytes: fileBytes,
    classes: results.classes.counts,
    ...results.statistics,
  }
}
