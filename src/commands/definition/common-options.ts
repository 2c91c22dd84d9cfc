/** Options of every command, in the groups that the help shows. */
import { LOOK_ALIKES } from '../../load/reading/look-alikes.ts'
import { FORMATS, type Format } from '../../report/renderers/render.ts'
import { DEFAULT_LIMITS } from '../../storage/record-source.ts'
import type { Command } from './command.ts'
import {
  choice,
  flag,
  list,
  type Options,
  text,
  unless,
  type ValuesOf,
  value,
  valuesOf,
  withDefault,
} from './option.ts'
import { parseBytes, parseCount, parseLimit, reportFile } from './option-values.ts'

interface OptionGroup {
  readonly title: string
  readonly options: Options
}

const OUTPUT = {
  format: withDefault(choice('<format>', FORMATS, 'how to print the answer'), 'text'),
  json: flag('short for --format json', { format: 'json', conflicts: ['format'] }),
  output: text('<file>', 'write to a file instead of standard output', { letter: 'o', file: 'written' }),
  report: list(
    '<format=file>',
    reportFile(FORMATS),
    'write the answer to a file in this format, too; may be repeated',
    { file: 'written' },
  ),
  color: withDefault(
    choice('<when>', ['auto', 'always', 'never'], 'colour the text; alone it means always, --no-color never'),
    'auto',
  ),
  pager: unless('do not send a long answer through a pager'),
  quiet: flag('print nothing: the exit code is the answer', { letter: 'q' }),
}

const LIMIT = {
  limit: withDefault(
    value('<n>', parseLimit, 'most findings of a rule, or rows of a summary, to show; 0 for all'),
    5,
  ),
  all: flag('short for --limit 0', { conflicts: ['limit'] }),
}

const READING = {
  stdinName: text('<name>', 'what to call standard input'),
  dialect: choice('<name>', LOOK_ALIKES, 'read a look-alike of a session log'),
  maxRecord: withDefault(
    value('<bytes>', parseBytes, 'longest record to read'),
    DEFAULT_LIMITS.maxRecord,
    '128M',
  ),
}

const FINDINGS = {
  failOn: choice(
    '<severity>',
    ['error', 'warning', 'info', 'never'],
    'exit 1 from this severity on (default: error)',
  ),
  severity: list('<code=severity>', String, 'take a rule as error, warning, info or off; may be repeated'),
  // Whether it is read or written, the command says (`writesBaseline`); an environment variable may name it, too.
  baseline: text('<file>', 'leave out the findings that this file knows'),
}

const INPUTS = {
  filesFrom: text('<file>', 'read more names of logs from a file, one a line; - for standard input', {
    file: 'read',
  }),
  null: flag('the names of --files-from end with NUL, not with a line feed', { letter: '0' }),
  exclude: list(
    '<glob>',
    String,
    'leave out logs with this name, in this folder or at this path; may be repeated',
  ),
  allowEmpty: flag('no log at all is no error'),
}

const SEVERAL_LOGS = {
  jobs: value('<n>', parseCount, 'threads that share several logs (default: automatic)'),
}

const ALL = { ...OUTPUT, ...LIMIT, ...FINDINGS, ...READING, ...INPUTS, ...SEVERAL_LOGS }

export type CommonValues = ValuesOf<typeof ALL>

/** Every option that does something for a command, its own first. @param formats - what its report can be printed as. */
export function optionGroups(command: Command, formats: readonly Format[]): readonly OptionGroup[] {
  const { options: own, uses = ['reading'], takesSeveral, writesOutput } = command
  const ownOptions = {
    ...own,
    ...(writesOutput === true && { output: { ...OUTPUT.output, description: 'name of the log to write' } }),
    ...(takesSeveral && SEVERAL_LOGS),
  }
  const output = { ...outputOptions(command, formats), ...(uses.includes('limit') && LIMIT) }
  return [
    { title: 'Options', options: ownOptions },
    { title: 'Output', options: except(output, ownOptions) },
    { title: 'Findings', options: uses.includes('findings') ? except(FINDINGS, own) : {} },
    { title: 'Reading', options: uses.includes('reading') ? except(READING, own) : {} },
    { title: 'Inputs', options: uses.includes('inputs') ? except(INPUTS, own) : {} },
  ]
}

/** Values of the common options. What a command declares by itself under the name of one is not meant for it. */
export function commonValues(command: Command, given: Readonly<Record<string, unknown>>): CommonValues {
  const values = valuesOf(ALL, except(given, command.options))
  // commander keeps --no-color as a value of --color.
  return given.color === false ? { ...values, color: 'never' } : values
}

function except<Value>(values: Readonly<Record<string, Value>>, own: Options): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(own, name)))
}

function outputOptions(command: Command, formats: readonly Format[]): Options {
  const { json, pager, ...rest } = OUTPUT
  const { format, output, report, color, quiet } = rest
  return {
    format: { ...format, choices: formats, default: command.format ?? format.default },
    ...(formats.includes('json') && { json }),
    output,
    report: { ...report, parse: reportFile(formats) },
    color,
    pager: command.isLong === true ? pager : { ...pager, isHidden: true },
    quiet,
  }
}
