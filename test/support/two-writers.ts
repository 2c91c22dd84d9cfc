/** Logs that several writers appended to without knowing of each other. */
import type { LogBuilder } from './log-builder.ts'
import { base } from './sample-logs.ts'

/** All of them go on from the end of {@link base}, and each has written the turns that it has after it. */
export function clash(...writers: readonly LogBuilder[]): Buffer {
  const known = base().lines().length
  const rows = writers.flatMap((built) => built.lines().slice(known))
  return Buffer.concat([base().bytes(), ...rows.flatMap((row) => [row, Buffer.from('\n')])])
}

/** Two writers with a turn each: the second one lives on. */
export function clashing(): Buffer {
  return clash(
    base().turn((turn) => turn.user('mine').step((step) => step.assistant('one'))),
    base().turn((turn) => turn.user('theirs').step((step) => step.assistant('two').assistant('three'))),
  )
}
