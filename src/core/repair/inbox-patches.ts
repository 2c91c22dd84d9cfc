/** Inbox splices that reach past the list they change: they are cut to what is there, as any splice would be. */

import type { Reducer } from '../replay/reducer.ts'
import { SessionInbox } from '../replay/session-inbox.ts'
import type { PatchSink } from './identity-patches.ts'

export function inboxPatches(patch: PatchSink): Reducer<void> {
  const inbox = new SessionInbox()
  return {
    on(step) {
      const problem = inbox.take(step)?.problem
      if (problem?.kind === 'range' && problem.cut !== undefined)
        patch(step.event.seq, { kind: 'inbox', ...problem.cut })
    },
    finish() {},
  }
}
