/** A log as a repair has to know it: what is wrong with it, what it shows, and what each kind of mending would need. */
import type { Dialect } from '../../core/dialect/dialect.ts'
import { dialectOf } from '../../core/dialect/dialect.ts'
import { gaps } from '../../core/projections/gaps.ts'
import { waitingMessages } from '../../core/projections/waiting-messages.ts'
import { cutPoints } from '../../core/repair/cut-points.ts'
import { exchangeNotes } from '../../core/repair/exchange-notes.ts'
import { missingResults } from '../../core/repair/missing-results.ts'
import { rowPatches } from '../../core/repair/row-patches.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { type LoadedLog, loadLog, type ResultsOf } from '../sessions/load-log.ts'
import { logDigests } from '../sessions/log-digests.ts'
import { contentDigests } from './content-digests.ts'

interface Choices {
  readonly allowUnknown: boolean
  readonly target?: string
}

/** A log that is made fit for another release keeps its content, though not every id and source. */
export function examination({ allowUnknown, target }: Choices) {
  return {
    digests: target === undefined ? logDigests() : contentDigests(),
    patches: rowPatches(allowUnknown),
    missing: missingResults(),
    notes: exchangeNotes(),
    cuts: cutPoints(),
    gaps: gaps(),
    waiting: waitingMessages(),
  }
}

export type Examined = LoadedLog<ResultsOf<ReturnType<typeof examination>>>

export function examine(source: RecordSource, limits: ReadLimits, choices: Choices): Promise<Examined> {
  return loadLog(source, examination(choices), { limits })
}

export function dialectIn({ header }: Pick<Examined, 'header'>): Dialect {
  return dialectOf(header?.version)
}
