/** A log with faults in some of its lines, repaired: mended, clean, and nothing that is whole is gone. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Fault } from './faults.ts'
import { piecesOf } from './repairing.ts'
import { runMain } from './run-main.ts'
import { repair } from './run-repair.ts'
import { tempDir } from './temp-dir.ts'

export type FaultAt = readonly [Fault, at: number]

/** @param rows - the lines of the whole log without its header. */
export async function expectMended(
  header: string,
  rows: readonly string[],
  faulty: readonly FaultAt[],
): Promise<void> {
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
    const gone = new Set([...lost].map((at) => JSON.parse(rows[at] as string).seq as number))
    const whole = rows.filter((line, at) => !lost.has(at) && !isAbout(line, gone))
    expect(
      whole.filter((line) => !times.has(timeOf(line)) && !told.has(contentOf(line))),
      evidence,
    ).toEqual([])
  } else
    expect(
      after.map((line) => JSON.parse(line)),
      evidence,
    ).toEqual(rows.map((line) => JSON.parse(line)))
}

/** In a built log every row has a time of its own; a result that is kept as text keeps its time. */
function timeOf(line: string): number {
  const row = JSON.parse(line)
  return row.time ?? row.time0
}

/** What a line says, whatever its number and time. */
function contentOf(line: string): string {
  const { seq: _seq, time: _time, sourceEventSeqs: _sources, ...rest } = JSON.parse(line)
  return JSON.stringify(rest)
}

/** An offload of images that are all lost says nothing any more. */
function isAbout(line: string, lost: ReadonlySet<number>): boolean {
  const { type, data } = JSON.parse(line)
  return type === 'image/offload' && data.targets.every(({ seq }: { seq: number }) => lost.has(seq))
}

/** A blank line holds nothing, and the rows of a line that holds two are each looked for in the log. */
function isSpliced(line: string): boolean {
  return line === '' || line.includes('}{"type":')
}

/**
 * Where a neighbour is lost, or is not in its place either, several logs could have become this one; so where two rows
 * near each other name other steps.
 */
export function isAmbiguous(faults: readonly Fault[]): boolean {
  const misplaced = faults.filter(({ misplaces }) => misplaces).length
  const astray = faults.filter(({ relation }) => relation).length
  const hasLost = faults.some(({ loses }) => loses)
  return misplaced > 1 || astray > 1 || (hasLost && misplaced + astray > 0)
}
