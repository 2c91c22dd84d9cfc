/**
 * Every line of rich logs in every format, lost, torn, doubled, out of place and misnumbered in turn: the log is mended,
 * clean, nothing whole leaves it, and where nothing is lost it comes back as it was.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { part } from '../support/effort.ts'
import { later } from '../support/later-log.ts'
import { runMain } from '../support/run-main.ts'
import { repair } from '../support/run-repair.ts'
import { rich } from '../support/sample-logs.ts'
import { tempDir } from '../support/temp-dir.ts'

type Version = 0 | 2 | 3 | 4

function wholeLog(version: Version): string[] {
  if (version === 0) return rich().text().trimEnd().split('\n')
  const built = later(version)
  built.turn((turn) =>
    turn.step((step) => {
      if (version >= 3) step.system()
      step.user('list').request().tool('c1')
    }),
  )
  built.turn((turn) => {
    turn.step((step) => {
      step.user('two').assistant('', [{ id: 'c2' }, { id: 'c3' }])
      step.call('c2').call('c3').result('c2', 'x').result('c3', 'y')
    })
    turn.step((step) => step.assistant('done'))
  })
  const first = version >= 3 ? 3 : 2
  built.compaction('x1', [first, first + 2, first + 4])
  built.turn((turn) => turn.step((step) => step.user('four').tool('c4')))
  built.turn((turn) => turn.step((step) => step.user('five').assistant('end')))
  return built.text().trimEnd().split('\n')
}

interface Damage {
  readonly name: string
  readonly apply: (rows: readonly string[], at: number) => readonly string[]
  /** How many lines it takes away. */
  readonly lost: number
}

const DAMAGES: readonly Damage[] = [
  { name: 'lost', apply: (rows, at) => rows.toSpliced(at, 1), lost: 1 },
  { name: 'lost with its neighbour', apply: (rows, at) => rows.toSpliced(at, 2), lost: 2 },
  {
    name: 'torn',
    apply: (rows, at) => rows.with(at, (rows[at] as string).slice(0, (rows[at] as string).length >> 1)),
    lost: 1,
  },
  { name: 'doubled', apply: (rows, at) => rows.toSpliced(at, 0, rows[at] as string), lost: 0 },
  {
    name: 'swapped with its neighbour',
    apply: (rows, at) => rows.toSpliced(at, 2, rows[at + 1] as string, rows[at] as string),
    lost: 0,
  },
  {
    name: 'numbered one too high',
    apply: (rows, at) => rows.with(at, moved(rows[at] as string, 1)),
    lost: 0,
  },
  {
    name: 'numbered one too low',
    apply: (rows, at) => rows.with(at, moved(rows[at] as string, -1)),
    lost: 0,
  },
]

function moved(line: string, by: number): string {
  return line.replace(/"seq(0?)":(\d+)/, (_, zero, seq) => `"seq${zero}":${Number(seq) + by}`)
}

describe.each<Version>([0, 2, 3, 4])('format %i', (version) => {
  const [header = '', ...rows] = wholeLog(version)

  test.each(DAMAGES)('any line is $name', { timeout: 300_000 }, async ({ apply, lost }) => {
    // The first line cannot be numbered lower, and the last one has no neighbour.
    const places = part(
      rows.slice(1, -1).map((_, index) => index + 1),
      6,
    )
    for (const at of places) {
      const folder = tempDir()
      const path = join(folder, 'log.jsonl')
      const output = join(folder, 'repaired.jsonl')
      writeFileSync(path, `${[header, ...apply(rows, at)].join('\n')}\n`)
      const { data, exitCode } = await repair(path, '-o', output)
      const evidence = `line ${at}: ${rows[at]}\n${JSON.stringify(data.refused ?? data.steps)}`
      expect(exitCode, evidence).toBe(0)
      const checked = await runMain(['check', output, '--json'])
      expect(checked.exitCode, `${evidence}\n${checked.stdout}`).toBe(0)
      const after = readFileSync(output, 'utf8').trimEnd().split('\n').slice(1)
      const times = after.map((line) => timeOf(line))
      const kept = rows.toSpliced(at, lost).map((line) => timeOf(line))
      expect(
        kept.filter((time) => !times.includes(time)),
        evidence,
      ).toEqual([])
      if (lost === 0)
        expect(after.map((line) => JSON.parse(line))).toEqual(rows.map((line) => JSON.parse(line)))
    }
  })
})

/** In a built log every row has a time of its own; a result that is kept as text keeps its time. */
function timeOf(line: string): number {
  const row = JSON.parse(line)
  return row.time ?? row.time0
}
