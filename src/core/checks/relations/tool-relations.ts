/** The life of a tool call: announced once, started as announced, answered before its step ends. */
import { isOneText } from '../../dialect/admission.ts'
import { answeredCallId, blocksOf, messageOf, type SessionEvent } from '../../event/session-event.ts'
import {
  isForkedResultId,
  isInterruptedResultId,
  isNotStarted,
  NOT_STARTED,
} from '../../event-types/closers.ts'
import type { FindingSink } from '../../findings/finding.ts'
import { isJsonObject } from '../../json/json-value.ts'
import type { Reducer, ReplayStep } from '../../replay/reducer.ts'
import { textIn } from '../../replay/turn-cursor.ts'
import { raiseInto } from '../raise.ts'

export function toolRelations(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)

  function onCall(step: ReplayStep): void {
    const { started } = step.change
    const callId = textIn(step.event, 'callId')
    if (started === undefined) {
      raise(step, 'relation/call-not-announced', { callId })
      return
    }
    const { startedAt, advertisedAt, name, arguments: announced } = started
    if (startedAt !== undefined)
      raise(step, 'relation/call-started-twice', { callId, startedAt }, [startedAt])
    else if (textIn(step.event, 'name') !== name || textIn(step.event, 'arguments') !== announced)
      raise(step, 'relation/call-differs', { callId, advertisedAt }, [advertisedAt])
  }

  function onResult(step: ReplayStep): void {
    if (step.event.surfaceOp !== 'append') return
    const { answered } = step.change
    if (answered === undefined)
      raise(step, 'relation/result-without-call', { callId: answeredCallId(step.event) })
    else if (answered.startedAt === undefined && !isNotStartedRepair(step.event))
      raise(step, 'relation/result-not-started', { callId: answered.callId }, [answered.advertisedAt])
  }

  return {
    on(step) {
      const { type } = step.event
      const { abandoned, readvertised } = step.change
      if (type === 'step/end' || type === 'turn/end') {
        for (const { callId, advertisedAt } of abandoned)
          raise(step, 'relation/call-unanswered', { callId, type, advertisedAt }, [advertisedAt])
      }
      for (const { callId, advertisedAt } of readvertised)
        raise(step, 'relation/call-announced-again', { callId, advertisedAt }, [advertisedAt])
      if (type === 'tool/call') onCall(step)
      else if (type === 'tool/result') onResult(step)
    },
    finish() {},
  }
}

function isNotStartedRepair(event: SessionEvent): boolean {
  const error = isJsonObject(event.data) ? event.data.error : undefined
  const message = messageOf(event)
  if (message === undefined) return false
  if (!isNotStarted(error) || error.name !== NOT_STARTED.error.name || message.isError !== true) return false
  if (event.sourceEventSeqs !== undefined || !isOneText(message.content)) return false
  if (isForkedResultId(message.id)) return true
  const isNamed = isInterruptedResultId(message.id, message.toolCallId)
  return isNamed && blocksOf(message)[0]?.text === NOT_STARTED.text
}
