/** Logs that several suites start from. */
import { type LogBuilder, log } from './log-builder.ts'

/** One whole turn with one tool call: seqs 0 to 8, the surface is 1, 4, 6. */
export function base(): LogBuilder {
  return log().turn((turn) =>
    turn
      .user('list files')
      .step((step) => step.request().assistant('').call('c1', 'bash').result('c1', 'a.txt')),
  )
}

/** {@link base} and a second turn without tools: seqs 9 to 14, the surface is 1, 4, 6, 10, 12. */
export function twoTurns(): LogBuilder {
  return base().turn((turn) => turn.user('and now?').step((step) => step.assistant('done')))
}

/** Everything a valid log may hold: parallel calls, chunks loose and packed, a prune, nested compactions. */
export function rich(): LogBuilder {
  const built = twoTurns()
  built.turn((turn) =>
    turn
      .event('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [] })
      .user('größer 🚀 please')
      .step((step) => {
        step.chunk('think', 'reasoning-delta').packed(['o', 'n', 'e'])
        const first = step.nextSeq - 4
        step.assistant('one', { sources: [first, first + 1, first + 2, first + 3] })
        step
          .call('c2', 'bash')
          .call('c3', 'read')
          .result('c2', 'long output')
          .result('c3', 'b', { isError: true })
      })
      .step((step) => step.assistant('two', { sources: [] })),
  )
  const result = built.surface[8] as number
  built.openTurn((turn) => turn.user('prune').openStep((step) => step.prune(result)))
  built.event('step/end', { turn: 4, step: 1 }).event('turn/end', { turn: 4, reason: { kind: 'completed' } })
  built.compaction(1, 6, 'first').compaction(built.surface[0] as number, 10, 'second')
  return built.event('session/end-seed', {})
}

/** {@link base} and a second turn that a crash cut off after a call was started: seqs 9 to 13. */
export function crashed(): LogBuilder {
  return base().openTurn((turn) =>
    turn.user('more').openStep((step) => step.assistant('').call('c2', 'bash')),
  )
}

/** {@link crashed} in the middle of a line. */
export function torn(): Buffer {
  return crashed().torn('{"type":"tool/re').bytes()
}
