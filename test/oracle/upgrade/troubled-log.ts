/** A log of format 0 with the troubles of some families in it, each in a turn of its own. */
import { LogDraft, type Members } from '../campaign/log-draft.ts'
import type { Trouble } from './family-logs.ts'

export function troubledLog(troubles: readonly Trouble[], header: Members = {}): string {
  const draft = new LogDraft(0, header)
  for (const { write } of troubles.filter(({ first }) => first).slice(0, 1)) write(draft)
  for (const { write } of troubles.filter(({ first }) => !first)) {
    draft.startTurn()
    draft.startStep()
    draft.requestHeader()
    draft.user()
    write(draft)
    draft.endStep()
    draft.endTurn()
  }
  draft.plainTurn()
  return draft.rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}
