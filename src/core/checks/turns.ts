/**
 * Turns and steps (format.md §7.1, §7.3). The loader of formats 0 to 3 never checks them: a log may break every rule here
 * and open. The readers of format 4 refuse it. What is still open at the end is DSH's own business on resume.
 */
import type { FindingSink } from '../findings/finding.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import { eachEvent, type Reducer, type ReplayStep } from '../replay/reducer.ts'
import { numberIn } from '../replay/turn-cursor.ts'
import { type LocatedEvent, raiseInto } from './raise.ts'

/** What the faults are called. */
const ADVISED = {
  needsData: false,
  nestedTurn: 'turn/nested',
  turnNumber: 'turn/number',
  turnEnd: 'turn/end-mismatch',
  openStep: 'turn/open-step',
  outsideTurn: 'turn/outside',
  noTurn: 'step/no-turn',
  nestedStep: 'step/nested',
  stepNumber: 'step/number',
  outsideStep: 'step/outside',
} as const

const ENFORCED = {
  /** What has no object as data is refused for that, and says nothing else. */
  needsData: true,
  nestedTurn: 'relation/turn-nested',
  turnNumber: 'relation/turn-number',
  turnEnd: 'relation/turn-end-mismatch',
  openStep: 'relation/turn-open-step',
  outsideTurn: 'relation/turn-outside',
  noTurn: 'relation/step-no-turn',
  nestedStep: 'relation/step-nested',
  stepNumber: 'relation/step-number',
  outsideStep: 'relation/step-outside',
} as const

export function turnChecks(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  let rules: typeof ADVISED | typeof ENFORCED = ADVISED
  let nextTurn = 1
  let nextStep = 1

  function onTurnStart(step: ReplayStep): void {
    const turn = member(step, 'turn')
    const { turn: openTurn } = step.before
    if (openTurn !== undefined) raise(step, rules.nestedTurn, { turn, open: openTurn })
    else if (turn !== nextTurn) raise(step, rules.turnNumber, { turn, expected: nextTurn })
    nextStep = 1
  }

  function onTurnEnd(step: ReplayStep): void {
    const turn = member(step, 'turn')
    const { turn: openTurn, step: openStep } = step.before
    if (turn !== openTurn) raise(step, rules.turnEnd, { turn, open: openTurn ?? null })
    else if (openStep !== undefined) raise(step, rules.openStep, { turn, step: openStep })
    nextTurn = (numberIn(step.event, 'turn') ?? nextTurn) + 1
  }

  function onStepStart(step: ReplayStep): void {
    const turn = member(step, 'turn')
    const number = member(step, 'step')
    const { turn: openTurn, step: openStep } = step.before
    if (turn !== openTurn) raise(step, rules.noTurn, { turn, open: openTurn ?? null })
    else if (openStep !== undefined) raise(step, rules.nestedStep, { step: number, open: openStep })
    else if (number !== nextStep) raise(step, rules.stepNumber, { turn, step: number, expected: nextStep })
  }

  function onInsideStep(step: ReplayStep): void {
    const turn = member(step, 'turn')
    const number = member(step, 'step')
    const { turn: openTurn, step: openStep } = step.before
    if (turn === openTurn && number === openStep) return
    const args = { type: step.event.type, turn, step: number }
    raise(step, rules.outsideStep, { ...args, openTurn: openTurn ?? null, openStep: openStep ?? null })
  }

  return eachEvent((step) => {
    const { type, data, surfaceOp } = step.event
    const { inStep, inTurn, relations } = step.dialect
    rules = relations ? ENFORCED : ADVISED
    if (rules.needsData && !isJsonObject(data)) return
    if (type === 'turn/start') onTurnStart(step)
    else if (type === 'turn/end') onTurnEnd(step)
    else if (type === 'step/start') onStepStart(step)
    else if (type === 'tool/result' && surfaceOp !== 'append') {
      if (step.before.turn === undefined) raise(step, rules.outsideTurn, { type: 'a rewritten tool/result' })
    } else if (inStep.has(type)) {
      onInsideStep(step)
      if (type === 'step/end') nextStep = (numberIn(step.event, 'step') ?? nextStep) + 1
    } else if (inTurn.has(type) && step.before.turn === undefined) raise(step, rules.outsideTurn, { type })
  })
}

/** A turn that is open at the end: a crash, which DSH closes on resume in every format. */
export function openTurnCheck(report: FindingSink): Reducer<void> {
  let start: LocatedEvent | undefined
  return {
    types: new Set(['turn/start']),
    onDeltas: ignoreDeltas,
    on({ event, origin }) {
      if (event.type === 'turn/start') start = { event, origin }
    },
    finish({ cursor }) {
      if (cursor.turn === undefined || start === undefined) return
      // DSH closes a turn under whatever name the log gives it.
      const args = { turn: cursor.turn.name, step: cursor.step?.name ?? null }
      report({ code: 'turn/open', origin: start.origin, seq: start.event.seq, args })
    },
  }
}

/** A member of the data, `null` where it is missing. */
function member(step: ReplayStep, key: string): JsonValue {
  const { data } = step.event
  return isJsonObject(data) ? (data[key] ?? null) : null
}
