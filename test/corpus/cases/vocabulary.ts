/** Event types that some reader does not know. */
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'
import { at, type Case, clean, refused, unsupported } from '../case.ts'

/** A compaction as an early build wrote it: under other names, without ids. */
function earlyCompaction(): LogBuilder {
  const built = base().compaction(1, 6)
  for (const seq of [9, 10, 12])
    built.edit(seq, ({ type, data, ...row }) => {
      const { compactionId: _none, ...rest } = data as Record<string, unknown>
      return { ...row, type: String(type).replace('compaction/', 'compact/'), data: rest } as typeof row & {
        type: string
      }
    })
  return built.edit(11, (row) => {
    const source = (row.data as { source: Record<string, unknown> }).source
    delete source.compactionId
    return row
  })
}

export const cases: readonly Case[] = [
  {
    name: 'compaction-under-its-early-names',
    why: 'Builds before 0.1.0 had other names for it; 0.1.0 to 0.1.2 refuse them, later releases open the log.',
    log: earlyCompaction(),
    findings: [9, 10, 12].map((seq) => at('vocabulary/early-name', seq)),
    ...unsupported,
    nearMissOf: ['vocabulary/unknown-type', 'compaction/not-started', 'compaction/id-missing'],
    exampleOf: ['vocabulary/early-name'],
  },
  {
    name: 'compaction-under-its-early-names-in-a-release-that-knows-them',
    why: 'The verdict is about the release that was asked for: it opens the log, so what others refuse is a note.',
    log: earlyCompaction(),
    target: 'format-2',
    findings: [9, 10, 12].map((seq) => at('vocabulary/early-name', seq)),
    ...clean,
    opens: false,
  },
  {
    name: 'ignorable-event-with-an-early-name',
    why: 'Readers of format 0 skip what is ignorable, whatever it is called.',
    log: base().event('compact/start', { turn: null }, { ignorable: true }),
    findings: [at('vocabulary/unknown-ignorable', 9)],
    ...clean,
    nearMissOf: ['vocabulary/early-name'],
  },
  {
    name: 'plugin-event',
    why: 'The log is intact; DSH refuses it and blames a newer harness.',
    log: base().event('acme/submit', { n: 1 }),
    findings: [at('vocabulary/unknown-type', 9)],
    ...unsupported,
    nearMissOf: ['vocabulary/unknown-ignorable', 'vocabulary/newer-type'],
    exampleOf: ['vocabulary/unknown-type'],
  },
  {
    name: 'plugin-event-in-the-inherited-part',
    why: 'The fork inherits the refusal with the events of its parent.',
    log: base().header({ parentSession: 'p', seedLength: 10 }).event('acme/submit', { n: 1 }),
    findings: [at('vocabulary/unknown-type', 9)],
    ...unsupported,
  },
  {
    name: 'ignorable-plugin-event',
    why: 'Readers of format 0 skip it.',
    log: base().event('acme/submit', { n: 1 }, { ignorable: true }),
    findings: [at('vocabulary/unknown-ignorable', 9)],
    ...clean,
    nearMissOf: ['vocabulary/unknown-type'],
  },
  {
    name: 'context-message',
    why: 'The specification names the type, no shipped build has it.',
    log: log().event(
      'context/message',
      { id: 'k', role: 'user', source: { kind: 'plugin', plugin: 'x' }, content: [] },
      { surfaceOp: 'append' },
    ),
    findings: [at('vocabulary/unknown-type', 0)],
    ...unsupported,
    nearMissOf: ['surface/op-on-log-only'],
  },
  {
    name: 'event-of-a-later-release',
    why: 'Still format 0, but the builds before it refuse the log.',
    log: base().event('model/selection', { provider: 'p', model: 'm2' }),
    findings: [at('vocabulary/newer-type', 9)],
    ...clean,
    nearMissOf: ['vocabulary/unknown-type'],
  },
  {
    name: 'events-of-released-plugins',
    why: 'Known types with odd members: only their types are judged.',
    log: base()
      .event('permission/preset', { preset: 'ask', origin: 'default' })
      .event('subagent/descriptor', { version: 2, mode: 'one-shot', provider: 'x' }),
    findings: [],
    ...clean,
    nearMissOf: ['vocabulary/newer-type', 'vocabulary/unknown-type'],
  },
  {
    name: 'request-with-reason-fallback',
    why: 'No released build reads this vocabulary.',
    log: base().edit(3, (row) => ({
      ...row,
      data: { header: { config: { provider: 'p', model: 'm' } }, reason: 'fallback' },
    })),
    findings: [at('vocabulary/retired', 3)],
    ...unsupported,
  },
  {
    name: 'header-of-a-series',
    why: 'The reasons of a request are open; only fallback is retired.',
    log: base().edit(3, (row) => ({
      ...row,
      data: { header: { config: { provider: 'p', model: 'm' } }, reason: 'series', startsSeries: true },
    })),
    findings: [],
    ...clean,
    nearMissOf: ['vocabulary/retired'],
  },
  {
    name: 'early-name-that-is-not-ignorable',
    why: 'DSH knows the early name and upgrades it, so the mark counts.',
    log: log().event(
      'steering/message',
      { turn: 1, content: [], source: { kind: 'user' } },
      { ignorable: false, surfaceOp: 'append' },
    ),
    findings: [at('envelope/invalid', 0), at('legacy/shape', 0)],
    ...refused,
  },
]
