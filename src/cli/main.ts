/** Arguments and a host in, exit code out. The only place where answers become output. */
import { type FileHandle, open } from 'node:fs/promises'
import type { CommandContext, Crew, Outcome } from '../commands/command.ts'
import { reasonOf } from '../load/reason-of.ts'
import type { LogInput } from '../load/resolve-inputs.ts'
import { escapeText } from '../report/escape-text.ts'
import {
  type Chunks,
  type Format,
  formatsFor,
  type RenderOptions,
  render,
  renderLive,
} from '../report/render.ts'
import type { Report } from '../report/report.ts'
import { createStyle } from '../report/style.ts'
import { mustNotReplaceLog } from '../storage/output-guard.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type ColourChoice, colourLevel } from './colour.ts'
import { failureOf } from './failure.ts'
import { type Host, processHost } from './host.ts'
import { Output } from './output.ts'
import type { Request } from './program.ts'
import { contextOf, understand } from './request.ts'
import { appendStepSummary } from './step-summary.ts'
import { terminalProgress } from './terminal-progress.ts'

export { exitOnSignals } from './signals.ts'

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
    mustNotBeShown(request, host)
    const progress = terminalProgress(host, request.options.quiet === true)
    const opened = new Set<string>()
    const helpers = async (inputs: readonly LogInput[]): Promise<Crew | undefined> => {
      if (inputs.length < 2) return undefined
      const { startThreads } = await import('./log-threads.ts')
      return startThreads(inputs, request.options.jobs as number | undefined, argv, host.env, opened)
    }
    const say = (remark: string): void => {
      void conversation.write([`resurface: ${escapeText(remark)}\n`])
    }
    const untilStopped = (): AbortSignal => {
      const interrupt = new AbortController()
      host.onInterrupt?.(() => interrupt.abort())
      return AbortSignal.any([interrupt.signal, output.gone])
    }
    const context: CommandContext = {
      ...(await contextOf(request, host, progress)),
      opened,
      helpers,
      say,
      untilStopped,
    }
    const begun = await request.run(context).finally(() => progress?.clear())
    const outcome = begun.live === undefined ? begun : await ended(begun, request, host, output, opened)
    const notes = [...(outcome.notes ?? [])]
    if (request.options.quiet !== true && begun.live === undefined) {
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

/** The outcome of an answer that is made while it is printed. */
async function ended(
  { answer: { schema }, live }: Outcome,
  request: Request,
  host: Host,
  output: Output,
  opened: ReadonlySet<string>,
): Promise<Outcome> {
  if (live === undefined) throw new Error('this answer has been made')
  const { rows, end } = live
  if (request.options.quiet === true) {
    for await (const _ of rows);
    return end()
  }
  const rest = (): Report => end().answer as Report
  const { color, output: file } = request.options
  const plain = await plainOptions(request, host)
  const chosen = formatOf(request)
  if (typeof file === 'string') {
    await mustNotReplaceLog(file, opened)
    await writeReport(file, await renderLive({ schema, rows, rest }, chosen, plain), opened)
  } else {
    const style = await createStyle(colourLevel(color as ColourChoice, host), widthOf(host))
    await output.writeLive(await renderLive({ schema, rows, rest }, chosen, { ...plain, style }))
  }
  return end()
}

function widthOf({ stdout }: Host): number | undefined {
  return stdout.isTTY === true ? (stdout.columns ?? 80) : undefined
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
    await writeReport(file, await render(answer, chosen, plain), opened)
    return
  }
  const style = await createStyle(colourLevel(color as ColourChoice, host), widthOf(host))
  const chunks = await render(answer, chosen, { ...plain, style })
  const pages = request.isLong && chosen === 'text' && host.stdout.isTTY === true
  const pager = pages ? await host.pager?.() : undefined
  if (pager === undefined) {
    await output.write(chunks)
    return
  }
  await new Output(pager.input).write(chunks).finally(() => pager.close())
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

/** Said before the log is read: a page is of no use on a terminal. */
function mustNotBeShown(request: Request, { stdout }: Host): void {
  const { output, quiet } = request.options
  const isFiled = output !== undefined && !request.writesOutput
  if (formatOf(request) !== 'html' || isFiled || quiet === true || stdout.isTTY !== true) return
  throw new ToolError(
    'usage',
    'a page of HTML is not for a terminal',
    'Add -o page.html, or send it to a file or a pipe.',
  )
}

function formatOf({ options }: Request): Format {
  if (options.json === true) return 'json'
  return options.markdown === true ? 'markdown' : (options.format as Format)
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
async function writeReport(path: string, chunks: Chunks, opened: ReadonlySet<string>): Promise<void> {
  const [{ writing }, { writeFileWhole }] = await Promise.all([
    import('../commands/writing.ts'),
    import('../storage/write-file.ts'),
  ])
  const writeTo = async (file: FileHandle): Promise<void> => {
    for await (const chunk of chunks) await file.writeFile(chunk)
  }
  const write = async (): Promise<void> => {
    // A log may have come to be there, or been opened, since the answer was begun.
    if (!path.startsWith('/dev/')) return writeFileWhole(path, writeTo, () => mustNotReplaceLog(path, opened))
    const device = await open(path, 'w')
    try {
      await writeTo(device)
    } finally {
      await device.close()
    }
  }
  await writing(path, write)
}
