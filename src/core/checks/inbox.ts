/** Inbox splices that DSH cannot replay, and a message that was accepted and never worked on. */
import type { Finding, FindingSink } from '../findings/finding.ts'
import { isJsonObject, type JsonObject } from '../json/json-value.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { SpliceOutcome, SpliceProblem, WaitingMessage } from '../replay/inbox-list.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { SessionInbox } from '../replay/session-inbox.ts'

/** Messages that one turn took out, of which a finding names the first and counts the others. */
const MOST_CLAIMED = 10

export function inboxChecks(report: FindingSink): Reducer<void> {
  const inbox = new SessionInbox()
  let cause: Finding | undefined
  let turnStart: number | undefined
  /** The open turn has a step, or a message of its own. */
  let begun = false
  /** What the open turn took out of the inbox to work on. */
  let claimed: readonly WaitingMessage[] = []

  function onSplice({ event, origin }: ReplayStep, { problem, removed }: SpliceOutcome): void {
    const { data, seq } = event
    if (!isJsonObject(data)) return
    if (data.outcome !== 'canceled') claimed = [...claimed, ...removed].slice(0, MOST_CLAIMED)
    if (problem === undefined) return
    const finding = findingOf(seq, origin, data, problem)
    report(cause === undefined ? finding : { ...finding, causedBy: cause })
    cause ??= finding
  }

  return {
    types: new Set([
      ...['agent/inbox/spliced', 'session/end-seed', 'turn/start', 'step/start', 'user/message'],
    ]),
    onDeltas: ignoreDeltas,
    on(step) {
      const { type, seq } = step.event
      const splice = inbox.take(step)
      if (splice !== undefined) onSplice(step, splice)
      else if (type === 'turn/start') {
        turnStart = seq
        begun = false
        claimed = []
      } else if (type === 'step/start' || type === 'user/message') begun = true
    },
    finish({ cursor }) {
      const { waiting } = inbox
      // A message that was edited or moved was taken out and waits again.
      const taken = claimed.filter(({ id }) => id === null || waiting.every((other) => other.id !== id))
      const [first, ...others] = [...taken, ...waiting]
      if (cursor.turn !== undefined && turnStart !== undefined && !begun && first !== undefined) {
        const { seq, origin, text } = first
        const args = { text, others: others.length, turn: cursor.turn.name }
        report({ code: 'inbox/stalled', origin, seq, args, related: [turnStart] })
        return
      }
      const [next, ...later] = waiting
      // After a splice that does not fit, what waits is a guess.
      if (next === undefined || cause !== undefined) return
      const { seq, origin, text } = next
      report({ code: 'inbox/waiting', origin, seq, args: { text, others: later.length } })
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
