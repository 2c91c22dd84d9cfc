/** The verdict on a log in words, and the lines under it: its layers, what can be done with the session, releases. */
import type { Rule } from '../../core/findings/rule.ts'
import { isFindingCode, ruleOf } from '../../core/findings/rules.ts'
import type { LayerState, Verdict } from '../../core/findings/verdict.ts'
import { plural } from '../number-text.ts'
import type { Report, ReportData } from '../report.ts'
import type { Tone, Toned } from '../section.ts'

type CheckData = ReportData<'check'>

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
  return rules.some(({ code }) => rule(code)?.outcome === 'not-a-log')
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

export function verdictTone(verdict: Verdict | undefined, data: CheckData): Tone {
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
  const unread = data.rules.some(({ code }) => rule(code)?.outcome === 'incomplete')
  if (unread) return { text: 'unknown: not everything was read', tone: 'warning' }
  if (data.rules.some(({ code }) => code === 'order/rows-dropped'))
    return { text: 'yes, but a resume drops valid events', tone: 'warning' }
  const faults = data.rules.filter(
    ({ code, severity }) => severity !== 'info' && rule(code)?.upgrade !== true,
  )
  const mended = faults.filter(({ code }) => rule(code)?.mendedOnResume === true)
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

/** The releases that open the log, in words; `undefined` when there is nothing to say of releases. */
export function openingReleases(data: CheckData): string | undefined {
  return releaseRows(data)[0]?.[1].text
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
  if (code !== undefined && rule(code)?.upgrade === true) return `${plural(count, 'event')}: ${what}`
  return count > 1 ? `${what} (${count})` : what
}

/** A saved report may name rules that this version does not have. */
function rule(code: string): Rule | undefined {
  return isFindingCode(code) ? ruleOf(code) : undefined
}
