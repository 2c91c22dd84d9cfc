/** Numbering: gaps, repetitions, and what is lost after them. */
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, twoTurns } from '../../support/sample-logs.ts'
import { at, type Case, clean, mended, misleading, refused } from '../case.ts'

const lines = base().text().trimEnd().split('\n')
const rows = (from: number, to: number): string[] => lines.slice(from + 1, to + 2)

function withLines(built: LogBuilder, more: readonly string[]): LogBuilder {
  for (const line of more) built.raw(line)
  return built
}

/** Rows of {@link base} up to seq 5 and the closers that a recovery wrote after them. */
function recovered(): LogBuilder {
  const built = log().openTurn((turn) =>
    turn.user('list files').openStep((step) => step.request().assistant('').call('c1', 'bash')),
  )
  built.result('c1', 'outcome unknown', {
    isError: true,
    data: { error: { name: 'E', code: 'TOOL_OUTCOME_UNKNOWN' } },
  })
  built.event('step/end', { turn: 1, step: 1 })
  return built.event('turn/end', { turn: 1, reason: { kind: 'interrupted' } })
}

/** The same where the recovery did not know of the call. */
function closed(): LogBuilder {
  return log()
    .openTurn((turn) =>
      turn.user('list files').openStep((step) => step.request().assistant('').call('c1', 'bash')),
    )
    .event('step/end', { turn: 1, step: 1 })
    .event('turn/end', { turn: 1, reason: { kind: 'interrupted' } })
}

export const cases: readonly Case[] = [
  {
    name: 'row-lost-before-a-turn-end',
    why: 'DSH refuses the log, and the rows after the gap are read all the same.',
    log: base().drop(5),
    findings: [
      { code: 'order/seq-gap', seq: 6, line: 7 },
      { code: 'pair/call-unrecorded', seq: 6, line: 7, causedBy: 'order/seq-gap' },
    ],
    ...refused,
    nearMissOf: ['order/tail-break', 'order/seq-repeated'],
    exampleOf: ['order/seq-gap'],
  },
  {
    name: 'streamed-answer-lost',
    why: 'Its chunks say all of it, so a repair puts it back.',
    log: log()
      .turn((turn) =>
        turn.user('hi').step((step) =>
          step
            .request()
            .chunk('hel')
            .chunk('lo')
            .event('assistant/chunk', {
              turn: 1,
              step: 1,
              chunk: { type: 'finish', reason: { kind: 'stop' } },
            })
            .assistant('hello', { sources: [4, 5, 6] }),
        ),
      )
      .drop(7),
    findings: [{ code: 'order/seq-gap', seq: 8, line: 9 }],
    ...refused,
  },
  {
    name: 'packed-rows',
    why: 'A packed row takes several seqs and one line: line numbers are not seqs.',
    log: log().turn((turn) =>
      turn.step((step) => step.packed(['a', 'b', 'c']).assistant('abc', { sources: [2, 3, 4] })),
    ),
    findings: [],
    ...clean,
    nearMissOf: ['order/seq-gap', 'vocabulary/unknown-type'],
  },
  {
    name: 'packed-row-after-a-gap',
    why: 'The gap is named at the row, with the seq of its first member.',
    log: log().turn((turn) => turn.step((step) => step.jumpTo(4).packed(['a', 'b']))),
    findings: [{ code: 'order/seq-gap', seq: 4, line: 4 }],
    ...refused,
  },
  {
    name: 'result-in-the-branch-that-continues',
    why: 'The branch that a recovery closed has no result of the call; the one that stays has it.',
    log: withLines(closed(), rows(6, 8)),
    findings: [
      { code: 'order/seq-repeated', seq: 6, line: 10 },
      { code: 'turn/end-mismatch', seq: 8, causedBy: 'order/seq-repeated' },
    ],
    ...refused,
    nearMissOf: ['pair/result-missing', 'pair/surface-call-alone'],
  },
  {
    name: 'recovery-and-living-writer',
    why: 'A recovery wrote closers while the writer lived on and wrote the real result under the same numbers.',
    log: withLines(recovered(), rows(6, 8)),
    findings: [{ code: 'order/seq-repeated', seq: 6, line: 11 }],
    ...refused,
    nearMissOf: ['order/seq-gap'],
  },
  {
    name: 'seq-repeated-at-a-restart',
    why: 'A dying process wrote its marker after the next one had resumed: exactly one number twice.',
    log: base()
      .event('session/end-seed')
      .jumpTo(9)
      .event('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [] })
      .turn(),
    findings: [{ code: 'order/seq-repeated', seq: 9, line: 12 }],
    ...refused,
  },
  {
    name: 'second-client-on-an-open-session',
    why: 'It restarted some seqs earlier and went on: its later rows are kept, and what fails for want of the others says so.',
    log: base()
      .event('session/end-seed')
      .jumpTo(6)
      .event('approval/decided', { id: 'x', outcome: 'rejected' })
      .turn((turn) => turn.user('b').step((step) => step.assistant('done'))),
    findings: [
      { code: 'order/seq-repeated', seq: 6, line: 12 },
      { code: 'step/outside', seq: 10, causedBy: 'order/seq-repeated' },
      { code: 'step/outside', seq: 11, causedBy: 'order/seq-repeated' },
      { code: 'turn/end-mismatch', seq: 12, causedBy: 'order/seq-repeated' },
    ],
    ...refused,
  },
  {
    name: 'block-written-twice',
    why: 'Rows 4 to 8 once more, byte for byte: one finding for the block, not one a row.',
    log: withLines(base(), rows(4, 8)),
    findings: [{ code: 'order/seq-repeated', seq: 4, line: 11 }],
    ...refused,
    nearMissOf: ['order/misplaced'],
  },
  {
    name: 'rows-swapped',
    why: 'Two rows in the wrong order: nothing is missing, and no second writer was there.',
    log: withLines(log().firstLine(lines[0] as string), [
      ...rows(0, 0),
      ...rows(2, 2),
      ...rows(1, 1),
      ...rows(3, 8),
    ]),
    findings: [
      { code: 'order/seq-gap', seq: 2, line: 3, causedBy: 'order/misplaced' },
      { code: 'order/misplaced', seq: 1, line: 4 },
    ],
    ...refused,
    nearMissOf: ['order/seq-repeated'],
  },
  {
    name: 'rows-swapped-next-to-one-without-a-number',
    why: 'Each fault alone loses nothing, and the two of them together lose nothing either.',
    log: withLines(log().firstLine(lines[0] as string), [
      ...rows(0, 1),
      ...rows(3, 3),
      ...rows(2, 2),
      (rows(4, 4)[0] as string).replace('"seq":4,', ''),
      ...rows(5, 8),
    ]),
    findings: [
      { code: 'order/seq-gap', seq: 3, line: 4, causedBy: 'order/misplaced' },
      { code: 'order/misplaced', seq: 2, line: 5 },
      { code: 'order/seq-invalid', line: 6 },
      { code: 'order/seq-gap', seq: 5, line: 7, causedBy: 'order/seq-invalid' },
      { code: 'step/outside', seq: 5, line: 7, causedBy: 'order/misplaced' },
      { code: 'step/outside', seq: 6, line: 8, causedBy: 'order/misplaced' },
      { code: 'pair/call-missing', seq: 6, line: 8, causedBy: 'order/misplaced' },
      { code: 'pair/surface-result-alone', seq: 6, line: 8, causedBy: 'pair/call-missing' },
      { code: 'step/outside', seq: 7, line: 9, causedBy: 'order/misplaced' },
    ],
    ...refused,
  },
  {
    name: 'row-written-twice-next-to-a-wrong-number',
    why: 'A copy of a row says nothing about the numbers of the rows around it.',
    log: withLines(log().firstLine(lines[0] as string), [
      ...rows(0, 3),
      ...rows(3, 3),
      (rows(4, 4)[0] as string).replace('"seq":4,', '"seq":5,'),
      ...rows(5, 8),
    ]),
    findings: [
      { code: 'order/seq-repeated', seq: 3, line: 6 },
      { code: 'order/seq-gap', seq: 5, line: 7, causedBy: 'order/misplaced' },
      { code: 'order/misplaced', seq: 5, line: 8 },
      { code: 'pair/call-unrecorded', seq: 6, line: 9, causedBy: 'order/misplaced' },
    ],
    ...refused,
  },
  {
    name: 'seq-as-text',
    why: 'The row has no place in the log.',
    log: log().turn((turn) => turn.row({ type: 'plan/mode', seq: '1', time: 0, data: {} })),
    findings: [{ code: 'order/seq-invalid', line: 3 }],
    ...refused,
    nearMissOf: ['order/seq-repeated'],
  },
  {
    name: 'number-line',
    why: 'Valid JSON, and no row.',
    log: log().turn((turn) => turn.raw('42')),
    findings: [{ code: 'order/seq-invalid', line: 3 }],
    ...refused,
  },
  {
    name: 'list-line',
    why: 'Valid JSON, and no row.',
    log: log().turn((turn) => turn.raw('[]')),
    findings: [{ code: 'order/seq-invalid', line: 3 }],
    ...refused,
  },
  {
    name: 'minus-zero',
    why: 'Format 0 reads a seq of -0 as 0.',
    log: Buffer.from(base().text().replace('"seq":0,', '"seq":-0,')),
    findings: [],
    ...clean,
    nearMissOf: ['order/seq-invalid'],
  },
  {
    name: 'number-line-at-the-end',
    why: 'After the last turn end it is a crash tail, and nothing valid is lost with it.',
    log: base().raw('42'),
    findings: [{ code: 'order/tail-break', line: 11 }],
    ...mended,
    nearMissOf: ['order/seq-invalid', 'order/rows-dropped'],
  },
  {
    name: 'gap-after-the-last-turn-end',
    why: 'DSH silently drops valid events, so it is more than a crash tail.',
    log: base().jumpTo(11).user('lost').user('lost too'),
    findings: [
      { code: 'order/tail-break', line: 11 },
      { code: 'order/rows-dropped', seq: 11, causedBy: 'order/tail-break' },
    ],
    ...misleading,
    nearMissOf: ['order/seq-gap'],
  },
  {
    name: 'repetition-after-the-last-turn-end',
    why: 'A second writer without a turn end of its own: its rows are the ones that get lost.',
    log: base().user('kept').jumpTo(9).user('lost'),
    findings: [
      { code: 'order/tail-break', line: 12 },
      { code: 'order/rows-dropped', seq: 9, causedBy: 'order/tail-break' },
    ],
    ...misleading,
    nearMissOf: ['order/seq-repeated'],
  },
  {
    name: 'time-goes-backwards',
    why: 'Only seqs order a log; that a clock went far back is worth a note.',
    log: twoTurns().edit(10, (row) => ({ ...row, time: -1 })),
    findings: [at('order/time-back', 10)],
    ...clean,
    nearMissOf: ['envelope/invalid'],
  },
  {
    name: 'time-goes-back-an-hour',
    why: 'Clocks are set.',
    log: twoTurns().edit(10, (row) => ({ ...row, time: Number(row.time) - 3_600_000 })),
    findings: [],
    ...clean,
    nearMissOf: ['order/time-back'],
  },
]
