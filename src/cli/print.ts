/** Reports become output: on a terminal, in a pipe or in a file. */
import { type FileHandle, open } from 'node:fs/promises'
import type { CommandContext, ItemStream, Outcome, ReportStream } from '../commands/definition/command.ts'
import {
  type Chunks,
  type RenderOptions,
  render,
  renderEach,
  renderLive,
} from '../report/renderers/render.ts'
import { type ReportSet, withItems } from '../report/report.ts'
import { createStyle } from '../report/style.ts'
import { linkTarget } from '../storage/link-target.ts'
import { mustNotReplaceLog } from '../storage/output-guard.ts'
import { reasonOf } from '../storage/reason-of.ts'
import { ToolError } from '../storage/tool-error.ts'
import { columnsOf, type Host } from './host.ts'
import { Output } from './output.ts'
import type { Request } from './program.ts'
import { appendStepSummary } from './step-summary.ts'

/** Prints a report while it is made. @returns what it has come to. */
export async function printLive(
  { schema, items, end }: ItemStream,
  request: Request,
  host: Host,
  output: Output,
  opened: ReadonlySet<string>,
): Promise<Outcome> {
  const isKept = request.options.report.length > 0
  const kept: object[] = []
  async function* passing(): typeof items {
    for await (const item of items) {
      if (isKept) kept.push(item)
      yield item
    }
  }
  if (request.options.quiet) for await (const _ of passing());
  else {
    const rest = () => end().reportSet
    const file = fileOf(request)
    const options = await renderOptions(request, host)
    const chunks = await renderLive({ schema, items: passing(), rest }, request.format, options)
    if (file !== undefined) await writeReport(file, chunks, opened)
    else await output.writeLive(chunks)
  }
  const outcome = end()
  if (isKept) await writeReports(request, withItems(outcome.reportSet, kept), host, opened)
  return outcome
}

/** Prints reports while they are made, and makes all of them even if nobody reads on: the exit code is about all logs. */
export async function printEach(
  { reports, end }: ReportStream,
  request: Request,
  output: Output,
  opened: ReadonlySet<string>,
): Promise<Outcome> {
  if (!request.options.quiet) {
    const file = fileOf(request)
    const chunks = await renderEach(toTheEnd(reports), () => end().reportSet)
    if (file !== undefined) await writeReport(file, chunks, opened)
    else await output.write(chunks)
  } else for await (const _ of reports);
  return end()
}

/** The items, all of which are made although no more of them is wanted. */
async function* toTheEnd<Item>(items: AsyncIterable<Item>): AsyncIterable<Item> {
  const source = items[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (;;) {
      const { done, value } = await source.next()
      isOver = done === true
      if (isOver) return
      yield value
    }
  } catch (error) {
    isOver = true
    throw error
  } finally {
    while (!isOver) isOver = (await source.next()).done === true
  }
}

/** Whether the reports of a run can be printed one by one; where they cannot, all are waited for. */
export function printsEach({ format, options }: Request): boolean {
  return options.report.length === 0 && (format === 'ndjson' || options.quiet)
}

export async function print(
  request: Request,
  outcome: Outcome,
  host: Host,
  output: Output,
  opened: ReadonlySet<string>,
): Promise<void> {
  const { reportSet, bytes, isFull } = outcome
  if (bytes !== undefined) {
    if (host.stdout.isTTY === true)
      throw new ToolError('usage', 'bytes of a log are not for a terminal', 'Send them to a file or a pipe.')
    await output.writeBytes(bytes)
    return
  }
  const chosen = request.format
  const options = await renderOptions(request, host)
  const isShort = options.onTerminal === true && isFull !== true
  const chunks = await render(reportSet, chosen, { ...options, isShort })
  const file = fileOf(request)
  if (file !== undefined) {
    await writeReport(file, chunks, opened)
    return
  }
  const pages = request.isLong && chosen === 'text' && host.stdout.isTTY === true
  const pager = pages ? await host.pager?.() : undefined
  if (pager === undefined) {
    await output.write(chunks)
    return
  }
  await new Output(pager.input).write(chunks).finally(() => pager.close())
}

/** What GitHub does not annotate goes to the page of the step. That it cannot be written changes no verdict. */
export async function summarise(request: Request, outcome: Outcome, host: Host): Promise<readonly string[]> {
  const path = host.env.GITHUB_STEP_SUMMARY
  if (request.format !== 'github' || path === undefined || path === '') return []
  const options = { ...(await plainOptions(request, host)), limit: 0 }
  try {
    await appendStepSummary(path, await render(outcome.reportSet, 'markdown', options))
    return []
  } catch (error) {
    return [`cannot write the step summary: ${reasonOf(error)}`]
  }
}

/** The report once more, for every `--report`. */
export async function writeReports(
  request: Request,
  reportSet: ReportSet,
  host: Host,
  opened: ReadonlySet<string>,
): Promise<void> {
  const options = await plainOptions(request, host)
  for (const { format, file } of request.options.report)
    await writeReport(file, await render(reportSet, format, options), opened)
}

/** Said before a log is read: no output takes the place of another, or of what the run reads besides. */
export async function mustNotCollide(
  { files, page, options, writesBaseline }: Request,
  { opened, baselineFile }: CommandContext,
): Promise<void> {
  const others = [page, writesBaseline ? baselineFile : undefined].filter((file) => file !== undefined)
  const targets = new Set<string>()
  for (const file of [...files.written, ...others]) {
    if (file.startsWith('/dev/')) continue
    const target = await linkTarget(file)
    if (targets.has(target))
      throw new ToolError('usage', `two outputs cannot both be written to ${file}`, RENAME)
    if (opened.has(target)) throw new ToolError('usage', `${file} is read by this command`, RENAME)
    targets.add(target)
  }
  // These come last, when what else was asked for is done.
  for (const { file } of options.report) await mustNotReplaceLog(file, opened)
}

const RENAME = 'Give the output another name.'

/** Said before the log is read: a page is of no use on a terminal. */
export function mustNotBeShown(request: Request, { stdout }: Host): void {
  const isFiled = fileOf(request) !== undefined || request.options.quiet
  if (request.format !== 'html' || isFiled || stdout.isTTY !== true) return
  throw new ToolError(
    'usage',
    'a page of HTML is not for a terminal',
    'Add -o page.html, or send it to a file or a pipe.',
  )
}

/** Where the report goes, when it goes to a file. */
function fileOf({ options, writesOutput }: Request): string | undefined {
  return writesOutput || options.output === '-' ? undefined : options.output
}

/** A terminal has colours and a width. */
async function renderOptions(request: Request, host: Host): Promise<RenderOptions> {
  const plain = await plainOptions(request, host)
  if (fileOf(request) !== undefined) return plain
  const { stdout } = host
  const width = stdout.isTTY === true ? columnsOf(stdout) : undefined
  const level = colourLevel(request.options.color, host)
  return {
    ...plain,
    style: await createStyle(level, width),
    ...(width !== undefined && { onTerminal: true, columns: width }),
  }
}

/** For a file or a pipe: no colour, no width. */
async function plainOptions({ options }: Request, host: Host): Promise<RenderOptions> {
  return {
    style: await createStyle(0, undefined),
    limit: options.all ? 0 : options.limit,
    version: host.version,
  }
}

/** A report in a file is written whole or not at all; into a device such as /dev/stdout it is just written. */
async function writeReport(path: string, chunks: Chunks, opened: ReadonlySet<string>): Promise<void> {
  await mustNotReplaceLog(path, opened)
  const [{ writing }, { writeFileWhole }] = await Promise.all([
    import('../load/outputs/writing.ts'),
    import('../storage/write-file.ts'),
  ])
  const writeTo = async (file: FileHandle): Promise<void> => {
    for await (const chunk of chunks) await file.writeFile(chunk)
  }
  const write = async (): Promise<void> => {
    // A log may have come to be there, or been opened, since the report was begun.
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

type ColourChoice = 'auto' | 'always' | 'never'

/** Whether to colour: `--color` over NO_COLOR over FORCE_COLOR over what the terminal is. */
function colourLevel(choice: ColourChoice, host: Pick<Host, 'env' | 'stdout'>): 0 | 1 | 2 | 3 {
  const { env } = host
  if (choice === 'never') return 0
  if (choice === 'always') return Math.max(terminalLevel(env), 1) as 1 | 2 | 3
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return 0
  const forced = env.FORCE_COLOR
  if (forced !== undefined && forced !== '') {
    if (forced === '0' || forced === 'false') return 0
    return /^[123]$/.test(forced) ? (Number(forced) as 1 | 2 | 3) : 1
  }
  return host.stdout.isTTY === true && env.TERM !== 'dumb' ? terminalLevel(env) : 0
}

function terminalLevel(env: Host['env']): 1 | 2 | 3 {
  if (/^(?:truecolor|24bit)$/i.test(env.COLORTERM ?? '')) return 3
  return /256/.test(env.TERM ?? '') ? 2 : 1
}
