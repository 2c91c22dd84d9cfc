/** The lenient pass: refused events are findings, the surface stays as it was, consequences name their cause. */
import { expect, test } from 'vitest'
import type { Finding } from '../../../src/core/findings/finding.ts'
import { load } from '../../support/load.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base, twoTurns } from '../../support/sample-logs.ts'

const replace = (start: number, end = start): { op: 'replace'; start: number; end: number } => ({
  op: 'replace',
  start,
  end,
})

test('a refused replacement leaves the surface alone, and the replay goes on', async () => {
  const built = base()
    .checkpoint(1, 4, { sources: [1] })
    .user('next')
  const { list: all, end } = await load(built, {})
  const list = surfaceFindings(all)
  expect(list.map(({ code, seq }) => [code, seq])).toEqual([['surface/sources-incomplete', 9]])
  expect(end.surface.nodes).toEqual([1, 4, 6, 10])
  expect(end.surface.replaceGeneration).toBe(0)
})

test('what fails because an event was refused says so', async () => {
  const built = base()
    .checkpoint(1, 4, { sources: [1] })
    .user('on top', { kind: 'user' }, { op: replace(9), sources: [9] })
    .user('further', { kind: 'user' }, { op: replace(10), sources: [10] })
  const list = surfaceFindings((await load(built, {})).list)
  const [first, second, third] = list
  expect(list.map(({ seq }) => seq)).toEqual([9, 10, 11])
  expect(first?.causedBy).toBeUndefined()
  expect(second).toMatchObject({ code: 'surface/start-not-found', causedBy: { seq: 9 } })
  expect(third).toMatchObject({ code: 'surface/start-not-found', causedBy: { seq: 10 } })
})

test('an unrelated failure has no cause', async () => {
  const built = base()
    .checkpoint(1, 4, { sources: [1] })
    .checkpoint(2, 2, { sources: [2] })
  const list = surfaceFindings((await load(built, {})).list)
  expect(list.map(({ seq, causedBy }) => [seq, causedBy])).toEqual([
    [9, undefined],
    [10, undefined],
  ])
})

test('reducers see every event once, with what it did', async () => {
  const seen: [number, string, boolean][] = []
  const built = twoTurns()
    .compaction(1, 6)
    .checkpoint(2, 2, { sources: [2] })
  await load(built, {
    recorder: {
      on: ({ event, effect, refusal }) => void seen.push([event.seq, effect.kind, refusal !== undefined]),
      finish: () => undefined,
    },
  })
  expect(seen.map(([seq]) => seq)).toEqual([...Array(20).keys()])
  expect(seen.filter(([, kind]) => kind === 'replace')).toEqual([[17, 'replace', false]])
  expect(seen.filter(([, , refused]) => refused)).toEqual([[19, 'log-only', true]])
})

test.each<[name: string, log: LogBuilder, surface: number[]]>([
  ['a log without events', log(), []],
  [
    'two single replacements of one place',
    base()
      .user('a', { kind: 'user' }, { op: replace(6), sources: [6] })
      .user('b', { kind: 'user' }, { op: replace(9), sources: [9] }),
    [1, 4, 10],
  ],
  ['a replacement of everything', base().checkpoint(1, 6), [9]],
  ['a replacement in the middle', twoTurns().checkpoint(6, 10), [1, 4, 15, 12]],
])('the surface of %s', async (_name, built, surface) => {
  const { end } = await load(built, {})
  expect(end.surface.nodes).toEqual(surface)
})

test('two hundred thousand replacements of single nodes', async () => {
  const nodes = 1000
  const replacements = 200_000
  const lines: string[] = [
    JSON.stringify({ type: 'session', version: 0, id: 's', createdAt: 0, delegationDepth: 0 }),
  ]
  const event = (seq: number, surfaceOp: unknown, sources?: number[]): string => {
    const data = { id: `u${seq}`, role: 'user', source: { kind: 'user' }, content: [] }
    return JSON.stringify({ type: 'user/message', seq, time: 0, data, surfaceOp, sourceEventSeqs: sources })
  }
  const surface = [...Array(nodes).keys()]
  for (const seq of surface) lines.push(event(seq, 'append'))
  for (let round = 0; round < replacements; round++) {
    const position = (round * 7) % nodes
    const target = surface[position] as number
    const seq = nodes + round
    surface[position] = seq
    lines.push(event(seq, replace(target), [target]))
  }
  const { end, list } = await load(`${lines.join('\n')}\n`, {})
  expect(list).toEqual([])
  expect(end.surface.replaceGeneration).toBe(replacements)
  expect(end.surface.nodes).toEqual(surface)
})

/** What the surface rules say; a checkpoint without a bracket has findings of its own. */
function surfaceFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ code }) => code.startsWith('surface/'))
}
