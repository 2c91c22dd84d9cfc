/** What every comparison reports: both sides, what differs, and how it ends. */

import { type DiffLevel, diffExitCode, unreadIn } from '../../core/diff/change.ts'
import { present } from '../../core/json/json-value.ts'
import type { MadeList } from '../../core/json/made-list.ts'
import type { SurfaceMessage } from '../../core/projections/surface-view.ts'
import type { JudgedLog } from '../../load/inputs/judged-log.ts'
import { messagesDigest } from '../../load/sessions/log-digests.ts'
import { type Report, type ReportData, reportSetOf } from '../../report/report.ts'
import { shellWord } from '../../report/shell-word.ts'
import type { Outcome } from '../definition/command.ts'

export type Seen = JudgedLog<{ messages: MadeList<SurfaceMessage> }>

export function sideOf(
  { name, header, input, findings, end, results }: Seen,
  levels: readonly DiffLevel[],
): ReportData<'diff'>['a'] {
  const unread = unreadIn(findings.found())
  return {
    path: name,
    ...(header !== undefined && { sessionId: header.id, format: header.version }),
    container: input.container,
    events: end.eventCount,
    ...(levels.includes('surface') && {
      messages: results.messages.length,
      digest: messagesDigest(results.messages),
    }),
    ...(unread.length > 0 && { unread }),
  }
}

export function diffOutcome(data: ReportData<'diff'>): Outcome {
  const logs = data.outcome === 'same' ? [] : [data.a, data.b]
  const notes = logs
    .filter(({ path, unread }, index) => unread !== undefined && !(index === 1 && path === data.a.path))
    .map(
      ({ path, unread }) =>
        `${path} was not read whole (${unread?.join(', ')}): resurface check ${shellWord(path)}`,
    )
  const { path, sessionId, format, container } = data.a
  const subject = {
    path,
    ...present({ sessionId, format }),
    container,
  }
  const report: Report<'diff'> = { schema: 'resurface/diff@1', subject, findings: [], data }
  return { reportSet: reportSetOf(report), exitCode: diffExitCode(data.outcome), notes }
}
