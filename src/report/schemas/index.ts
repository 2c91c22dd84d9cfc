/**
 * The published JSON Schemas: of a report as `--json` prints it, for one input or several, and of a line of
 * `--format ndjson`. Readers ignore members that they do not know; a removed or retyped member makes a new version.
 */
import { rowsOf } from '../views/index.ts'
import { type JsonSchema, listOf, record, shared, text, whole } from './json-schema.ts'
import { REPORT_DATA } from './report-data.ts'
import { SHARED_DEFINITIONS } from './shared-definitions.ts'

export type { JsonSchema } from './json-schema.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** Kinds of reports, `resurface/<command>@<version>`. */
export const SCHEMAS: readonly string[] = Object.keys(REPORT_DATA)

/** The schema of what `--json` prints; `undefined` for a kind of report that this version does not know. */
export function schemaOf(schema: string): JsonSchema | undefined {
  const data = dataOf(schema)
  if (data === undefined) return undefined
  const findings = listOf(shared('finding'))
  const report = record(
    { schema: { const: schema }, findings, data },
    { subject: shared('subject'), verdict: shared('verdict') },
  )
  return {
    $schema: DIALECT,
    title: schema,
    if: { required: ['reports'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
    then: record(
      { schema: { const: schema }, reports: listOf(shared('report')) },
      { unread: listOf(shared('unread')) },
    ),
    else: shared('report'),
    $defs: { ...SHARED_DEFINITIONS, report },
  }
}

/** The schema of one line of `--format ndjson`. */
export function lineSchemaOf(schema: string): JsonSchema | undefined {
  const data = dataOf(schema)
  if (data === undefined) return undefined
  const { properties } = data as { properties: Record<string, JsonSchema> }
  const rows = rowsOf(schema)
  const { [rows?.member ?? '']: list, ...rest } = properties
  const log = { log: { ...text, description: 'path of the log, when there are several' } }
  const summary = record(
    { kind: { const: 'summary' }, schema: { const: schema } },
    {
      ...log,
      subject: shared('subject'),
      verdict: shared('verdict'),
      findings: whole,
      reports: { ...whole, description: 'number of reports, on the line that ends them all' },
      ...rest,
    },
  )
  const lines = [
    summary,
    { allOf: [shared('finding'), record({ kind: { const: 'finding' } }, log)] },
    { allOf: [shared('unread'), record({ kind: { const: 'unread' } })] },
  ]
  if (rows !== undefined) {
    const item = (list as { items: JsonSchema }).items
    // Items that have kinds of their own keep them.
    const hasKind = 'kind' in ((item.properties as object) ?? {})
    lines.push({ allOf: [item, record(hasKind ? {} : { kind: { const: rows.kind } }, log)] })
  }
  return { $schema: DIALECT, title: `${schema}, a line`, anyOf: lines, $defs: SHARED_DEFINITIONS }
}

function dataOf(schema: string): JsonSchema | undefined {
  return Object.hasOwn(REPORT_DATA, schema) ? REPORT_DATA[schema] : undefined
}
