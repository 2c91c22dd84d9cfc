/** `render`: a saved JSON report, printed in another format. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { diffExitCode } from '../core/diff/outcome.ts'
import { isFindingCode } from '../core/findings/rules.ts'
import { judge } from '../core/findings/verdict.ts'
import { isJsonObject } from '../core/json/json-value.ts'
import { SCHEMAS } from '../report/published-schemas.ts'
import { isKind, type Report, type ReportSet } from '../report/report.ts'
import { reasonOf } from '../storage/reason-of.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type CommandContext, defineCommand } from './definition/command.ts'
import { worstExitCode } from './many-logs/each-log.ts'

export const command = defineCommand({
  arguments: [['<file>', 'a report saved with --json, or - for standard input']],
  uses: ['findings', 'limit'],
  examples: [
    'resurface check session.jsonl --json -o report.json',
    'resurface render report.json --format markdown',
  ],
  run: async ([path], _options, context) => {
    const answer = parseReport(path, await contentOf(path, context))
    const reports = 'reports' in answer ? answer.reports : [answer]
    const codes = reports.map((report) => exitCodeOf(report, context))
    const unread = 'unread' in answer && (answer.unread?.length ?? 0) > 0
    return { answer, exitCode: worstExitCode(unread ? [...codes, UNREAD] : codes) }
  },
})

/** Exit code of an input that could not be read. */
const UNREAD = 3

async function contentOf(path: string, context: CommandContext): Promise<string> {
  try {
    return path === '-' ? await text(context.stdin) : await readFile(path, 'utf8')
  } catch (error) {
    throw new ToolError('input', `cannot read ${path}: ${reasonOf(error)}`)
  }
}

function parseReport(path: string, content: string): Report | ReportSet {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    throw new ToolError('input', `${path} is not a JSON report`)
  }
  if (isReport(value) || isReportSet(value)) return value
  throw new ToolError('input', `${path} is not a report of this version of resurface`)
}

function isReport(value: unknown): value is Report {
  return (
    isJsonObject(value) &&
    SCHEMAS.includes(String(value.schema)) &&
    Array.isArray(value.findings) &&
    isJsonObject(value.data)
  )
}

/** All reports of a set are of one command. */
function isReportSet(value: unknown): value is ReportSet {
  return (
    isJsonObject(value) &&
    SCHEMAS.includes(String(value.schema)) &&
    Array.isArray(value.reports) &&
    value.reports.every((report) => isReport(report) && report.schema === value.schema)
  )
}

/** The code that the command itself gave: a saved report must not turn green by being printed again. */
function exitCodeOf(report: Report, context: CommandContext): number {
  if (isKind(report, 'diff')) return diffExitCode(report.data.outcome)
  const counted = isKind(report, 'check')
    ? report.data.rules
    : report.findings.map(({ code, severity }) => ({ code, severity, count: 1 }))
  const counts = counted.flatMap(({ code, ...rest }) => (isFindingCode(code) ? [{ code, ...rest }] : []))
  return judge(counts, context.failOn).exitCode
}
