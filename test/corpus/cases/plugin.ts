/** What plugins write that no reader minds today: silent by itself, named under the profile, refused by the next format. */
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { laterBase } from '../../support/later-log.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { at, type Case, clean, mended, misleading, unsupported } from '../case.ts'

/** A whole turn in the order that the migration from format 2 to 3 wants: the message in its step. */
const base = (): LogBuilder =>
  log().turn((turn) =>
    turn.step((step) =>
      step.user('list files').request().assistant('').call('c1', 'x').result('c1', 'a.txt'),
    ),
  )

/** {@link base} with another source of its message. */
function from(source: JsonObject): LogBuilder {
  return base().edit(2, (row) => ({ ...row, data: { ...(row.data as JsonObject), source } }))
}

const MEMORY = from({ kind: 'plugin', plugin: 'mem', form: 'notice', summary: 's', memory: { k: 1 } })
const RECALL = from({ kind: 'plugin', plugin: 'mem', form: 'recall', summary: 's' })
const AUTOMATION = from({ kind: 'automation', runId: '1' })
const RICH_TEXT = base().edit(2, (row) => ({
  ...row,
  data: { ...(row.data as JsonObject), content: [{ type: 'card', title: 'x' }] },
}))
const PRESET = base().event('permission/preset', { preset: 'ask', origin: 'default' })
const IGNORABLE = base().event('acme/submit', { n: 1 }, { ignorable: true })

export const cases: readonly Case[] = [
  {
    name: 'profile-and-nothing-to-say',
    why: 'A log that only a harness has written.',
    log: base(),
    profile: 'plugin',
    findings: [],
    ...clean,
    nearMissOf: [
      'plugin/extra-member',
      'plugin/undeclared-source',
      'plugin/source-form',
      'plugin/undeclared-content',
      'plugin/ignorable-type',
    ],
  },
  {
    name: 'latent-faults-without-the-profile',
    why: 'The log opens and is healthy: nobody asked.',
    log: MEMORY,
    findings: [],
    ...clean,
    nearMissOf: ['plugin/extra-member', 'compatibility/target'],
  },
  {
    name: 'extra-member-of-a-plugin-source',
    why: 'Fine until the next version of the format, which refuses the whole log.',
    log: MEMORY,
    profile: 'plugin',
    findings: [at('plugin/extra-member', 2)],
    ...mended,
    nearMissOf: ['plugin/source-form'],
  },
  {
    name: 'extra-member-of-a-payload',
    why: 'Grouped: the first is named, and how many there are.',
    log: base()
      .event('permission/preset', { preset: 'ask', origin: 'default' })
      .event('permission/preset', { preset: 'ask', origin: 'user' }),
    profile: 'plugin',
    findings: [at('plugin/extra-member', 9)],
    ...mended,
  },
  {
    name: 'summary-without-notice',
    why: 'A summary belongs to the form notice.',
    log: RECALL,
    profile: 'plugin',
    findings: [at('plugin/source-form', 2)],
    ...mended,
    nearMissOf: ['plugin/extra-member'],
  },
  {
    name: 'source-on-no-list',
    why: 'The producer names itself in a way that format 3 does not know.',
    log: AUTOMATION,
    profile: 'plugin',
    findings: [at('plugin/undeclared-source', 2)],
    ...mended,
  },
  {
    name: 'producers-of-format-4',
    why: 'There every producer names itself; a plugin does so with its prefix.',
    log: laterBase(4)
      .user('a', { source: { kind: 'plugin:acme', any: 1 } })
      .user('b', { source: { kind: 'time-context' } }),
    profile: 'plugin',
    findings: [],
    ...clean,
    nearMissOf: ['plugin/undeclared-source'],
  },
  {
    name: 'content-on-no-list',
    why: 'Readers take a block of any type for opaque.',
    log: RICH_TEXT,
    profile: 'plugin',
    findings: [at('plugin/undeclared-content', 2)],
    ...mended,
  },
  {
    name: 'ignorable-type-of-a-plugin',
    why: 'Being ignorable helps in its own format alone.',
    log: IGNORABLE,
    profile: 'plugin',
    findings: [at('vocabulary/unknown-ignorable', 9), at('plugin/ignorable-type', 9)],
    ...mended,
  },
  {
    name: 'required-type-of-a-plugin',
    why: 'It is refused as it is: the profile has nothing to add.',
    log: base().event('acme/submit', { n: 1 }),
    profile: 'plugin',
    findings: [at('vocabulary/unknown-type', 9)],
    ...unsupported,
    nearMissOf: ['plugin/ignorable-type'],
  },
  ...(
    [
      ['extra-member-of-a-source', MEMORY, 'format-2', at('upgrade/member-unexpected', 2)],
      ['summary-without-notice', RECALL, 'format-2', at('upgrade/source-form', 2)],
      ['source-on-no-list', AUTOMATION, 'format-3', at('upgrade/message-source', 2)],
      ['source-on-no-list', AUTOMATION, 'format-2', undefined],
      ['content-on-no-list', RICH_TEXT, 'format-3', at('upgrade/content', 2)],
      ['extra-member-of-a-payload', PRESET, 'format-4', at('upgrade/member-unexpected', 9)],
      ['extra-member-of-a-payload', PRESET, '0.1.2', undefined],
    ] as const
  ).map(
    ([name, log, release, refusal]): Case => ({
      name: `${name}-for-${release}`,
      why: refusal
        ? 'A migration on the way there refuses it.'
        : 'No migration on the way there looks at it.',
      log,
      target: release,
      findings: refusal === undefined ? [] : [refusal],
      ...(refusal === undefined ? clean : misleading),
    }),
  ),
  {
    name: 'ignorable-type-for-format-3',
    why: 'The migration from format 0 to 1 refuses what readers of format 0 skip.',
    log: IGNORABLE,
    target: 'format-3',
    findings: [at('vocabulary/unknown-ignorable', 9), at('upgrade/unknown-type', 9)],
    ...misleading,
  },
]
