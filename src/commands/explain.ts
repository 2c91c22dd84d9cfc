/** `explain`: what the finding codes mean, and a small log that raises each. */

import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { isFindingCode, RULES, ruleOf } from '../core/findings/rules.ts'
import { mapOf } from '../core/json/json-schema.ts'
import { present } from '../core/json/json-value.ts'
import { didYouMean } from '../core/search/similar-words.ts'
import type { ListItem } from '../report/main-list.ts'
import { type ReportData, reportSetOf } from '../report/report.ts'
import type { ExampleFile, RuleExample, RuleExamples } from '../report/rule-example.ts'
import { RULE_EXAMPLE } from '../report/schemas/report-data.ts'
import { readSaved } from '../storage/read-saved.ts'
import { reasonOf } from '../storage/reason-of.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type CommandContext, defineCommand, type Outcome } from './definition/command.ts'
import { text } from './definition/option.ts'

export const command = defineCommand({
  arguments: [['[code]', 'a finding code, or the beginning of several']],
  options: {
    example: text('<dir>', 'write the example log of the code to a new folder; - prints its bytes'),
  },
  uses: [],
  examples: [
    'resurface explain',
    'resurface explain order/seq-gap',
    'resurface explain order/seq-gap --example demo',
    'resurface explain order/seq-gap --example - | resurface check -',
  ],
  run: async ([code], { example: folder }, context) => {
    const rules = await explained(code)
    if (folder === undefined) return outcomeOf({ rules })
    const [rule, ...others] = rules
    if (rule === undefined || others.length > 0)
      throw new ToolError('usage', 'an example belongs to one code; name it in full')
    if (folder === '-') return { ...outcomeOf({ rules }), bytes: bytesToPrint(rule, context) }
    await writeExample(exampleOf(rule), folder)
    return outcomeOf({ rules, written: folder })
  },
})

async function explained(wanted: string | undefined): Promise<readonly ListItem<'explain'>[]> {
  const codes = Object.keys(RULES).filter(isFindingCode)
  const exact = codes.filter((known) => known === wanted)
  const chosen =
    exact.length > 0 ? exact : codes.filter((known) => wanted === undefined || known.startsWith(wanted))
  if (chosen.length === 0) {
    const meant = didYouMean(wanted ?? '', codes)
    throw new ToolError(
      'usage',
      `there is no rule "${wanted}"`,
      `${meant}Run "resurface explain" for the list.`,
    )
  }
  const examples = await readRuleExamples()
  return chosen.map((known) => {
    const { severity, layer, title, why, fix, repairable, source, noExample } = ruleOf(known)
    const example = examples[known]
    return {
      code: known,
      severity,
      layer,
      title,
      why,
      fix,
      repairable,
      source,
      ...present({ example, noExample }),
    }
  })
}

function outcomeOf(data: ReportData<'explain'>): Outcome {
  return { reportSet: reportSetOf({ schema: 'resurface/explain@1', findings: [], data }), exitCode: 0 }
}

function exampleOf({
  code,
  example,
  noExample,
}: ListItem<'explain'>): NonNullable<ListItem<'explain'>['example']> {
  if (example !== undefined) return example
  throw new ToolError('usage', `there is no example log for ${code}`, noExample)
}

function bytesToPrint(rule: ListItem<'explain'>, { output }: CommandContext): Buffer {
  const [file, ...others] = exampleOf(rule).files
  if (file === undefined || others.length > 0)
    throw new ToolError('usage', `the example of ${rule.code} has several files`, 'Write it to a folder.')
  if (output !== undefined)
    throw new ToolError('usage', '-o is for the report; --example DIR writes the example to a folder')
  return exampleBytes(file)
}

/** Writes an example with the folders that belong to it into a folder of its own: nothing there is replaced. */
async function writeExample({ files }: RuleExample, folder: string): Promise<void> {
  if (folder === '') throw new ToolError('usage', 'an empty name names no folder')
  try {
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length > 0) {
      throw new ToolError(
        'usage',
        `${folder} is not empty`,
        'An example is written to a new folder: other files could change what is found.',
      )
    }
    for (const file of files) {
      const path = join(folder, file.path)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, exampleBytes(file), { flag: 'wx' })
    }
  } catch (error) {
    if (error instanceof ToolError) throw error
    throw new ToolError('input', `cannot write to ${folder}: ${reasonOf(error)}`)
  }
}

// The same place from src/commands and from dist/commands.
const FILE = fileURLToPath(new URL('../../docs/rule-examples.json', import.meta.url))

/** Only `explain` pays for reading them. */
function readRuleExamples(): Promise<RuleExamples> {
  return readSaved(FILE, {
    name: 'list of examples',
    schema: mapOf(RULE_EXAMPLE),
    error: 'input',
  })
}

/** The file, byte for byte. */
export function exampleBytes({ lines = [], gzip }: ExampleFile): Buffer {
  return gzip === undefined ? Buffer.from(lines.join('\n')) : gunzipSync(Buffer.from(gzip, 'base64'))
}
