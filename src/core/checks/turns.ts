/**
 * Turns and steps (format.md §7.1). The shipped loader never checks them in format 0, so all of this is a warning:
 * a log may break every rule here and open. Only what is still open at the end is DSH's own business on resume.
 */

import { type FindingSink, findingOf } from '../findings/finding.ts'
import type { EvidenceOf, FindingCode } from '../findings/rules.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { unconcerned } from '../replay/quiet-run.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { numberIn } from '../replay/turn-cursor.ts'

const IN_STEP = new Set(['step/end', 'assistant/chunk', 'assistant/message', 'tool/call', 'tool/result'])
const IN_TURN = new Set(['todo/write', 'request/header', 'request/context'])

export function turnChecks(report: FindingSink): Reducer<void> {
  let nextTurn = 1
  let nextStep = 1

  function raise<Code extends FindingCode>(
    { origin, event }: ReplayStep,
    code: Code,
    args: EvidenceOf<Code>,
  ): void {
    report(findingOf(code, args, { origin, seq: event.seq }))
  }

  function onTurnStart(step: ReplayStep): void {
    const turn = member(step, 'turn')
    const { openTurn } = step.before
    if (openTurn !== undefined) raise(step, 'turn/nested', { turn, open: openTurn })
    else if (turn !== nextTurn) raise(step, 'turn/number', { turn, expected: nextTurn })
    nextStep = 1
  }

  function onTurnEnd(step: ReplayStep): void {
    const turn = member(step, 'turn')
    const { openTurn, openStep } = step.before
    if (turn !== openTurn) raise(step, 'turn/end-mismatch', { turn, open: openTurn ?? null })
    else if (openStep !== undefined) raise(step, 'turn/open-step', { turn, step: openStep })
    nextTurn = (numberIn(step.event, 'turn') ?? nextTurn) + 1
  }

  function onStepStart(step: ReplayStep): void {
    const turn = member(step, 'turn')
    const number = member(step, 'step')
    const { openTurn, openStep } = step.before
    if (turn !== openTurn) raise(step, 'step/no-turn', { turn, open: openTurn ?? null })
    else if (openStep !== undefined) raise(step, 'step/nested', { step: number, open: openStep })
    else if (number !== nextStep) raise(step, 'step/number', { turn, step: number, expected: nextStep })
  }

  function onInsideStep(step: ReplayStep): void {
    const turn = member(step, 'turn')
    const number = member(step, 'step')
    const { openTurn, openStep } = step.before
    if (turn === openTurn && number === openStep) return
    const args = { type: step.event.type, turn, step: number }
    raise(step, 'step/outside', { ...args, openTurn: openTurn ?? null, openStep: openStep ?? null })
  }

  return {
    skim: unconcerned,
    on(step) {
      const { type, surfaceOp } = step.event
      if (type === 'turn/start') onTurnStart(step)
      else if (type === 'turn/end') onTurnEnd(step)
      else if (type === 'step/start') onStepStart(step)
      else if (type === 'tool/result' && surfaceOp !== 'append') {
        if (step.before.openTurn === undefined)
          raise(step, 'turn/outside', { type: 'a rewritten tool/result' })
      } else if (IN_STEP.has(type)) {
        onInsideStep(step)
        if (type === 'step/end') nextStep = (numberIn(step.event, 'step') ?? nextStep) + 1
      } else if (IN_TURN.has(type) && step.before.openTurn === undefined)
        raise(step, 'turn/outside', { type })
    },
    finish() {},
  }
}

/** A turn that is open at the end: a crash, which DSH closes on resume in every format. */
export function openTurnCheck(report: FindingSink): Reducer<void> {
  let start: Pick<ReplayStep, 'origin' | 'event'> | undefined
  return {
    skim: unconcerned,
    on({ event, origin }) {
      if (event.type === 'turn/start') start = { event, origin }
    },
    finish({ cursor }) {
      if (cursor.openTurn === undefined || start === undefined) return
      const args = { turn: cursor.openTurn, step: cursor.openStep ?? null }
      report({ code: 'turn/open', origin: start.origin, seq: start.event.seq, args })
    },
  }
}

/** A member of the data, `null` where it is missing: nothing that is open has that name. */
function member(step: ReplayStep, key: string): JsonValue {
  const { data } = step.event
  return isJsonObject(data) ? (data[key] ?? null) : null
}
