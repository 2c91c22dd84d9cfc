/**
 * What would have to change so that a log opens and closes properly, decided from what the reader and the replay
 * found out; nothing is read or written here. A log whose order is not proven gets no plan: closers appended to it
 * would make things worse.
 */
import type { Origin } from '../event/origin.ts'
import type { SessionEvent } from '../event/session-event.ts'
import { describe } from '../findings/describe.ts'
import type { Finding } from '../findings/finding.ts'
import type { FindingCount } from '../findings/finding-log.ts'
import { type FindingCode, ruleOf } from '../findings/rules.ts'

export interface RepairStep {
  readonly kind: 'remove-byte-order-mark' | 'cut-tail' | 'close-turn'
  /** What is done, in words. */
  readonly what: string
  readonly reason: string
  /** The rule that the step answers. */
  readonly finding: FindingCode
  /** Bytes that the step takes out; they go to quarantine. A database loses rows instead. */
  readonly bytes?: { readonly from: number; readonly to: number }
}

export interface RepairPlan {
  readonly steps: readonly RepairStep[]
  readonly closers: readonly SessionEvent[]
  /** Why there is no plan. */
  readonly refused: readonly string[]
}

export interface RepairFacts {
  readonly counts: readonly FindingCount[]
  readonly findings: readonly Finding[]
  readonly closers: readonly SessionEvent[]
  /** Where the part begins that does not belong to the log any more. */
  readonly cut: Origin | undefined
  readonly fileBytes: number
  readonly droppedEvents: number
  readonly byteOrderMark: boolean
}

const BYTE_ORDER_MARK_BYTES = 3

export function planRepair(facts: RepairFacts): RepairPlan {
  const refused = refusals(facts)
  if (refused.length > 0) return { steps: [], closers: [], refused }
  const steps: RepairStep[] = []
  if (facts.byteOrderMark) {
    steps.push({
      kind: 'remove-byte-order-mark',
      what: 'remove the byte order mark',
      reason: 'DSH refuses a header that it stands before',
      finding: 'bytes/byte-order-mark',
      bytes: { from: 0, to: BYTE_ORDER_MARK_BYTES },
    })
  }
  if (facts.cut !== undefined) steps.push(cutTail(facts, facts.cut))
  if (facts.closers.length > 0) {
    steps.push({
      kind: 'close-turn',
      what: `append ${facts.closers.length} closing events`,
      reason: 'the log ends inside a turn',
      finding: 'turn/open',
    })
  }
  return { steps, closers: facts.closers, refused: [] }
}

/** Every finding that makes a reader refuse the log, and that no step answers. */
function refusals({ counts, findings }: RepairFacts): string[] {
  const reasons: string[] = []
  for (const { code, count } of counts) {
    const rule = ruleOf(code)
    const blocks = (rule.refused === true || rule.outcome === 'incomplete') && !rule.repairable
    if (!blocks) continue
    const first = findings.find((finding) => finding.code === code)
    const where =
      first?.seq !== undefined
        ? ` at seq ${first.seq}`
        : first?.origin.line === undefined
          ? ''
          : ` at line ${first.origin.line}`
    const example = first === undefined ? rule.title : describe(first)
    reasons.push(`${code}${where}: ${example}${count > 1 ? ` (and ${count - 1} more)` : ''}`)
  }
  return reasons
}

const TAIL_CODES: readonly FindingCode[] = [
  'order/tail-break',
  'bytes/bad-tail-line',
  'bytes/torn-frame',
  'bytes/torn-tail',
]

function cutTail(facts: RepairFacts, cut: Origin): RepairStep {
  const { fileBytes: to, droppedEvents } = facts
  const finding =
    TAIL_CODES.find((code) => facts.counts.some((count) => count.code === code)) ?? 'bytes/torn-tail'
  const lost = droppedEvents === 0 ? '' : `, with ${droppedEvents} valid events among them`
  const reason = ruleOf(finding).title
  if (cut.row !== undefined) {
    const what = `delete the rows from seq ${cut.row} on${lost}; they go to quarantine`
    return { kind: 'cut-tail', what, reason, finding }
  }
  const from = cut.byteOffset ?? to
  const kept = finding === 'bytes/torn-frame' ? '; what can be read of them is written anew' : ''
  const what = `cut the last ${to - from} bytes off, from byte ${from}${lost}${kept}; they go to quarantine`
  return { kind: 'cut-tail', what, reason, finding, bytes: { from, to } }
}
