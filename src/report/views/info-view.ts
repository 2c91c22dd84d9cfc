/** What a log is and what it holds, on one screen. */
import { isFindingCode, ruleOf } from '../../core/findings/rules.ts'
import { failureText } from '../failure-text.ts'
import { timeText } from '../moment-text.ts'
import { plural } from '../number-text.ts'
import type { Report, ReportData } from '../report.ts'
import type { Cell, Toned } from '../section.ts'
import { waitingText } from '../waiting-text.ts'
import { sizeSections } from './size-sections.ts'
import { limited, type View } from './view.ts'

type InfoData = ReportData<'info'>

export const infoView: View<'info'> = {
  *sections(report, options) {
    const data = report.data
    const { header } = data
    yield { kind: 'heading', ...headlineOf(report) }
    const container = `${report.subject?.container}, ${plural(data.bytes, 'byte')}`
    if (isNoLog(report) && data.events === 0) {
      yield { kind: 'fields', rows: [['read as', container]] }
      return
    }
    const rows: (readonly [string, Cell | undefined])[] = [
      ['session', header?.id],
      ['title', data.title],
      ['format', `${header?.version ?? '?'}, ${container}`],
      ['created', timeText(header?.createdAt)],
      ['directory', header?.cwd],
      ['parent', header?.parentSession],
      ['inherited events', data.inherited?.before],
      [
        'events',
        `${data.events} (${data.classes.current} current, ${data.classes.shadowed} shadowed, ${data.classes.logOnly} log-only)`,
      ],
      ['rows', data.records < data.events ? `${data.records}, some packed` : undefined],
      ['from', timeText(data.firstTime)],
      ['to', timeText(data.lastTime)],
      [
        'turns',
        `${data.turns}${data.openTurn === undefined ? '' : ` (turn ${data.openTurn} is open)`}, ${plural(data.steps, 'step')}`,
      ],
      ['last turn', lastTurn(data)],
      ['state', stateOf(report)],
      ['waits in the inbox', waitingText(data.waiting ?? [])],
      ['models', data.models.length > 0 ? data.models.join(', ') : undefined],
      ['tools', Object.keys(data.tools).length > 0 ? counted(data.tools) : undefined],
      ['tokens', tokenText(data.tokens)],
      ['inherited tokens', tokenText(data.inheritedTokens)],
    ]
    yield { kind: 'fields', rows: rows.filter((row): row is readonly [string, Cell] => row[1] !== undefined) }
    if (data.compactions.length > 0) {
      yield { kind: 'heading', text: plural(data.compactions.length, 'compaction') }
      const { shown, hidden } = limited(data.compactions, options.limit)
      yield { kind: 'table', columns: COMPACTION_COLUMNS, rows: shown.map(compactionRow) }
      if (hidden > 0) yield { kind: 'list', items: [{ text: `… and ${hidden} more`, tone: 'dim' }] }
    }
    if (data.sizes !== undefined) {
      yield* sizeSections(data.sizes, options.limit)
      return
    }
    if (data.events === 0) return
    yield { kind: 'heading', text: 'events by type' }
    const { shown, hidden } = limited(Object.entries(data.types), options.limit)
    const columns = [
      { label: 'events', width: 8, align: 'right' as const },
      { label: 'type', width: 0 },
    ]
    yield { kind: 'rows', columns, rows: shown.map(([type, count]) => [count, type]) }
    if (hidden > 0) yield { kind: 'list', items: [{ text: `… and ${hidden} more types`, tone: 'dim' }] }
  },
}

function counted(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

const COMPACTION_COLUMNS = [
  { label: 'seq', width: 7, align: 'right' as const },
  { label: 'messages hidden', width: 15, align: 'right' as const },
  { label: 'tokens, about', width: 13, align: 'right' as const },
]

function compactionRow({ seq, hidden, hiddenTokens }: InfoData['compactions'][number]): readonly Cell[] {
  return [seq, hidden, hiddenTokens ?? '?']
}

function tokenText({ input, output, cacheRead, cacheWrite }: InfoData['tokens']): string | undefined {
  if (input + output + cacheRead + cacheWrite === 0) return undefined
  const cached =
    cacheRead + cacheWrite === 0 ? '' : `, ${cacheRead} read from cache, ${cacheWrite} written to it`
  return `${input} in, ${output} out${cached}`
}

function isNoLog({ findings }: Report<'info'>): boolean {
  return findings.some(({ code }) => isFindingCode(code) && ruleOf(code).outcome === 'not-a-log')
}

/** What the log is, in words that the numbers under them do not contradict. */
function headlineOf(report: Report<'info'>): Toned {
  const { subject, verdict, findings, data } = report
  const of = (wanted: string): number => findings.filter(({ severity }) => severity === wanted).length
  const [errors, warnings] = [of('error'), of('warning')]
  const counts = [errors > 0 && plural(errors, 'error'), warnings > 0 && plural(warnings, 'warning')]
  const listed = counts.filter((count) => count !== false).join(', ')
  const states = {
    clean: data.events === 0 ? 'a header, and no events yet' : 'clean',
    findings: listed,
    'left-out': 'nothing but what the baseline or the settings leave out',
    unsupported: 'intact, but DSH cannot open it',
    incomplete: 'could not be checked fully',
    'refused-by-newer': 'intact, but newer releases of DSH refuse it',
  }
  const state = isNoLog(report) ? 'there is no session in it' : states[verdict ?? 'findings']
  const tone = verdict === 'clean' ? 'strong' : errors > 0 ? 'error' : 'warning'
  return { text: `${subject?.path}: ${state}`, tone }
}

/** Whether somebody is at work on it, when it is open at its end. */
function stateOf({ findings, data }: Report<'info'>): Cell | undefined {
  const running = findings.find(({ code }) => code === 'store/running')
  if (running !== undefined) return { text: `the session runs: ${running.message}`, tone: 'info' }
  if (data.openTurn === undefined) return undefined
  return `turn ${data.openTurn} is open: the process ended, or still runs`
}

/** Where the session stopped because a turn failed. */
function lastTurn({ failure }: InfoData): Cell | undefined {
  if (failure === undefined) return undefined
  const said = failure.text === '' ? '' : `: ${failure.text}`
  return { text: `${failureText(failure)}${said}`, tone: 'error' }
}
