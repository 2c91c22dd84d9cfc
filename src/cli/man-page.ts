/** The manual page, from the tables that make the help. It is written by `npm run docs` and ships with the package. */
import { type Command, defineCommand } from '../commands/definition/command.ts'
import { optionGroups } from '../commands/definition/common-options.ts'
import { EXIT_CODES } from '../commands/definition/exit-codes.ts'
import { flagsOf, type Option } from '../commands/definition/option.ts'
import { COMMANDS } from '../commands/index.ts'
import { FORMATS } from '../report/renderers/render.ts'
import { DESCRIPTION, ROOT_EXAMPLES, sentence } from './program.ts'

const ENVIRONMENT: readonly (readonly [name: string, meaning: string])[] = [
  ['RESURFACE_FAIL_ON', 'what --fail-on says, where it is not given'],
  ['RESURFACE_BASELINE', 'what --baseline says, where it is not given'],
  [
    'RESURFACE_CONFIG',
    'a file of settings in place of the nearest resurface.json in or above the current directory',
  ],
  [
    'RESURFACE_PAGER, PAGER',
    'the pager for long answers on a terminal; less without them, none when empty or cat',
  ],
  ['DSH_HOME', 'where DSH keeps its sessions, in place of ~/.dsh'],
  ['COLUMNS', 'width of the help where no terminal says it'],
  ['NO_COLOR, FORCE_COLOR', 'never, or always, colour the text'],
  ['GITHUB_STEP_SUMMARY', 'with --format github, a file that gets the report as Markdown'],
]

/** @returns the page in the man macros of roff. The version of the program is left out: it would change every release. */
export async function* manPage(): AsyncIterable<string> {
  yield '.TH RESURFACE 1\n.SH NAME\n'
  yield `resurface \\- ${escaped(DESCRIPTION.charAt(0).toLowerCase() + DESCRIPTION.slice(1))}\n`
  yield '.SH SYNOPSIS\n.B resurface\n.I command\n.RI [ options ]\n.RI [ arguments ]\n'
  yield `.SH EXAMPLES\n${verbatim(ROOT_EXAMPLES.split('\n').slice(1))}`
  for (const group of new Set(COMMANDS.map((entry) => entry.group))) {
    yield `.SH ${group.toUpperCase()}\n`
    for (const entry of COMMANDS) {
      if (entry.group !== group) continue
      const { command } = await entry.load()
      yield* section(entry.name, entry.summary, command)
    }
  }
  const everyCommand = defineCommand({
    arguments: [],
    uses: ['reading', 'findings', 'limit', 'inputs'],
    examples: [],
    isLong: true,
    run: () => Promise.reject(),
  })
  const [, ...common] = optionGroups(everyCommand, FORMATS)
  for (const { title, options } of common) {
    yield `.SH COMMON OPTIONS: ${title.toUpperCase()}\n`
    for (const [name, option] of Object.entries(options)) yield optionEntry(name, option)
  }
  yield '.SH EXIT STATUS\n'
  for (const [code, meaning] of EXIT_CODES) yield tagged(bold(String(code)), meaning)
  yield `.SH ENVIRONMENT\n${ENVIRONMENT.map(([name, meaning]) => tagged(bold(name), meaning)).join('')}`
}

function* section(name: string, summary: string, command: Command): Iterable<string> {
  const usage = ['resurface', name, ...command.arguments.map(([argument]) => argument)].join(' ')
  yield `.SS ${escaped(usage)}\n${escaped(sentence(summary))}\n`
  for (const [argument, meaning] of command.arguments) yield tagged(escaped(argument), meaning)
  const [own] = optionGroups(command, FORMATS)
  for (const [option, declared] of Object.entries(own?.options ?? {})) yield optionEntry(option, declared)
  for (const note of command.notes ?? []) yield `.PP\n${escaped(note)}\n`
  yield `.PP\n${verbatim(command.examples.map((example) => `  $ ${example}`))}`
}

function optionEntry(name: string, option: Option<unknown>): string {
  const { description, choices, default: preset, defaultText } = option
  const notes = [
    choices !== undefined && `one of ${choices.join(', ')}`,
    preset !== undefined && `default: ${defaultText ?? preset}`,
  ].filter((note) => note !== false)
  return tagged(
    bold(flagsOf(name, option)),
    notes.length === 0 ? description : `${description} (${notes.join('; ')})`,
  )
}

function tagged(tag: string, meaning: string): string {
  return `.TP\n${tag}\n${escaped(sentence(meaning))}\n`
}

function bold(text: string): string {
  return `\\fB${escaped(text)}\\fR`
}

function verbatim(lines: readonly string[]): string {
  return `.nf\n${lines
    .filter((line) => line !== '')
    .map((line) => `${escaped(line)}\n`)
    .join('')}.fi\n`
}

/** Backslashes and hyphens mean themselves, no line is taken for a macro, and the page is plain ASCII. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
    .replace(/[^\n -~]/gu, named)
}

function named(character: string): string {
  return `\\[u${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}]`
}
