/** The verdict first, then its four lines, then the findings by rule, worst first, with what to do about each. */
import { isFindingCode, ruleOf } from '../../core/findings/rules.ts'
import type { LayerState, Verdict } from '../../core/findings/verdict.ts'
import { grouped, plural } from '../number-text.ts'
import { findingText } from '../position-text.ts'
import type { Report, ReportData, ReportFinding, RuleCount } from '../report.ts'
import type { Section, Tone, Toned } from '../section.ts'
import { type FindingGroup, findingGroups } from './finding-groups.ts'
import { gapSections } from './gap-sections.ts'
import { rehearsalRow, rehearsalSections } from './rehearsal-sections.ts'
import { limited, moreKept, type View, type ViewOptions } from './view.ts'

type CheckData = ReportData<'check'>

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
      const [, opening] = releaseRows(data)[0] ?? []
      if (opening !== undefined)
        yield { kind: 'list', items: [{ text: `  opened by ${opening.text}`, tone: 'dim' }] }
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
    for (const { code, severity, count, causes } of findingGroups(report.data.rules, report.findings)) {
      const { shown } = limited(causes, limit)
      items.push(...shown.map((finding) => `  ${severity} ${findingText(finding)} [${code}]`))
      if (causes.length > shown.length) items.push(moreKept(count - shown.length))
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
  return {
    kind: 'heading',
    text: `${subject?.path}: ${verdictText(verdict, data)}`,
    tone: verdictTone(verdict, data),
  }
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

/** The verdict in words, and the lines under it. */
export function verdictOn(
  verdict: Report['verdict'],
  data: CheckData,
): {
  readonly text: string
  readonly tone: Tone
  readonly rows: readonly (readonly [label: string, value: Toned])[]
} {
  const { answers } = data
  const elsewhere = isOpenedElsewhere(data)
  const asked = data.rehearsal?.target
  const rows: readonly (readonly [string, Toned])[] = [
    ...layerRows(data),
    [asked === undefined ? 'opens in DSH' : `opens in ${asked}`, openingText(data)],
    [
      'can be resumed',
      elsewhere ? ELSEWHERE : answerText(answers.resumes, 'DSH cannot go on with this session'),
    ],
    ['next request', elsewhere ? ELSEWHERE : requestText(answers)],
    ...releaseRows(data),
  ]
  return {
    text: verdictText(verdict, data),
    tone: verdictTone(verdict, data),
    rows: isNoLog(data) ? [] : rows,
  }
}

/** Releases of its own format refuse the log, and later ones open it. */
function isOpenedElsewhere({ answers, compatibility }: CheckData): boolean {
  return answers.opens === 'no' && compatibility.some(({ opens }) => opens)
}

const ELSEWHERE: Toned = { text: 'only in a release that opens it', tone: 'warning' }

function isNoLog({ rules }: CheckData): boolean {
  return rules.some(({ code }) => isFindingCode(code) && ruleOf(code).outcome === 'not-a-log')
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

function verdictText(verdict: Report['verdict'], data: CheckData): string {
  const { error, warning, info } = data.counts
  const counts = [
    error > 0 && plural(error, 'error'),
    warning > 0 && plural(warning, 'warning'),
    info > 0 && plural(info, 'note'),
  ]
  const listed = counts.filter((count) => count !== false).join(', ')
  const events = plural(data.events, 'event')
  if (isNoLog(data)) return 'there is no session in it'
  switch (verdict) {
    case 'left-out':
      return `nothing but what the baseline or the settings leave out (${events})`
    case 'clean':
      return listed === '' ? `clean (${events})` : `clean (${events}, ${listed})`
    case 'refused-by-newer':
      return `intact, but newer releases of DSH refuse it (${events}, ${listed})`
    case 'unsupported':
      return isOpenedElsewhere(data)
        ? `intact, but not every release of DSH opens it (${events}, ${listed})`
        : `intact, but DSH cannot open it (${listed})`
    case 'incomplete':
      return `could not be checked fully (${listed})`
    default:
      return `${listed} in ${events}`
  }
}

function verdictTone(verdict: Verdict | undefined, data: CheckData): Tone {
  if (verdict === 'clean') return 'ok'
  if (verdict === 'left-out') return 'plain'
  return data.counts.error > 0 ? 'error' : 'warning'
}

function layerRows(data: CheckData): (readonly [string, Toned])[] {
  return Object.entries(data.layers).map(([layer, state]) => [
    layer,
    { text: LAYER_TEXT[state], tone: state === 'unchecked' ? 'dim' : state },
  ])
}

const LAYER_TEXT: Record<LayerState, string> = {
  ok: 'ok',
  info: 'ok',
  warning: 'warnings',
  error: 'errors',
  unchecked: 'not checked',
}

function openingText(data: CheckData): Toned {
  const { answers, rehearsal } = data
  if (answers.opens === 'no') {
    if (rehearsal !== undefined) return { text: `no: ${rehearsal.target} refuses this log`, tone: 'error' }
    if (isOpenedElsewhere(data)) return { text: 'only in some releases', tone: 'warning' }
    return { text: 'no: DSH refuses this log', tone: 'error' }
  }
  const unread = data.rules.some(({ code }) => isFindingCode(code) && ruleOf(code).outcome === 'incomplete')
  if (unread) return { text: 'unknown: not everything was read', tone: 'warning' }
  if (data.rules.some(({ code }) => code === 'order/rows-dropped'))
    return { text: 'yes, but a resume drops valid events', tone: 'warning' }
  const faults = data.rules.filter(
    ({ code, severity }) => severity !== 'info' && !(isFindingCode(code) && ruleOf(code).upgrade === true),
  )
  const mended = faults.filter(({ code }) => isFindingCode(code) && ruleOf(code).mendedOnResume)
  if (mended.length === 0) return { text: 'yes', tone: 'ok' }
  const what = mended.length === faults.length ? 'it' : 'some of it'
  return { text: `yes (DSH repairs ${what} on resume)`, tone: 'ok' }
}

function answerText(answer: CheckData['answers']['opens'], no: string): Toned {
  if (answer === 'yes') return { text: 'yes', tone: 'ok' }
  if (answer === 'no') return { text: `no: ${no}`, tone: 'error' }
  return { text: 'unknown: not everything was read', tone: 'warning' }
}

function requestText({ opens, nextRequest }: CheckData['answers']): Toned {
  if (nextRequest === 'yes') return { text: 'accepted by the provider', tone: 'ok' }
  if (opens === 'no') return { text: 'never sent: the session does not open', tone: 'error' }
  if (nextRequest === 'no') return { text: 'refused by the provider', tone: 'error' }
  return { text: 'unknown: some providers refuse it', tone: 'warning' }
}

/** One line for the releases that open the log, and one for those that refuse it for the same reasons. */
function releaseRows({ opens, compatibility }: CheckData): (readonly [string, Toned])[] {
  const opening = compatibility.filter((verdict) => verdict.opens)
  // Of a damaged log the findings say why.
  if (!opens && opening.length === 0) return []
  const rows: (readonly [string, Toned])[] = [
    ['opened by', { text: releasesText(opening, compatibility.length), tone: 'plain' }],
  ]
  const refusing = new Map<string, string[]>()
  for (const { release, reasons, opens: opened } of compatibility) {
    if (opened) continue
    const text = reasons.map(reasonText).join('; ')
    refusing.set(text, [...(refusing.get(text) ?? []), release])
  }
  for (const [text, releases] of refusing)
    rows.push(['refused by', { text: `${releases.join(', ')}: ${text}`, tone: 'dim' }])
  return rows
}

function releasesText(opening: CheckData['compatibility'], all: number): string {
  if (opening.length === 0) return 'none'
  if (opening.length === all) return 'every release'
  // What is said of a release whose readers are not published is second hand.
  return opening
    .map(({ release, secondHand }) => `${release}${secondHand ? ' (second hand)' : ''}`)
    .join(', ')
}

function reasonText({ what, count, code }: CheckData['compatibility'][number]['reasons'][number]): string {
  if (code?.startsWith('upgrade/') === true) return `${plural(count, 'event')}: ${what}`
  return count > 1 ? `${what} (${count})` : what
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
