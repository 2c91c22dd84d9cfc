/** The verdict first, then its four lines, then the findings by rule, worst first, with what to do about each. */
import { isFindingCode, ruleOf } from '../../core/findings/rules.ts'
import type { LayerState, Verdict } from '../../core/findings/verdict.ts'
import { plural } from '../number-text.ts'
import { findingText } from '../position-text.ts'
import type { Report, ReportData } from '../report.ts'
import type { Section, Tone, Toned } from '../section.ts'
import { type FindingGroup, findingGroups } from './finding-groups.ts'
import { gapSections } from './gap-sections.ts'
import { rehearsalRow, rehearsalSections } from './rehearsal-sections.ts'
import { limited, moreKept, type View, type ViewOptions } from './view.ts'

type CheckData = ReportData<'check'>

export const checkView: View<'check'> = {
  *sections(report, options) {
    const data = report.data
    const { text, tone, rows } = verdictOn(report.verdict, data)
    yield { kind: 'heading', text: `${report.subject?.path}: ${text}`, tone }
    if (data.known !== undefined) {
      yield {
        kind: 'list',
        items: [{ text: `  ${plural(data.known, 'finding')} of the baseline left out`, tone: 'dim' }],
      }
    }
    if (report.verdict === 'clean' && data.rules.length === 0) {
      const [, opening] = releaseRows(data)[0] ?? []
      if (opening !== undefined)
        yield { kind: 'list', items: [{ text: `  opened by ${opening.text}`, tone: 'dim' }] }
      return
    }
    yield { kind: 'fields', rows: [...rows, ...rehearsalRow(report.subject?.path, data)] }
    if (data.gaps !== undefined) yield* gapSections(data.gaps, data.gapCount)
    for (const group of findingGroups(data.rules, report.findings)) yield* groupSections(group, options)
  },
  *summary(reports, unread) {
    yield { kind: 'heading', text: `${plural(reports.length, 'log')} checked` }
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
      { label: 'verdict', width: 11 },
      { label: 'errors', width: 6, align: 'right' as const },
      { label: 'warnings', width: 8, align: 'right' as const },
      { label: 'log', width: 0 },
    ]
    yield { kind: rows.length <= MOST_TABLED ? 'table' : 'rows', columns, rows }
    yield* rehearsalSections(reports)
  },
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
  return {
    text: verdictText(verdict, data),
    tone: verdictTone(verdict, data),
    rows: [
      ...layerRows(data),
      ['opens in DSH', openingText(data)],
      ['can be resumed', answerText(data.answers.resumes, 'DSH cannot go on with this session')],
      ['next request', requestText(data.answers.nextRequest)],
      ...releaseRows(data),
    ],
  }
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
  switch (verdict) {
    case 'clean':
      return listed === '' ? `clean (${events})` : `clean (${events}, ${listed})`
    case 'refused-by-newer':
      return `intact, but newer releases of DSH refuse it (${events}, ${listed})`
    case 'unsupported':
      return `intact, but DSH cannot open it (${listed})`
    case 'incomplete':
      return `could not be checked fully (${listed})`
    default:
      return `${listed} in ${events}`
  }
}

function verdictTone(verdict: Verdict | undefined, data: CheckData): Tone {
  if (verdict === 'clean') return 'ok'
  return data.counts.error > 0 ? 'error' : 'warning'
}

function layerRows(data: CheckData): (readonly [string, Toned])[] {
  return Object.entries(data.layers).map(([layer, state]) => [
    layer,
    { text: LAYER_TEXT[state], tone: state === 'ok' ? 'ok' : state },
  ])
}

const LAYER_TEXT: Record<LayerState, string> = { ok: 'ok', info: 'ok', warning: 'warnings', error: 'errors' }

function openingText(data: CheckData): Toned {
  if (!data.opens) return { text: 'no: DSH refuses this log', tone: 'error' }
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

function requestText(answer: CheckData['answers']['nextRequest']): Toned {
  if (answer === 'yes') return { text: 'accepted by the provider', tone: 'ok' }
  if (answer === 'no') return { text: 'refused by the provider, or never sent', tone: 'error' }
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
  const items: (string | Toned)[] = shown.map((finding) => `  ${findingText(finding)}`)
  if (causes.length > shown.length) {
    items.push(moreKept(count - shown.length))
  }
  if (consequences !== '') items.push({ text: `  caused by this: ${consequences}`, tone: 'dim' })
  items.push({ text: `  why: ${why}`, tone: 'dim' }, `  fix: ${fix}`)
  yield { kind: 'list', items }
}
