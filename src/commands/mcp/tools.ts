/**
 * What a client may ask: commands that only look, with those of their options that choose what is shown. The schema of a
 * tool is made from what its command declares. To add a tool: add a row.
 */
import { anyOf, type JsonSchema, listOf, text, whole } from '../../core/json/json-schema.ts'
import type { JsonObject, JsonValue } from '../../core/json/json-value.ts'
import { mismatchIn } from '../../core/json/mismatch.ts'
import { ToolError } from '../../storage/tool-error.ts'
import type { Call, Command } from '../definition/command.ts'
import type { Option } from '../definition/option.ts'
import { COMMANDS, type CommandEntry } from '../index.ts'
import type { Roots } from './roots.ts'

interface ToolRow {
  readonly name: string
  readonly command: CommandEntry['name']
  readonly options: readonly string[]
  readonly description: string
  /** Where no log is named, all are meant. */
  readonly readsAll?: true
}

const ROWS: readonly ToolRow[] = [
  {
    name: 'list_sessions',
    command: 'ls',
    options: ['deep', 'sort', 'reverse', 'cwd', 'parent', 'health'],
    description: 'The sessions, newest first: id, path, title, turns, health.',
    readsAll: true,
  },
  {
    name: 'check',
    command: 'check',
    options: ['target'],
    description:
      'Everything that is wrong with logs: findings with their place, and for each rule why it matters and what to do.',
  },
  {
    name: 'why',
    command: 'why',
    options: [],
    description: 'What became of one event: whether the model still sees it, and what replaced it.',
  },
  {
    name: 'find',
    command: 'find',
    options: ['regex', 'ignoreCase', 'toolOutput', 'limit'],
    description: 'Where a text was said, and whether the model still sees it there.',
    readsAll: true,
  },
  {
    name: 'transcript',
    command: 'transcript',
    options: ['seq', 'turn', 'tail', 'only', 'toolOutput'],
    description:
      'The conversation as the human saw it. Of a long one ask for a part: turn, tail, seq or only.',
  },
  {
    name: 'surface',
    command: 'surface',
    options: ['at', 'messages'],
    description: 'What the model sees, now or after an earlier event.',
  },
  {
    name: 'repair_plan',
    command: 'repair',
    options: ['target', 'branch', 'allowUnknown'],
    description: 'What a repair would change. Nothing is written; a person runs the command that it names.',
  },
]

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  /** What is asked, with every log located. Throws where something may not be asked. */
  call(given: JsonObject): Promise<Call>
}

export async function toolsFor(roots: Roots): Promise<readonly Tool[]> {
  return Promise.all(ROWS.map((row) => toolOf(row, roots)))
}

async function toolOf(row: ToolRow, roots: Roots): Promise<Tool> {
  const { name, description, readsAll = false } = row
  const entry = COMMANDS.find((each) => each.name === row.command)
  if (entry === undefined) throw new Error(`there is no command ${row.command}`)
  const { command } = await entry.load()
  const options = row.options.map((option) => [option, declared(command, option)] as const)
  const parameters = command.arguments.map(([argument, about]) => parameterOf(argument, about, readsAll))
  const inputSchema = {
    type: 'object',
    properties: Object.fromEntries([
      ...parameters.map(({ member, schema }) => [member, schema]),
      ...options.map(([option, how]) => [memberOf(option, how), schemaOf(how)]),
    ]),
    required: parameters.flatMap(({ member, isRequired }) => (isRequired ? [member] : [])),
    additionalProperties: false,
  } as const
  return {
    name,
    description,
    inputSchema,
    async call(given) {
      mustFit(inputSchema, given)
      const args: unknown[] = []
      for (const { member, isLog } of parameters) {
        const value = given[member]
        if (!isLog) args.push(String(value))
        else if (typeof value === 'string') args.push(await roots.locate(value))
        else
          args.push(
            await Promise.all(
              (value as readonly string[] | undefined)?.map((log) => roots.locate(log)) ?? roots.paths,
            ),
          )
      }
      return command.call(
        args,
        Object.fromEntries(options.flatMap(([option, how]) => givenFor(option, how, given))),
      )
    },
  }
}

interface Parameter {
  readonly member: string
  readonly schema: JsonSchema
  readonly isLog: boolean
  readonly isRequired: boolean
}

/** An argument of the command line, such as `<log>`, `[stores...]` or `<text>`. */
function parameterOf(argument: string, about: string, readsAll: boolean): Parameter {
  const name = argument.replace(/[<>[\].]/g, '')
  if (name === 'seq')
    return { member: name, schema: { ...whole, description: about }, isLog: false, isRequired: true }
  if (name === 'text')
    return { member: name, schema: { ...text, description: about }, isLog: false, isRequired: true }
  if (!argument.includes('...'))
    return { member: 'log', schema: { ...text, description: LOG }, isLog: true, isRequired: true }
  const schema = { ...listOf(text), minItems: 1, description: readsAll ? `${LOGS}; all when absent` : LOGS }
  return { member: 'logs', schema, isLog: true, isRequired: !readsAll }
}

const LOG = 'path of a log, of the folder of a session, FILE#SESSION of a database, or a session id'
const LOGS = 'paths of logs, folders or databases, FILE#SESSION, or session ids'

function declared({ options }: Command, name: string): Option<unknown> {
  const option = options[name]
  if (option === undefined) throw new Error(`there is no option ${name}`)
  return option
}

/** What turns something off is asked for by that: `noToolOutput`. */
function memberOf(name: string, { negated }: Option<unknown>): string {
  return negated === true ? `no${name.charAt(0).toUpperCase()}${name.slice(1)}` : name
}

function schemaOf({ description, argument, choices, alias }: Option<unknown>): JsonSchema {
  if (argument === undefined) return { type: 'boolean', description }
  if (choices !== undefined && alias === undefined) return { enum: choices, description }
  return { ...anyOf(text, whole), description }
}

function givenFor(
  name: string,
  how: Option<unknown>,
  given: JsonObject,
): readonly (readonly [string, unknown])[] {
  const value = given[memberOf(name, how)]
  if (value === undefined) return []
  if (how.argument === undefined) return [[name, how.negated === true ? value !== true : value]]
  return [[name, parsed(how, String(value))]]
}

function parsed({ parse, choices, alias }: Option<unknown>, typed: string): unknown {
  if (choices === undefined) return parse === undefined ? typed : parse(typed)
  const chosen = choices.includes(typed) ? typed : alias?.(typed)
  if (chosen !== undefined) return chosen
  throw new ToolError('usage', `"${typed}" is none of ${choices.join(', ')}`)
}

function mustFit(schema: Tool['inputSchema'], given: JsonObject): void {
  const { properties } = schema as unknown as { readonly properties: Readonly<Record<string, JsonValue>> }
  const unknown = Object.keys(given).find((member) => !Object.hasOwn(properties, member))
  if (unknown !== undefined)
    throw new ToolError(
      'usage',
      `there is no "${unknown}"`,
      `There are ${Object.keys(properties).join(', ')}.`,
    )
  const mismatch = mismatchIn(schema, given)
  if (mismatch !== undefined) throw new ToolError('usage', `${mismatch.pointer}: ${mismatch.problem}`)
}
