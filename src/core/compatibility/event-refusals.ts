/**
 * Why a later release refuses one event, though the readers of its own format take it. The migrations look at an event
 * as it is stored, and on the way from format 2 to 3 as the earlier ones have left it.
 */

import type { SessionEvent } from '../event/session-event.ts'
import { dataRefusals, type Refusal } from '../event-types/refusals.ts'
import { isJsonObject } from '../json/json-value.ts'

export interface EventRefusal extends Refusal {
  /** The migration from this format refuses it, and so does every release that needs it. */
  readonly edge: 0 | 1 | 2
}

type Located = Pick<SessionEvent, 'type' | 'seq' | 'data'>

/** @param event - as the log is read: older shapes of format 0 are upgraded. */
export function eventRefusals(event: Located, format: number, visit: (refusal: EventRefusal) => void): void {
  const said = new Set<string>()
  const from = (edge: EventRefusal['edge']) => (refusal: Refusal) => {
    const key = `${refusal.problem} ${refusal.path}`
    if (!said.has(key)) visit({ ...refusal, edge })
    said.add(key)
  }
  const { type, seq, data } = event
  if (type === 'assistant/chunk') return
  if (format < 2) {
    const edge = format === 0 ? 0 : 1
    dataRefusals(type, data, { format, seq }, from(edge))
  }
  dataRefusals(type, format < 2 ? inFormat2(event) : data, { format: Math.max(format, 2), seq }, from(2))
}

/** The data as the migration to format 2 leaves them. */
function inFormat2({ type, data }: Located): SessionEvent['data'] {
  if (!isJsonObject(data)) return data
  if (type === 'assistant/message') return { ...data, stream: [] }
  const { source } = data
  if (
    type === 'user/message' &&
    isJsonObject(source) &&
    source.kind === 'goal' &&
    source.change !== undefined
  )
    return { ...data, source: { kind: 'plugin', plugin: 'goal' } }
  return data
}
