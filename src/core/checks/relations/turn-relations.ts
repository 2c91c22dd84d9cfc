/** Turns, steps, and what must stand inside them. */

import type { FindingSink } from '../../findings/finding.ts'
import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Reducer, ReplayStep } from '../../replay/reducer.ts'
import { relationSink } from './relation.ts'

const IN_STEP = new Set([
  'system/message',
  'developer/message',
  'assistant/attempt',
  'assistant/message',
  'tool/call',
  'tool/result',
  'step/end',
])
const IN_TURN = new Set(['request/header', 'request/context', 'tool/ptc-dispatch-start', 'tool/ptc-dispatch'])
const STRUCTURED = new Set([...IN_STEP, ...IN_TURN, 'turn/start', 'turn/end', 'step/start', 'user/message'])

export function turnRelations(report: FindingSink): Reducer<void> {
  const broken = relationSink(report, 'relation/turn')
  let nextTurn = 1
  let nextStep = 1

  function onTurnStart(step: ReplayStep, { turn }: JsonObject): void {
    if (step.before.openTurn !== undefined || turn !== nextTurn)
      broken(step, `it does not open turn ${nextTurn}`)
    nextStep = 1
  }

  function onTurnEnd(step: ReplayStep, { turn }: JsonObject): void {
    const { openTurn, openStep } = step.before
    if (openTurn === undefined || turn !== openTurn) broken(step, 'it does not close the open turn')
    else if (openStep !== undefined) broken(step, `step ${openStep} is still open`)
    nextTurn = typeof turn === 'number' ? turn + 1 : nextTurn + 1
  }

  function onStepStart(step: ReplayStep, data: JsonObject): void {
    const { openTurn, openStep } = step.before
    const fits =
      openTurn !== undefined && data.turn === openTurn && openStep === undefined && data.step === nextStep
    if (!fits) broken(step, `it does not open step ${nextStep} of the open turn`)
  }

  return {
    on(step) {
      const { type, data, surfaceOp } = step.event
      if (!STRUCTURED.has(type)) return
      if (!isJsonObject(data)) {
        broken(step, 'data must be an object')
        return
      }
      const { openTurn, openStep } = step.before
      if (type === 'turn/start') onTurnStart(step, data)
      else if (type === 'turn/end') onTurnEnd(step, data)
      else if (type === 'step/start') onStepStart(step, data)
      else if (type === 'tool/result' && surfaceOp !== 'append') {
        if (openTurn === undefined) broken(step, 'it stands outside any turn')
      } else if (IN_STEP.has(type)) {
        const fits =
          openTurn !== undefined && openStep !== undefined && data.turn === openTurn && data.step === openStep
        if (!fits) broken(step, 'its turn and step are not open')
        if (type === 'step/end') nextStep++
      } else if (IN_TURN.has(type) && openTurn === undefined) broken(step, 'it stands outside any turn')
    },
    finish() {},
  }
}
