/** Links between findings and the entries of the conversation at the same event. An id stands in a page once. */
import type { ShortEntry } from '../../../core/projections/shorten-entry.ts'
import { plural } from '../../position-text.ts'
import type { ReportFinding } from '../../report.ts'
import { html, type Markup } from './markup.ts'

export class Anchors {
  readonly #findings = new Map<number, ReportFinding[]>()
  readonly #shown: ReadonlySet<number>
  readonly #taken = new Set<number>()

  constructor(findings: readonly ReportFinding[], entries: readonly ShortEntry[]) {
    this.#shown = new Set(entries.map(({ seq }) => seq))
    for (const finding of findings) {
      if (finding.seq === undefined) continue
      const known = this.#findings.get(finding.seq)
      if (known === undefined) this.#findings.set(finding.seq, [finding])
      else known.push(finding)
    }
  }

  /** What belongs to the next entry: its id, when no other entry has it, and a link to its findings. */
  take(entry: ShortEntry): { readonly anchor: Markup | undefined; readonly badge: Markup | undefined } {
    const { seq } = entry
    if (this.#taken.has(seq)) return { anchor: undefined, badge: undefined }
    this.#taken.add(seq)
    const callSeq = entry.kind === 'tool' ? entry.callSeq : undefined
    const findings = [seq, callSeq].flatMap((at) => (at === undefined ? [] : (this.#findings.get(at) ?? [])))
    return { anchor: html` id="seq-${seq}"`, badge: badgeOf(findings) }
  }

  /** A link to the entry of this event, where it is on the page. */
  linkTo(seq: number): Markup | undefined {
    return this.#shown.has(seq) ? html`<a href="#seq-${seq}">#${seq}</a>` : undefined
  }
}

/** Id of the card of a rule. Codes are ours, and are letters, dashes and one slash. */
export function findingId(code: string): string {
  return `finding-${code.replace('/', '-')}`
}

function badgeOf(findings: readonly ReportFinding[]): Markup | undefined {
  const [first] = findings
  if (first === undefined) return undefined
  return html`<a class="tone-${first.severity}" href="#${findingId(first.code)}">${plural(findings.length, 'finding')}</a>`
}
