/** What a crash after each event would cost, against what repair makes of a log that really ends there. */

import { describe, expect, test } from 'vitest'
import { NOT_STARTED } from '../../../src/core/event-types/closers.ts'
import { type CrashPoint, crashPoints } from '../../../src/core/projections/crash-points.ts'
import { writeFrame } from '../../../src/storage/zstd/frame-writer.ts'
import { wholeLog } from '../../support/containers.ts'
import { laterBase } from '../../support/later-log.ts'
import { load } from '../../support/load.ts'
import { log } from '../../support/log-builder.ts'
import { reportIn } from '../../support/report-in.ts'
import { runMain } from '../../support/run-main.ts'
import { base, crashed, rich } from '../../support/sample-logs.ts'
import { tempFile } from '../../support/temp-dir.ts'

const parallel = () =>
  log().turn((turn) =>
    turn
      .user('go')
      .step((step) =>
        step
          .chunk('I ')
          .chunk('will')
          .assistant('')
          .call('a', 'bash')
          .call('b', 'read')
          .result('a', 'x')
          .result('b', 'y'),
      ),
  )

const LOGS = {
  base,
  crashed,
  rich,
  parallel,
  'format 2': () => laterBase(2),
  'format 4': () => laterBase(4),
}

/** The row of each event. */
function bySeq(points: readonly CrashPoint[]): Map<number, CrashPoint> {
  const found = new Map<number, CrashPoint>()
  for (const point of points) for (let seq = point.from; seq <= point.to; seq++) found.set(seq, point)
  return found
}

describe.each(Object.entries(LOGS))('%s', (_name, make) => {
  test('every row is what a repair appends to a log that ends there', async () => {
    // Unpacked: a crash takes the members of a packed row together.
    const { header, events } = await wholeLog(make().bytes())
    const linesTo = (end: number): string =>
      [header, ...events.slice(0, end)].map((row) => `${JSON.stringify(row)}\n`).join('')
    const path = tempFile(linesTo(events.length))
    const report = reportIn((await runMain(['crash-points', path, '--json'])).stdout)
    const points = bySeq(report.data.points)
    expect([...points.keys()]).toEqual([...events.keys()])
    for (const seq of events.keys()) {
      const cut = tempFile(linesTo(seq + 1))
      const { closers } = reportIn((await runMain(['repair', cut, '--json'])).stdout).data
      const expected = { unknown: [] as string[], notStarted: [] as string[] }
      for (const { type, data } of closers) {
        if (type !== 'tool/result') continue
        const isStarted = data.error.code !== NOT_STARTED.error.code
        expected[isStarted ? 'unknown' : 'notStarted'].push(data.message.source.callId)
      }
      const point = points.get(seq)
      expect(point?.closers, `after ${seq}`).toEqual(closers.map(({ type }: { type: string }) => type))
      expect(point?.unknown.map(({ callId }) => callId)).toEqual(expected.unknown)
      expect(point?.notStarted.map(({ callId }) => callId)).toEqual(expected.notStarted)
    }
  })
})

test('rows hold together what comes to the same, and streamed answers until a message has them', async () => {
  const { results } = await load(parallel(), { crashes: crashPoints(false) })
  const { totals, points } = results.crashes
  expect(
    points.map(({ from, to, unknown, notStarted, losesAnswer }) => [
      `${from}..${to}`,
      unknown.map(({ name }) => name).join(),
      notStarted.map(({ name }) => name).join(),
      losesAnswer === true,
    ]),
  ).toEqual([
    ['0..1', '', '', false],
    ['2..2', '', '', false],
    ['3..4', '', '', true],
    ['5..5', '', 'bash,read', false],
    ['6..6', 'bash', 'read', false],
    ['7..7', 'bash,read', '', false],
    ['8..8', 'read', '', false],
    ['9..9', '', '', false],
    ['10..10', '', '', false],
    ['11..11', '', '', false],
  ])
  expect(totals).toEqual({ points: 12, openTurn: 11, notStarted: 2, unknown: 3, losesAnswer: 2 })
})

test('of a compressed log only the ends of frames, when that is asked for', async () => {
  const [header, ...rows] = parallel().text().trimEnd().split('\n')
  const batches = [[header], rows.slice(0, 3), rows.slice(3, 7), rows.slice(7)]
  const frames = await Promise.all(batches.map((lines) => writeFrame(Buffer.from(`${lines.join('\n')}\n`))))
  const path = tempFile(Buffer.concat(frames), 'session.jsonl.zstd')
  const { data } = reportIn((await runMain(['crash-points', path, '--frames', '--json'])).stdout)
  expect(data.points.map(({ from, to }: CrashPoint) => [from, to])).toEqual([
    [2, 2],
    [6, 6],
    [11, 11],
  ])
  expect(data.points[1].unknown).toEqual([{ callId: 'a', name: 'bash' }])
  const plain = tempFile(parallel().text())
  expect((await runMain(['crash-points', plain, '--frames'])).exitCode).toBe(2)
})
