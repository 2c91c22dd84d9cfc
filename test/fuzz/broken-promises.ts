/** What must never happen, whatever the log: the calls on a damaged log, and the promises that their answers broke. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type JsonSchema, lineSchemaOf, schemaOf } from '../../src/report/published-schemas.ts'
import { FORMATS as CHECK_FORMATS } from '../../src/report/renderers/render.ts'
import type { Random } from '../oracle/random.ts'
import { everyCall } from '../support/every-command.ts'
import { listing } from '../support/listing.ts'
import type { Answer, Call, Thread } from './thread.ts'

export interface Broken {
  readonly args: readonly string[]
  /** The promise, in a few words: the same for all that break it in the same way. */
  readonly promise: string
  readonly evidence: string
}

const FORMATS = ['text', 'json', 'ndjson', 'markdown', 'html']
/** They always write, or have a format of their own. */
const ONE_FORMAT = new Set(['completion', 'convert', 'minimize', 'report', 'schema', 'explain'])

/** @param folder - an empty one, for what the calls write. */
export async function brokenPromises(
  path: string,
  folder: string,
  random: Random,
  thread: Thread,
): Promise<readonly Broken[]> {
  const broken: Broken[] = []
  const root = join(path, '..')
  const before = listing(root)
  for (const args of everyCall(path, folder)) {
    const call = varied(args, random)
    const answer = await thread.run(call)
    broken.push(...brokenBy(call, answer))
    if (!isDeepStrictEqual(listing(root), before))
      broken.push({ args: call.args, promise: 'the log is not changed', evidence: '' })
    const output = call.args[call.args.indexOf('-o') + 1]
    if (
      output !== undefined &&
      call.args.includes('-o') &&
      ['repair', 'anonymize', 'convert'].includes(args[0] ?? '')
    )
      broken.push(...(await brokenByCopy(call, answer, output, thread)))
  }
  return broken
}

/** In some format, for a terminal or for a pipe. */
function varied(args: readonly string[], random: Random): Call {
  const [command = ''] = args
  const format = random.pick(command === 'check' ? CHECK_FORMATS : FORMATS)
  const terminal = random.chance(0.3) ? random.pick([0, 1, 20, 80, 200]) : undefined
  if (ONE_FORMAT.has(command)) return { args, terminal }
  const isWatch = command === 'watch' && !['text', 'ndjson'].includes(format)
  if (isWatch || (format === 'html' && terminal !== undefined)) return { args, terminal }
  return { args: [...args, '--format', format], terminal }
}

const CONTROL = /[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u

function brokenBy({ args }: Call, { exitCode, stdout, stderr, ended }: Answer): readonly Broken[] {
  const broken: Broken[] = []
  const say = (promise: string, evidence = ''): void => void broken.push({ args, promise, evidence })
  if (ended !== undefined) say('every call ends, in bounded memory', ended)
  if (![-1, 0, 1, 2, 3, 4, 5].includes(exitCode)) say('no bug', firstFrames(stderr))
  // The arguments are ours.
  if (/unknown option|too many arguments|missing required/.test(stderr))
    say('a call that is understood', stderr)
  if (CONTROL.test(stdout)) say('no control characters', excerptOf(stdout))
  if (CONTROL.test(stderr)) say('no control characters on standard error', excerptOf(stderr))
  if (/did not pass|does not hold the same|undefined|NaN|\[object/.test(stderr))
    say('true words on standard error', stderr)
  if (/\bundefined\b|\bNaN\b|\[object /.test(stdout.replaceAll(/"[^"]*"/g, '')))
    say('no undefined', lineWith(stdout, /\bundefined\b|\bNaN\b|\[object /))
  if (args.includes('json') && stdout !== '') broken.push(...schemaErrors(args, [stdout], schemaOf))
  if (args.includes('ndjson') && stdout !== '')
    broken.push(...schemaErrors(args, stdout.trimEnd().split('\n'), lineSchemaOf))
  return broken
}

async function brokenByCopy(
  { args }: Call,
  { exitCode }: Answer,
  output: string,
  thread: Thread,
): Promise<readonly Broken[]> {
  const isThere = existsSync(output)
  if (!isThere) {
    // A log that needs no repair is not written again.
    const isSaid = exitCode === 0 && args[0] !== 'repair'
    return isSaid ? [{ args, promise: 'what is said to be written is there', evidence: '' }] : []
  }
  const broken: Broken[] = []
  if (exitCode > 1)
    broken.push({ args, promise: 'a refusal leaves no file', evidence: `exit code ${exitCode}` })
  const checked = await thread.run({ args: ['check', output, '--json'] })
  broken.push(...brokenBy({ args: ['check', output, '--json'] }, checked))
  if (args[0] === 'repair' && exitCode === 0) {
    if (checked.exitCode === 1)
      broken.push({ args, promise: 'a repaired log has no error', evidence: checked.stdout.slice(0, 600) })
    const again = await thread.run({ args: ['repair', output, '--json'] })
    if (again.exitCode !== 0)
      broken.push({ args, promise: 'a repaired log needs no repair', evidence: again.stdout.slice(0, 600) })
  }
  for (const file of [output, `${output}.quarantine`]) rmSync(file, { force: true })
  return broken
}

const ajv = new Ajv2020({ allErrors: true, strictTypes: false })
const validators = new Map<string, ValidateFunction>()

function schemaErrors(
  args: readonly string[],
  texts: readonly string[],
  schemaFor: (schema: string) => JsonSchema | undefined,
): Broken[] {
  let schema = ''
  const broken: Broken[] = []
  for (const text of texts.toReversed()) {
    let value: { schema?: string }
    try {
      value = JSON.parse(text)
    } catch (error) {
      return [{ args, promise: 'JSON can be parsed', evidence: `${error}: ${text.slice(0, 300)}` }]
    }
    // The last line says what the lines before it are of.
    schema = value.schema ?? schema
    const name = `${schemaFor.name} ${schema}`
    const validate = validators.get(name) ?? ajv.compile(schemaFor(schema) ?? false)
    validators.set(name, validate)
    if (!validate(value)) {
      const [error] = validate.errors ?? []
      const evidence = `${schema} ${error?.instancePath.replaceAll(/\d+/g, 'N')} ${error?.message}`
      return [{ args, promise: `JSON fits its schema: ${evidence}`, evidence: text.slice(0, 2000) }]
    }
  }
  return broken
}

function firstFrames(stack: string): string {
  return stack.split('\n').slice(0, 6).join('\n')
}

function excerptOf(text: string): string {
  const at = text.search(CONTROL)
  return JSON.stringify(text.slice(Math.max(at - 80, 0), at + 40))
}

function lineWith(text: string, wanted: RegExp): string {
  return (
    text
      .split('\n')
      .find((line) => wanted.test(line))
      ?.slice(0, 300) ?? ''
  )
}
