/** What a crash would cost, place by place. */
import type { ListItem } from '../main-list.ts'
import { plural } from '../number-text.ts'
import { rangeText } from '../position-text.ts'
import type { Cell } from '../section.ts'
import { headingOf, type View } from './view.ts'

type CrashPoint = ListItem<'crash-points'>

export const crashPointsView: View<'crash-points'> = {
  *sections(report) {
    const { totals, points } = report.data
    yield headingOf(report, `${plural(totals.points, 'place')} where a crash could end it`)
    yield {
      kind: 'fields',
      rows: [
        ['turn is open', totals.openTurn],
        ['answer is cut off', totals.losesAnswer],
        ['calls not started', totals.notStarted],
        ['calls left unknown', totals.unknown],
      ],
    }
    yield { kind: 'rows', columns: COLUMNS, rows: points.map(row) }
  },
}

const COLUMNS = [
  { label: 'after seq', width: 13, align: 'right' as const },
  { label: 'turn', width: 5, align: 'right' as const },
  { label: 'step', width: 4, align: 'right' as const },
  { label: 'resume appends', width: 36 },
  { label: 'costs', width: 0 },
]

function row({ from, to, turn, step, closers, ...point }: CrashPoint): Cell[] {
  const costs = costsOf(point)
  const isGrave = point.unknown.length > 0
  return [
    rangeText(from, to),
    turn ?? '',
    step ?? '',
    counted(closers),
    { text: costs, tone: isGrave ? 'warning' : 'plain' },
  ]
}

function costsOf({ unknown, notStarted, losesAnswer }: Omit<CrashPoint, 'from' | 'to' | 'closers'>): string {
  return [
    unknown.length > 0 && `unknown: ${names(unknown)}`,
    notStarted.length > 0 && `not started: ${names(notStarted)}`,
    losesAnswer === true && 'the answer so far',
  ]
    .filter((cost) => cost !== false)
    .join('; ')
}

function names(calls: CrashPoint['unknown']): string {
  return calls.map(({ callId, name }) => (name === '' ? callId : `${name} (${callId})`)).join(', ')
}

/** Types in their order, those of one kind counted. */
function counted(types: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1)
  return [...counts].map(([type, count]) => (count > 1 ? `${count} ${type}` : type)).join(', ')
}
