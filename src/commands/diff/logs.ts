/** Two logs, compared as they are stored, as events, and for the model. */
import type { Change, DiffLevel, DiffOutcome } from '../../core/diff/change.ts'
import { eventChanges, eventCounts } from '../../core/diff/event-changes.ts'
import { HashIds } from '../../core/diff/hash-ids.ts'
import type { MemberChanges } from '../../core/diff/member-changes.ts'
import { messageChanges } from '../../core/diff/message-changes.ts'
import { recordChanges } from '../../core/diff/record-changes.ts'
import type { MadeList } from '../../core/json/made-list.ts'
import type { SurfaceMessage } from '../../core/projections/surface-view.ts'
import { ignoreDeltas } from '../../core/replay/delta-run.ts'
import type { Reducer } from '../../core/replay/reducer.ts'
import { diffEvents } from '../../load/diff/diff-events.ts'
import { comparedMessages, messageIds } from '../../load/diff/read-messages.ts'
import { readRecords } from '../../load/diff/read-records.ts'
import { mustBeLog } from '../../load/inputs/judged-log.ts'
import { isUnchanged } from '../../load/inputs/open-input.ts'
import { withLog } from '../../log/open-log.ts'
import { madeAnew } from '../../report/main-list.ts'
import type { ReportData } from '../../report/report.ts'
import { logHash } from '../../storage/rewrite/file-hash.ts'
import type { CommandContext, Outcome } from '../definition/command.ts'
import { diffOutcome, type Seen, sideOf } from './diff-outcome.ts'

export async function diffLogs(
  nameA: string,
  nameB: string,
  levels: readonly DiffLevel[],
  context: CommandContext,
): Promise<Outcome> {
  return withLog(nameA, context, async (logA) => {
    const a = await logA.read({ messages: messagesFor(levels) })
    mustBeLog(a)
    return withLog(nameB, context, async (logB) => {
      const b = await logB.read({ messages: messagesFor(levels) })
      mustBeLog(b)
      return compared(a, b, levels, context)
    })
  })
}

async function compared(
  a: Seen,
  b: Seen,
  levels: readonly DiffLevel[],
  { limits }: CommandContext,
): Promise<Outcome> {
  const summary: {
    -readonly [Level in keyof ReportData<'diff'>['summary']]: ReportData<'diff'>['summary'][Level]
  } = {}
  const changes: Iterable<Change>[] = []
  const isIdentical = await areIdentical(a, b)
  if (levels.includes('bytes')) {
    const ids = new HashIds()
    const records = recordChanges(
      await readRecords(a.input.source, ids),
      await readRecords(b.input.source, ids),
    )
    const { same, added, removed } = records.counts
    const isStoredAlike = isIdentical || (isDatabase(a) && isDatabase(b) && added + removed === 0)
    summary.bytes = { same: isStoredAlike, counts: { same, added, removed } }
    changes.push(records.changes)
  }
  if (levels.includes('log')) {
    const events = await diffEvents(a.input.source, b.input.source, limits)
    const { same, ...others } = eventCounts(events)
    const isSame = events.header === undefined && Object.values(others).every((count) => count === 0)
    summary.log = { same: isSame, counts: { same, ...others } }
    const { header } = events
    if (header !== undefined) changes.push([headerChange(header)])
    changes.push(madeAnew(() => eventChanges(events)))
  }
  if (levels.includes('surface')) {
    const messages = messageChanges(a.results.messages, b.results.messages, messageIds())
    summary.surface = { same: messages.changes.length === 0, counts: messages.counts }
    changes.push(messages.changes)
  }
  for (const log of [a, b]) await noticeChange(log)
  const sides = { a: sideOf(a, levels), b: sideOf(b, levels) }
  const isSame = Object.values(summary).every(({ same }) => same)
  const isCertain = isIdentical && !hasChanged(a) && !hasChanged(b)
  const isUnread = !isCertain && (sides.a.unread ?? sides.b.unread) !== undefined
  const outcome: DiffOutcome = isSame ? (isUnread ? 'unknown' : 'same') : 'different'
  return diffOutcome({ outcome, levels, ...sides, summary, changes: madeAnew(() => joined(changes)) })
}

function headerChange({ members, isCut }: MemberChanges): Change {
  const kinds = { header: 1 }
  return { level: 'log', change: 'changed', count: 1, kinds, members, ...(isCut && { more: true }) }
}

/** The same bytes say the same, whether they can be read or not. */
async function areIdentical(a: Seen, b: Seen): Promise<boolean> {
  const isSameKind = a.input.container === b.input.container && a.input.session === b.input.session
  if (!isSameKind || a.fileBytes !== b.fileBytes) return false
  return (await logHash(a.input.file)) === (await logHash(b.input.file))
}

/** A log is read several times; what it was when it was opened it must be at the end. */
async function noticeChange({ input, findings }: Seen): Promise<void> {
  if (!(await isUnchanged(input))) findings.add({ code: CHANGED, origin: {}, args: {} })
}

const CHANGED = 'bytes/changed-while-reading'

function hasChanged({ findings }: Seen): boolean {
  return findings.found().has(CHANGED)
}

function isDatabase({ input }: Seen): boolean {
  return input.session !== undefined
}

/** The messages, when somebody asks for them: what nobody needs is not kept. */
function messagesFor(levels: readonly DiffLevel[]): Reducer<MadeList<SurfaceMessage>> {
  return levels.includes('surface')
    ? comparedMessages()
    : { onDeltas: ignoreDeltas, on() {}, finish: () => [] }
}

function* joined(parts: readonly Iterable<Change>[]): Iterable<Change> {
  for (const part of parts) yield* part
}
