/** Arguments and a host in, exit code out. */
import type { CommandContext, ThreadPool } from '../commands/definition/command.ts'
import { wholeOutcome } from '../commands/definition/whole-outcome.ts'
import type { LogInput } from '../load/inputs/resolve-inputs.ts'
import { escapeText } from '../report/escape-text.ts'
import { ToolError } from '../storage/tool-error.ts'
import { columnsOf, type Host, processHost } from './host.ts'
import { Output } from './output.ts'
import {
  mustNotBeShown,
  mustNotCollide,
  print,
  printEach,
  printLive,
  printsEach,
  summarise,
  writeReports,
} from './print.ts'
import { contextOf, understand } from './request.ts'
import { type TerminalProgress, terminalProgress } from './terminal-progress.ts'
import { wrappedRemark } from './wrapped-help.ts'

export { exitOnSignals } from './signals.ts'

export async function main(argv: readonly string[], host: Host = processHost()): Promise<number> {
  const output = new Output(host.stdout)
  const conversation = new Output(host.stderr)
  const speak = async (text: string): Promise<void> => {
    const shown = host.stderr.isTTY === true ? wrappedRemark(text, columnsOf(host.stderr)) : text
    await conversation.write([await shown])
  }
  let progress: TerminalProgress | undefined
  try {
    const request = await understand(argv, host)
    if (typeof request === 'number') return request
    if (request.readsStdin && host.stdin.isTTY === true) {
      await output.write([request.help()])
      return 2
    }
    mustNotBeShown(request, host)
    // Lines that come while logs are read would be written over it.
    const isInTheWay = request.format === 'ndjson' && host.stdout.isTTY === true
    progress = terminalProgress(host, request.options.quiet || isInTheWay)
    const opened = new Set<string>()
    const startWorkers = async (inputs: readonly LogInput[]): Promise<ThreadPool | undefined> => {
      if (inputs.length < 2) return undefined
      const { startThreads } = await import('./log-threads.ts')
      return startThreads(inputs, request.options.jobs, argv, host.env, opened)
    }
    const say = (remark: string): void => {
      if (!request.options.quiet) void speak(`resurface: ${escapeText(remark)}\n`)
    }
    const untilStopped = (): AbortSignal => {
      const interrupt = new AbortController()
      host.onInterrupt?.(() => interrupt.abort())
      return AbortSignal.any([interrupt.signal, output.unread])
    }
    const context: CommandContext = {
      ...(await contextOf(request, host, opened, progress)),
      startWorkers,
      say,
      untilStopped,
    }
    await mustNotCollide(request, context)
    let outcome = await request.run(context)
    const { live } = outcome
    const summary: string[] = []
    if (live !== undefined && 'items' in live) outcome = await printLive(live, request, host, output, opened)
    else if (live !== undefined && printsEach(request))
      outcome = await printEach(live, request, output, opened)
    else {
      outcome = await wholeOutcome(outcome)
      progress?.clear()
      if (!request.options.quiet) {
        await print(request, outcome, host, output, opened)
        summary.push(...(await summarise(request, outcome, host)))
      }
      await writeReports(request, outcome.reportSet, host, opened)
    }
    progress?.clear()
    const page = request.page === undefined ? [] : [`wrote ${request.page}`]
    const notes = request.options.quiet ? [] : [...(outcome.notes ?? []), ...summary, ...page]
    for (const note of [...(outcome.failures ?? []), ...notes])
      await speak(`resurface: ${escapeText(note)}\n`)
    return outcome.exitCode
  } catch (error) {
    progress?.clear()
    const { text, exitCode } = failureOf(error)
    await speak(text)
    return exitCode
  }
}

interface Failure {
  readonly text: string
  readonly exitCode: number
}

/** The one place where a run ends early: a sentence and a hint for the user, a stack trace only for our own bugs. */
function failureOf(error: unknown): Failure {
  if (error instanceof ToolError) {
    const hint = error.hint === undefined ? '' : `${escapeText(error.hint)}\n`
    return { text: `resurface: ${escapeText(error.message)}\n${hint}`, exitCode: error.exitCode }
  }
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (
    error instanceof Error &&
    typeof code === 'string' &&
    (error as NodeJS.ErrnoException).syscall !== undefined
  ) {
    return { text: `resurface: ${escapeText(error.message)}\n`, exitCode: 3 }
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const lines = stack.split('\n').map(escapeText).join('\n')
  return { text: `resurface: this is a bug, please report it\n${lines}\n`, exitCode: 70 }
}
