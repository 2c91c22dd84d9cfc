/** A card for every rule that was broken: what is wrong, where, what it leads to and what to do. */
import { grouped, plural } from '../../number-text.ts'
import { positionText } from '../../position-text.ts'
import type { ReportFinding } from '../../report.ts'
import type { FindingGroup } from '../../views/finding-groups.ts'
import { type Anchors, findingId } from './anchors.ts'
import { html, type Markup } from './markup.ts'

/** Most findings of a rule in a page. */
const MOST_FINDINGS = 200

/** @param limit - findings that are not folded; 0 for all. */
export function findingMarkup(group: FindingGroup, limit: number, anchors: Anchors): Markup {
  const { code, severity, count, title, why, fix, causes, consequences } = group
  const listed = causes.slice(0, MOST_FINDINGS)
  const open = limit === 0 ? listed : listed.slice(0, limit)
  const folded = listed.slice(open.length)
  const left = Math.max(count - listed.length, 0)
  const times = count > 1 && html` <span class="meta">${plural(count, 'time')}</span>`
  const more =
    folded.length > 0 &&
    html`<details><summary>${grouped(folded.length)} more</summary>${list(folded, anchors)}</details>\n`
  const note =
    left > 0 &&
    html`<p class="note">… and ${grouped(left)} more, or caused by them: resurface check --all</p>\n`
  const follows = consequences !== '' && html`<p class="note">Caused by this: ${consequences}</p>\n`
  return html`<section class="finding" id="${findingId(code)}"><h3><span class="tone-${severity}">${severity}</span> ${title}${times}</h3>
<p class="meta"><code>${code}</code></p>
${list(open, anchors)}${more}${note}${follows}<p>${why}</p>
<p><strong>Remedy:</strong> ${fix}</p></section>
`
}

function list(findings: readonly ReportFinding[], anchors: Anchors): Markup {
  return html`<ul>${findings.map((finding) => html`<li>${place(finding)}${finding.message}${link(finding, anchors)}</li>\n`)}</ul>\n`
}

function place(finding: ReportFinding): Markup | undefined {
  const text = positionText(finding)
  return text === '' ? undefined : html`<span class="meta">${text}:</span> `
}

function link({ seq }: ReportFinding, anchors: Anchors): Markup | undefined {
  const entry = seq === undefined ? undefined : anchors.linkTo(seq)
  return entry && html` <span class="meta">in the conversation: ${entry}</span>`
}
