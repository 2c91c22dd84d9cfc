/** Older shapes inside format 0, which DSH upgrades in memory. */
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich } from '../../support/sample-logs.ts'
import { at, type Case, clean, refused } from '../case.ts'

const content = [{ type: 'text', text: 'hi' }]
const source = { kind: 'user' }

function upgraded(name: string, seq: number, why: string, built: LogBuilder): Case {
  return {
    name,
    why,
    log: built,
    findings: [at('legacy/shape', seq)],
    ...clean,
    nearMissOf: ['legacy/malformed'],
  }
}

const turnEnd = (reason: JsonObject): LogBuilder => log().turn(() => {}, reason)

export const cases: readonly Case[] = [
  upgraded(
    'turn-start-with-trigger',
    0,
    'The trigger is dropped.',
    base().edit(0, (row) => ({ ...row, data: { turn: 1, trigger: { kind: 'user' } } })),
  ),
  upgraded('turn-end-disposed', 1, 'A reason of its own then.', turnEnd({ kind: 'disposed' })),
  upgraded('turn-end-aborted', 1, 'Without the reason of the abort.', turnEnd({ kind: 'aborted' })),
  upgraded(
    'turn-end-error',
    1,
    'The failure was next to the kind.',
    turnEnd({ kind: 'error', step: 1, message: 'no route' }),
  ),
  upgraded(
    'steering-message',
    1,
    'It became a user message.',
    log().turn((turn) =>
      turn.event('steering/message', { turn: 1, content, source }, { surfaceOp: 'append' }),
    ),
  ),
  upgraded(
    'messages-before-identity',
    0,
    'No id and no role: healthy, and nothing to repair.',
    log().event('user/message', { content, source }, { surfaceOp: 'append' }),
  ),
  upgraded(
    'answer-before-the-wrapper',
    2,
    'The message was open in the data.',
    log().turn((turn) =>
      turn.step((step) =>
        step.event(
          'assistant/message',
          { turn: 1, step: 1, content, provenance: { provider: 'p', model: 'm' } },
          { surfaceOp: 'append' },
        ),
      ),
    ),
  ),
  {
    name: 'many-of-one-shape',
    why: 'One note for a shape, however often it comes.',
    log: log()
      .event('user/message', { content, source }, { surfaceOp: 'append' })
      .event('user/message', { content, source }, { surfaceOp: 'append' }),
    findings: [at('legacy/shape', 0)],
    ...clean,
  },
  {
    name: 'current-shapes',
    why: 'Nothing to upgrade.',
    log: rich(),
    findings: [],
    ...clean,
    nearMissOf: ['legacy/shape'],
  },
  {
    name: 'trigger-with-more-next-to-it',
    why: 'Neither the old shape nor the current one.',
    log: base().edit(0, (row) => ({ ...row, data: { turn: 1, trigger: { kind: 'user' }, more: 1 } })),
    findings: [at('legacy/malformed', 0)],
    ...refused,
    nearMissOf: ['legacy/shape'],
  },
  {
    name: 'turn-end-error-without-message',
    why: 'Neither the old shape nor the current one.',
    log: turnEnd({ kind: 'error', step: 1 }),
    findings: [at('legacy/malformed', 1)],
    ...refused,
  },
]
