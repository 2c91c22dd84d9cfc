/** The life of a tool call: announced once, started as announced, answered before its step ends. */
import { isOneText } from '../../dialect/admission.ts'
import { answeredCallId, blocksOf, messageOf, type SessionEvent } from '../../event/session-event.ts'
import type { FindingSink } from '../../findings/finding.ts'
import { isJsonObject } from '../../json/json-value.ts'
import { NOT_STARTED } from '../../repair/closers.ts'
import type { Reducer, ReplayStep } from '../../replay/reducer.ts'
import { textIn } from '../../replay/turn-cursor.ts'
import { relationSink } from './relation.ts'

export function toolRelations(report: FindingSink): Reducer<void> {
  const broken = relationSink(report, 'relation/tool')

  function onCall(step: ReplayStep): void {
    const { started } = step.change
    const callId = textIn(step.event, 'callId')
    if (started === undefined) broken(step, `no message announces tool call ${callId}`)
    else if (started.startedAt !== undefined)
      broken(step, `tool call ${callId} was started at seq ${started.startedAt}`)
    else if (
      textIn(step.event, 'name') !== started.name ||
      textIn(step.event, 'arguments') !== started.arguments
    ) {
      broken(step, `tool call ${callId} differs from what seq ${started.advertisedAt} announced`)
    }
  }

  function onResult(step: ReplayStep): void {
    if (step.event.surfaceOp !== 'append') return
    const { answered } = step.change
    const callId = answeredCallId(step.event)
    if (answered === undefined) broken(step, `no tool call ${callId} waits for a result`)
    else if (answered.startedAt === undefined && !isNotStartedRepair(step.event)) {
      broken(step, `tool call ${callId} was never started, and this is not the standard result for that`)
    }
  }

  return {
    on(step) {
      const { type } = step.event
      const { abandoned, readvertised } = step.change
      if (type === 'step/end' || type === 'turn/end') {
        for (const { callId } of abandoned) broken(step, `it leaves tool call ${callId} without a result`)
      }
      for (const { callId } of readvertised)
        broken(step, `it announces tool call ${callId} again, which still waits`)
      if (type === 'tool/call') onCall(step)
      else if (type === 'tool/result') onResult(step)
    },
    finish() {},
  }
}

const INTERRUPTED = /^interrupted-tool-result-(.*)-(0|[1-9]\d*)$/s

function isNotStartedRepair(event: SessionEvent): boolean {
  const error = isJsonObject(event.data) ? event.data.error : undefined
  const message = messageOf(event)
  if (!isJsonObject(error) || message === undefined) return false
  const { name, code } = NOT_STARTED.error
  if (error.name !== name || error.code !== code || message.isError !== true) return false
  if (event.sourceEventSeqs !== undefined || !isOneText(message.content)) return false
  const id = String(message.id)
  if (id.startsWith('forked-tool-result-')) return true
  const named = INTERRUPTED.exec(id)
  return named?.[1] === message.toolCallId && blocksOf(message)[0]?.text === NOT_STARTED.text
}
