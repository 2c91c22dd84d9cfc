/** Differences that are kept on purpose: the ones of `differences.ts`, which has the reasons, by what rc.8 says. */
import type { DshAnswer } from '../dsh-answer.ts'
import type { ResurfaceAnswer } from '../resurface-answer.ts'

const KEPT: readonly RegExp[] = [
  // It ends with an error of its own on a line that says null.
  /TypeError/,
  // It reads format 0 alone.
  /uses log format v1,/,
]

export function explained(theirs: DshAnswer, ours: ResurfaceAnswer): boolean {
  return !theirs.accepted && ours.accepted && KEPT.some((words) => words.test(theirs.error))
}
