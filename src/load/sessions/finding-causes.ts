/**
 * Ties consequences to their cause. Once rows are lost or out of order, what the checks find in the rest of that turn
 * follows from it, and the next turn starts afresh. Where a record was not read at all, such findings would be guesses,
 * so they are not made: the verdict is incomplete instead. Where a clash shows that rows belong to a branch that does
 * not continue, nothing is said of them, and what was said is taken back.
 */
import type { SessionEvent } from '../../core/event/session-event.ts'
import type { Finding, FindingSink } from '../../core/findings/finding.ts'
import { type FindingCode, ruleOf } from '../../core/findings/rules.ts'

/** Findings that are looked at again when a clash comes: those of the last turns. */
const MOST_RECENT = 1000
/** A log with more clashes than this has no branch that continues. */
const MOST_ABANDONED = 100

/** Seqs of rows that another branch has taken; `end` is the first after them. */
interface Abandoned {
  readonly first: number
  readonly end: number
}

export class FindingCauses {
  #cause: Finding | undefined
  /** A call of this turn that has no id, so that its result names none. */
  #nameless: Finding | undefined
  #unreadInTurn = false
  #unreadEver = false
  readonly #sink: FindingSink
  readonly #withdraw: FindingSink
  readonly #abandoned: Abandoned[] = []
  /** What was handed on last. */
  #recent: Finding[] = []
  /** What was handed on of a finding that was given a cause. */
  readonly #sent = new WeakMap<Finding, Finding>()

  readonly #withdrawn = new WeakSet<Finding>()

  constructor(sink: FindingSink, withdraw: FindingSink) {
    this.#sink = sink
    this.#withdraw = withdraw
  }

  /** A finding of the reader, in its place among the events, with what explains it. */
  notice(finding: Finding): Finding {
    this.#follow(finding)
    const isOfResult = finding.code === 'message/source-invalid' && finding.args.type === 'tool/result'
    return isOfResult && this.#nameless !== undefined ? { ...finding, causedBy: this.#nameless } : finding
  }

  #follow(finding: Finding): void {
    const { severity, layer, outcome } = ruleOf(finding.code)
    if (finding.code === 'order/seq-repeated') this.#abandon(finding)
    if (finding.instead !== undefined) return
    if (outcome === 'incomplete') {
      this.#unreadInTurn = true
      this.#unreadEver = true
    } else if (severity === 'error' && (layer === 'bytes' || layer === 'order')) {
      this.#cause = finding.causedBy ?? finding
    }
  }

  pass(event: SessionEvent): void {
    if (event.type !== 'turn/start') return
    this.#cause = undefined
    this.#nameless = undefined
    this.#unreadInTurn = false
  }

  /** Hands on a finding of the replay or of a check, marked when something before it explains it. */
  readonly report: FindingSink = (finding) => {
    if (this.#isGuess(finding.code) || this.#isOfAbandoned(finding)) return
    const cause = finding.causedBy ?? this.#cause
    const instead = finding.instead && (this.#sent.get(finding.instead) ?? finding.instead)
    const sent =
      cause === undefined && instead === undefined
        ? finding
        : { ...finding, ...(cause && { causedBy: cause }), ...(instead && { instead }) }
    if (sent !== finding) this.#sent.set(finding, sent)
    if (sent.code === 'pair/id-empty' && sent.args.callId === '') this.#nameless = sent
    this.#sink(sent)
    this.#recent.push(sent)
    if (this.#recent.length >= 2 * MOST_RECENT) this.#recent = this.#recent.slice(-MOST_RECENT)
  }

  #isGuess(code: FindingCode): boolean {
    const { guessAfterLoss } = ruleOf(code)
    return guessAfterLoss === 'ever' ? this.#unreadEver : guessAfterLoss === 'turn' && this.#unreadInTurn
  }

  #isOfAbandoned(finding: Finding): boolean {
    const { causedBy } = finding
    if (causedBy !== undefined && this.#withdrawn.has(this.#sent.get(causedBy) ?? causedBy)) return true
    return this.#abandoned.some((rows) => isAbout(finding, rows))
  }

  #abandon({ args }: Extract<Finding, { code: 'order/seq-repeated' }>): void {
    if (args.stays !== 'later' || this.#abandoned.length === MOST_ABANDONED) return
    const rows = { first: args.first, end: args.expected }
    this.#abandoned.push(rows)
    for (const finding of this.#recent) {
      if (!isAbout(finding, rows)) continue
      this.#withdraw(finding)
      this.#withdrawn.add(finding)
    }
    this.#recent = this.#recent.filter((finding) => !isAbout(finding, rows))
  }
}

/** Whether a finding is at one of the rows, or follows from one. */
function isAbout({ seq, related = [] }: Finding, { first, end }: Abandoned): boolean {
  return [seq, ...related].some((at) => at !== undefined && at >= first && at < end)
}
