/** `schema`: the JSON Schema of what a command prints. */
import { KINDS, lineSchemaOf, schemaOf } from '../report/published-schemas.ts'
import { reportSetOf, schemaName } from '../report/report.ts'
import { ToolError } from '../storage/tool-error.ts'
import { defineCommand } from './definition/command.ts'
import { flag } from './definition/option.ts'

export const command = defineCommand({
  arguments: [['<report>', 'command whose report is described, such as check']],
  options: { line: flag('describe a line of --format ndjson, not the answer of --format json') },
  uses: [],
  examples: ['resurface schema check', 'resurface schema classify --line > classify-line.schema.json'],
  run: async ([name], { line }) => {
    const kind = KINDS.find((known) => known === name)
    if (kind === undefined)
      throw new ToolError('usage', `there is no schema "${name}"`, `There are ${KINDS.join(', ')}.`)
    const document = (line ? lineSchemaOf : schemaOf)(schemaName(kind)) ?? {}
    return {
      reportSet: reportSetOf({ schema: 'resurface/schema@1', findings: [], data: { document } }),
      exitCode: 0,
    }
  },
})
