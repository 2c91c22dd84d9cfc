/**
 * Writes a planned repair, into a new file or in the place of the log. What was written is read again by the code of
 * `check` before it takes its name: it must open, need no further repair, and show what the plan said.
 */

import { type FileHandle, rm } from 'node:fs/promises'
import type { SessionHeader } from '../../core/event/session-event.ts'
import { judge } from '../../core/findings/verdict.ts'
import { stringifyJson } from '../../core/json/stringify-json.ts'
import { type Container, namedContainer } from '../../storage/detect.ts'
import { readRange } from '../../storage/file-ranges.ts'
import { keepAtExit, removeAtExit } from '../../storage/left-behind.ts'
import { linkTarget } from '../../storage/link-target.ts'
import { mustBeVacant } from '../../storage/output-guard.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { SpooledTexts } from '../../storage/spooled-texts.ts'
import type { SessionToWrite } from '../../storage/sqlite/write-database.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { NotFlushedError, removeLeftovers, writeFileWhole } from '../../storage/write-file.ts'
import type { OpenedInput, OpenOptions } from '../inputs/open-input.ts'
import { LOG_IS_SAFE, withWritten } from '../outputs/writing.ts'
import { storedLog } from '../reading/stored-events.ts'
import { showSame } from '../sessions/log-digests.ts'
import { examine } from './examine.ts'
import { type PlannedRepair, planRepair } from './plan-repair.ts'
import type { QuarantinedPiece } from './quarantine.ts'
import type { RepairOptions } from './repair-options.ts'

/** What the files that are read and written need of the run. */
export interface WritingContext extends Pick<OpenOptions, 'limits' | 'stdin' | 'progress'> {
  readonly opened: ReadonlySet<string>
}

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

/** Where a repaired log goes, and what is put next to it. */
export interface Destination {
  readonly output: string
  /** Names of quarantine and branches, by how they end. */
  readonly nameFor: (end: string) => string
  /** Whether these may stand there already, from a run on the same bytes that was interrupted. */
  readonly resumes: boolean
  /** The first word, before anything is put next to it. */
  readonly alone?: (temporary: string) => Promise<void>
  /** The last word before the repaired log takes its name. */
  readonly ready?: (temporary: string) => Promise<void>
}

/**
 * The repaired log takes its name when everything next to it is written. What fails leaves nothing behind.
 *
 * @param targets - one log, or sessions of one database, which are written together.
 */
export async function writeRepair(
  targets: readonly [RepairTarget, ...RepairTarget[]],
  { output, nameFor, resumes, alone, ready }: Destination,
  context: WritingContext,
): Promise<WrittenRepair> {
  const quarantine = nameFor('.quarantine')
  const branches = targets
    .flatMap((target) => target.planned.branches.map((source) => ({ target, source })))
    .map((branch, index) => ({ ...branch, name: nameFor(`.branch-${index + 1}`) }))
  const sides = [quarantine, ...branches.map(({ name }) => name)]
  if (!resumes) for (const name of sides) await mustBeVacant(name, context.opened)
  const made: string[] = []
  const put = async (
    name: string,
    temporary: string,
    write: (file: FileHandle) => Promise<void>,
  ): Promise<void> => {
    made.push(name)
    // A signal leaves nothing next to a log that is not there.
    removeAtExit(name, temporary)
    if (resumes) await removeLeftovers(name)
    await writeFileWhole(name, write)
  }
  const pieces = new SpooledTexts()
  try {
    await writeLog(targets, output, pieces, async (temporary) => {
      await alone?.(temporary)
      for (const target of targets) await mustBeRepaired(temporary, target, context)
      if (pieces.length > 0) await put(quarantine, temporary, (file) => writeLines(file, pieces))
      for (const { name, target, source } of branches)
        await put(name, temporary, (file) => writeText(target, source, file, containerOf(output, target)))
      await ready?.(temporary)
    })
  } catch (error) {
    const isDone = error instanceof NotFlushedError && error.path === (await linkTarget(output))
    if (!isDone) for (const name of made) await rm(name, { force: true }).catch(() => undefined)
    throw error
  } finally {
    for (const name of made) keepAtExit(name)
  }
  return {
    output,
    ...(made.includes(quarantine) && { quarantine }),
    ...(branches.length > 0 && { branches: branches.map(({ name }) => name) }),
  }
}

const CHUNK_CHARACTERS = 64 * 1024

async function writeLines(file: FileHandle, lines: SpooledTexts): Promise<void> {
  let chunk = ''
  for (let index = 0; index < lines.length; index++) {
    chunk += `${lines.at(index)}\n`
    if (chunk.length < CHUNK_CHARACTERS && index < lines.length - 1) continue
    await file.writeFile(chunk)
    chunk = ''
  }
}

/** @param quarantine - is given a line for every piece before `ready` is called. */
async function writeLog(
  targets: readonly [RepairTarget, ...RepairTarget[]],
  output: string,
  quarantine: SpooledTexts,
  ready: (temporary: string) => Promise<void>,
): Promise<void> {
  for (const { planned } of targets) planned.quarantine.open()
  if (targets.some(needsNewDatabase)) return writeNewDatabase(targets, output, quarantine, ready)
  const [target] = targets
  const { input, planned } = target
  if (input.session !== undefined) return writeSessions(targets, output, quarantine, ready)
  const take = async (): Promise<void> => {
    for (const piece of planned.quarantine.take())
      for await (const line of pieceLines(piece, input.file)) quarantine.push(line)
  }
  const container = containerOf(output, target)
  await writeFileWhole(output, (file) => writeText(target, planned.planned, file, container, take), ready)
}

/** Whether the sessions go into a new database, which holds nothing else. */
export function needsNewDatabase({ planned }: Pick<RepairTarget, 'planned'>): boolean {
  return planned.steps.some(({ kind }) => kind === 'salvage-database')
}

async function writeNewDatabase(
  targets: readonly [RepairTarget, ...RepairTarget[]],
  output: string,
  quarantine: SpooledTexts,
  ready: (temporary: string) => Promise<void>,
): Promise<void> {
  const { idsOf, writeFreshDatabase } = await import('../../storage/rewrite/fresh-database.ts')
  async function* sessions(): AsyncIterable<SessionToWrite> {
    for (const { planned, options } of targets) {
      const log = await storedLog(planned.planned, options.limits)
      if (log === undefined) throw new ToolError('refused', 'the row of the session cannot be reached')
      yield { header: log.header as unknown as SessionHeader, events: log.events }
    }
  }
  const written = { schema: 17, newId: idsOf(String(targets[0].input.session)) } as const
  await writeFreshDatabase(sessions(), written, output, async (temporary) => {
    for (const { planned } of targets)
      for (const { origin, why } of planned.quarantine.take())
        quarantine.push(stringifyJson({ why, ...origin }))
    await ready(temporary)
  })
}

async function writeSessions(
  targets: readonly [RepairTarget, ...RepairTarget[]],
  output: string,
  quarantine: SpooledTexts,
  ready: (temporary: string) => Promise<void>,
): Promise<void> {
  const { rewriteDatabase } = await import('../../storage/rewrite/database.ts')
  const { file, taken } = targets[0].input
  const pieces: (readonly QuarantinedPiece[])[] = []
  const sessions = targets.map(({ input, planned: { planned, quarantine } }, index) => ({
    session: String(input.session),
    planned,
    quarantined: (): ReadonlySet<number> => {
      const own = quarantine.take()
      quarantine.close()
      pieces[index] = own
      return new Set(own.flatMap(({ origin }) => origin.row ?? []))
    },
  }))
  await rewriteDatabase({ path: file, copied: taken, sessions }, output, async (temporary, stored) => {
    for (const [index, { session, events }] of stored.entries()) {
      for (const { origin, why } of pieces[index] ?? []) {
        const event = origin.row === undefined ? undefined : events.get(origin.row)
        const row = origin.line === 1 ? session : event
        quarantine.push(stringifyJson({ why, ...origin, ...(row !== undefined && { stored: row }) }))
      }
    }
    await ready(temporary)
  })
}

async function writeText(
  { input, options }: RepairTarget,
  source: RecordSource,
  target: FileHandle,
  container: Container,
  written?: () => Promise<void>,
): Promise<void> {
  if (container === 'zstd') {
    const { writeLogFrames } = await import('../../storage/rewrite/log-frames.ts')
    await writeLogFrames(source, input.file, options.limits, target, written)
  } else {
    const { writeLogLines } = await import('../../storage/rewrite/log-lines.ts')
    await writeLogLines(source, target, written)
  }
}

/** The name of the output decides what it is; one that says nothing stays what the log is. */
function containerOf(output: string, { input }: RepairTarget): Container {
  return namedContainer(output) ?? input.container
}

/** What a repair cannot write under a name. */
export function mustFit(output: string, { input }: RepairTarget): void {
  const named = namedContainer(output)
  if (named === undefined || (named === 'sqlite') === (input.session !== undefined)) {
    if (named !== 'gzip') return
    throw new ToolError('usage', 'a repaired log is not packed with gzip', 'Name it .jsonl or .jsonl.zstd.')
  }
  const what = named === 'sqlite' ? 'a log that is a file' : 'a session of a database'
  throw new ToolError(
    'usage',
    `${what} is repaired as it is stored, and ${output} is named as something else`,
    'Repair it first, and use "convert" on the result.',
  )
}

/** A longer piece gets several lines: a line is a string, and those have a longest one. */
const PIECE_BYTES = 16 * 1024 * 1024

/** One piece of the quarantine: where it stood, why it was taken out, and its bytes, as text where they are text. */
async function* pieceLines({ origin, why, bytes }: QuarantinedPiece, file: string): AsyncIterable<string> {
  if (bytes !== undefined) {
    yield pieceLine({ why, ...origin }, bytes)
    return
  }
  const { byteOffset = 0, byteLength = 0 } = origin
  for (let done = 0; done < byteLength; done += PIECE_BYTES) {
    const from = byteOffset + done
    const content = await readRange(file, from, Math.min(from + PIECE_BYTES, byteOffset + byteLength))
    yield pieceLine({ why, ...origin, byteOffset: from, byteLength: content.length }, content)
  }
}

function pieceLine(place: object, content: Buffer): string {
  const text = content.toString('utf8')
  const isText = Buffer.from(text).equals(content)
  return stringifyJson({ ...place, ...(isText ? { text } : { base64: content.toString('base64') }) })
}

async function mustBeRepaired(
  file: string,
  { input, planned, options }: RepairTarget,
  context: WritingContext,
): Promise<void> {
  const isRepaired = async ({ source }: OpenedInput): Promise<boolean> => {
    const written = await examine(source, context.limits, options)
    const { opens } = judge(written.findings.counts())
    // The place to cut at has another number where events moved.
    const { truncateAfter: _done, drop: _dropped, ...rest } = options
    const { steps, refused } = await planRepair(source, written, { ...rest, keep: 'living' })
    // What keeps a log shut that is written in part is said with it, and may hide more that can be mended.
    const isPartial = planned.refused.length > 0
    const isDone =
      isPartial || (steps.length === 0 && refused.length === 0 && (opens || options.target !== undefined))
    return isDone && showSame(written.results.digests, planned.outcome.results.digests)
  }
  if (await withWritten(file, context, isRepaired, input.session)) return
  throw new ToolError('refused', 'the repaired copy did not pass its check and was removed', LOG_IS_SAFE)
}
