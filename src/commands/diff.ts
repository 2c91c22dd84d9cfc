/** `diff`: what differs between two logs, or between two moments of one, as stored, as events and for the model. */
import { type Change, DIFF_LEVELS, type DiffLevel } from '../core/diff/change.ts'
import { eventChanges, eventCounts } from '../core/diff/event-changes.ts'
import { HashIds } from '../core/diff/hash-ids.ts'
import { messageChanges } from '../core/diff/message-changes.ts'
import { type DiffOutcome, diffExitCode, unreadIn } from '../core/diff/outcome.ts'
import { recordChanges } from '../core/diff/record-changes.ts'
import { type SurfaceMessage, surfaceMessages } from '../core/projections/surface-view.ts'
import type { Reducer } from '../core/replay/reducer.ts'
import { diffEvents } from '../load/diff/diff-events.ts'
import { readRecords } from '../load/diff/read-records.ts'
import { surfaceDigest } from '../load/log-digests.ts'
import type { ReportData } from '../report/report.ts'
import type { BetweenEvents, DiffData, DiffSide, DiffSummary } from '../report/views/diff-view.ts'
import { logHash } from '../storage/rewrite/file-hash.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type Command, type CommandContext, LOG_ARGUMENT, type Outcome } from './command.ts'
import { type JudgedLog, mustBeLog, withLog } from './log-report.ts'
import { parseList, parseSeq } from './option-values.ts'

export const command: Command = {
  arguments: [
    ['<a>', LOG_ARGUMENT],
    ['[b]', 'the log to compare it with; absent when two moments of one log are compared'],
  ],
  options: [
    {
      flags: '--level <levels>',
      description:
        'what to compare, separated by commas: bytes (the records as they are stored), log (the events, wherever they are stored), surface (the messages for the model); default: all',
      parse: parseLevels,
    },
    { flags: '--from <seq>', description: 'compare the surface after this event', parse: parseSeq },
    {
      flags: '--to <seq>',
      description: '… with the surface after this one (default: the last)',
      parse: parseSeq,
    },
  ],
  examples: [
    'resurface diff session.jsonl session.repaired.jsonl',
    'resurface diff session.jsonl store.db#session-2f6c --level log,surface',
    'resurface diff session.jsonl --from 100 --to 412',
  ],
  run: ([nameA, nameB], options, context) => {
    const from = options.from as number | undefined
    const to = options.to as number | undefined
    const levels = options.level as readonly DiffLevel[] | undefined
    if (nameB === undefined) return diffMoments(nameA as string, { from, to, levels }, context)
    if (from !== undefined || to !== undefined)
      throw new ToolError(
        'usage',
        '--from and --to are moments of one log',
        'Name one log, or leave them out.',
      )
    if (nameA === '-' && nameB === '-') throw new ToolError('usage', 'standard input can be read once only')
    return diffLogs(nameA as string, nameB as string, levels ?? DIFF_LEVELS, context)
  },
}

function parseLevels(text: string): readonly DiffLevel[] {
  const named = parseList(text)
  const unknown = named.find((name) => !DIFF_LEVELS.includes(name as DiffLevel))
  if (unknown !== undefined || named.length === 0)
    throw new ToolError('usage', `"${unknown ?? text}" is no level; write bytes, log or surface`)
  return DIFF_LEVELS.filter((level) => named.includes(level))
}

// Two logs ---------------------------------------------------------------------------------------------------------

type Seen = JudgedLog<{ messages: readonly SurfaceMessage[] }>

/** The messages, when somebody asks for them: what nobody needs is not kept. */
function messagesFor(levels: readonly DiffLevel[]): Reducer<readonly SurfaceMessage[]> {
  return levels.includes('surface') ? surfaceMessages() : { skim() {}, on() {}, finish: () => [] }
}

async function diffLogs(
  nameA: string,
  nameB: string,
  levels: readonly DiffLevel[],
  context: CommandContext,
): Promise<Outcome> {
  return withLog(nameA, context, { messages: messagesFor(levels) }, (a) => {
    mustBeLog(a)
    return withLog(nameB, context, { messages: messagesFor(levels) }, (b) => {
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
  const summary: { -readonly [Level in keyof DiffSummary]: DiffSummary[Level] } = {}
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
    changes.push(eventChanges(events))
  }
  if (levels.includes('surface')) {
    const messages = messageChanges(a.results.messages, b.results.messages)
    summary.surface = { same: messages.changes.length === 0, counts: messages.counts }
    changes.push(messages.changes)
  }
  const sides = { a: sideOf(a, levels), b: sideOf(b, levels) }
  const isSame = Object.values(summary).every(({ same }) => same)
  const isUnread = !isIdentical && (sides.a.unread ?? sides.b.unread) !== undefined
  const outcome: DiffOutcome = isSame ? (isUnread ? 'unknown' : 'same') : 'different'
  return answer({ outcome, levels, ...sides, summary, changes: joined(changes) })
}

function headerChange({ members, isCut }: { members: Change['members']; isCut: boolean }): Change {
  const kinds = { header: 1 }
  return {
    level: 'log',
    change: 'changed',
    count: 1,
    kinds,
    ...(members && { members }),
    ...(isCut && { more: true }),
  }
}

/** The same bytes say the same, whether they can be read or not. */
async function areIdentical(a: Seen, b: Seen): Promise<boolean> {
  const isStill = ![a, b].some(({ findings }) => findings.found().has('bytes/changed-while-reading'))
  if (!isStill || a.input.container !== b.input.container || a.input.session !== b.input.session) return false
  return (await logHash(a.input.file)) === (await logHash(b.input.file))
}

function isDatabase({ input }: Seen): boolean {
  return input.session !== undefined
}

// Two moments of one log -------------------------------------------------------------------------------------------

interface Moments {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly levels: readonly DiffLevel[] | undefined
}

async function diffMoments(
  name: string,
  { from, to, levels }: Moments,
  context: CommandContext,
): Promise<Outcome> {
  if (from === undefined)
    throw new ToolError(
      'usage',
      'diff needs a second log, or --from SEQ',
      'resurface diff A B, or resurface diff LOG --from 100',
    )
  if (to !== undefined && to < from) throw new ToolError('usage', `${from}..${to} ends before it begins`)
  if (levels !== undefined && (levels.length > 1 || levels[0] !== 'surface'))
    throw new ToolError('usage', 'two moments of one log are compared at the level of the surface')
  if (name === '-')
    throw new ToolError('usage', 'standard input can be read once only', 'Write it to a file first.')
  return withLog(
    name,
    context,
    { messages: surfaceMessages() },
    (a) => {
      mustBeLog(a)
      const last = a.end.last?.event.seq ?? -1
      const beyond = [from, to].find((seq) => seq !== undefined && seq > last)
      if (beyond !== undefined) throw new ToolError('usage', `the log ends at seq ${last}`)
      const until = to ?? last
      const reducers = { messages: surfaceMessages(), between: eventsAfter(from) }
      return withLog(name, context, reducers, (b) => momentsCompared(a, b, from, until), { until })
    },
    { until: from },
  )
}

function momentsCompared(
  a: Seen,
  b: JudgedLog<{ messages: readonly SurfaceMessage[]; between: BetweenEvents }>,
  from: number,
  to: number,
): Outcome {
  const levels = ['surface'] as const
  const { counts, changes } = messageChanges(a.results.messages, b.results.messages)
  const sides = { a: { ...sideOf(a, levels), at: from }, b: { ...sideOf(b, levels), at: to } }
  const isSame = changes.length === 0
  const outcome: DiffOutcome = isSame ? (sides.b.unread === undefined ? 'same' : 'unknown') : 'different'
  const summary = { surface: { same: isSame, counts } }
  return answer({ outcome, levels, ...sides, summary, between: b.results.between, changes })
}

function eventsAfter(from: number): Reducer<BetweenEvents> {
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

// The answer -------------------------------------------------------------------------------------------------------

function sideOf(
  { name, header, input, findings, end, results }: Seen,
  levels: readonly DiffLevel[],
): DiffSide {
  const unread = unreadIn(findings.found())
  return {
    path: name,
    ...(header !== undefined && { sessionId: header.id, format: header.version }),
    container: input.container,
    events: end.eventCount,
    ...(levels.includes('surface') && {
      messages: results.messages.length,
      digest: surfaceDigest(results.messages),
    }),
    ...(unread.length > 0 && { unread }),
  }
}

function* joined(parts: readonly Iterable<Change>[]): Iterable<Change> {
  for (const part of parts) yield* part
}

function answer(data: DiffData): Outcome {
  const logs = data.outcome === 'same' ? [] : [data.a, data.b]
  const notes = logs
    .filter(({ path, unread }, index) => unread !== undefined && !(index === 1 && path === data.a.path))
    .map(({ path, unread }) => `${path} was not read whole (${unread?.join(', ')}): resurface check ${path}`)
  const { path, sessionId, format, container } = data.a
  const subject = {
    path,
    ...(sessionId !== undefined && { sessionId }),
    ...(format !== undefined && { format }),
    container,
  }
  const report = { schema: 'resurface/diff@1', subject, findings: [], data: data as unknown as ReportData }
  return { answer: report, exitCode: diffExitCode(data.outcome), notes }
}
