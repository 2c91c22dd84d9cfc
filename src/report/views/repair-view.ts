/** What a repair would do, or did: every step with its reason, before anything is written. */
import { isNotStarted } from '../../core/event-types/closers.ts'
import { isFindingCode, ruleOf } from '../../core/findings/rules.ts'
import { isJsonObject } from '../../core/json/json-value.ts'
import { plural } from '../number-text.ts'
import type { Report, ReportData } from '../report.ts'
import type { Cell, Section } from '../section.ts'
import { shellWord } from '../shell-word.ts'
import { waitingText } from '../waiting-text.ts'
import { gapSections } from './gap-sections.ts'
import { familyTable } from './rehearsal-sections.ts'
import { headingOf, type View } from './view.ts'

type RepairData = ReportData<'repair'>
type AddedEvent = RepairData['closers'][number]

export const repairView: View<'repair'> = {
  brief({ subject, data }) {
    const { text, tone } = briefly(data)
    const copy = data.output === undefined || data.backup !== undefined ? '' : `; written to ${data.output}`
    return { kind: 'list', items: [{ text: `${subject?.path}: ${text}${copy}`, tone }] }
  },

  *summary(reports, unread) {
    const states = reports.map(({ data }) => stateOf(data))
    const count = (wanted: State): number => states.filter((state) => state === wanted).length
    const all = reports.length + unread.length
    yield { kind: 'heading', text: `${plural(all, 'session')}` }
    const rows: (readonly [string, Cell])[] = [
      ['nothing to do', count('whole')],
      ['repaired', count('done')],
      ['to be repaired', count('planned')],
      ['cannot be repaired', count('refused')],
      ['cannot be read', unread.length],
    ]
    yield { kind: 'fields', rows: rows.filter(([, value]) => value !== 0) }
    const counts = countsOf(reports.map(({ data }) => data))
    if (counts.size > 0) yield familyTable('what is changed', counts)
    const [backup, ...others] = new Set(reports.flatMap(({ data }) => data.backup ?? []))
    // Sessions of one database have one.
    if (backup !== undefined && others.length === 0 && count('done') > 1)
      yield { kind: 'fields', rows: [['backup', backup]] }
    if (count('planned') > 0) yield { kind: 'list', items: [NOT_WRITTEN_ANY] }
  },

  *sections(report) {
    const data = report.data
    const path = report.subject?.path
    if (data.refused !== undefined) yield* refusal(report, data.refused)
    if (data.refused !== undefined && data.steps.length === 0) return
    if (data.refused !== undefined) {
      yield { kind: 'list', items: [{ text: 'What can be mended all the same:', tone: 'dim' }] }
      yield stepList(data)
    } else if (data.steps.length === 0) {
      const clean = data.remaining === undefined
      yield {
        kind: 'heading',
        text: clean ? `${path}: nothing to repair` : `${path}: nothing that a repair can mend`,
        tone: clean ? 'ok' : 'error',
      }
      for (const command of clean ? (data.commands ?? []) : [])
        yield {
          kind: 'list',
          items: [`Newer releases of DSH refuse it. To see what can be mended, run: ${command}`],
        }
    } else {
      yield {
        kind: 'heading',
        text: `${path}: ${plural(data.steps.length, 'step')} ${data.output === undefined ? 'planned' : 'done'}`,
      }
      yield stepList(data)
      yield* eventSections([...(data.inserted ?? []), ...data.closers])
      yield* gapSections(data.losses ?? [])
      yield {
        kind: 'fields',
        rows: [
          digestRow('the model', data.digests.surface, data.losses !== undefined),
          digestRow('the human', data.digests.transcript, data.losses !== undefined),
        ],
      }
    }
    if (data.remaining !== undefined && data.remaining.length > 0) {
      const codes = data.remaining.map(({ code, count }) => (count > 1 ? `${code} (${count})` : code))
      const text = `not mended: ${codes.join(', ')}; see resurface check`
      yield { kind: 'list', items: [{ text, tone: 'error' }] }
      if (data.refused === undefined) yield* helpful(data.commands ?? [])
    }
    yield* caveats(report)
    const written: (readonly [string, Cell])[] = []
    if (data.output !== undefined) written.push(['written and verified', data.output])
    if (data.backup !== undefined) {
      written.push(['backup', data.backup])
      if (data.output !== undefined) written.push(['to undo it', `resurface undo ${shellWord(data.output)}`])
    }
    if (data.quarantine !== undefined) written.push(['quarantine', data.quarantine])
    for (const branch of data.branches ?? []) written.push(['the other branch', branch])
    if (data.install !== undefined) written.push(['to replace the log', data.install])
    if (written.length > 0) yield { kind: 'fields', rows: written }
    else if (data.steps.length > 0 && data.refused === undefined)
      yield {
        kind: 'list',
        items: [
          {
            text: 'Nothing was written. Add --write for a copy next to the log, -o FILE for another place, --in-place to replace it.',
            tone: 'dim',
          },
        ],
      }
  },
}

/** What somebody should know before the log is written, or the session resumed. */
function* caveats({ data, findings }: Report<'repair'>): Iterable<Section> {
  const items: Cell[] = []
  const waits = waitingText(data.waiting ?? [])
  if (waits !== undefined)
    items.push({
      text: `still waiting in the inbox, and sent when the session is resumed: ${waits}; --drop-waiting takes it out`,
      tone: 'warning',
    })
  const running = findings.find(({ code }) => code === 'store/running')
  if (running !== undefined)
    items.push({
      text: `the session runs (${running.message}): close it before the log is replaced`,
      tone: 'warning',
    })
  if (items.length > 0) yield { kind: 'list', items }
}

type State = 'whole' | 'planned' | 'done' | 'refused'

function stateOf({ refused, steps, output }: RepairData): State {
  if (refused !== undefined) return 'refused'
  if (steps.length === 0) return 'whole'
  return output === undefined ? 'planned' : 'done'
}

function briefly(data: RepairData): { readonly text: string; readonly tone: 'ok' | 'error' | 'dim' } {
  const state = stateOf(data)
  if (state === 'refused') {
    const [first = '', ...others] = data.refused ?? []
    const more = others.length === 0 ? '' : ` (and ${plural(others.length, 'more reason', 'more reasons')})`
    return { text: `cannot be repaired: ${first}${more}`, tone: 'error' }
  }
  if (state === 'whole') return { text: 'nothing to do', tone: 'dim' }
  const what = [...countsOf([data])].map(([name, { events }]) => `${name} (${events})`)
  return { text: `${state === 'done' ? 'repaired' : 'to be repaired'}: ${what.join(', ')}`, tone: 'ok' }
}

interface FamilyCount {
  sessions: number
  events: number
}

/** How many sessions and events each kind of step is about; an upgrade has its families listed. */
function countsOf(all: readonly RepairData[]): ReadonlyMap<string, FamilyCount> {
  const counts = new Map<string, FamilyCount>()
  for (const { steps, refused } of all) {
    if (refused !== undefined) continue
    const here = new Set<string>()
    for (const { kind, args, count } of steps) {
      const name = kind === 'upgrade' && isJsonObject(args) ? String(args.family) : kind
      const known = counts.get(name) ?? { sessions: 0, events: 0 }
      known.events += count
      if (!here.has(name)) known.sessions++
      here.add(name)
      counts.set(name, known)
    }
  }
  return counts
}

const NOT_WRITTEN_ANY = {
  text: 'Nothing was written. Add --in-place to replace the logs; each keeps a backup, and "undo" with the same names brings all of them back.',
  tone: 'dim' as const,
}

function* refusal(
  { subject, findings, data }: Report<'repair'>,
  refused: readonly string[],
): Iterable<Section> {
  const { commands = [] } = data
  const isNoLog = findings.some(({ code }) => isFindingCode(code) && ruleOf(code).outcome === 'not-a-log')
  const choice = commands.length > 0 ? 'cannot be repaired without a choice' : 'cannot be repaired'
  const problem = isNoLog ? 'there is nothing in it to repair' : choice
  yield headingOf({ subject }, problem, 'error')
  yield { kind: 'list', items: refused.map((reason) => `  ${reason}`) }
  yield* helpful(commands)
}

function* helpful(commands: readonly string[]): Iterable<Section> {
  if (commands.length === 0) return
  yield { kind: 'list', items: ['Commands that help:', ...commands.map((command) => `  ${command}`)] }
}

function stepList({ steps }: RepairData): Section {
  return {
    kind: 'list',
    items: steps.map(({ what, reason }, index) => `  ${index + 1}. ${what} (${reason})`),
  }
}

function* eventSections(events: readonly AddedEvent[]): Iterable<Section> {
  if (events.length === 0) return
  const columns = [
    { label: 'seq', width: 7, align: 'right' as const },
    { label: 'added event', width: 12 },
    { label: 'says', width: 0 },
  ]
  yield { kind: 'rows', columns, rows: events.map((event) => [event.seq, event.type, says(event)]) }
}

function says({ type, data }: AddedEvent): string {
  const { turn, step, message } = isJsonObject(data) ? data : {}
  if (type === 'step/end') return `${named('step', step)} of ${named('turn', turn)} ends`
  if (type === 'compaction/end') return 'the open compaction ends without a summary'
  if (type === 'turn/start') return `${named('turn', turn)} starts`
  if (type === 'step/start') return `${named('step', step)} of ${named('turn', turn)} starts`
  if (type !== 'turn/end' && type !== 'tool/result') return 'as the events around it prove'
  if (type === 'turn/end') return `${named('turn', turn)} was interrupted`
  const isStarted = !isNotStarted(data)
  const source = isJsonObject(message) ? message.source : undefined
  const callId = isJsonObject(source) ? source.callId : undefined
  return `${named('tool call', callId)} ${isStarted ? 'has an unknown outcome' : 'was never started'}`
}

/** A log may hold anything where a number or a name belongs. */
function named(what: string, name: unknown): string {
  return typeof name === 'number' || typeof name === 'string' ? `${what} ${name}` : `the ${what}`
}

function digestRow(
  who: string,
  { before, after }: RepairData['digests']['surface'],
  isIncomplete: boolean,
): readonly [string, Cell] {
  const seen = isIncomplete ? ', compared with the damaged log as far as it can be read' : ''
  return [
    `what ${who} sees`,
    before === after
      ? `stays the same${seen}`
      : `changes (${before.slice(0, 12)} → ${after.slice(0, 12)})${seen}`,
  ]
}
