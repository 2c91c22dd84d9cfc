/** What a check says of another release: for one log a line, for many how many of them open today, then, and repaired. */
import { plural } from '../number-text.ts'
import type { Report, ReportData } from '../report.ts'
import type { Cell, Section, Toned } from '../section.ts'
import { shellWord } from '../shell-word.ts'
import { stepTitle } from './repair-words.ts'

type CheckData = ReportData<'check'>
type Rehearsal = NonNullable<CheckData['rehearsal']>

/** The line of one log; none when the target opens it as it is. */
export function rehearsalRow(
  path: string | undefined,
  data: CheckData,
): readonly (readonly [string, Toned])[] {
  const { rehearsal } = data
  if (rehearsal === undefined || opensIn(data, rehearsal)) return []
  const { target, opensRepaired, changes, refused } = rehearsal
  if (!opensRepaired)
    return [[`with a repair`, { text: `${target} refuses it still: ${refused.join('; ')}`, tone: 'error' }]]
  const what = changes.map(({ what, count }) => `${stepTitle(what)} (${count})`).join(', ')
  const command = `resurface repair ${shellWord(path ?? 'LOG')} --target ${target} --in-place`
  return [['with a repair', { text: `${target} opens it; changed: ${what}. Run "${command}"`, tone: 'ok' }]]
}

export function* rehearsalSections(reports: readonly Report<'check'>[]): Iterable<Section> {
  const rehearsed = reports.flatMap(({ data }) =>
    data.rehearsal === undefined ? [] : [{ data, plan: data.rehearsal }],
  )
  const [first] = rehearsed
  if (first === undefined) return
  const { target } = first.plan
  const opening = rehearsed.filter(({ data, plan }) => opensIn(data, plan))
  const mended = rehearsed.filter(({ data, plan }) => opensIn(data, plan) || plan.opensRepaired)
  const lost = rehearsed.length - mended.length
  yield { kind: 'heading', text: `${plural(rehearsed.length, 'session')} in ${target}` }
  const rows: (readonly [string, Cell])[] = [
    ['open today', rehearsed.filter(({ data }) => data.opens).length],
    ['open after the upgrade', opening.length],
    ['open after a repair', mended.length],
    ...(lost > 0 ? ([['cannot be repaired', { text: String(lost), tone: 'error' }]] as const) : []),
  ]
  yield { kind: 'fields', rows }
  yield* changeTable(rehearsed.filter((one) => !opening.includes(one)).map(({ plan }) => plan))
}

function* changeTable(plans: readonly Rehearsal[]): Iterable<Section> {
  const counts = new Map<string, { sessions: number; events: number }>()
  for (const { changes } of plans) {
    for (const { what, count } of changes) {
      const known = counts.get(what) ?? { sessions: 0, events: 0 }
      counts.set(what, { sessions: known.sessions + 1, events: known.events + count })
    }
  }
  if (counts.size > 0) yield familyTable('what a repair would change', counts)
}

/** Kinds of changes with how many sessions and events each is about, the most frequent first. */
export function familyTable(
  label: string,
  counts: ReadonlyMap<string, { readonly sessions: number; readonly events: number }>,
): Section {
  const columns = [
    { label, width: 0 },
    { label: 'sessions', width: 8, align: 'right' as const },
    { label: 'events', width: 8, align: 'right' as const },
  ]
  const sorted = [...counts].toSorted(([, a], [, b]) => b.sessions - a.sessions)
  const rows = sorted.map(([what, { sessions, events }]): readonly Cell[] => [
    what === stepTitle(what) ? what : `${what}: ${stepTitle(what)}`,
    sessions,
    events,
  ])
  return { kind: 'table', columns, rows }
}

function opensIn({ compatibility }: CheckData, { target }: Rehearsal): boolean {
  return compatibility.find(({ release }) => release === target)?.opens === true
}
