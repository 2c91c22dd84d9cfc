/** The verdict first, then its four lines, then the findings by rule, worst first, with what to do about each. */
import { grouped, plural } from '../number-text.ts'
import { findingText } from '../position-text.ts'
import type { Report, ReportFinding, RuleCount } from '../report.ts'
import type { Section, Tone, Toned } from '../section.ts'
import { type FindingGroup, findingGroups } from './finding-groups.ts'
import { gapSections } from './gap-sections.ts'
import { rehearsalRow, rehearsalSections } from './rehearsal-sections.ts'
import { openingReleases, verdictOn, verdictTone } from './verdict-lines.ts'
import { limited, moreKept, type View, type ViewOptions } from './view.ts'

export const checkView: View<'check'> = {
  *sections(report, options) {
    const data = report.data
    yield headingOf(report)
    if (data.known !== undefined) {
      yield {
        kind: 'list',
        items: [{ text: `  ${plural(data.known, 'finding')} of the baseline left out`, tone: 'dim' }],
      }
    }
    if (report.verdict === 'clean' && data.opens && data.rules.length === 0) {
      const opening = openingReleases(data)
      if (opening !== undefined)
        yield { kind: 'list', items: [{ text: `  opened by ${opening}`, tone: 'dim' }] }
      return
    }
    const { rows } = verdictOn(report.verdict, data)
    const all = [...rows, ...runningRow(report.findings), ...rehearsalRow(report.subject?.path, data)]
    if (all.length > 0) yield { kind: 'fields', rows: all }
    if (data.gaps !== undefined) yield* gapSections(data.gaps, data.gapCount)
    for (const group of findingGroups(data.rules, report.findings)) yield* groupSections(group, options)
  },
  /** A finding a line. What a rule means is said once, in the summary. */
  brief(report, { limit }) {
    const { text, tone } = headingOf(report)
    const items: (string | Toned)[] = [{ text, tone }]
    for (const { code, severity, count, causes, consequences } of findingGroups(
      report.data.rules,
      report.findings,
    )) {
      const { shown } = limited(causes, limit)
      items.push(...shown.map((finding) => `  ${severity} ${findingText(finding)} [${code}]`))
      if (causes.length > shown.length) items.push(moreKept(count - shown.length))
      if (consequences !== '') items.push({ text: `    caused by this: ${consequences}`, tone: 'dim' })
    }
    return { kind: 'list', items }
  },
  *summary(reports, unread) {
    for (const rule of rulesOf(reports)) yield* ruleSections(rule)
    yield { kind: 'heading', text: totalText(reports, unread.length) }
    if (unread.length > 0) {
      const items = unread.map(({ message }) => ({ text: `not read: ${message}`, tone: 'error' as const }))
      yield { kind: 'list', items }
    }
    const rows = reports.toSorted(worstFirst).map((report) => {
      const data = report.data
      return [
        { text: String(report.verdict), tone: verdictTone(report.verdict, data) },
        data.counts.error,
        data.counts.warning,
        report.subject?.path ?? '',
      ]
    })
    const columns = [
      { label: 'verdict', width: 16 },
      { label: 'errors', width: 6, align: 'right' as const },
      { label: 'warnings', width: 8, align: 'right' as const },
      { label: 'log', width: 0 },
    ]
    yield { kind: rows.length <= MOST_TABLED ? 'table' : 'rows', columns, rows }
    yield* rehearsalSections(reports)
  },
}

function headingOf({ subject, verdict, data }: Report<'check'>): Section & { kind: 'heading'; tone: Tone } {
  const { text, tone } = verdictOn(verdict, data)
  return { kind: 'heading', text: `${subject?.path}: ${text}`, tone }
}

/** A rule that several logs break: how often, and in which. */
interface BrokenRule extends RuleCount {
  readonly paths: readonly string[]
}

function rulesOf(reports: readonly Report<'check'>[]): readonly BrokenRule[] {
  const rules = new Map<string, BrokenRule>()
  for (const { subject, data, findings } of reports) {
    for (const { causes: _causes, consequences: _consequences, ...rule } of findingGroups(
      data.rules,
      findings,
    )) {
      const known = rules.get(rule.code)
      const paths = [...(known?.paths ?? []), subject?.path ?? '']
      rules.set(rule.code, { ...(known ?? rule), count: (known?.count ?? 0) + rule.count, paths })
    }
  }
  const rank = { error: 0, warning: 1, info: 2 }
  return [...rules.values()].toSorted((a, b) => rank[a.severity] - rank[b.severity] || b.count - a.count)
}

function* ruleSections({ code, severity, title, why, fix, count, paths }: BrokenRule): Iterable<Section> {
  const where = paths.length === 1 ? '' : ` in ${plural(paths.length, 'log')}`
  yield {
    kind: 'heading',
    text: `${severity} ${code}: ${title} (${plural(count, 'time')}${where})`,
    tone: severity,
  }
  const others = paths.length > 1 ? ` (and likewise for ${plural(paths.length - 1, 'other log')})` : ''
  const items = [{ text: `  why: ${why}`, tone: 'dim' as const }, `  fix: ${fix}${others}`]
  yield { kind: 'list', items }
}

function totalText(reports: readonly Report<'check'>[], unread: number): string {
  const withErrors = reports.filter(({ data }) => data.counts.error > 0).length
  const refused = reports.filter(({ data }) => data.answers.opens === 'no').length
  const clean = reports.filter(({ verdict }) => verdict === 'clean').length
  const parts = [
    `${grouped(clean)} clean`,
    withErrors > 0 && `${grouped(withErrors)} with errors`,
    refused > 0 && `${grouped(refused)} that DSH does not open`,
    unread > 0 && `${grouped(unread)} not read`,
  ]
  return `${plural(reports.length, 'log')} checked: ${parts.filter((part) => part !== false).join(', ')}`
}

function runningRow(findings: Report['findings']): (readonly [string, Toned])[] {
  const running = findings.find(({ code }) => code === 'store/running')
  return running === undefined ? [] : [['session runs', { text: running.message, tone: 'info' }]]
}

/** A drawn table of more rows takes longer than the checks. */
const MOST_TABLED = 200

/** By what fails a run: errors, then what could not be checked, then warnings, then notes. Equal logs stay in order. */
function worstFirst(a: Report<'check'>, b: Report<'check'>): number {
  const [ranksA, ranksB] = [ranksOf(a), ranksOf(b)]
  const differing = ranksA.findIndex((rank, index) => rank !== ranksB[index])
  return differing === -1 ? 0 : (ranksB[differing] as number) - (ranksA[differing] as number)
}

function ranksOf(report: Report<'check'>): readonly number[] {
  const { error, warning, info } = report.data.counts
  const isUnchecked = report.verdict === 'unsupported' || report.verdict === 'incomplete'
  return [error, isUnchecked ? 1 : 0, warning, info]
}

function* groupSections(group: FindingGroup, options: ViewOptions): Iterable<Section> {
  const { code, severity, count, title, why, fix, causes, consequences } = group
  yield {
    kind: 'heading',
    text: `${severity} ${code}: ${title}${count > 1 ? ` (${plural(count, 'time')})` : ''}`,
    tone: severity,
  }
  const { shown } = limited(causes, options.limit)
  const items: (string | Toned)[] = shown.flatMap((finding) => [
    `  ${findingText(finding)}`,
    ...excerptItems(finding),
  ])
  if (causes.length > shown.length) {
    items.push(moreKept(count - shown.length))
  }
  if (consequences !== '') items.push({ text: `  caused by this: ${consequences}`, tone: 'dim' })
  items.push({ text: `  why: ${why}`, tone: 'dim' }, `  fix: ${fix}`)
  yield { kind: 'list', items }
}

/** The text of a damaged record, with the place where the damage begins. */
function excerptItems({ excerpt }: ReportFinding): readonly Toned[] {
  if (excerpt === undefined) return []
  const { text, at } = excerpt
  return [{ text: `    ${text.slice(0, at)} <-- HERE ${text.slice(at)}`.trimEnd(), tone: 'dim' }]
}
