/**
 * Calls and results on a surface, as providers pair them: every result comes after the message that calls for it, before
 * any other message. What is wrong about that is for the checks to say and for the repair to mend.
 */

/** A node that announces calls, in its order, or answers one. */
export interface Half<Id = string> {
  readonly announces?: readonly Id[]
  readonly answers?: Id | undefined
}

export interface ShownCall<Id = string> {
  readonly callId: Id
  readonly callAt: number
  /** Results that are still to come: a message may announce an id more than once. */
  missing: number
  /** The first later message that is not a result. */
  interruptedAt?: number
}

export type Pairing<Id = string> =
  /** A message that announces calls. */
  | { readonly kind: 'message' }
  /** A result, with its call unless none before it waits. */
  | { readonly kind: 'result'; readonly seq: number; readonly callId: Id; readonly call?: ShownCall<Id> }
  /** A call that no result can reach any more. */
  | { readonly kind: 'alone'; readonly call: ShownCall<Id> }

/** @param halfOf - what a node announces or answers; ids are compared, and may be numbers. */
export function* pairingsOn<Id = string>(
  nodes: readonly number[],
  halfOf: (seq: number) => Half<Id> | undefined,
): Generator<Pairing<Id>> {
  const waiting = new Map<Id, ShownCall<Id>>()
  /** Calls announced last: the only ones that the next other message can come between. */
  let fresh: ShownCall<Id>[] = []
  for (const seq of nodes) {
    const { answers: callId, announces = [] } = halfOf(seq) ?? {}
    if (callId !== undefined) {
      const call = waiting.get(callId)
      yield { kind: 'result', seq, callId, ...(call !== undefined && { call }) }
      if (call !== undefined && --call.missing === 0) waiting.delete(callId)
      continue
    }
    for (const call of fresh) call.interruptedAt = seq
    fresh = []
    if (announces.length > 0) yield { kind: 'message' }
    for (const callId of announces) {
      const earlier = waiting.get(callId)
      if (earlier?.callAt === seq) {
        earlier.missing++
        continue
      }
      if (earlier !== undefined) yield { kind: 'alone', call: earlier }
      const call: ShownCall<Id> = { callId, callAt: seq, missing: 1 }
      fresh.push(call)
      waiting.set(callId, call)
    }
  }
  for (const call of waiting.values()) yield { kind: 'alone', call }
}

/** A call of the open turn may still wait; DSH closes it on resume. */
export function isPending(
  { callId, callAt }: Pick<ShownCall, 'callId' | 'callAt'>,
  { pending }: { readonly pending: ReadonlyMap<string, { readonly advertisedAt: number }> },
): boolean {
  return pending.get(callId)?.advertisedAt === callAt
}
