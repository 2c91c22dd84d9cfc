/** How a check reports: a finding at an event, with the evidence of its rule. */
import { type Finding, type FindingSink, findingOf } from '../findings/finding.ts'
import type { EvidenceOf, FindingCode } from '../findings/rules.ts'
import type { ReplayStep } from '../replay/reducer.ts'

/** An event and where it is stored. */
export type LocatedEvent = Pick<ReplayStep, 'event' | 'origin'>

export type Raise = <Code extends FindingCode>(
  located: LocatedEvent,
  code: Code,
  args: EvidenceOf<Code>,
  related?: readonly number[],
) => Finding

export function raiseInto(report: FindingSink): Raise {
  return (located, code, args, related) => {
    const finding = findingAt(located, code, args, related)
    report(finding)
    return finding
  }
}

/** The finding alone, for a check that does not know yet whether it is one. */
export function findingAt<Code extends FindingCode>(
  { event, origin }: LocatedEvent,
  code: Code,
  args: EvidenceOf<Code>,
  related?: readonly number[],
): Finding {
  return findingOf(code, args, { origin, seq: event.seq, ...(related !== undefined && { related }) })
}
