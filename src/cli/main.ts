/** Arguments and a host in, exit code out. The only place where answers become output. */
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import type { CommandContext, Outcome } from '../commands/command.ts'
import { COMMANDS } from '../commands/index.ts'
import type { DialectName } from '../load/foreign-dialects.ts'
import { reasonOf } from '../load/reason-of.ts'
import type { ReadingProgress } from '../load/watched-source.ts'
import { escapeText } from '../report/escape-text.ts'
import { type Chunks, type Format, formatsFor, type RenderOptions, render } from '../report/render.ts'
import { createStyle } from '../report/style.ts'
import { mustNotReplaceLog } from '../storage/output-guard.ts'
import { DEFAULT_LIMITS } from '../storage/record-source.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type ColourChoice, colourLevel } from './colour.ts'
import { failureOf } from './failure.ts'
import type { Host } from './host.ts'
import { Output } from './output.ts'
import { createProgram, type Request } from './program.ts'
import { settingsOf } from './settings.ts'
import { appendStepSummary } from './step-summary.ts'
import { terminalProgress } from './terminal-progress.ts'

export async function main(argv: readonly string[], host: Host = processHost()): Promise<number> {
  const output = new Output(host.stdout)
  const conversation = new Output(host.stderr)
  try {
    const request = await understand(argv, host)
    if (typeof request === 'number') return request
    if (request.readsStdin && host.stdin.isTTY === true) {
      await output.write([request.help()])
      return 2
    }
    const progress = terminalProgress(host, request.options.quiet === true)
    const context = await contextOf(request, host, progress)
    const outcome = await request.run(context).finally(() => progress?.clear())
    const notes = [...(outcome.notes ?? [])]
    if (request.options.quiet !== true) {
      await print(request, outcome, host, output, context.opened)
      notes.push(...(await summarise(request, outcome, host)))
    }
    for (const note of notes) await conversation.write([`resurface: ${escapeText(note)}\n`])
    return outcome.exitCode
  } catch (error) {
    const { text, exitCode } = failureOf(error)
    await conversation.write([text])
    return exitCode
  }
}

/** The request behind the arguments, or the exit code when commander has answered by itself. */
async function understand(argv: readonly string[], host: Host): Promise<Request | number> {
  let request: Request | undefined
  const called = argv.find((argument) => !argument.startsWith('-'))
  const program = await createProgram(nameToLoad(called, argv), host, (accepted) => {
    request = accepted
  })
  if (argv.length === 0) {
    program.outputHelp()
    return 2
  }
  try {
    await program.parseAsync(argv as string[], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const asked = ['commander.helpDisplayed', 'commander.help', 'commander.version'].includes(error.code)
    return asked ? 0 : 2
  }
  return request ?? 2
}

/** `help check` shows the help of `check`, so that is the module to load. */
function nameToLoad(called: string | undefined, argv: readonly string[]): string | undefined {
  if (called !== 'help') return called
  return argv.find((argument) => COMMANDS.some(({ name }) => name === argument))
}

async function contextOf(
  request: Request,
  host: Host,
  progress: ReadingProgress | undefined,
): Promise<CommandContext> {
  const { maxRecord, output, dialect } = request.options
  return {
    limits: { ...DEFAULT_LIMITS, maxRecord: maxRecord as number },
    ...(await settingsOf(request.options, host.env)),
    stdin: host.stdin,
    opened: new Set(),
    now: host.now,
    progress,
    storeRoot: storeRootOf(host.env),
    ...(dialect !== undefined && { dialect: dialect as DialectName }),
    output: request.writesOutput ? (output as string | undefined) : undefined,
  }
}

/** Where DSH keeps its sessions (format.md §1.1). */
function storeRootOf(env: Host['env']): string {
  const home = env.DSH_HOME || join(env.HOME ?? env.USERPROFILE ?? '', '.dsh')
  return join(home, 'sessions')
}

async function print(
  request: Request,
  outcome: Outcome,
  host: Host,
  output: Output,
  opened: ReadonlySet<string>,
): Promise<void> {
  const { color, output: file } = request.options
  const { answer, document, bytes } = outcome
  if (bytes !== undefined) {
    if (host.stdout.isTTY === true)
      throw new ToolError('usage', 'bytes of a log are not for a terminal', 'Send them to a file or a pipe.')
    await output.writeBytes(bytes)
    return
  }
  if (document !== undefined) {
    await output.write([`${JSON.stringify(document, null, 2)}\n`])
    return
  }
  const chosen = formatOf(request)
  mustSuit(chosen, answer.schema)
  const plain = await plainOptions(request, host)
  if (typeof file === 'string' && !request.writesOutput) {
    await mustNotReplaceLog(file, opened)
    await writeReport(file, await render(answer, chosen, plain))
    return
  }
  const width = host.stdout.isTTY === true ? (host.stdout.columns ?? 80) : undefined
  const style = await createStyle(colourLevel(color as ColourChoice, host), width)
  await output.write(await render(answer, chosen, { ...plain, style }))
}

/** What GitHub does not annotate goes to the page of the step. That it cannot be written changes no verdict. */
async function summarise(request: Request, outcome: Outcome, host: Host): Promise<readonly string[]> {
  const path = host.env.GITHUB_STEP_SUMMARY
  if (formatOf(request) !== 'github' || path === undefined || path === '') return []
  const options = { ...(await plainOptions(request, host)), limit: 0 }
  try {
    await appendStepSummary(path, await render(outcome.answer, 'markdown', options))
    return []
  } catch (error) {
    return [`cannot write the step summary: ${reasonOf(error)}`]
  }
}

function formatOf({ options }: Request): Format {
  return (options.json === true ? 'json' : options.format) as Format
}

/** For a file or a pipe: no colour, no width. */
async function plainOptions({ options }: Request, host: Host): Promise<RenderOptions> {
  return {
    style: await createStyle(0, undefined),
    limit: options.all === true ? 0 : (options.limit as number),
    version: host.version,
  }
}

function mustSuit(format: Format, schema: string): void {
  if (formatsFor(schema).includes(format)) return
  throw new ToolError(
    'usage',
    `a report of ${schema} cannot be printed as ${format}`,
    `It can be printed as ${formatsFor(schema).join(', ')}.`,
  )
}

/** A report in a file is written whole or not at all; into a device such as /dev/stdout it is just written. */
async function writeReport(path: string, chunks: Chunks): Promise<void> {
  if (path.startsWith('/dev/')) {
    const device = await open(path, 'w')
    try {
      for await (const chunk of chunks) await device.writeFile(chunk)
    } finally {
      await device.close()
    }
    return
  }
  const { writeFileWhole } = await import('../storage/write-file.ts')
  await writeFileWhole(path, async (file) => {
    for await (const chunk of chunks) await file.writeFile(chunk)
  })
}

function processHost(): Host {
  const { stdin, stdout, stderr, env } = process
  const atExit = (run: () => void): void => void process.once('exit', run)
  return { stdin, stdout, stderr, env, version: packageVersion(), now: Date.now, atExit }
}

function packageVersion(): string {
  const manifest = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
