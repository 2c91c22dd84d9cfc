/** `render`: a saved JSON report, printed in another format. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type DiffOutcome, diffExitCode } from '../core/diff/outcome.ts'
import { isFindingCode } from '../core/findings/rules.ts'
import { judge } from '../core/findings/verdict.ts'
import { isJsonObject } from '../core/json/json-value.ts'
import type { Report, ReportSet } from '../report/report.ts'
import { isKnownSchema } from '../report/views/index.ts'
import { reasonOf } from '../storage/reason-of.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type CommandContext, defineCommand, type Outcome } from './definition/command.ts'
import { text as textOption } from './definition/option.ts'
import { worstExitCode } from './many-logs/each-log.ts'

export const command = defineCommand({
  arguments: [['[report]', 'a report saved with --json, or - for standard input']],
  options: {
    schema: textOption('<name>', 'print the JSON Schema of a report, such as resurface/check@1'),
  },
  examples: [
    'resurface check session.jsonl --json -o report.json',
    'resurface render report.json --format markdown',
  ],
  run: async ([path], { schema }, context) => {
    if (schema !== undefined) return printedSchema(schema)
    if (path === undefined) throw new ToolError('usage', 'render needs a report, or --schema NAME')
    const answer = parseReport(path, await contentOf(path, context))
    const reports = 'reports' in answer ? answer.reports : [answer]
    const codes = reports.map((report) => exitCodeOf(report, context))
    const unread = 'unread' in answer && (answer.unread?.length ?? 0) > 0
    return { answer, exitCode: worstExitCode(unread ? [...codes, UNREAD] : codes) }
  },
})

/** Exit code of an input that could not be read. */
const UNREAD = 3

async function printedSchema(name: string): Promise<Outcome> {
  const { SCHEMAS, schemaOf } = await import('../report/schemas/index.ts')
  const schema = schemaOf(name)
  if (schema === undefined) {
    throw new ToolError('usage', `there is no schema ${name}`, `There are ${SCHEMAS.join(', ')}.`)
  }
  return {
    answer: { schema: 'resurface/schema@1', findings: [], data: { ...schema } },
    exitCode: 0,
    document: schema,
  }
}

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
    isKnownSchema(value.schema) &&
    Array.isArray(value.findings) &&
    isJsonObject(value.data)
  )
}

/** All reports of a set are of one command. */
function isReportSet(value: unknown): value is ReportSet {
  return (
    isJsonObject(value) &&
    isKnownSchema(value.schema) &&
    Array.isArray(value.reports) &&
    value.reports.every((report) => isReport(report) && report.schema === value.schema)
  )
}

/** The code that the command itself gave: a saved report must not turn green by being printed again. */
function exitCodeOf(report: Report, context: CommandContext): number {
  if (report.schema === 'resurface/diff@1') return diffExitCode(report.data.outcome as DiffOutcome)
  const rules = (report.data.rules ?? []) as {
    code: string
    severity: 'error' | 'warning' | 'info'
    count: number
  }[]
  const fromCheck = report.schema === 'resurface/check@1'
  const counted = fromCheck
    ? rules
    : report.findings.map(({ code, severity }) => ({ code, severity, count: 1 }))
  const counts = counted.flatMap(({ code, ...rest }) => (isFindingCode(code) ? [{ code, ...rest }] : []))
  return judge(counts, context.failOn).exitCode
}
