/**
 * The published JSON Schemas: of a report as `--json` prints it, and of a line of
 * `--format ndjson`. Readers ignore members that they do not know; a removed or retyped member makes a new version.
 */
import { type JsonSchema, listOf, type RecordSchema, record, text, whole } from '../core/json/json-schema.ts'
import { mainListOf } from './main-list.ts'
import { schemaName } from './report.ts'
import { REPORT_DATA, type ReportKind } from './schemas/report-data.ts'
import { SHARED_DEFINITIONS, shared } from './schemas/shared-definitions.ts'

export type { JsonSchema } from '../core/json/json-schema.ts'

const JSON_SCHEMA = 'https://json-schema.org/draft/2020-12/schema'

export const KINDS = Object.keys(REPORT_DATA) as readonly ReportKind[]

/** Kinds of reports, `resurface/<command>@<version>`. */
export const SCHEMAS: readonly string[] = KINDS.map(schemaName)

/** The schema of what `--json` prints; `undefined` for a kind of report that this version does not know. */
export function schemaOf(schema: string): JsonSchema | undefined {
  const kind = KINDS.find((known) => schemaName(known) === schema)
  if (kind === undefined) return undefined
  const findings = listOf(shared('finding'))
  const report = record(
    { schema: { const: schema }, findings, data: REPORT_DATA[kind] },
    { subject: shared('subject'), verdict: shared('verdict') },
  )
  return {
    $schema: JSON_SCHEMA,
    title: schema,
    ...record({ schema: { const: schema }, reports: listOf(report) }, { unread: listOf(shared('unread')) }),
    $defs: SHARED_DEFINITIONS,
  }
}

/** The schema of one line of `--format ndjson`. */
export function lineSchemaOf(schema: string): JsonSchema | undefined {
  const kind = KINDS.find((known) => schemaName(known) === schema)
  if (kind === undefined) return undefined
  const { properties }: RecordSchema<object> = REPORT_DATA[kind]
  const main = mainListOf(kind)
  const { [main?.member ?? '']: list, ...rest } = properties
  const log = {
    log: {
      ...text,
      description: 'path of the log; of check, events and info always, else when there are several',
    },
  }
  const summary = record(
    { kind: { const: 'summary' }, schema: { const: schema } },
    {
      ...log,
      subject: shared('subject'),
      verdict: shared('verdict'),
      findings: { ...whole, description: 'number of findings of the report' },
      ...rest,
    },
  )
  const total = record({ kind: { const: 'total' }, schema: { const: schema }, reports: whole, unread: whole })
  const lines: JsonSchema[] = [
    { ...total, description: 'the last line' },
    { ...summary, description: 'the last line of a report' },
    { allOf: [shared('finding'), record({ kind: { const: 'finding' } }, log)] },
    { allOf: [shared('unread'), record({ kind: { const: 'unread' } })] },
  ]
  if (main !== undefined)
    lines.push({
      allOf: [list?.items, record(main.kind === undefined ? {} : { kind: { const: main.kind } }, log)],
    })
  return { $schema: JSON_SCHEMA, title: `${schema}, a line`, anyOf: lines, $defs: SHARED_DEFINITIONS }
}
