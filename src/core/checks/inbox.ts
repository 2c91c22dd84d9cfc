/**
 * Inbox splices that DSH cannot replay, and a message that was accepted and never worked on. Up to format 1 a fork
 * starts with an empty inbox; later it inherits what waited in its parent, and builds in between did either.
 */

import { isInheritedMarker } from '../event/inherited-part.ts'
import { isJsonObject, type JsonObject } from '../event/json-value.ts'
import type { Finding, FindingSink } from '../findings/finding.ts'
import { unconcerned } from '../replay/quiet-run.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { InboxList, type SpliceProblem, type WaitingMessage } from './inbox-list.ts'

export function inboxChecks(report: FindingSink): Reducer<void> {
  let whole = new InboxList()
  /** The inbox as it is when a fork begins with an empty one. */
  let own: InboxList | undefined
  let cause: Finding | undefined
  let turnStart: number | undefined
  /** The open turn has a step, or a message of its own. */
  let begun = false
  /** What the open turn took out of the inbox to work on. */
  let claimed: readonly WaitingMessage[] = []

  function onSplice({ event, origin, header, dialect }: ReplayStep, data: JsonObject): void {
    // Up to format 1 what the parent did to its inbox does not concern the fork.
    if (dialect.version < 2 && event.seq < (header?.seedLength ?? 0)) return
    const place = { seq: event.seq, origin }
    const { problem, removed } = whole.apply(data, place)
    const ownProblem = own?.apply(data, place).problem
    if (data.outcome !== 'canceled') claimed = [...claimed, ...removed].slice(0, 10)
    if (problem === undefined) {
      if (ownProblem !== undefined) own = undefined
      return
    }
    if (own !== undefined && ownProblem === undefined) {
      whole = own
      own = undefined
      return
    }
    const finding = findingOf(event.seq, origin, data, problem)
    report(cause === undefined ? finding : { ...finding, causedBy: cause })
    cause ??= finding
  }

  return {
    skim: unconcerned,
    on(step) {
      const { type, data, seq } = step.event
      if (type === 'agent/inbox/spliced') {
        if (isJsonObject(data)) onSplice(step, data)
      } else if (type === 'turn/start') {
        turnStart = seq
        begun = false
        claimed = []
      } else if (type === 'step/start' || type === 'user/message') begun = true
      else if (isInheritedMarker(step.event)) own = new InboxList()
    },
    finish({ cursor }) {
      const { waiting } = whole
      // A message that was edited or moved was taken out and waits again.
      const taken = claimed.filter(({ id }) => id === null || waiting.every((other) => other.id !== id))
      const [first, ...others] = [...taken, ...waiting]
      if (cursor.turn === undefined || turnStart === undefined || begun || first === undefined) return
      const { seq, origin, text } = first
      const args = { text, others: others.length, turn: cursor.openTurn ?? null }
      report({ code: 'inbox/stalled', origin, seq, args, related: [turnStart] })
    },
  }
}

function findingOf(
  seq: number,
  origin: Finding['origin'],
  { target, start, removedCount }: JsonObject,
  problem: SpliceProblem,
): Finding {
  if (problem.kind === 'repeated') {
    return { code: 'inbox/id-repeated', origin, seq, args: { id: problem.id } }
  }
  const { length } = problem
  const args = { target: target ?? null, start: start ?? null, removedCount: removedCount ?? 0, length }
  return { code: 'inbox/out-of-range', origin, seq, args }
}
