/** From what was named to a log that can be asked; `load/inputs` knows what the names mean. */
import { DEFAULT_POLICY, type Policy } from '../core/findings/policy.ts'
import type { FailOn } from '../core/findings/verdict.ts'
import { InputOpener, type OpenedInput } from '../load/inputs/open-input.ts'
import { type LogInput, onlyInput, resolveInputs } from '../load/inputs/resolve-inputs.ts'
import { storeRootIn } from '../load/inputs/store-layout.ts'
import type { LookAlike } from '../load/reading/look-alikes.ts'
import { DEFAULT_LIMITS, type ReadLimits } from '../storage/record-source.ts'
import { Log, type LogContext } from './log.ts'

/** How a log is found, read and judged. */
export interface LogOptions {
  /** Folder in which session ids are looked up; that of DSH (`$DSH_HOME/sessions`, `~/.dsh/sessions`) when absent. */
  readonly storeRoot?: string
  /** How much is read of one record, and unpacked of one file, in bytes. */
  readonly limits?: Partial<ReadLimits>
  /** Severities that differ from the rules, and fingerprints of findings that are known. */
  readonly policy?: Partial<Policy>
  /** The severity from which on `judgement.exitCode` is 1; `error` when absent. */
  readonly failOn?: FailOn
  /** What the file is, when it is no session log as it is. */
  readonly dialect?: LookAlike
}

/**
 * Opens one log: a file (JSONL, Zstandard, gzip, or SQLite with one session), `store.db#SESSION`, the folder of a session,
 * the id of a session or a unique beginning of one, or `-` for standard input. The content decides what a file is, not its
 * name. Nothing is written.
 *
 * Throws a `ToolError`: `usage` when the name stands for several logs, `input` when it cannot be read, `unsupported` when
 * it is a database and the optional package `better-sqlite3` is not installed.
 */
export function openLog(name: string, options: LogOptions = {}): Promise<Log> {
  const { storeRoot = storeRootIn(process.env), limits, policy, failOn = 'error', dialect } = options
  return openNamed(name, {
    storeRoot,
    limits: { ...DEFAULT_LIMITS, ...limits },
    policy: { ...DEFAULT_POLICY, ...policy },
    failOn,
    ...(dialect !== undefined && { lookAlike: dialect }),
    stdin: process.stdin,
    opened: new Set(),
    now: Date.now,
  })
}

async function openNamed(name: string, context: LogContext): Promise<Log> {
  const opener = new InputOpener(context)
  try {
    const inputs: LogInput[] = []
    for (const input of await resolveInputs([name], context.storeRoot, context))
      inputs.push(...(await opener.expand(input)))
    const input = onlyInput(name, inputs)
    return await logOf(input.name, await opener.open(input), context, () => opener.close())
  } catch (error) {
    await opener.close()
    throw error
  }
}

/** Hands the one log that `name` stands for to `use`, while it is open. */
export async function withLog<Result>(
  name: string,
  context: LogContext,
  use: (log: Log) => Result | Promise<Result>,
): Promise<Result> {
  return using(await openNamed(name, context), use)
}

/** The same for an input that was found already; those of one database share the opener. */
export async function withOpened<Result>(
  opener: InputOpener,
  input: LogInput,
  context: LogContext,
  use: (log: Log) => Result | Promise<Result>,
): Promise<Result> {
  return using(await logOf(input.name, await opener.open(input), context), use)
}

/** The log as it is, or as it reads with marks in the place of its secrets. */
async function logOf(
  name: string,
  input: OpenedInput,
  context: LogContext,
  release?: () => Promise<void>,
): Promise<Log> {
  const redacted = await context.redact?.(input.source, [name])
  if (redacted === undefined) return new Log(name, input, context, release)
  const { source, marks, left, redact } = redacted
  return new Log(redact(name), { ...input, source, marks, secretsLeft: left }, context, release)
}

async function using<Result>(log: Log, use: (log: Log) => Result | Promise<Result>): Promise<Result> {
  try {
    return await use(log)
  } finally {
    await log.close()
  }
}
