/** A log as a repair has to know it: what is wrong with it, what it shows, and what each kind of mending would need. */
import { createHash } from 'node:crypto'
import type { Dialect } from '../../core/dialect/dialect.ts'
import { dialectOf } from '../../core/dialect/dialect.ts'
import type { JsonObject } from '../../core/event/json-value.ts'
import { stringifyJson } from '../../core/event/stringify-json.ts'
import { surfaceMessages } from '../../core/projections/surface-view.ts'
import { type TranscriptEntry, transcript } from '../../core/projections/transcript.ts'
import { exchangeNotes } from '../../core/repair/exchange-notes.ts'
import { missingResults } from '../../core/repair/missing-results.ts'
import { openCompaction } from '../../core/repair/open-compaction.ts'
import { quietSpans } from '../../core/repair/quiet-spans.ts'
import { rowPatches } from '../../core/repair/row-patches.ts'
import type { Reducer } from '../../core/replay/reducer.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { type LoadedLog, loadLog, type ResultsOf } from '../load-log.ts'

/** Surface and transcript as hashes of what they show. The seqs are left out: events may move without a word changing. */
export interface LogDigests {
  readonly surface: string
  readonly transcript: string
}

export function examination(allowUnknown: boolean) {
  return {
    digests: logDigests(),
    patches: rowPatches(allowUnknown),
    missing: missingResults(),
    notes: exchangeNotes(),
    compaction: openCompaction(),
    quiet: quietSpans(),
  }
}

export type Examined = LoadedLog<ResultsOf<ReturnType<typeof examination>>>

export function examine(source: RecordSource, limits: ReadLimits, allowUnknown: boolean): Promise<Examined> {
  return loadLog(source, examination(allowUnknown), { limits })
}

export function dialectIn({ header }: Pick<Examined, 'header'>): Dialect {
  return dialectOf(header?.version)
}

function logDigests(): Reducer<LogDigests> {
  const shown = createHash('sha256')
  const messages = surfaceMessages()
  const entries = transcript((entry) => shown.update(`${stringifyJson(withoutSeqs(entry))}\n`))
  return {
    skim: (run, state) => entries.skim?.(run, state),
    on(step) {
      messages.on(step)
      entries.on(step)
    },
    finish(end) {
      entries.finish(end)
      const seen = createHash('sha256')
      for (const { message } of messages.finish(end)) seen.update(`${stringifyJson(message)}\n`)
      return { surface: seen.digest('hex'), transcript: shown.digest('hex') }
    },
  }
}

function withoutSeqs(entry: TranscriptEntry): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([member]) => !SEQS.has(member)))
}

const SEQS: ReadonlySet<string> = new Set(['seq', 'callSeq', 'summarySeq'])
