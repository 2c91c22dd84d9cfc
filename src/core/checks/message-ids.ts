/**
 * A message id names one message. Where one comes back, something was written twice; where several come back in a row
 * and in their old order, it is the history that was appended again, and that is one fault with a range.
 */

import type { JsonObject } from '../event/json-value.ts'
import type { Origin } from '../event/origin.ts'
import { blocksOf, messageOf } from '../event/session-event.ts'
import type { FindingSink } from '../findings/finding.ts'
import { unconcerned } from '../replay/quiet-run.ts'
import type { Reducer } from '../replay/reducer.ts'
import { isAppendSurfaceEvent } from '../surface/surface-predicates.ts'

/** Messages in a row that repeat earlier ones in their order. */
interface Run {
  readonly id: string
  readonly origin: Origin
  readonly seq: number
  readonly firstAt: number
  /** Number of the first message that would continue the run. */
  next: number
  last: number
}

export function messageIdChecks(report: FindingSink): Reducer<void> {
  /** The messages in order of their first appearance: number of an id, and seq and size of a number. */
  const numbers = new Map<string, number>()
  const seqs: number[] = []
  const sizes: number[] = []
  let run: Run | undefined

  function endRun(): void {
    if (run === undefined) return
    const { id, origin, seq, firstAt, next, last } = run
    run = undefined
    const lastAt = seqs[next - 1] as number
    if (lastAt === firstAt) {
      report({ code: 'message/id-repeated', origin, seq, args: { id, firstAt }, related: [firstAt] })
      return
    }
    const messages = next - (numbers.get(id) as number)
    const args = { id, messages, last, firstAt, lastAt }
    report({ code: 'message/history-repeated', origin, seq, args, related: [last, firstAt, lastAt] })
  }

  return {
    skim: unconcerned,
    on({ event, origin }) {
      if (!isAppendSurfaceEvent(event)) return
      const message = messageOf(event)
      const id = message?.id
      if (typeof id !== 'string' || id === '') return
      const number = numbers.get(id)
      if (number === undefined) {
        endRun()
        numbers.set(id, seqs.length)
        seqs.push(event.seq)
        sizes.push(sizeOf(message))
      } else if (run?.next === number && sizes[number] === sizeOf(message)) {
        run.next++
        run.last = event.seq
      } else {
        endRun()
        const { seq } = event
        run = { id, origin, seq, firstAt: seqs[number] as number, next: number + 1, last: seq }
      }
    },
    finish: endRun,
  }
}

/** Enough to tell the same message from another one that was given its id. */
function sizeOf(message: JsonObject | undefined): number {
  let size = 0
  for (const block of blocksOf(message)) {
    size += 1
    for (const part of [block.text, block.arguments]) if (typeof part === 'string') size += part.length
    if (Array.isArray(block.content)) size += sizeOf(block)
  }
  return size
}
