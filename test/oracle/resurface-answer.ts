/** What resurface says about one log, in the words of the oracle's answers. */
import type { SessionEvent } from '../../src/core/event/session-event.ts'
import { judge } from '../../src/core/findings/verdict.ts'
import type { JsonValue } from '../../src/core/json/json-value.ts'
import { surfaceMessages, surfaceView } from '../../src/core/projections/surface-view.ts'
import { closersAt } from '../../src/core/repair/closers.ts'
import { loadLog } from '../../src/load/sessions/load-log.ts'
import { plainFile } from '../../src/storage/jsonl/plain-file.ts'
import { expandRow } from '../../src/storage/packed-rows/expand-row.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { strictlyAccepted } from '../support/strictly-accepted.ts'
import type { Replaced } from './dsh-answer.ts'

export interface ResurfaceAnswer {
  readonly accepted: boolean
  readonly codes: readonly string[]
  readonly eventCount: number
  readonly nodes: readonly number[]
  readonly replacements: readonly Replaced[]
  readonly messages: readonly unknown[]
  readonly closers: readonly SessionEvent[]
}

export async function resurfaceAnswer(
  file: string,
  source = plainFile(file, DEFAULT_LIMITS),
): Promise<ResurfaceAnswer> {
  const reducers = { surface: surfaceView(), messages: surfaceMessages() }
  const loaded = await loadLog(source, reducers, { limits: DEFAULT_LIMITS })
  const counts = loaded.findings.counts()
  const { surface, messages } = loaded.results
  return {
    accepted: judge(counts).opens,
    codes: counts.map(({ code }) => code),
    eventCount: loaded.end.eventCount,
    nodes: surface.nodes.map(({ seq }) => seq),
    replacements: surface.replacements.map(({ shadowed, ...rest }) => ({ ...rest, shadowedSeqs: shadowed })),
    messages: messages.map(({ message }) => message),
    closers: closersAt(loaded.end.cursor, loaded.end.last?.event),
  }
}

/** Whether the strict session takes the rows of the file as its seed. Every line has to be a row. */
export function fileStrictlyAccepted(text: string): boolean {
  const lines = text.split('\n').slice(1, -1)
  const seed = lines.flatMap((line) => {
    const expanded = expandRow(JSON.parse(line) as JsonValue)
    if (expanded.kind === 'malformed') throw new Error(expanded.problem)
    return expanded.rows as unknown as readonly SessionEvent[]
  })
  return strictlyAccepted(seed)
}
