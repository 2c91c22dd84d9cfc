/**
 * A message id names one message. Where one comes back, something was written twice; where several come back in a row
 * and in their old order, it is the history that was appended again, and that is one fault with a range.
 */
import type { FindingSink } from '../findings/finding.ts'
import { unconcerned } from '../replay/quiet-run.ts'
import type { Reducer } from '../replay/reducer.ts'
import { MessageRepetitions, type RepeatedMessages } from './repeated-messages.ts'

export function messageIdChecks(report: FindingSink): Reducer<void> {
  const repetitions = new MessageRepetitions()

  function notice(repeated: RepeatedMessages | undefined): void {
    if (repeated === undefined) return
    const { id, origin, seq, last, firstAt, lastAt, messages } = repeated
    if (messages === 1) {
      report({ code: 'message/id-repeated', origin, seq, args: { id, firstAt }, related: [firstAt] })
      return
    }
    const args = { id, messages, last, firstAt, lastAt }
    report({ code: 'message/history-repeated', origin, seq, args, related: [last, firstAt, lastAt] })
  }

  return {
    skim: unconcerned,
    on: ({ event, origin }) => notice(repetitions.take(event, origin)),
    finish: () => notice(repetitions.end()),
  }
}
