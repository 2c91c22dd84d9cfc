/**
 * Writes a planned repair, into a new file or in the place of the log. What was written is read again by the code of
 * `check` before it takes its name: it must open, need no further repair, and show what the plan said.
 */
import type { FileHandle } from 'node:fs/promises'
import type { SessionHeader } from '../core/event/session-event.ts'
import { judge } from '../core/findings/verdict.ts'
import { InputOpener, type OpenedInput } from '../load/open-input.ts'
import { examine, type LogDigests } from '../load/repair/examine.ts'
import { type PlannedRepair, planRepair, type RepairOptions } from '../load/repair/plan-repair.ts'
import type { QuarantinedPiece } from '../load/repair/quarantine.ts'
import { storedLog } from '../load/stored-events.ts'
import { mustBeVacant } from '../storage/output-guard.ts'
import type { RecordSource } from '../storage/record-source.ts'
import { ToolError } from '../storage/tool-error.ts'
import { readRange, writeFileWhole } from '../storage/write-file.ts'
import type { CommandContext } from './command.ts'

export interface RepairTarget {
  readonly input: OpenedInput
  readonly planned: PlannedRepair
  readonly options: RepairOptions
}

export interface WrittenRepair {
  readonly output: string
  readonly quarantine?: string
  readonly branches?: readonly string[]
}

/**
 * @param output - the repaired log; nothing may stand there.
 * @param beside - the name that quarantine and branches are named after.
 */
export async function writeRepair(
  target: RepairTarget,
  output: string,
  beside: string,
  context: CommandContext,
): Promise<WrittenRepair> {
  const { input, planned } = target
  const quarantine = `${beside}.quarantine`
  const branches = planned.branches.map((_, index) => `${beside}.branch-${index + 1}`)
  for (const name of [quarantine, ...branches]) await mustBeVacant(name, context.opened)
  const pieces = await writeLog(target, output, context)
  if (pieces.length > 0) {
    await writeFileWhole(quarantine, (file) => file.writeFile(pieces.map((piece) => `${piece}\n`).join('')))
  }
  for (const [index, name] of branches.entries()) {
    const branch = planned.branches[index] as RecordSource
    await writeFileWhole(name, (file) => writeText(input, branch, file, context, async () => {}))
  }
  return {
    output,
    ...(pieces.length > 0 && { quarantine }),
    ...(branches.length > 0 && { branches }),
  }
}

/** @returns the lines of the quarantine. */
async function writeLog(
  target: RepairTarget,
  output: string,
  context: CommandContext,
): Promise<readonly string[]> {
  const { input, planned } = target
  const { quarantine } = planned
  const verify = (written: string): Promise<void> => mustBeRepaired(written, target, context)
  quarantine.open()
  const pieces: QuarantinedPiece[] = []
  if (planned.steps.some(({ kind }) => kind === 'salvage-database')) {
    const { writeFreshDatabase } = await import('../storage/rewrite/fresh-database.ts')
    const log = await storedLog(planned.planned, context.limits)
    if (log === undefined) throw new ToolError('refused', 'the row of the session cannot be reached')
    const header = log.header as unknown as SessionHeader
    await writeFreshDatabase({ header, events: log.events }, output, verify)
    return quarantine.take().map(({ origin, why }) => JSON.stringify({ why, ...origin }))
  }
  if (input.session !== undefined) {
    const { rewriteDatabase } = await import('../storage/rewrite/database.ts')
    const rows = (): ReadonlySet<number> => {
      pieces.push(...quarantine.take())
      return new Set(pieces.flatMap(({ origin }) => origin.row ?? []))
    }
    const repair = { path: input.file, session: input.session, planned: planned.planned, quarantined: rows }
    const stored = await rewriteDatabase(repair, output, verify)
    return pieces.map(({ origin, why }) => {
      const row = origin.row === undefined ? undefined : stored.get(origin.row)
      return JSON.stringify({ why, ...origin, ...(row !== undefined && { stored: JSON.parse(row) }) })
    })
  }
  const lines: string[] = []
  const take = async (): Promise<void> => {
    for (const piece of quarantine.take()) lines.push(await pieceLine(piece, input.file))
  }
  await writeFileWhole(output, (file) => writeText(input, planned.planned, file, context, take), verify)
  return lines
}

async function writeText(
  { file, container }: OpenedInput,
  source: RecordSource,
  target: FileHandle,
  { limits }: CommandContext,
  written: () => Promise<void>,
): Promise<void> {
  if (container === 'zstd') {
    const { writeLogFrames } = await import('../storage/rewrite/log-frames.ts')
    await writeLogFrames(source, file, limits, target, written)
  } else {
    const { writeLogLines } = await import('../storage/rewrite/log-lines.ts')
    await writeLogLines(source, target, written)
  }
}

/** One piece of the quarantine: where it stood, why it was taken out, and its bytes, as text where they are text. */
async function pieceLine({ origin, why, bytes }: QuarantinedPiece, file: string): Promise<string> {
  const { byteOffset = 0, byteLength = 0 } = origin
  const content = bytes ?? (await readRange(file, byteOffset, byteOffset + byteLength))
  const text = content.toString('utf8')
  const isText = Buffer.from(text).equals(content)
  return JSON.stringify({ why, ...origin, ...(isText ? { text } : { base64: content.toString('base64') }) })
}

async function mustBeRepaired(
  file: string,
  { input, planned, options }: RepairTarget,
  context: CommandContext,
): Promise<void> {
  const { limits, stdin, progress } = context
  const opener = new InputOpener({ limits, stdin, progress })
  try {
    const { session } = input
    const name = { name: file, path: file, remarks: [], ...(session !== undefined && { session }) }
    const { source } = await opener.open(name)
    const written = await examine(source, context.limits, options.allowUnknown)
    const { opens } = judge(written.findings.counts())
    // The place to cut at has another number where events moved.
    const { truncateAfter: _done, ...rest } = options
    const { steps, refused } = await planRepair(source, written, { ...rest, keep: 'living' })
    const isDone = opens && steps.length === 0 && refused.length === 0
    if (isDone && sameDigests(written.results.digests, planned.outcome.results.digests)) return
  } finally {
    await opener.close()
  }
  throw new ToolError(
    'refused',
    'the repaired copy did not pass its check and was removed',
    'The original log is as it was.',
  )
}

function sameDigests(a: LogDigests, b: LogDigests): boolean {
  return a.surface === b.surface && a.transcript === b.transcript
}
