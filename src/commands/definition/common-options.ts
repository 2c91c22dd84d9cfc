/** Options of every command, in the groups that the help shows. */
import { DIALECT_NAMES } from '../../load/reading/foreign-dialects.ts'
import { FORMATS, type Format, formatsFor } from '../../report/renderers/render.ts'
import { DEFAULT_LIMITS } from '../../storage/record-source.ts'
import type { Command, OptionSpec } from './command.ts'
import { parseBytes, parseLimit } from './option-values.ts'

export interface OptionGroup {
  readonly title: string
  readonly options: readonly OptionSpec[]
}

/** A saved report may be of any kind; whether the format suits it is known when it has been read. */
export function formatsOf(name: string): readonly Format[] {
  return name === 'render' ? FORMATS : formatsFor(`resurface/${name}@1`)
}

/** @param formats - what the answer of the command can be printed as. */
export function commonOptions(command: Command, formats: readonly Format[]): readonly OptionGroup[] {
  return [
    { title: 'Output', options: outputOptions(command, formats) },
    { title: 'Judgement', options: JUDGEMENT.filter((common) => !hasOwn(command, common)) },
  ]
}

/** A command that is about one rule is told which by the name that sets severities elsewhere. */
function hasOwn({ options = [] }: Command, { flags }: OptionSpec): boolean {
  const nameOf = (text: string): string | undefined => text.split(' ')[0]
  return options.some((own) => nameOf(own.flags) === nameOf(flags))
}

function outputOptions(command: Command, formats: readonly Format[]): readonly OptionSpec[] {
  const json = { flags: '--json', description: 'short for --format json' }
  const noPager = { flags: '--no-pager', description: 'do not send a long answer through a pager' }
  return [
    {
      flags: '--format <format>',
      description: 'how to print the answer',
      choices: formats,
      default: command.format ?? 'text',
    },
    ...(formats.includes('json') ? [json] : []),
    {
      flags: '-o, --output <file>',
      description:
        command.writesOutput === true
          ? 'name of the log to write'
          : 'write to a file instead of standard output',
    },
    {
      flags: '--color <when>',
      description: 'colour the text',
      choices: ['auto', 'always', 'never'],
      default: 'auto',
    },
    {
      flags: '--limit <n>',
      description: 'most findings of a rule, or rows of a summary, to show; 0 for all',
      parse: parseLimit,
      default: 5,
    },
    { flags: '--all', description: 'short for --limit 0' },
    ...(command.isLong === true ? [noPager] : []),
    { flags: '-q, --quiet', description: 'print nothing: the exit code is the answer' },
  ]
}

const JUDGEMENT: readonly OptionSpec[] = [
  {
    flags: '--fail-on <severity>',
    description: 'exit 1 from this severity on (default: error)',
    choices: ['error', 'warning', 'info', 'never'],
  },
  {
    flags: '--rule <code=severity>',
    description: 'take a rule as error, warning, info or off; may be repeated',
    repeats: true,
  },
  { flags: '--baseline <file>', description: 'leave out the findings that this file knows' },
  { flags: '--dialect <name>', description: 'read a look-alike of a session log', choices: DIALECT_NAMES },
  {
    flags: '--max-record <bytes>',
    description: 'longest record to read',
    parse: parseBytes,
    default: DEFAULT_LIMITS.maxRecord,
    defaultText: '128M',
  },
]
