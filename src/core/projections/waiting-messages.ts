/** The messages that wait in the inbox at the end of a log: DSH takes them up when the session is resumed. */
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { WaitingMessage } from '../replay/inbox-list.ts'
import type { Reducer } from '../replay/reducer.ts'
import { SessionInbox } from '../replay/session-inbox.ts'

export function waitingMessages(): Reducer<readonly WaitingMessage[]> {
  const inbox = new SessionInbox()
  return {
    onDeltas: ignoreDeltas,
    on: (step) => void inbox.take(step),
    finish: () => inbox.waiting,
  }
}
