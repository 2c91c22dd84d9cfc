/** How a check reports: a finding at an event, with the evidence of its rule. */
import { type Finding, type FindingSink, findingOf } from '../findings/finding.ts'
import type { EvidenceOf, FindingCode } from '../findings/rules.ts'
import type { JsonValue } from '../json/json-value.ts'
import { type MemberEdit, saysAlready } from '../json/member-edit.ts'
import type { ReplayStep } from '../replay/reducer.ts'

/** An event and where it is stored. */
export type LocatedEvent = Pick<ReplayStep, 'event' | 'origin'>

/** @param told - what the event would have to say, where the rest of the log tells it. */
export type Raise = <Code extends FindingCode>(
  located: LocatedEvent,
  code: Code,
  args: EvidenceOf<Code>,
  related?: readonly number[],
  told?: readonly MemberEdit[],
) => Finding

export function raiseInto(report: FindingSink): Raise {
  return (located, code, args, related, told) => {
    const finding = findingAt(located, code, args, related, told)
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
  told?: readonly MemberEdit[],
): Finding {
  const changes = told?.filter((edit) => !saysAlready(event, edit))
  return findingOf(code, args, {
    origin,
    seq: event.seq,
    ...(related !== undefined && { related }),
    ...(changes !== undefined && changes.length > 0 && { told: changes }),
  })
}

/** What the data of an event would have to say. */
export function toldData(members: Readonly<Record<string, JsonValue | undefined>>): readonly MemberEdit[] {
  return Object.entries(members).map(([key, value]) => ({
    at: ['data', key],
    ...(value !== undefined && { value }),
  }))
}
