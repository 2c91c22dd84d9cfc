/** Every check of the replayed log, in the order in which a person would want to read their findings. */
import type { FindingSink } from '../findings/finding.ts'
import type { Reducer } from '../replay/reducer.ts'
import { pairChecks } from './pairs.ts'
import { surfacePairChecks } from './surface-pairs.ts'
import { turnChecks } from './turns.ts'
import { vocabularyChecks } from './vocabulary.ts'

export function allChecks(report: FindingSink): readonly Reducer<void>[] {
  const pairs = pairChecks(report)
  return [turnChecks(report), pairs, surfacePairChecks(report, pairs.causeOf), vocabularyChecks(report)]
}
