/** The members of an event line. */
import { log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'
import { at, type Case, clean, refused } from '../case.ts'

export const cases: readonly Case[] = [
  {
    name: 'importer-adds-a-member',
    why: 'Two reasons to complain about one event: both are said.',
    log: log().event('session/imported', {}, { ignorable: true, origin: 'x' }),
    findings: [at('envelope/invalid', 0), at('vocabulary/unknown-ignorable', 0)],
    ...refused,
  },
  {
    name: 'data-missing',
    why: 'Null is data, nothing is not.',
    log: log().event('plan/mode', {}, { data: undefined }),
    findings: [at('envelope/invalid', 0)],
    ...refused,
  },
  {
    name: 'data-null',
    why: 'Any JSON value is data.',
    log: log().event('plan/mode', null),
    findings: [],
    ...clean,
    nearMissOf: ['envelope/invalid'],
  },
  {
    name: 'fractional-time',
    why: 'Times are whole milliseconds.',
    log: base().edit(3, (row) => ({ ...row, time: 1.5 })),
    findings: [at('envelope/invalid', 3)],
    ...refused,
  },
  {
    name: 'ignorable-false',
    why: 'The member is true or absent.',
    log: base().edit(3, (row) => ({ ...row, ignorable: false })),
    findings: [at('envelope/invalid', 3)],
    ...refused,
  },
  {
    name: 'ignorable-on-a-known-type',
    why: 'It changes nothing there.',
    log: base().edit(3, (row) => ({ ...row, ignorable: true })),
    findings: [],
    ...clean,
    nearMissOf: ['envelope/invalid', 'vocabulary/unknown-ignorable'],
  },
  {
    name: 'fractional-delay',
    why: 'Only the envelope is judged: what a plugin stores in data is its own business.',
    log: log().turn((turn) =>
      turn.step((step) =>
        step.event('llm/retry', { retryId: 'q', turn: 1, step: 1, retry: 1, delayMs: 1043.7 }),
      ),
    ),
    findings: [],
    ...clean,
  },
]
