/** Every check of the replayed log. Which of them speak depends on the format: see `Dialect.relations`. */
import type { FindingSink } from '../findings/finding.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'
import { assistantMessageChecks } from './assistant-messages.ts'
import { callIdChecks } from './call-ids.ts'
import { compactionChecks } from './compactions.ts'
import { forkChecks, seedChecks } from './forks.ts'
import { inboxChecks } from './inbox.ts'
import { messageIdChecks } from './message-ids.ts'
import { offloadChecks } from './offload.ts'
import { pairChecks } from './pairs.ts'
import { compactionRelations } from './relations/compaction-relations.ts'
import { relationChecks } from './relations/index.ts'
import { SystemHead } from './relations/system-head.ts'
import { surfacePairChecks } from './surface-pairs.ts'
import { timeChecks } from './times.ts'
import { openTurnCheck, turnChecks } from './turns.ts'
import { vocabularyChecks } from './vocabulary.ts'

/** Every check, as reducers for a replay. @param report - is given each finding when it is certain. */
export function allChecks(report: FindingSink): readonly Reducer<void>[] {
  const pairs = pairChecks(report)
  const head = new SystemHead()
  return [
    turnChecks(report),
    assistantMessageChecks(report),
    compactionRelations(report, head),
    ...relationChecks(report, head).map(enforced),
    openTurnCheck(report),
    pairs,
    surfacePairChecks(report, pairs.causeOf),
    callIdChecks(report),
    compactionChecks(report),
    seedChecks(report),
    forkChecks(report),
    inboxChecks(report),
    messageIdChecks(report),
    timeChecks(report),
    offloadChecks(report),
    vocabularyChecks(report),
  ]
}

/** Formats with streamed deltas enforce nothing. */
function enforced(check: Reducer<void>): Reducer<void> {
  return {
    types: check.types,
    onDeltas: ignoreDeltas,
    on(step) {
      if (step.dialect.relations) check.on(step)
    },
    finish(end) {
      if (end.dialect.relations) check.finish(end)
    },
  }
}
