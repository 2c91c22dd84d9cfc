/** Two answers about one log → the questions that they answer differently, with both answers. */
import { isDeepStrictEqual } from 'node:util'
import type { DshAnswer } from './dsh-answer.ts'
import type { ResurfaceAnswer } from './resurface-answer.ts'

export interface Disagreement {
  readonly about: string
  readonly dsh: unknown
  readonly resurface: unknown
}

const QUESTIONS = ['eventCount', 'nodes', 'replacements', 'messages', 'closers'] as const

/** All questions beyond acceptance are asked only about logs that both sides accept. */
export function compareAnswers(dsh: DshAnswer, resurface: ResurfaceAnswer): readonly Disagreement[] {
  if (dsh.accepted !== resurface.accepted) {
    return [
      {
        about: 'acceptance',
        dsh: dsh.accepted || dsh.error,
        resurface: resurface.accepted || resurface.codes,
      },
    ]
  }
  if (!dsh.accepted) return []
  return QUESTIONS.flatMap((about) => firstDifference(about, dsh[about], throughJson(resurface[about])))
}

/** As the oracle's answers came: through JSON. */
function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function firstDifference(about: string, dsh: unknown, resurface: unknown): readonly Disagreement[] {
  if (isSame(dsh, resurface)) return []
  if (!Array.isArray(dsh) || !Array.isArray(resurface)) return [{ about, dsh, resurface }]
  const length = Math.max(dsh.length, resurface.length)
  const at = Array.from({ length }, (_, index) => index).find(
    (index) => !isSame(dsh[index], resurface[index]),
  )
  const index = at as number
  return [{ about: `${about}[${index}]`, dsh: dsh[index], resurface: resurface[index] }]
}

/** Messages are sent as text, so the order of their members counts as well. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other) && JSON.stringify(one) === JSON.stringify(other)
}
