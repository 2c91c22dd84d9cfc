/** Arguments → what was asked for, and what it is given to run with. */

import { statSync } from 'node:fs'
import { CommanderError } from 'commander'
import type { CommandContext } from '../commands/definition/command.ts'
import { COMMANDS } from '../commands/index.ts'
import { didYouMean } from '../core/search/similar-words.ts'
import { storeRootIn } from '../load/inputs/store-layout.ts'
import type { ReadingProgress } from '../load/inputs/watched-source.ts'
import { escapeText } from '../report/escape-text.ts'
import { shellWord } from '../report/shell-word.ts'
import { DEFAULT_LIMITS } from '../storage/record-source.ts'
import { ToolError } from '../storage/tool-error.ts'
import { glossaryHelp } from './glossary.ts'
import { columnsOf, type Host } from './host.ts'
import { realPaths } from './named-files.ts'
import { createProgram, optionsHelp, type Request } from './program.ts'
import { settingsOf } from './settings.ts'

/** The request that the arguments make, or the exit code when commander has answered by itself. */
export async function understand(argv: readonly string[], host: Host): Promise<Request | number> {
  let request: Request | undefined
  const words = argv.map((word, index) => (isBareColor(word, argv[index + 1]) ? '--color=always' : word))
  const called = argv.find((argument) => !argument.startsWith('-'))
  const program = await createProgram(nameToLoad(called, argv), host, (accepted) => {
    request = accepted
  })
  if (argv.length === 0) {
    program.outputHelp()
    return 2
  }
  const misplaced = misplacedOption(argv)
  if (misplaced !== undefined) throw misplaced
  if (called === 'help' && argv.includes('options')) {
    host.stdout.write(optionsHelp(host))
    return 0
  }
  if (called === 'help' && argv.includes('glossary')) {
    host.stdout.write(glossaryHelp(columnsOf(host.stdout, host.env)))
    return 0
  }
  const about = called === 'help' ? argv.find((word) => word !== 'help' && !word.startsWith('-')) : undefined
  if (about !== undefined && !COMMANDS.some(({ name }) => name === about)) throw unknownTopic(about)
  if (called !== undefined && called !== 'help' && !COMMANDS.some(({ name }) => name === called))
    throw unknownCommand(called, argv)
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.unknownOption' && error.message.includes("'--fix'"))
      host.stderr.write(`${escapeText(repairInstead(argv))}\n`)
    const asked = ['commander.helpDisplayed', 'commander.help', 'commander.version'].includes(error.code)
    return asked ? 0 : 2
  }
  return request ?? 2
}

/** `--color` alone: what follows is not meant for it. */
function isBareColor(word: string, next: string | undefined): boolean {
  return word === '--color' && !['auto', 'always', 'never'].includes(next ?? '')
}

/** `help check` shows the help of `check`, so that is the module to load. */
function nameToLoad(called: string | undefined, argv: readonly string[]): string | undefined {
  if (called !== 'help') return called
  return argv.find((argument) => COMMANDS.some(({ name }) => name === argument))
}

export async function contextOf(
  request: Request,
  host: Host,
  opened: Set<string>,
  progress?: ReadingProgress,
): Promise<CommandContext> {
  const { maxRecord, output, dialect, stdinName, filesFrom, exclude, allowEmpty } = request.options
  if (request.options.null && filesFrom === undefined)
    throw new ToolError('usage', '-0 is about the names of --files-from, which is not given')
  const {
    exclude: configured,
    files,
    ...settings
  } = await settingsOf(request.options, request.writesBaseline, host)
  for (const path of await realPaths([...request.files.read, ...files])) opened.add(path)
  return {
    limits: { ...DEFAULT_LIMITS, maxRecord },
    ...settings,
    stdinName,
    list: {
      ...(filesFrom !== undefined && { filesFrom }),
      endsWithNul: request.options.null,
      exclude: [...configured, ...exclude],
      allowEmpty,
    },
    stdin: host.stdin,
    stdout: host.stdout,
    opened,
    now: host.now,
    progress,
    storeRoot: storeRootIn(host.env),
    ...(dialect !== undefined && { lookAlike: dialect }),
    output,
    env: host.env,
  }
}

/** Verbs that other tools have for what a command does here. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  check: ['verify', 'validate', 'fsck', 'lint', 'test', 'doctor', 'status'],
  repair: ['fix', 'mend', 'recover', 'heal', 'truncate'],
  undo: ['restore', 'revert', 'rollback'],
  transcript: ['show', 'log', 'print', 'view'],
  events: ['history', 'cat', 'dump', 'head'],
  'surface --messages': ['messages', 'context', 'prompt'],
  find: ['grep', 'search', 'rg'],
  why: ['blame', 'trace'],
  watch: ['tail', 'follow'],
  ls: ['list', 'sessions'],
  diff: ['compare', 'cmp'],
  info: ['stat', 'stats', 'summary'],
  report: ['render', 'export', 'html'],
  anonymize: ['redact', 'share', 'scrub'],
  convert: ['pack', 'unpack', 'compress', 'decompress'],
}

const NAMES = COMMANDS.map(({ name }) => name)

/** @param argv - of which the first word is no command. */
function unknownCommand(word: string, argv: readonly string[]): ToolError {
  const rest = argv.filter((each) => each !== word)
  const [verb] = Object.entries(OTHER_WORDS).find(([, words]) => words.includes(word.toLowerCase())) ?? []
  if (verb !== undefined)
    return new ToolError('usage', `there is no command "${word}"`, `Did you mean: ${commandLine(verb, rest)}`)
  if (statSync(word, { throwIfNoEntry: false }) !== undefined) {
    const named = rest.find(isCommand) ?? 'check'
    const others = rest.filter((each) => each !== named)
    return new ToolError(
      'usage',
      `${word} is no command, but a file or folder`,
      `Did you mean: ${commandLine(named, [word, ...others])}`,
    )
  }
  return new ToolError(
    'usage',
    `there is no command "${word}"`,
    `${didYouMean(word, NAMES)}Run "resurface help" for the list.`,
  )
}

/** @param word - what `help` was asked for, and is no command. */
function unknownTopic(word: string): ToolError {
  const meant = didYouMean(word, [...NAMES, 'options', 'glossary'])
  return new ToolError('usage', `there is no help on "${word}"`, `${meant}Run "resurface help" for the list.`)
}

/** What to say of an option in the place of the command; nothing where commander knows better. */
function misplacedOption(argv: readonly string[]): ToolError | undefined {
  const [option = ''] = argv
  if (!option.startsWith('-') || OF_NO_COMMAND.includes(option)) return undefined
  if (option === '-v') return new ToolError('usage', 'there is no option -v', 'Did you mean: resurface -V')
  if (option === '--fix') return new ToolError('usage', 'there is no option --fix', repairInstead(argv))
  const command = argv.find(isCommand)
  if (command === undefined) return undefined
  return new ToolError('usage', 'options come after the command', `See: resurface ${command} --help`)
}

const OF_NO_COMMAND = ['-', '--', '-h', '--help', '-V', '--version']

/** Other tools mend what they find with --fix. */
function repairInstead(argv: readonly string[]): string {
  return `Did you mean: ${commandLine(
    'repair',
    argv.filter((word) => word !== '--fix' && !isCommand(word)),
  )}`
}

function isCommand(word: string): boolean {
  return (NAMES as readonly string[]).includes(word)
}

function commandLine(command: string, args: readonly string[]): string {
  return ['resurface', command, ...args.map((each) => (each.startsWith('-') ? each : shellWord(each)))].join(
    ' ',
  )
}
