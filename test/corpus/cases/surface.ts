/** How events enter the surface, and what they may cite. */
import type { FindingCode } from '../../../src/core/findings/rules.ts'
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, rich, twoTurns } from '../../support/sample-logs.ts'
import { at, type Case, clean, misleading, refused, unsupported } from '../case.ts'

const note: JsonObject = { kind: 'plugin', plugin: 'mem' }
const replace = (start: JsonValue, end: JsonValue = start): JsonObject => ({ op: 'replace', start, end })

/** {@link base}, whose surface is 1, 4, 6, and a user message at seq 9. */
function withNote(op: JsonValue | undefined, sources?: readonly JsonValue[]): LogBuilder {
  const built = base().user('note', note, sources === undefined ? {} : { sources })
  return built.edit(9, (row) => ({ ...row, surfaceOp: op }))
}

/** A second result at seq 10 that rewrites something of {@link base}. */
function rewrite(
  start: number,
  end: number,
  sources: readonly number[],
  change: (data: JsonObject) => JsonValue,
) {
  const data = change(base().events()[6]?.data as JsonObject)
  return base().openTurn((turn) =>
    turn.event('tool/result', data, { surfaceOp: replace(start, end), sourceEventSeqs: [...sources] }),
  )
}

/** A log in which exactly one event, at seq 9, is refused. */
function violation(name: string, code: FindingCode, why: string, built: LogBuilder): Case {
  return { name, why, log: built, findings: [at(code, 9)], ...refused }
}

function accepted(name: string, nearMissOf: readonly FindingCode[], why: string, built: LogBuilder): Case {
  return { name, why, log: built, findings: [], ...clean, nearMissOf }
}

const same = (data: JsonObject): JsonObject => data

/** The same for a rewrite: it is at seq 10, in a turn that stays open. */
function refusedRewrite(name: string, code: FindingCode, why: string, built: LogBuilder): Case {
  return { name, why, log: built, findings: [at('turn/open', 9), at(code, 10)], ...refused }
}

function unmarked(...seqs: number[]): LogBuilder {
  const built = base()
  for (const seq of seqs) built.edit(seq, ({ surfaceOp: _op, ...row }) => row)
  return built
}

/** Three calls in one answer whose first two results carry no marker. */
function markersOfTwoResultsLost(): LogBuilder {
  const built = log().turn((turn) =>
    turn.step((step) => {
      step.assistant('').call('a', 'x').call('b', 'x').call('c', 'x')
      step.result('a', '1').result('b', '2').result('c', '3')
    }),
  )
  for (const seq of [6, 7]) built.edit(seq, ({ surfaceOp: _op, ...row }) => row)
  return built
}

export const cases: readonly Case[] = [
  violation(
    'turn-start-on-the-surface',
    'surface/op-on-log-only',
    'It makes no message.',
    base().event('plan/mode', {}, { surfaceOp: 'append' }),
  ),
  {
    name: 'ignorable-event-on-the-surface',
    why: 'In format 0 an unknown event may not carry surface members, ignorable or not.',
    log: base().event('acme/x', {}, { ignorable: true, surfaceOp: 'append' }),
    findings: [at('surface/op-on-log-only', 9), at('vocabulary/unknown-ignorable', 9)],
    ...refused,
  },
  violation(
    'sources-of-a-log-only-event',
    'surface/sources-on-log-only',
    'Only messages are built from events.',
    base().event('plan/mode', {}, { sourceEventSeqs: [1] }),
  ),
  accepted(
    'seqs-in-the-data-of-a-log-only-event',
    ['surface/op-on-log-only', 'surface/sources-on-log-only'],
    'In data they are nobody else’s business.',
    base().event('plan/mode', { surfaceOp: 'append', sourceEventSeqs: [1] }),
  ),
  {
    name: 'one-marker-missing',
    why: 'Without it the message disappears from what the model sees.',
    log: unmarked(1),
    findings: [at('surface/op-missing', 1)],
    ...refused,
    nearMissOf: ['surface/unmarked-log'],
  },
  {
    name: 'markers-of-parallel-results-missing',
    why: 'Only the last of three results is on the surface.',
    log: markersOfTwoResultsLost(),
    findings: [
      at('pair/surface-call-alone', 2),
      at('pair/surface-call-alone', 2),
      at('surface/op-missing', 6),
      at('surface/op-missing', 7),
    ],
    ...refused,
  },
  {
    name: 'ignorable-message-of-a-later-format',
    why: 'It is no message in format 0, so that it has no marker says nothing about the log.',
    log: log().turn().event('developer/message', {}, { ignorable: true }),
    findings: [at('vocabulary/unknown-ignorable', 2)],
    ...clean,
    nearMissOf: ['surface/unmarked-log'],
  },
  {
    name: 'no-marker-at-all',
    why: 'Logs from before markers are intact; the messages are read as appended.',
    log: unmarked(1, 4, 6),
    findings: [at('surface/unmarked-log', 1)],
    ...unsupported,
    nearMissOf: ['surface/op-missing'],
  },
  violation('marker-null', 'surface/op-invalid', 'Null is no operation.', withNote(null)),
  violation('marker-of-another-kind', 'surface/op-invalid', 'There are two operations.', withNote('prepend')),
  accepted(
    'marker-append',
    ['surface/op-invalid', 'surface/replace-invalid'],
    'The plain case.',
    withNote('append'),
  ),
  violation(
    'names-of-format-3',
    'surface/replace-invalid',
    'A plugin for a newer host wrote startSeq and endSeq.',
    withNote({ op: 'replace', startSeq: 1, endSeq: 4 }, [1, 4]),
  ),
  violation(
    'replacement-with-one-member-more',
    'surface/replace-invalid',
    'Exactly op, start and end.',
    withNote({ ...replace(1), reason: 'x' }, [1]),
  ),
  violation(
    'start-is-log-only',
    'surface/start-not-found',
    'A step start is no node.',
    withNote(replace(2, 4), [4]),
  ),
  violation(
    'end-is-log-only',
    'surface/end-not-found',
    'A tool call is no node.',
    withNote(replace(4, 5), [4]),
  ),
  {
    name: 'start-was-shadowed',
    why: 'A node that is gone can never be a node again.',
    log: twoTurns()
      .compaction(1, 6)
      .checkpoint(4, 4, { sources: [4] }),
    findings: [at('surface/start-not-found', 19), at('compaction/not-started', 19)],
    ...refused,
  },
  accepted(
    'single-node',
    ['surface/start-not-found', 'surface/end-not-found'],
    'A range may be one node.',
    base().compaction(1),
  ),
  violation(
    'range-reversed',
    'surface/range-reversed',
    'The end comes first.',
    withNote(replace(6, 1), [1, 4, 6]),
  ),
  accepted(
    'nested-compaction',
    ['surface/range-reversed'],
    'Position counts, not number: the second one runs from 17 to 10.',
    twoTurns().compaction(1, 6).compaction(17, 10),
  ),
  violation(
    'sources-no-list',
    'surface/sources-not-list',
    'One seq is not a list of one.',
    withNote('append').edit(9, (row) => ({ ...row, sourceEventSeqs: 1 })),
  ),
  {
    name: 'answer-with-sources-null',
    why: 'What compares an answer with its chunks took null for a list, and ended the run.',
    log: log()
      .turn((turn) => turn.user('hi').step((step) => step.chunk('done').assistant('done')))
      .edit(4, (row) => ({ ...row, sourceEventSeqs: null })),
    findings: [at('surface/sources-not-list', 4)],
    ...refused,
  },
  violation(
    'sources-empty',
    'surface/sources-empty',
    'Only an answer may come from nothing.',
    withNote('append', []),
  ),
  accepted(
    'answer-from-an-empty-stream',
    ['surface/sources-empty', 'surface/sources-not-list'],
    'The provider sent no chunk, and that is known.',
    log().turn((turn) => turn.step((step) => step.assistant('x', { sources: [] }))),
  ),
  violation('source-as-text', 'surface/sources-invalid', 'A seq is a number.', withNote('append', ['1'])),
  {
    name: 'source-range-backwards',
    why: 'A pair counts upwards.',
    log: withNote('append', [[4, 1]]),
    findings: [at('sources/ranges', 9), at('surface/sources-invalid', 9)],
    ...refused,
  },
  {
    name: 'sources-as-ranges',
    why: 'Later builds of format 0 write runs as pairs, mixed with single seqs; earlier ones refuse the log.',
    log: withNote(replace(1, 6), [0, [1, 6]]),
    findings: [at('sources/ranges', 9)],
    ...clean,
    nearMissOf: ['surface/sources-invalid', 'surface/sources-repeated'],
  },
  accepted(
    'sources-one-by-one',
    ['sources/ranges'],
    'Every build reads them.',
    withNote(replace(1, 6), [0, 1, 2, 3, 4, 5, 6]),
  ),
  violation(
    'source-twice',
    'surface/sources-repeated',
    'A source counts once.',
    withNote('append', [1, 4, 1]),
  ),
  violation(
    'source-is-itself',
    'surface/sources-not-earlier',
    'A source is earlier.',
    withNote('append', [9]),
  ),
  violation(
    'source-to-come',
    'surface/sources-not-earlier',
    'A source is earlier.',
    withNote('append', [99]),
  ),
  accepted(
    'sources-in-any-order',
    ['surface/sources-not-earlier', 'surface/sources-incomplete'],
    'More than what is replaced, unordered, log-only events among them.',
    withNote(replace(1, 6), [8, 4, 0, 6, 1]),
  ),
  violation(
    'replaced-node-not-cited',
    'surface/sources-incomplete',
    'All of it is named.',
    withNote(replace(1, 4), [4]),
  ),
  violation('nothing-cited', 'surface/sources-incomplete', 'All of it is named.', withNote(replace(1))),
  {
    name: 'nested-compaction-not-cited',
    why: 'The first checkpoint is one of the nodes that the second one replaces.',
    log: twoTurns()
      .compaction(1, 6)
      .checkpoint(17, 10, { sources: [10] }),
    findings: [at('surface/sources-incomplete', 19), at('compaction/not-started', 19)],
    ...refused,
  },
  {
    name: 'replacement-of-a-refused-replacement',
    why: 'It fails because of the first one, and says so.',
    log: withNote(replace(1, 4), [4]).user('on top', note, { op: replace(9), sources: [9] }),
    findings: [
      at('surface/sources-incomplete', 9),
      at('surface/start-not-found', 10, 'surface/sources-incomplete'),
    ],
    ...refused,
  },
  refusedRewrite(
    'result-rewrites-two-nodes',
    'surface/rewrite-not-single',
    'A result stands for one result.',
    rewrite(4, 6, [4, 6], same),
  ),
  refusedRewrite(
    'result-rewrites-an-answer',
    'surface/rewrite-not-result',
    'A result stands for a result.',
    rewrite(4, 4, [4], same),
  ),
  refusedRewrite(
    'rewrite-turns-an-error-around',
    'surface/rewrite-changes-more',
    'Only the content may change.',
    rewrite(6, 6, [6], (data) => ({ ...data, error: { name: 'E', code: 'X' } })),
  ),
  accepted(
    'pruned-result',
    ['surface/rewrite-not-single', 'surface/rewrite-not-result', 'surface/rewrite-changes-more'],
    'One result, shorter.',
    rich(),
  ),
  {
    name: 'user-message-replaces-a-result',
    why: 'The rules of the surface allow it; what it does to the model’s view is another matter.',
    log: withNote(replace(6), [6]),
    findings: [at('pair/surface-call-alone', 4)],
    ...misleading,
  },
]
