/** The rules, in short or one in full, with the log that raises it. */
import type { ListItem } from '../main-list.ts'
import { plural } from '../number-text.ts'
import { type ExampleFile, type RuleExample, tryCommand } from '../rule-example.ts'
import type { Cell, ExcerptLine, Section, Tone } from '../section.ts'
import type { View } from './view.ts'

type ExplainedRule = ListItem<'explain'>

export const explainView: View<'explain'> = {
  *sections(report) {
    const { rules, written } = report.data
    const [rule] = rules
    if (rules.length === 1 && rule !== undefined) {
      yield* ruleSections(rule)
      if (rule.example !== undefined) yield* exampleSections(rule, rule.example, written)
      return
    }
    const columns = [
      { label: 'severity', width: 8 },
      { label: 'code', width: 30 },
      { label: 'title', width: 0 },
    ]
    yield {
      kind: 'rows',
      columns,
      rows: rules.map(({ severity, code, title }) => [{ text: severity, tone: severity }, code, title]),
    }
  },
}

function* ruleSections(rule: ExplainedRule): Iterable<Section> {
  yield { kind: 'heading', text: `${rule.code}: ${rule.title}`, tone: rule.severity }
  const { example, noExample } = rule
  const rows: (readonly [string, Cell])[] = [
    ['severity', rule.severity],
    ['layer', rule.layer],
    ['why', rule.why],
    ['fix', rule.fix],
    ['repairable', rule.repairable ? 'yes' : 'no'],
    ['source', rule.source],
  ]
  if (example !== undefined) rows.push(['example', `${example.name}. ${example.why}`])
  if (noExample !== undefined) rows.push(['example', `none. ${noExample}`])
  yield { kind: 'fields', rows }
}

function* exampleSections(
  { code, severity }: ExplainedRule,
  example: RuleExample,
  written: string | undefined,
): Iterable<Section> {
  const [log, ...others] = example.files
  if (log === undefined) return
  // In a folder of several logs it is the names that matter, unless one line is what is wrong.
  const isShown = others.length === 0 || example.line !== undefined
  yield {
    kind: 'excerpt',
    title: fileTitle(log),
    lines: isShown ? excerptLines(log, example.line, severity) : [],
  }
  if (others.length > 0) yield { kind: 'list', items: others.map(fileTitle) }
  const rows: (readonly [string, Cell])[] =
    written === undefined
      ? [
          ['write it', `resurface explain ${code} --example DIR`],
          ['check it', tryCommand(example, 'DIR')],
        ]
      : [
          ['written to', written],
          ['check it', tryCommand(example, written)],
        ]
  yield { kind: 'fields', rows }
}

const BINARY = { zstd: 'zstd frames', gzip: 'a gzip file', sqlite: 'a SQLite database' } as const

function fileTitle({ path, bytes, lines, container }: ExampleFile): string {
  const size = plural(bytes, 'byte')
  if (container !== undefined) return `${path} (${BINARY[container]} of ${size}: no text to show)`
  return lines?.at(-1) === '' ? `${path} (${size})` : `${path} (${size}, no line feed at the end)`
}

function excerptLines({ lines = [] }: ExampleFile, marked: number | undefined, tone: Tone): ExcerptLine[] {
  const texts = lines.at(-1) === '' ? lines.slice(0, -1) : lines
  return texts.map((text, index) => ({
    number: index + 1,
    text: text.replace(LONG_RUN, shortRun),
    ...(index + 1 === marked && { tone }),
  }))
}

/** Padding and nesting: nobody needs to see it in full. */
const LONG_RUN = /(.)\1{39,}/gsu

function shortRun(run: string, character: string): string {
  return `${character.repeat(8)}… (${run.length} times)`
}
