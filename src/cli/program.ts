/** The command line as commander sees it: the table of commands, their options, help with examples first. */
import { join } from 'node:path'
import { Option as CommanderOption, Help, InvalidArgumentError, Command as Program } from 'commander'
import { type Call, type Command, defineCommand } from '../commands/definition/command.ts'
import { type CommonValues, commonValues, optionGroups } from '../commands/definition/common-options.ts'
import { EXIT_CODES, exitCodesOf } from '../commands/definition/exit-codes.ts'
import { flagsOf, type Option, type Options } from '../commands/definition/option.ts'
import { COMMANDS } from '../commands/index.ts'
import { didYouMean } from '../core/search/similar-words.ts'
import { escapeText } from '../report/escape-text.ts'
import { FORMATS, type Format, formatsFor } from '../report/renderers/render.ts'
import { ToolError } from '../storage/tool-error.ts'
import { columnsOf, type Host } from './host.ts'
import { type NamedFiles, namedFiles } from './named-files.ts'
import { wrappedHelp } from './wrapped-help.ts'

/** What was asked for, once commander has understood it. */
export interface Request extends Call {
  readonly options: CommonValues
  /** How the report is printed. */
  readonly format: Format
  /** The command writes the file of `-o` itself. */
  readonly writesOutput: boolean
  /** The report is something to read, and on a terminal goes through a pager. */
  readonly isLong: boolean
  /** An argument is `-`, standard input. */
  readonly readsStdin: boolean
  /** What the options name, but for the baseline. */
  readonly files: NamedFiles
  /** Prints the help of the command. */
  readonly help: () => string
}

export const DESCRIPTION =
  'Replays the session logs of LLM agents: what the model sees, what the human saw, what is wrong.'

export const ROOT_EXAMPLES = `Examples:
  $ resurface check session.jsonl          is it damaged, and where?
  $ resurface surface session.jsonl        what does the model see?
  $ resurface transcript session.jsonl     what did the human see?
  $ resurface why session.jsonl 412        why is event 412 not sent any more?
  $ resurface find "TEXT" session.jsonl    where was this said, and does the model still see it?
  $ resurface repair session.jsonl         what would a repair do?
`

const TOPICS = `Topics:
  resurface help options   options that many commands have
  resurface help glossary  what surface, shadowed, quarantine and other words mean
`

/**
 * @param called - name of the command that will run: only its module is loaded.
 * @param accept - gets the request once the arguments are valid.
 */
export async function createProgram(
  called: string | undefined,
  host: Host,
  accept: (request: Request) => void,
): Promise<Program> {
  const program = new Program('resurface')
    .description(DESCRIPTION)
    .version(host.version)
    .helpCommand('help [command]', 'the help of a command')
    .addHelpText('before', ROOT_EXAMPLES)
    .addHelpText('after', `\n${TOPICS}${exitCodesText(EXIT_CODES)}`)
  configure(program, host)
  for (const entry of COMMANDS) {
    const child = program
      .command(entry.name)
      .summary(entry.summary)
      .description(sentence(entry.summary))
      .helpGroup(`${entry.group}:`)
    configure(child, host)
    if (entry.name === called)
      addCommand(child, (await entry.load()).command, formatsFor(entry.name), host, accept)
    else child.argument('[args...]').allowUnknownOption()
  }
  return program
}

function configure(program: Program, host: Host): void {
  program
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name(), formatHelp: ownHelp })
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => host.stdout.write(wrappedHelp(text, columnsOf(host.stdout, host.env))),
      writeErr: (text) => host.stderr.write(escapeLines(text)),
      getOutHelpWidth: () => columnsOf(host.stdout, host.env),
      getErrHelpWidth: () => columnsOf(host.stderr, host.env),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, write) => write(text.replace(/^error: /, 'resurface: ')),
    })
}

function addCommand(
  child: Program,
  command: Command,
  formats: readonly Format[],
  { stdout, cwd }: Host,
  accept: (request: Request) => void,
): void {
  for (const [name, description] of command.arguments) child.argument(name, description)
  child.showHelpAfterError(`See: resurface ${child.name()} --help`)
  const groups = optionGroups(command, formats)
  for (const { title, options } of groups) {
    if (title !== 'Options') child.optionsGroup(`${title}:`)
    for (const [name, option] of Object.entries(options)) child.addOption(optionOf(name, option))
  }
  child.addOption(new CommanderOption('--no-color', 'never colour the text').hideHelp())
  const [, ...common] = groups
  child.addHelpText('before', `Examples:\n${command.examples.map((example) => `  $ ${example}\n`).join('')}`)
  const notes = (command.notes ?? []).map((line) => `${line}\n`).join('')
  const names = common.flatMap(({ options }) => namesIn(options))
  child.addHelpText('after', `\n${COMMON_TITLE}\n${folded(names)}`)
  child.addHelpText('after', `${notes === '' ? '' : `\n${notes}`}${exitCodesText(exitCodesOf(command))}`)
  child.action((...values: unknown[]) => {
    const args = values.slice(0, command.arguments.length)
    const given = child.opts()
    const options = commonValues(command, given)
    const short = groups
      .map((group) => shortFormat(group.options, given))
      .find((format) => format !== undefined)
    const call = command.call(args, given)
    const format = short ?? options.format
    const isShown = options.output === undefined && !options.quiet && stdout.isTTY === true
    const page = format === 'html' && isShown && call.page !== undefined ? join(cwd, call.page) : undefined
    accept({
      ...call,
      page,
      options: page === undefined ? options : { ...options, output: page },
      format,
      writesOutput: command.writesOutput === true,
      isLong: command.isLong === true && options.pager,
      readsStdin: args.flat().includes('-'),
      files: namedFiles(Object.assign({}, ...groups.map((group) => group.options)), given),
      help: () => child.helpInformation(),
    })
  })
}

function exitCodesText(codes: typeof EXIT_CODES): string {
  return `\nExit codes:\n${codes.map(([code, meaning]) => `  ${String(code).padEnd(2)}  ${meaning}`).join('\n')}\n`
}

const COMMON_TITLE = 'Common options (resurface help options explains them):'

/** Options that many commands have are named in their help, and explained once. */
function ownHelp(command: Program, helper: Help): string {
  const ownOnly: Help = Object.assign(Object.create(helper), {
    visibleOptions: (of: Program) => helper.visibleOptions(of).filter((option) => !isCommon(option)),
  })
  return Help.prototype.formatHelp.call(ownOnly, command, ownOnly)
}

function isCommon({ helpGroupHeading }: CommanderOption): boolean {
  return helpGroupHeading !== undefined
}

function namesIn(options: Options): readonly string[] {
  return Object.entries(options).flatMap(([name, option]) => (option.isHidden ? [] : [flagsOf(name, option)]))
}

/** `resurface help options` */
export function optionsHelp(host: Host): string {
  const everything = defineCommand({
    arguments: [],
    uses: ['reading', 'findings', 'limit', 'inputs'],
    isLong: true,
    examples: [],
    run: () => Promise.reject(),
  })
  const program = new Program('resurface').usage('command [options] [arguments]').helpOption(false)
  program.description(
    'Options that many commands have. The help of a command names those that do something for it.',
  )
  for (const { title, options } of optionGroups(everything, FORMATS)) {
    program.optionsGroup(`${title}:`)
    for (const [name, option] of Object.entries(options)) program.addOption(optionOf(name, option))
  }
  program.configureOutput({
    getOutHelpWidth: () => columnsOf(host.stdout, host.env),
    getOutHasColors: () => false,
  })
  return program.helpInformation()
}

/** Words in lines of a terminal, indented. */
function folded(words: readonly string[]): string {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length > 74) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line}, ${word}`
  }
  return lines.map((line) => `  ${line}`).join('\n')
}

/** The format that a flag such as `--json` is short for. */
function shortFormat(options: Options, given: Readonly<Record<string, unknown>>): Format | undefined {
  const set = Object.entries(options).find(
    ([name, { format }]) => format !== undefined && given[name] === true,
  )
  return set?.[1].format as Format | undefined
}

function optionOf(name: string, declared: Option<unknown>): CommanderOption {
  const { description, parse, choices, alias, aliases, repeats, conflicts } = declared
  const { default: preset, defaultText } = declared
  const option = new CommanderOption(flagsOf(name, declared), description)
  if (choices !== undefined) {
    option.choices([...choices])
    option.argParser<string>((text) => {
      const chosen = choices.includes(text) ? text : alias?.(text)
      if (chosen !== undefined) return chosen
      const others = aliases === undefined ? '' : `; also ${aliases}`
      throw new InvalidArgumentError(
        `${didYouMean(text, choices)}Allowed choices are ${choices.join(', ')}${others}.`,
      )
    })
  } else if (parse !== undefined || repeats === true) {
    option.argParser<unknown>((text, earlier) => {
      const value = parse === undefined ? text : parsed(parse, text)
      return repeats === true ? [...((earlier as readonly unknown[] | undefined) ?? []), value] : value
    })
  }
  if (conflicts !== undefined) option.conflicts([...conflicts])
  if (preset !== undefined) option.default(preset, defaultText)
  return option
}

/** commander words its own errors around the option; ours say what is wrong with the value. */
function parsed<Value>(parse: (text: string) => Value, text: string): Value {
  try {
    return parse(text)
  } catch (error) {
    throw error instanceof ToolError ? new InvalidArgumentError(`${error.message}.`) : error
  }
}

/** What was typed comes back in an error: it is shown, not acted on. */
function escapeLines(text: string): string {
  return text.split('\n').map(escapeText).join('\n')
}

export function sentence(text: string): string {
  const whole = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}
