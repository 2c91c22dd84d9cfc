/** Two moments of one log: what the model would be sent differently, and the events that lie between. */
import type { DiffLevel, DiffOutcome } from '../../core/diff/change.ts'
import { messageChanges } from '../../core/diff/message-changes.ts'
import type { MadeList } from '../../core/json/made-list.ts'
import type { SurfaceMessage } from '../../core/projections/surface-view.ts'
import type { Reducer } from '../../core/replay/reducer.ts'
import { comparedMessages, messageIds } from '../../load/diff/read-messages.ts'
import { type JudgedLog, mustBeLog } from '../../load/inputs/judged-log.ts'
import { withLog } from '../../log/open-log.ts'
import type { ReportData } from '../../report/report.ts'
import { shellWord } from '../../report/shell-word.ts'
import { ToolError } from '../../storage/tool-error.ts'
import type { CommandContext, Outcome } from '../definition/command.ts'
import { diffOutcome, type Seen, sideOf } from './diff-outcome.ts'

export interface Moments {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly levels: readonly DiffLevel[] | undefined
}

export async function diffMoments(
  name: string,
  { from, to, levels }: Moments,
  context: CommandContext,
): Promise<Outcome> {
  if (from === undefined)
    throw new ToolError(
      'usage',
      'diff needs a second log, or --from SEQ',
      `Write: resurface diff ${shellWord(name)} OTHER, or: resurface diff ${shellWord(name)} --from 100`,
    )
  if (to !== undefined && to < from) throw new ToolError('usage', `${from}..${to} ends before it begins`)
  if (levels !== undefined && (levels.length > 1 || levels[0] !== 'surface'))
    throw new ToolError('usage', 'two moments of one log are compared at the level of the surface')
  if (name === '-')
    throw new ToolError('usage', 'standard input can be read once only', 'Write it to a file first.')
  return withLog(name, context, async (log) => {
    const a = await log.read({ messages: comparedMessages() }, { until: from })
    mustBeLog(a)
    const last = a.end.last?.event.seq ?? -1
    const beyond = [from, to].find((seq) => seq !== undefined && seq > last)
    if (beyond !== undefined) throw new ToolError('usage', `the log ends at seq ${last}`)
    const until = to ?? last
    const b = await log.read({ messages: comparedMessages(), between: eventsAfter(from) }, { until })
    return momentsCompared(a, b, from, until)
  })
}

function momentsCompared(
  a: Seen,
  b: JudgedLog<{ messages: MadeList<SurfaceMessage>; between: NonNullable<ReportData<'diff'>['between']> }>,
  from: number,
  to: number,
): Outcome {
  const levels = ['surface'] as const
  const { counts, changes } = messageChanges(a.results.messages, b.results.messages, messageIds())
  const sides = { a: { ...sideOf(a, levels), at: from }, b: { ...sideOf(b, levels), at: to } }
  const isSame = changes.length === 0
  const outcome: DiffOutcome = isSame ? (sides.b.unread === undefined ? 'same' : 'unknown') : 'different'
  const summary = { surface: { same: isSame, counts } }
  return diffOutcome({ outcome, levels, ...sides, summary, between: b.results.between, changes })
}

function eventsAfter(from: number): Reducer<NonNullable<ReportData<'diff'>['between']>> {
  const events: { first: number; last: number; type: string }[] = []
  let count = 0
  return {
    on({ event: { seq, type } }) {
      if (seq <= from) return
      count++
      const run = events.at(-1)
      if (run?.type === type) run.last = seq
      else events.push({ first: seq, last: seq, type })
    },
    finish: () => ({ count, events }),
  }
}
