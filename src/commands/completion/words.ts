/**
 * What may come next on a command line, from the same tables that make the help. A shell asks at every press of a key,
 * so only the command that is being typed is loaded.
 */
import { RULES } from '../../core/findings/rules.ts'
import { sessionIds } from '../../load/inputs/resolve-inputs.ts'
import { formatsFor } from '../../report/renderers/render.ts'
import { type Command, LOG_ARGUMENT } from '../definition/command.ts'
import { optionGroups } from '../definition/common-options.ts'
import { flagsOf, type Option } from '../definition/option.ts'
import { COMMANDS } from '../index.ts'

export interface Candidate {
  readonly word: string
  readonly meaning: string
}

export interface Candidates {
  readonly words: readonly Candidate[]
  /** Names of files may be there, too. */
  readonly files: boolean
}

const NOTHING: Candidates = { words: [], files: false }
/** A shell shows no more, and a store may hold thousands. */
const MOST_SESSIONS = 500
/** What no shell takes for anything else. */
const PLAIN = /^[\w.-]+$/

/** @param typed - words after the name of the program; the last one is being typed and may be empty. */
export async function candidatesFor(typed: readonly string[], storeRoot: string): Promise<Candidates> {
  // bash makes three words of --format=json.
  const words = typed.filter((word, index) => word !== '=' || index === typed.length - 1)
  const last = words.at(-1) ?? ''
  const current = last === '=' ? '' : last
  const [name = '', ...rest] = words.slice(0, -1)
  const found = await unfiltered(name, rest, current, storeRoot)
  return { ...found, words: found.words.filter(({ word }) => word.startsWith(current)) }
}

async function unfiltered(
  name: string,
  before: readonly string[],
  current: string,
  storeRoot: string,
): Promise<Candidates> {
  if (name === '') return current.startsWith('-') ? ROOT_OPTIONS : only(commandWords())
  if (name === 'help') return only(commandWords())
  const entry = COMMANDS.find((one) => one.name === name)
  if (entry === undefined) return NOTHING
  const { command } = await entry.load()
  const options = optionGroups(command, formatsFor(entry.name)).flatMap((group) =>
    Object.entries(group.options),
  )
  const [open, option] = options.find((each) => flagsIn(...each).includes(before.at(-1) ?? '')) ?? []
  if (open !== undefined && option?.argument !== undefined) return choicesOf(option)
  if (current.startsWith('-')) return only(options.flatMap((each) => flagWords(...each)))
  return argumentsOf(command, storeRoot)
}

const ROOT_OPTIONS: Candidates = {
  words: [
    { word: '--help', meaning: 'show the help' },
    { word: '--version', meaning: 'show the version' },
  ],
  files: false,
}

function only(words: readonly Candidate[]): Candidates {
  return { words, files: false }
}

function commandWords(): readonly Candidate[] {
  const help = { word: 'help', meaning: 'show the help of a command' }
  return [...COMMANDS.map(({ name, summary }) => ({ word: name, meaning: summary })), help]
}

function flagWords(name: string, option: Option<unknown>): readonly Candidate[] {
  return flagsIn(name, option)
    .filter((flag) => flag.startsWith('--'))
    .map((flag) => ({ word: flag, meaning: option.description }))
}

/** `-o, --output <file>` → `-o`, `--output`. */
function flagsIn(name: string, option: Option<unknown>): readonly string[] {
  return flagsOf(name, option)
    .split(/[ ,]+/)
    .filter((each) => each.startsWith('-'))
}

async function choicesOf({ argument = '', choices }: Option<unknown>): Promise<Candidates> {
  if (argument.startsWith('<code')) return only(ruleWords(argument.includes('=') ? '=' : ''))
  return { words: bare(choices ?? []), files: /<(?:file|dir|plan)>/.test(argument) }
}

function bare(words: readonly string[]): readonly Candidate[] {
  return words.map((word) => ({ word, meaning: '' }))
}

function ruleWords(end: string): readonly Candidate[] {
  return Object.entries(RULES).map(([code, { title }]) => ({ word: `${code}${end}`, meaning: title }))
}

/** What the arguments of a command stand for, by how its help calls them. */
async function argumentsOf(command: Command, storeRoot: string): Promise<Candidates> {
  const names = command.arguments.map(([name, meaning]) => (meaning === LOG_ARGUMENT ? '<log>' : name))
  if (names.some((name) => name.includes('code'))) return only(ruleWords(''))
  if (names.some((name) => name.includes('report')))
    return only(bare((await import('../../report/published-schemas.ts')).KINDS))
  if (names.some((name) => name.includes('shell'))) return only(bare(SHELLS))
  if (!names.some((name) => name.includes('log'))) return { words: [], files: names.length > 0 }
  const ids = await sessionIds(storeRoot, MOST_SESSIONS)
  const plain = ids.filter((id) => PLAIN.test(id))
  return { words: plain.map((word) => ({ word, meaning: 'session' })), files: true }
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const
