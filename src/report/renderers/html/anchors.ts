/** Links between findings and the entries of the conversation at the same event. An id is in a page once. */
import type { ListItem } from '../../main-list.ts'
import { plural } from '../../number-text.ts'
import type { ReportFinding } from '../../report.ts'
import { html, type Markup } from './markup.ts'

export class Anchors {
  readonly #findings = new Map<number, ReportFinding[]>()
  readonly #shown: ReadonlySet<number>
  readonly #taken = new Set<number>()

  /** By fingerprint. */
  readonly #all: ReadonlyMap<string, ReportFinding>

  constructor(findings: readonly ReportFinding[], entries: readonly ListItem<'report'>[]) {
    this.#shown = new Set(entries.map(({ seq }) => seq))
    this.#all = new Map(findings.map((finding) => [finding.fingerprint, finding]))
    for (const finding of findings) {
      if (finding.seq === undefined) continue
      const known = this.#findings.get(finding.seq)
      if (known === undefined) this.#findings.set(finding.seq, [finding])
      else known.push(finding)
    }
  }

  /** What belongs to the next entry: its id, when no other entry has it, and a link to its findings. */
  take(entry: ListItem<'report'>): {
    readonly anchor: Markup | undefined
    readonly badge: Markup | undefined
  } {
    const { seq } = entry
    if (this.#taken.has(seq)) return { anchor: undefined, badge: undefined }
    this.#taken.add(seq)
    const callSeq = entry.kind === 'tool' ? entry.callSeq : undefined
    const findings = [seq, callSeq].flatMap((at) => (at === undefined ? [] : (this.#findings.get(at) ?? [])))
    return { anchor: html` id="seq-${seq}"`, badge: this.#badge(findings) }
  }

  /** A link to the entry of this event, where it is on the page. */
  linkTo(seq: number): Markup | undefined {
    return this.#shown.has(seq) ? html`<a href="#seq-${seq}">#${seq}</a>` : undefined
  }

  #badge(findings: readonly ReportFinding[]): Markup | undefined {
    const [first] = findings
    if (first === undefined) return undefined
    const count = plural(findings.length, 'finding')
    const cause = this.#causeOf(first)
    return cause === undefined
      ? html`<span class="tone-${first.severity}">${count}</span>`
      : html`<a class="tone-${first.severity}" href="#${findingId(cause.code)}">${count}</a>`
  }

  /** What only follows from another finding has no card: its cause has. Absent when that was not kept. */
  #causeOf(finding: ReportFinding): ReportFinding | undefined {
    const seen = new Set<ReportFinding>()
    let at: ReportFinding | undefined = finding
    while (at?.causedBy !== undefined && !seen.has(at)) {
      seen.add(at)
      at = this.#all.get(at.causedBy)
    }
    return at?.causedBy === undefined ? at : undefined
  }
}

/** Id of the card of a rule. Codes are ours, and are letters, dashes and one slash. */
export function findingId(code: string): string {
  return `finding-${code.replace('/', '-')}`
}
