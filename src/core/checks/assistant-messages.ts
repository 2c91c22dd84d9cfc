/**
 * One assistant message a step, made of chunks of that step (format.md §4.2, §5.3). Readers do not look; what counts tokens or
 * compacts later goes by both.
 */
import { citedSeqs } from '../event/session-event.ts'
import type { FindingSink } from '../findings/finding.ts'
import { type JsonValue, objectIn } from '../json/json-value.ts'
import { eachEvent, type Reducer, type ReplayStep } from '../replay/reducer.ts'

const TYPES: ReadonlySet<string> = new Set(['step/start', 'turn/start', 'assistant/message'])

export function assistantMessageChecks(report: FindingSink): Reducer<void> {
  let stepStart = 0
  let last:
    | { readonly turn: JsonValue | undefined; readonly step: JsonValue | undefined; readonly seq: number }
    | undefined

  function onMessage({ event, origin, before, dialect }: ReplayStep): void {
    const { seq, data } = event
    const { turn, step } = objectIn(data)
    if (last !== undefined && step !== undefined && last.turn === turn && last.step === step) {
      const args = { turn: turn ?? null, step, firstAt: last.seq }
      report({ code: 'step/settled-twice', origin, seq, args, related: [last.seq] })
    } else last = { turn, step, seq }
    if (before.step === undefined || dialect.version >= 2) return
    const source = citedSeqs(event).find((cited) => cited < stepStart)
    if (source !== undefined)
      report({ code: 'step/foreign-sources', origin, seq, args: { source }, related: [source] })
  }

  return eachEvent((step) => {
    const { type, seq, surfaceOp } = step.event
    if (type === 'step/start') stepStart = seq
    else if (type === 'turn/start') last = undefined
    else if (type === 'assistant/message' && surfaceOp === 'append' && !step.dialect.relations)
      onMessage(step)
  }, TYPES)
}
