/** Look-alikes of session logs: recognised, named, and read when asked for (format.md §2.8). */

import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/core/json/json-value.ts'
import { lookAlikeOf } from '../../../src/load/reading/look-alikes.ts'
import type { Report } from '../../../src/report/report.ts'
import { laterBase } from '../../support/later-log.ts'
import { reportIn } from '../../support/report-in.ts'
import { runMain } from '../../support/run-main.ts'
import { base, rich } from '../../support/sample-logs.ts'
import { tempFile } from '../../support/temp-dir.ts'

async function surfaceOf(content: Buffer | string, ...options: readonly string[]) {
  const { stdout, stderr, exitCode } = await runMain(['surface', tempFile(content), '--json', ...options])
  const report = stdout === '' ? undefined : (reportIn(stdout) as Report)
  const nodes = (report?.data as { nodes?: { seq: number }[] } | undefined)?.nodes?.map(({ seq }) => seq)
  return { report, nodes, stderr, exitCode }
}

const withoutPlaces = (text: string): string => text.replaceAll(/"(?:seq|time|seq0|time0)":\d+,/g, '')

const streamOf = (text: string): string =>
  [
    ...text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => `{"type":"session_event","sessionId":"s-7","event":${line}}`),
    '{"type":"result","subtype":"success"}',
    '',
  ].join('\n')

describe('snapshot', () => {
  test.each([
    ['one turn', base],
    ['packed rows, which count their members', rich],
  ])('gives the same surface as the log: %s', async (_name, build) => {
    const wanted = await surfaceOf(build().bytes())
    const { nodes, exitCode } = await surfaceOf(withoutPlaces(build().text()), '--dialect', 'snapshot')
    expect(exitCode).toBe(0)
    expect(nodes).toEqual(wanted.nodes)
  })

  test('of format 4', async () => {
    const { nodes, exitCode } = await surfaceOf(withoutPlaces(laterBase().text()), '--dialect', 'snapshot')
    expect(exitCode).toBe(0)
    expect(nodes).toEqual([2, 3, 5, 7])
  })

  test('is named in the error', async () => {
    const { report, exitCode } = await surfaceOf(withoutPlaces(base().text()))
    expect(exitCode).toBe(3)
    expect(report?.findings).toMatchObject([{ code: 'format/dialect', line: 2 }])
    expect(report?.findings[0]?.message).toContain('--dialect snapshot')
  })
})

describe('stream-json', () => {
  test('is named in the error', async () => {
    const { report, exitCode } = await surfaceOf(streamOf(base().text()))
    expect(exitCode).toBe(3)
    expect(report?.findings).toMatchObject([{ code: 'format/dialect', line: 1 }])
    expect(report?.findings[0]?.message).toContain('--dialect stream-json')
  })

  test('gives the same surface as the log, under the id it names', async () => {
    const { report, nodes, exitCode } = await surfaceOf(streamOf(base().text()), '--dialect', 'stream-json')
    expect(exitCode).toBe(0)
    expect(nodes).toEqual([1, 4, 6])
    expect(report?.subject?.sessionId).toBe('s-7')
  })

  test('of a run that was killed has no result', async () => {
    const killed = streamOf(base().text()).split('\n').slice(0, -3).join('\n')
    const { report } = await surfaceOf(killed, '--dialect', 'stream-json')
    expect(report?.findings.map(({ code }) => code)).toContain('turn/open')
  })
})

test('another dialect is a usage error', async () => {
  expect((await runMain(['check', tempFile(base().bytes()), '--dialect', 'morse'])).exitCode).toBe(2)
})

test.each<[string, JsonValue, string | undefined]>([
  ['a recorded event', { type: 'turn/start', data: {} }, 'snapshot'],
  ['a recorded packed row', { type: 'text-chunks', data: {} }, 'snapshot'],
  ['an event of the stream', { type: 'session_event', sessionId: 's', event: {} }, 'stream-json'],
  ['an event of a log', { type: 'turn/start', seq: 0, time: 0, data: {} }, undefined],
  ['a header', { type: 'session', version: 0, id: 's' }, undefined],
  ['a line of another program', { level: 'info' }, undefined],
  ['no object', [], undefined],
  ['nothing', null, undefined],
])('%s', (_name, value, dialect) => {
  expect(lookAlikeOf(value)).toBe(dialect)
})
