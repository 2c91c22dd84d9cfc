/** Compaction brackets (format.md §7.2, §7.3): refused in format 4, a warning before. */
import { describe, expect, test } from 'vitest'
import { ADVISED_COMPACTIONS } from '../../../../src/core/checks/relations/compaction-relations.ts'
import type { JsonObject, JsonValue } from '../../../../src/core/json/json-value.ts'
import { brokenAt, type Entry, events } from '../../../support/broken-at.ts'
import { type LaterLog, laterBase } from '../../../support/later-log.ts'
import { load } from '../../../support/load.ts'
import type { log } from '../../../support/log-builder.ts'
import { base } from '../../../support/sample-logs.ts'

const start = (more: JsonObject = {}): Entry => [
  'compaction/start',
  { compactionId: 'x', turn: null, ...more },
]
const end = (more: JsonObject = {}): Entry => ['compaction/end', { compactionId: 'x', turn: null, ...more }]
const failed = { error: {} }
const shadow = (seqs: JsonValue, first: JsonValue, last: JsonValue): JsonObject => ({
  shadowedRange: { start: first, end: last },
  shadowedSeqs: seqs,
})
const summary = (more: JsonObject = {}): Entry => [
  'compaction/summary',
  { compactionId: 'x', ...shadow([3, 5], 3, 5), ...more },
]
const turn: readonly Entry[] = [
  ['turn/start', { turn: 2 }],
  ['turn/end', { turn: 2 }],
]

/** Codes of what is said of a bracket where readers do not look. */
const ADVISED = Object.values(ADVISED_COMPACTIONS).filter((code) => typeof code === 'string')

/** After one turn whose surface is 2, 3, 5, 7; the first event has seq 10. */
const follows = (list: readonly Entry[]): LaterLog => events(list, laterBase())

const checkpoint = (source: JsonValue): Entry => [
  'user/message',
  { id: 'u', role: 'user', source, content: [] },
  { surfaceOp: { op: 'replace', startSeq: 3, endSeq: 5 }, sourceEventSeqs: [3, 5] },
]
const compact = (more: JsonObject = {}): JsonObject => ({
  kind: 'compact-checkpoint',
  compactionId: 'x',
  ...more,
})

describe('in format 4', () => {
  test.each<[at: number[], what: string, list: Entry[]]>([
    [[], 'a whole compaction', [start(), summary(), checkpoint(compact()), end()]],
    [
      [],
      'a compaction for a command',
      [
        start({ sourceCommandId: 'k' }),
        summary({ sourceCommandId: 'k' }),
        checkpoint(compact({ sourceCommandId: 'k' })),
        end({ sourceCommandId: 'k' }),
      ],
    ],
    [[], 'a start without end', [start()]],
    [
      [],
      'no word about the turn',
      [['compaction/start', { compactionId: 'x' }], summary(), ['compaction/end', { compactionId: 'x' }]],
    ],
    [[10], 'no id', [['compaction/start', {}]]],
    [[10], 'an empty id', [start({ compactionId: '' })]],
    [[11], 'a start in another', [start(), start(), end(failed)]],
    [[10], 'a start in a turn that is not open', [start({ turn: 1 })]],
    [[11], 'a start that does not name its turn', [['turn/start', { turn: 2 }], start()]],
    [
      [],
      'a compaction in a turn',
      [['turn/start', { turn: 2 }], start({ turn: 2 }), summary(), end({ turn: 2 })],
    ],
    [[10], 'a summary without start', [summary()]],
    [[11], 'a summary of another compaction', [start(), summary({ compactionId: 'y' })]],
    [[11], 'a summary for another command', [start(), summary({ sourceCommandId: 'k' })]],
    [[12, 13], 'two summaries', [start(), summary(), summary(), end()]],
    [
      [12, 13],
      'a summary in another turn',
      [['turn/start', { turn: 2 }], start({ turn: 2 }), ['turn/end', { turn: 2 }], summary()],
    ],
    [[10], 'an end without start', [end(failed)]],
    [[11], 'an end of another compaction', [start(), end({ compactionId: 'y', ...failed })]],
    [[11], 'an end that names a turn', [start(), end({ turn: 1, ...failed })]],
    [
      [12, 13],
      'an end in another turn',
      [
        ['turn/start', { turn: 2 }],
        start({ turn: 2 }),
        ['turn/end', { turn: 2 }],
        end({ turn: 2, ...failed }),
      ],
    ],
    [[11], 'a success without summary', [start(), end()]],
    [[], 'a failure after a summary', [start(), summary(), end(failed)]],
    [[12], 'a second end', [start(), end(failed), end(failed)]],
    [[11], 'a turn inside, told once', [start(), ...turn]],
    [[11, 13], 'a turn inside, and the next start', [start(), ...turn, start(), end(failed)]],
    [[], 'a turn after one that a crash left open', [start(), ...turn, ['session/end-seed', {}]]],
    [[12], 'an end after a resume', [start(), ['session/end-seed', {}], end(failed)]],
    [[], 'turns between compactions', [...turn, start(), end(failed), ['turn/start', { turn: 3 }]]],
    [[10], 'a checkpoint without start', [checkpoint(compact())]],
    [[11], 'a checkpoint of another compaction', [start(), checkpoint(compact({ compactionId: 'y' }))]],
    [[], 'a message that replaces and is no checkpoint', [checkpoint({ kind: 'user' })]],
    [[10], 'no data', [['compaction/else', null]]],
    [[], 'no data elsewhere', [['plan/mode', null]]],
  ])('at %j: %s', async (at, _what, list) => {
    expect(await brokenAt(['relation/compaction', 'relation/data'], follows(list))).toEqual(at)
    expect(await brokenAt(ADVISED, follows(list))).toEqual([])
  })

  test.each<[sound: boolean, what: string, data: JsonObject]>([
    [true, 'one node', shadow([7], 7, 7)],
    [true, 'all but the head', shadow([3, 5, 7], 3, 7)],
    [false, 'no range', { shadowedSeqs: [3] }],
    [false, 'no seqs', { shadowedRange: { start: 3, end: 3 } }],
    [false, 'an empty list', shadow([], 3, 3)],
    [false, 'an empty list of a range backwards', shadow([], 5, 3)],
    [false, 'nodes that are not on the surface', shadow([4], 4, 4)],
    [false, 'a start that is not on the surface', shadow([7], 4, 7)],
    [false, 'an end that is not on the surface', shadow([3], 3, 4)],
    [false, 'a range backwards', shadow([5, 3], 5, 3)],
    [false, 'a node too few', shadow([3, 7], 3, 7)],
    [false, 'a node too many', shadow([3, 5, 7], 3, 5)],
    [false, 'the system prompt', shadow([2, 3], 2, 3)],
  ])('%s: a prune of %s', async (sound, _what, data) => {
    expect(
      await brokenAt(['relation/compaction', 'relation/data'], follows([['compaction/prune', data]])),
    ).toEqual(sound ? [] : [10])
  })
})

describe('before format 4', () => {
  const whole = (): ReturnType<typeof log> => base().compaction(1)
  const marks = { compactionId: 'x', turn: null }

  test.each<[at: number[], what: string, log: { bytes(): Buffer }]>([
    [[], 'a whole compaction', whole()],
    [
      [],
      'a start without id',
      base().event('compaction/start', { turn: null }).event('compaction/end', { turn: null, error: {} }),
    ],
    [
      [9],
      'an empty id',
      base()
        .event('compaction/start', { ...marks, compactionId: '' })
        .event('compaction/end', { ...marks, compactionId: '', error: {} }),
    ],
    [[], 'a start without end', base().event('compaction/start', marks)],
    [[10], 'a turn inside, told once', base().event('compaction/start', marks).turn()],
    [[9], 'an end without start', base().event('compaction/end', marks)],
  ])('at %j: %s', async (at, _what, built) => {
    expect(await brokenAt(ADVISED, built)).toEqual(at)
    expect(await brokenAt(['relation/compaction', 'relation/data'], built)).toEqual([])
  })
})

/** Starts without end, and the bracket findings, each with the seq of its cause. */
async function unfinished(built: { bytes(): Buffer }): Promise<readonly unknown[]> {
  const { list } = await load(built.bytes(), {})
  return list
    .filter(({ code }) =>
      ['compaction/unfinished', 'compaction/crossed', 'relation/compaction-crossed'].includes(code),
    )
    .map(({ code, seq, causedBy }) => [code, seq, causedBy?.seq])
}

describe('a start without end', () => {
  const begun = (): ReturnType<typeof log> =>
    base().event('compaction/start', { compactionId: 'x', turn: null })

  test('is unfinished, in every format', async () => {
    expect(await unfinished(begun())).toEqual([['compaction/unfinished', 9, undefined]])
    expect(await unfinished(follows([start()]))).toEqual([['compaction/unfinished', 10, undefined]])
  })

  test('is why a turn crosses it, where no reader refuses that', async () => {
    expect(await unfinished(begun().turn())).toEqual([
      ['compaction/unfinished', 9, undefined],
      ['compaction/crossed', 10, 9],
    ])
    expect(await unfinished(follows([start(), ...turn]))).toEqual([
      ['relation/compaction-crossed', 11, undefined],
    ])
  })

  test('is nothing after a resume', async () => {
    expect(await unfinished(begun().turn().event('session/end-seed'))).toEqual([])
    expect(await unfinished(follows([start(), ...turn, ['session/end-seed', {}]]))).toEqual([])
  })
})
