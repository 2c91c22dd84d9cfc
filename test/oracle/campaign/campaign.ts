/** Asks both sides about every mutant of the rich logs and keeps what they do not agree on. */
import { Random } from '../random.ts'
import { answeredFormats, type ReaderFormat, ReadersProcess } from '../readers-process.ts'
import { releaseAnswers } from '../release-answer.ts'
import type { Version } from './log-draft.ts'
import { type Mutant, mutants } from './mutants.ts'
import { type RichLog, richLogs } from './rich-logs.ts'

export interface Mismatch {
  readonly log: string
  readonly version: Version
  readonly mutant: Mutant
  /** The release that was asked. */
  readonly format: ReaderFormat
  /** The published readers open it. */
  readonly opens: boolean
  /** Their words, or what resurface has against it. */
  readonly why: string
}

export interface Outcome {
  readonly asked: number
  readonly mismatches: readonly Mismatch[]
}

export interface CampaignOptions {
  readonly versions: readonly Version[]
  /** Part of the mutants that is asked about, from 0 to 1. */
  readonly share: number
  readonly seed: string
  /** Only logs, types or members whose name contains it. */
  readonly only?: string | undefined
}

/** Requests on their way to the readers at a time. */
const AT_ONCE = 64

export async function runCampaign({ versions, share, seed, only }: CampaignOptions): Promise<Outcome> {
  const readers = new ReadersProcess()
  try {
    const random = new Random(`${seed} campaign`)
    const chosen = (log: RichLog): readonly Mutant[] =>
      [...mutants(log.rows)].filter(
        (mutant) =>
          (share === 1 || random.chance(share)) &&
          (only === undefined || `${log.name} ${mutant.type} ${mutant.path}`.includes(only)),
      )
    const mismatches: Mismatch[] = []
    let asked = 0
    for (const log of richLogs(versions)) {
      const questions = chosen(log)
      for (let first = 0; first < questions.length; first += AT_ONCE) {
        const found = await Promise.all(
          questions.slice(first, first + AT_ONCE).map((mutant) => compare(readers, log, mutant)),
        )
        for (const { count, differences } of found) {
          asked += count
          mismatches.push(...differences)
        }
      }
    }
    return { asked, mismatches }
  } finally {
    await readers.stop()
  }
}

async function compare(
  readers: ReadersProcess,
  { name, version }: RichLog,
  mutant: Mutant,
): Promise<{ readonly count: number; readonly differences: readonly Mismatch[] }> {
  const text = mutant.text()
  const [theirs, ours] = await Promise.all([readers.ask(text), answersOrFailure(text)])
  const formats = answeredFormats(theirs)
  const differences = formats.flatMap((format) => {
    const { opens, why } = theirs[format] as { opens: boolean; why?: string }
    if (ours instanceof Error) return [{ log: name, version, mutant, format, opens, why: String(ours) }]
    if (ours[format].opens === opens) return []
    return [{ log: name, version, mutant, format, opens, why: why ?? ours[format].reasons.join(', ') }]
  })
  return { count: formats.length, differences }
}

/** A log that resurface cannot take is a difference like any other, and the campaign goes on. */
async function answersOrFailure(text: string): Promise<Awaited<ReturnType<typeof releaseAnswers>> | Error> {
  try {
    return await releaseAnswers(text)
  } catch (error) {
    return error as Error
  }
}
