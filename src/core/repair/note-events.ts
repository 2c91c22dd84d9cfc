/** Notes as the events that are appended to the log: each replaces the one node that it stands for, and cites it. */
import type { Dialect } from '../dialect/dialect.ts'
import type { SessionEvent } from '../event/session-event.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { ExchangeNote } from './exchange-notes.ts'
import { repairedMessageId } from './identity-patches.ts'

/** A stored row; in the older formats its `surfaceOp` has other members than the event of the core. */
export interface NoteEvent extends JsonObject {
  readonly type: string
  readonly seq: number
  readonly time: number
}

/** @param last - the event that the notes come after. */
export function noteEvents(
  notes: readonly ExchangeNote[],
  sessionId: string,
  last: Pick<SessionEvent, 'seq' | 'time'>,
  dialect: Dialect,
): readonly NoteEvent[] {
  const { start, end } = dialect.surface
  const source = noteSource(dialect)
  return notes.map(({ node, content }, index) => {
    const seq = last.seq + 1 + index
    const id = repairedMessageId(sessionId, seq)
    return {
      type: 'user/message',
      seq,
      time: last.time,
      data: { id, role: 'user', source, content },
      surfaceOp: { op: 'replace', [start]: node, [end]: node },
      sourceEventSeqs: [node],
    }
  })
}

/** Format 4 knows no source of kind plugin: a producer names itself, and a foreign one with this prefix (§9.5). */
export function noteSource({ toolRole }: Pick<Dialect, 'toolRole'>): JsonObject {
  return toolRole ? { kind: 'plugin:resurface' } : { kind: 'plugin', plugin: 'resurface' }
}
