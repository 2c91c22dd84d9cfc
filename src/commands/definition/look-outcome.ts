/**
 * The outcome of a command that only looks at a log: it succeeds when there is a report, whatever the log is like, and a
 * remark says that `check` would find something. With `--fail-on` it ends as `check` does.
 */
import { logReport, type ReportedLog } from '../../report/log-report.ts'
import { plural } from '../../report/number-text.ts'
import { type ReportData, type ReportKind, reportSetOf } from '../../report/report.ts'
import { shellWord } from '../../report/shell-word.ts'
import type { CommandContext, Outcome } from './command.ts'

const NOT_A_LOG = 3

export function lookOutcome<Kind extends ReportKind>(
  kind: Kind,
  log: ReportedLog,
  data: ReportData<Kind>,
  { failsOnFindings }: Pick<CommandContext, 'failsOnFindings'>,
  remarks: readonly string[] = [],
): Outcome<Kind> {
  const { exitCode } = log.judgement
  return {
    reportSet: reportSetOf(logReport(kind, log, data)),
    exitCode: failsOnFindings || exitCode === NOT_A_LOG ? exitCode : 0,
    notes: [...remarks, ...redactionNotes(log), ...notesOn(log)],
  }
}

function notesOn({ name, judgement }: ReportedLog): readonly string[] {
  const { counts, exitCode, verdict } = judgement
  const command = `resurface check ${shellWord(name)}`
  if (verdict === 'refused-by-newer') return [`${name}: newer releases of DSH refuse it: ${command}`]
  if (counts.error + counts.warning > 0)
    return [
      `${name} has ${plural(counts.error, 'error')} and ${plural(counts.warning, 'warning')}: ${command}`,
    ]
  return exitCode === 0 ? [] : [`${name} was not checked fully: ${command}`]
}

/** What was replaced, and that nobody can promise that it was everything. */
function redactionNotes({ name, input }: ReportedLog): readonly string[] {
  if (input.marks === undefined) return []
  const kinds = kindsText(input.marks)
  const found = kinds === '' ? 'no secret was recognised' : `secrets replaced: ${kinds}`
  const left = [...(input.secretsLeft ?? [])].map(
    (kind) => `${name}: the value of ${kind} stays where it is a number or a word of the format`,
  )
  return [...left, `${name}: ${found}; what no rule recognises stays: docs/redact.md`]
}

/** `2 mail-address, 1 github-token` */
function kindsText(marks: ReadonlySet<string>): string {
  const counts = new Map<string, number>()
  for (const mark of marks) {
    const kind = mark.replace(/^\[redacted:(.*):\d+\]$/, '$1')
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')
}
