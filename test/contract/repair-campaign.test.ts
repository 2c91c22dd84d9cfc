/**
 * Every line of rich logs in every format with every fault in turn, and two and three faults near each other: the log is
 * mended, clean, nothing whole leaves it, every changed line is in the quarantine as it was, and where nothing is lost the
 * log comes back as it was.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { part, runs } from '../support/effort.ts'
import { FAULTS, type Fault } from '../support/faults.ts'
import { later } from '../support/later-log.ts'
import { piecesOf } from '../support/repairing.ts'
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

describe.each<Version>([0, 2, 3, 4])('format %i', (version) => {
  const [header = '', ...rows] = wholeLog(version)
  const faults = FAULTS.filter(({ relation }) => relation !== true || version === 4)

  async function expectMended(faulty: readonly (readonly [Fault, at: number])[]): Promise<void> {
    let damaged: readonly string[] = rows
    const lost = new Set<number>()
    const applied: Fault[] = []
    const names: string[] = []
    // From the last to the first, so that the places stay.
    for (const [fault, at] of faulty.toReversed()) {
      const next = at < rows.length ? fault.apply(damaged, at) : undefined
      if (next === undefined) continue
      damaged = next
      applied.push(fault)
      names.push(`line ${at} ${fault.name}: ${rows[at]}`)
      if (fault.loses) lost.add(at)
    }
    if (applied.length === 0) return
    const folder = tempDir()
    const path = join(folder, 'log.jsonl')
    const output = join(folder, 'repaired.jsonl')
    writeFileSync(path, `${[header, ...damaged].join('\n')}\n`)
    const { data, exitCode } = await repair(path, '-o', output)
    const evidence = [...names, JSON.stringify(data.refused ?? data.steps)].join('\n')
    expect(exitCode, evidence).toBe(0)
    const result = data.steps.length > 0 ? output : path
    const checked = await runMain(['check', result, '--json'])
    expect(checked.exitCode, `${evidence}\n${checked.stdout}`).toBe(0)
    expect((await repair(result)).data.steps, evidence).toEqual([])
    const after = readFileSync(result, 'utf8').trimEnd().split('\n').slice(1)
    const originals = new Set(piecesOf(data).flatMap(({ text = '' }) => text.split('\n')))
    const written = new Set(after)
    expect(
      damaged.filter((line) => !isSpliced(line) && !written.has(line) && !originals.has(line)),
      evidence,
    ).toEqual([])
    if (lost.size > 0 || applied.some(({ changes }) => changes)) {
      const told = new Set(after.map(contentOf))
      const times = new Set(after.map(timeOf))
      const whole = rows.filter((_, at) => !lost.has(at))
      const types = after.map(typeOf)
      const ofType = (type: string, all: readonly string[]): number =>
        all.filter((one) => one === type).length
      expect(
        whole.filter(
          (line) =>
            !times.has(timeOf(line)) &&
            !told.has(contentOf(line)) &&
            ofType(typeOf(line), types) < ofType(typeOf(line), whole.map(typeOf)),
        ),
        evidence,
      ).toEqual([])
    } else
      expect(
        after.map((line) => JSON.parse(line)),
        evidence,
      ).toEqual(rows.map((line) => JSON.parse(line)))
  }

  test.each(faults)('any line is $name', { timeout: 300_000 }, async (fault) => {
    // The first line cannot be numbered lower, and the last one has no neighbour.
    const places = part(
      rows.slice(1, -1).map((_, index) => index + 1),
      6,
    )
    for (const at of places) await expectMended([[fault, at]])
  })

  test('any two neighbours are lost', { timeout: 300_000 }, async () => {
    for (const at of part(
      rows.slice(2).map((_, index) => index + 1),
      6,
    ))
      await expectMended([
        [FAULTS[0] as Fault, at],
        [FAULTS[0] as Fault, at + 1],
      ])
  })

  test('two and three faults are near each other', { timeout: 600_000 }, async () => {
    const fault = fc.tuple(fc.constantFrom(...faults), fc.integer({ min: 1, max: 3 }))
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: rows.length - 4 }),
        fc.array(fault, { minLength: 2, maxLength: 3 }),
        async (first, list) => {
          const distances = list.map(([, distance]) => distance)
          const placeOf = (index: number): number =>
            distances.slice(1, index + 1).reduce((at, distance) => at + distance, first)
          // Where a neighbour is lost, or is not in its place either, several logs could have become this one.
          const misplaced = list.filter(([{ misplaces }]) => misplaces).length
          const isLost = list.some(([{ loses }]) => loses)
          const isAstray = misplaced > 0 || list.some(([{ relation }]) => relation)
          const isAmbiguous = misplaced > 1 || (isLost && isAstray)
          fc.pre(!isAmbiguous)
          await expectMended(list.map(([one], index) => [one, placeOf(index)] as const))
        },
      ),
      { numRuns: runs(600, 40) },
    )
  })
})

/** In a built log every row has a time of its own; a result that is kept as text keeps its time. */
function timeOf(line: string): number {
  const row = JSON.parse(line)
  return row.time ?? row.time0
}

function typeOf(line: string): string {
  return JSON.parse(line).type
}

/** What a line says, whatever its number and time. */
function contentOf(line: string): string {
  const { seq: _seq, time: _time, sourceEventSeqs: _sources, ...rest } = JSON.parse(line)
  return JSON.stringify(rest)
}

/** A blank line holds nothing, and the rows of a line that holds two are each looked for in the log. */
function isSpliced(line: string): boolean {
  return line === '' || line.includes('}{"type":')
}
