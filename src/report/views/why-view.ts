/** What became of one event, and why it is or is not sent to the model. */
import { pretty } from '../json-text.ts'
import type { ReportData } from '../report.ts'
import type { Cell } from '../section.ts'
import { headingOf, limited, type View } from './view.ts'

export const whyView: View<'why'> = {
  *sections(report) {
    const trace = report.data
    const { event, origin } = trace
    yield headingOf(report, `seq ${event.seq}, ${event.type}: ${sentence(trace)}`)
    const rows: (readonly [string, Cell])[] = [['class', trace.class]]
    if (origin.row !== undefined) rows.push(['row', origin.row])
    if (origin.line !== undefined) rows.push(['line', origin.line])
    if (origin.byteOffset !== undefined) rows.push(['byte', origin.byteOffset])
    if (origin.frame !== undefined) rows.push(['frame', origin.frame])
    if (origin.member !== undefined) rows.push(['member', origin.member])
    if (trace.chain.length > 0) rows.push(['replaced by', trace.chain.join(' → ')])
    if (trace.replaced.length > 0) rows.push(['replaced', seqs(trace.replaced)])
    if (trace.sources.length > 0) rows.push(['sources', seqs(trace.sources)])
    if (trace.derived.length > 0) rows.push(['cited by', seqs(trace.derived)])
    yield { kind: 'fields', rows }
    yield { kind: 'code', text: pretty(event) }
  },
}

function sentence(trace: ReportData<'why'>): string {
  if (trace.class === 'current') return 'the model sees it'
  if (trace.class === 'shadowed') return `no longer sent, because seq ${trace.replacedBy} replaced it`
  return 'it makes no model message'
}

function seqs(list: readonly number[]): string {
  const { shown, hidden } = limited(list, 20)
  return shown.join(' ') + (hidden > 0 ? ` … and ${hidden} more` : '')
}
