/**
 * What the session reader has found and not handed out yet. While the first line is broken, it is open whether the file
 * is a log at all, and everything is held back until something shows that it is.
 */
import { type Excerpt, type Finding, findingOf } from '../../core/findings/finding.ts'
import type { Origin } from '../../core/findings/origin.ts'
import type { EvidenceOf, FindingCode } from '../../core/findings/rules.ts'
import type { JsonObject } from '../../core/json/json-value.ts'
import type { LogItem } from './log-item.ts'

/** Items that are kept while nothing can be handed out. */
const MOST_HELD = 1000

export class ItemQueue {
  /** Whether something shows that the file is a log. */
  isLog = false
  #items: LogItem[] = []
  #brokenHeader: Finding | undefined
  /** Findings that may turn out to be parts of something whole. */
  #doubtful: Finding[] = []

  get areHeld(): boolean {
    return this.#brokenHeader !== undefined && !this.isLog
  }

  get last(): LogItem | undefined {
    return this.#items.at(-1)
  }

  push(item: LogItem): void {
    this.#items.push(item)
  }

  readonly emit = (finding: Finding): void => {
    this.#items.push({ kind: 'finding', finding })
  }

  report<Code extends FindingCode>(
    code: Code,
    origin: Origin,
    args: EvidenceOf<Code>,
    { seq, excerpt }: { readonly seq?: number; readonly excerpt?: Excerpt | undefined } = {},
  ): Finding {
    const circumstances = { origin, ...(seq !== undefined && { seq }), ...(excerpt && { excerpt }) }
    const finding = findingOf(code, args, circumstances)
    this.emit(finding)
    return finding
  }

  /** Keeps the finding, and those of the `lines - 1` lines before it, until it is clear that they are no parts. */
  doubt(finding: Finding, lines: number): void {
    this.#doubtful.push(finding)
    this.#doubtful.splice(0, Math.max(0, this.#doubtful.length - lines))
  }

  /** Takes back the doubted findings: they are parts of something whole. */
  withdraw(): void {
    const doubtful = new Set(this.#doubtful)
    this.#items = this.#items.filter((item) => item.kind !== 'finding' || !doubtful.has(item.finding))
    this.#doubtful = []
  }

  /** Keeps the finding on a broken header back: what it is depends on what follows. */
  hold(brokenHeader: Finding): void {
    this.#brokenHeader ??= brokenHeader
  }

  /** What can be handed out now. */
  take(): readonly LogItem[] {
    if (this.areHeld) {
      this.#items = this.#items.slice(0, MOST_HELD)
      return []
    }
    const items = this.#items
    const kept = this.#doubtful.length === 0 ? items.length : this.#firstDoubted()
    this.#items = items.slice(kept)
    if (this.#items.length === 0) this.#doubtful = []
    return kept === items.length ? items : items.slice(0, kept)
  }

  /** Where the doubted findings begin after which there is nothing else. */
  #firstDoubted(): number {
    let first = this.#items.length
    for (const doubted of this.#doubtful.toReversed()) {
      const item = this.#items[first - 1]
      if (item?.kind !== 'finding' || item.finding !== doubted) break
      first--
    }
    return first
  }

  /** To be called at the end of the file. @returns whether it is a log. */
  settle(): boolean {
    this.#doubtful = []
    const broken = this.#brokenHeader
    if (broken === undefined) return true
    if (this.isLog) {
      this.emit(broken)
      return true
    }
    // Whatever else is wrong with a file that is no log at all is nobody's concern.
    const { problem }: JsonObject = broken.args
    const args = { problem: String(problem) }
    const { origin, excerpt } = broken
    const finding: Finding = { code: 'bytes/not-a-log', origin, args, ...(excerpt && { excerpt }) }
    this.#items = [{ kind: 'finding', finding }]
    this.isLog = true
    return false
  }
}
