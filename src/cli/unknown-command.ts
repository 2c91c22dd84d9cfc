/** What to say where a command was expected and something else came: a word of another tool, a file, or a typing error. */
import { statSync } from 'node:fs'
import { COMMANDS } from '../commands/index.ts'
import { didYouMean } from '../core/search/similar-words.ts'
import { shellWord } from '../report/shell-word.ts'
import { ToolError } from '../storage/tool-error.ts'

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
export function unknownCommand(word: string, argv: readonly string[]): ToolError {
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
export function unknownTopic(word: string): ToolError {
  const meant = didYouMean(word, [...NAMES, 'options', 'glossary'])
  return new ToolError('usage', `there is no help on "${word}"`, `${meant}Run "resurface help" for the list.`)
}

/** What to say of an option in the place of the command; nothing where commander knows better. */
export function misplacedOption(argv: readonly string[]): ToolError | undefined {
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
export function repairInstead(argv: readonly string[]): string {
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
