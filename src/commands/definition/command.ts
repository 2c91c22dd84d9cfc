/** What a command is: how it is called, and what it makes. It prints nothing and decides no format. */
import type { Readable, Writable } from 'node:stream'
import type { Policy } from '../../core/findings/policy.ts'
import type { FailOn } from '../../core/findings/verdict.ts'
import type { InputList } from '../../load/inputs/input-list.ts'
import type { InputOpener } from '../../load/inputs/open-input.ts'
import type { LogInput } from '../../load/inputs/resolve-inputs.ts'
import type { ReadingProgress } from '../../load/inputs/watched-source.ts'
import type { LookAlike } from '../../load/reading/look-alikes.ts'
import type { LogContext } from '../../log/log.ts'
import type { ListItem } from '../../report/main-list.ts'
import type { Format } from '../../report/renderers/render.ts'
import type { Report, ReportKind, ReportSet, SchemaName } from '../../report/report.ts'
import type { ReadLimits } from '../../storage/record-source.ts'
import type { OwnExitCodes } from './exit-codes.ts'
import { type Options, type ValuesOf, valuesOf } from './option.ts'

/** What every command is given, whatever its own options. */
export interface CommandContext {
  readonly limits: ReadLimits
  readonly failOn: FailOn
  /** Whether that was asked for: then a command that only looks fails on findings, too. */
  readonly failsOnFindings: boolean
  readonly policy: Policy
  /** The place of the baseline, when there is one. */
  readonly baselineFile?: string
  /** Directory of sessions in which ids are looked up. */
  readonly storeRoot: string
  /** How to read the input when it is no session log as it is. */
  readonly lookAlike?: LookAlike
  /** What standard input is called. */
  readonly stdinName?: string | undefined
  /** What a command on several logs is about, besides the logs that are named. */
  readonly list: InputList
  readonly stdin: Readable & { readonly isTTY?: boolean }
  /** Where a server answers, for a command that is one. */
  readonly stdout: Writable
  /** Whether a file or folder may be read, by its real path. Everything may where it is absent. */
  readonly allows?: (real: string) => boolean
  /** Real paths of what has been read; no output may replace one of them. */
  readonly opened: Set<string>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Is told how far reading has come, where somebody watches. */
  readonly progress?: ReadingProgress | undefined
  /** Threads that share these inputs with this one, where that pays. */
  readonly startWorkers?: (inputs: readonly LogInput[]) => Promise<ThreadPool | undefined>
  /** From the call on, an interrupt asks the run to end by this signal, and so does a reader that goes away. */
  readonly untilStopped?: () => AbortSignal
  /** Takes a remark for standard error, for a run that has more to say before its end. */
  readonly say?: (remark: string) => void
  /** `-o FILE`. */
  readonly output: string | undefined
  /** Environment variables. A server has none. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Puts marks in the place of the secrets of a log, where that was asked for. */
  readonly redact?: LogContext['redact']
}

export interface InputWorker<Input, Part> {
  /** `undefined` for an input that has to be read in this thread. Rejects when the worker has ended. */
  run(input: Input): Promise<Part | undefined>
}

export interface ThreadPool {
  readonly workers: readonly InputWorker<LogInput, InputOutcomes>[]
  end(): Promise<void>
}

/** Plain data, for it may come from another thread. */
export interface InputOutcomes {
  readonly outcomes: readonly Outcome[]
  readonly failed: readonly FailedInput[]
}

export interface FailedInput {
  readonly path: string
  readonly message: string
  readonly exitCode: number
}

/** What a command makes of one log. */
export type PerLog = (opener: InputOpener, input: LogInput, context: CommandContext) => Promise<Outcome>

export interface Outcome<Kind extends ReportKind = ReportKind> {
  readonly reportSet: ReportSet<Kind>
  readonly exitCode: number
  /** Bytes to print instead of a report, as they are. */
  readonly bytes?: Uint8Array
  /** Remarks for standard error, which --quiet leaves out. */
  readonly notes?: readonly string[]
  /** What could not be read or done, of several inputs: for standard error, with --quiet too. */
  readonly failures?: readonly string[]
  /** Nothing of it is shortened, on a terminal either. */
  readonly isFull?: boolean
  /** The reports are made while they are printed. What they come to is known when no more of them is wanted. */
  readonly live?: LiveOutcome
}

/** Reports that can be printed item by item. */
export type LiveKind = 'find' | 'transcript' | 'watch'

export type LiveOutcome = ItemStream | ReportStream

export interface ItemStream {
  readonly schema: SchemaName<LiveKind>
  readonly items: AsyncIterable<ListItem<LiveKind>>
  /** The outcome, its report without the items. To be called when the items have ended, or are not wanted any more. */
  readonly end: () => Outcome<LiveKind>
}

export interface ReportStream {
  /** In the order of the inputs. */
  readonly reports: AsyncIterable<Report>
  /** The outcome without the reports. To be called when they have ended. */
  readonly end: () => Outcome
}

/** An argument in commander's notation (`<log>`, `[code]`, `<logs...>`), and what it stands for. */
type Argument = readonly [name: string, description: string]

type ArgumentOf<Name> = Name extends `${string}...${string}`
  ? readonly string[]
  : Name extends `[${string}`
    ? string | undefined
    : string

type ArgumentsOf<Arguments extends readonly Argument[]> = {
  readonly [Index in keyof Arguments]: ArgumentOf<Arguments[Index][0]>
}

/** Common options that do something for a command: how a log is read, what fails, how much of a list is shown. */
export type CommonOptions = 'reading' | 'findings' | 'limit' | 'inputs'

interface Described {
  readonly examples: readonly string[]
  /** Those for reading, where it is not given. */
  readonly uses?: readonly CommonOptions[]
  /** What the help says after the options, by paragraphs. */
  readonly notes?: readonly string[]
  /** Exit codes that mean something of its own. */
  readonly exits?: OwnExitCodes
  /** The command writes the file of `-o` itself, not the rendered report. */
  readonly writesOutput?: true
  /** What the report is printed as when nobody says; text where it is not given. */
  readonly format?: Format
  /** The report is something to read: on a terminal it goes through a pager. */
  readonly isLong?: true
}

/** A command as its file declares it. */
interface Definition<Arguments extends readonly Argument[], Declared extends Options> extends Described {
  readonly arguments: Arguments
  readonly options?: Declared
  /** What a command on several logs makes of each, so that other threads can do it. */
  readonly perLog?: (options: ValuesOf<Declared>) => PerLog
  /** Name of the file that the report goes to where a terminal could not show it. */
  readonly page?: (args: ArgumentsOf<Arguments>) => string
  /** Whether it writes the baseline anew, so that the one that is there is not read. */
  readonly writesBaseline?: (options: ValuesOf<Declared>) => boolean
  readonly run: (
    args: ArgumentsOf<Arguments>,
    options: ValuesOf<Declared>,
    context: CommandContext,
  ) => Promise<Outcome>
}

/** A command as the command line, the help and the completions see it. */
export interface Command extends Described {
  readonly arguments: readonly Argument[]
  readonly options: Options
  /** Whether it takes several logs, which threads can share. */
  readonly takesSeveral: boolean
  /** @param args - one for each declared argument. @param given - the options that were given, parsed. */
  call(args: readonly unknown[], given: Readonly<Record<string, unknown>>): Call
}

/** A command with its arguments. */
export interface Call {
  readonly run: (context: CommandContext) => Promise<Outcome>
  readonly perLog: PerLog | undefined
  readonly writesBaseline: boolean
  /** Name of the file that the report goes to where a terminal could not show it. */
  readonly page: string | undefined
}

/** Ties what a command declares to what it is given. */
export function defineCommand<
  const Arguments extends readonly Argument[],
  Declared extends Options = Record<never, never>,
>(definition: Definition<Arguments, Declared>): Command {
  const { options, perLog, writesBaseline, page, run, ...described } = definition
  const declared = options ?? ({} as Declared)
  return {
    ...described,
    options: declared,
    takesSeveral: perLog !== undefined,
    call(args, given) {
      const values = valuesOf(declared, given)
      const typed = args as unknown as ArgumentsOf<Arguments>
      return {
        run: (context) => run(typed, values, context),
        page: page?.(typed),
        perLog: perLog?.(values),
        writesBaseline: writesBaseline?.(values) ?? false,
      }
    },
  }
}

/** What a command on one log takes. */
export const LOG_ARGUMENT =
  'log file, store.db#SESSION, session directory, session id, or - for standard input'

/** What one on several takes. */
export const LOG_ARGUMENTS = 'log files, databases, directories, session ids, or - for standard input'
