/** What a log is and what it holds, on one screen. */
import { failureText } from '../failure-text.ts'
import { plural } from '../number-text.ts'
import type { ReportData } from '../report.ts'
import type { Cell } from '../section.ts'
import { timeText } from '../time-text.ts'
import { limited, type View } from './view.ts'

type InfoData = ReportData<'info'>

export const infoView: View<'info'> = {
  *sections(report, options) {
    const data = report.data
    const { header } = data
    yield { kind: 'heading', text: `${report.subject?.path}: ${report.verdict}` }
    const rows: (readonly [string, Cell | undefined])[] = [
      ['session', header?.id],
      ['title', data.title],
      ['format', `${header?.version ?? '?'}, ${report.subject?.container}, ${plural(data.bytes, 'byte')}`],
      ['created', timeText(header?.createdAt)],
      ['directory', header?.cwd],
      ['parent', header?.parentSession],
      ['inherited events', header?.seedLength],
      [
        'events',
        `${data.events} (${data.classes.current} current, ${data.classes.shadowed} shadowed, ${data.classes.logOnly} log-only)`,
      ],
      ['from', timeText(data.firstTime)],
      ['to', timeText(data.lastTime)],
      [
        'turns',
        `${data.turns}${data.openTurn === undefined ? '' : ` (turn ${data.openTurn} is open)`}, ${plural(data.steps, 'step')}`,
      ],
      ['last turn', lastTurn(data)],
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

/** Where the session stopped because a turn failed. */
function lastTurn({ failure }: InfoData): Cell | undefined {
  if (failure === undefined) return undefined
  const said = failure.text === '' ? '' : `: ${failure.text}`
  return { text: `${failureText(failure)}${said}`, tone: 'error' }
}
