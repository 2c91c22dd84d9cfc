/** `repair` through the command line, with what every repair promises held on the way. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { type FindingCode, ruleOf } from '../../src/core/findings/rules.ts'
import { isJsonObject, type JsonValue } from '../../src/core/json/json-value.ts'
import type { ReportData } from '../../src/report/report.ts'
import { expandRow } from '../../src/storage/packed-rows/expand-row.ts'
import { answerOf } from './containers.ts'
import { listing } from './listing.ts'
import { providerProblem } from './provider-order.ts'
import { reportIn } from './report-in.ts'
import { runMain } from './run-main.ts'
import { tempDir } from './temp-dir.ts'

export interface Refused {
  readonly kind: 'refused'
  readonly exitCode: number
  readonly data: ReportData<'repair'>
}

export interface Written {
  readonly kind: 'written'
  readonly exitCode: number
  readonly output: string
  readonly data: ReportData<'repair'>
  /** What was taken out or changed, one piece for each line of the quarantine; not what only has another number. */
  readonly pieces: readonly Piece[]
}

export interface Piece {
  readonly why: string
  readonly text?: string
  readonly base64?: string
  readonly stored?: Readonly<Record<string, JsonValue>>
}

/** Every step that answers a rule is one that the rule names. */
function expectNamed(steps: ReportData<'repair'>['steps']): void {
  for (const { kind, finding } of steps)
    if (finding !== undefined && kind !== 'upgrade')
      expect(ruleOf(finding as FindingCode).repairs, `${kind} answers ${finding}`).toContain(kind)
}

/** Repairs a copy into a folder of its own. */
export async function repairing(path: string, ...flags: readonly string[]): Promise<Refused | Written> {
  const folder = tempDir()
  const output = join(folder, 'repaired')
  const before = listing(dirname(path))
  const { exitCode, stdout, stderr } = await runMain(['repair', path, '-o', output, '--json', ...flags])
  expect(listing(dirname(path))).toEqual(before)
  expect(stderr).toBe('')
  const data = reportIn(stdout).data as ReportData<'repair'>
  expectNamed(data.steps)
  if (data.output === undefined && data.refused === undefined) {
    // Nothing to repair is nothing to write, and the log is its own repair.
    expect(data.steps).toEqual([])
    expect(readdirSync(folder)).toEqual([])
    const whole: Written = { kind: 'written', exitCode, output: path, data, pieces: [] }
    await holdsPromises(whole)
    return whole
  }
  if (data.output === undefined) {
    expect(data.refused).not.toEqual([])
    expect([3, 5]).toContain(exitCode)
    expect(readdirSync(folder)).toEqual([])
    return { kind: 'refused', exitCode, data }
  }
  const pieces = piecesOf(data).filter(({ why }) => why !== 'renumbered')
  const written: Written = { kind: 'written', exitCode, output, data, pieces }
  await holdsPromises(written)
  return written
}

/** The same, where a refusal would be a failure. */
export async function mended(path: string, ...flags: readonly string[]): Promise<Written> {
  const result = await repairing(path, ...flags)
  if (result.kind === 'refused') throw new Error(`refused: ${result.data.refused?.join('; ')}`)
  return result
}

/** What was written opens, needs no other repair, comes out of one as it is, and shows what the plan said. */
async function holdsPromises({ exitCode, output, data }: Written): Promise<void> {
  const { judgement, closers, findings, messages } = await answerOf(output)
  expect(judgement.opens).toBe(true)
  expect(closers).toEqual([])
  const left = findings.map(({ code }) => code as FindingCode)
  expect(left.filter((code) => ruleOf(code).repairable && ruleOf(code).severity === 'error')).toEqual([])
  expect(exitCode).toBe(judgement.counts.error > 0 ? 1 : 0)
  if (exitCode === 0) expect(providerProblem(messages.map(({ message }) => message))).toBeUndefined()
  for (const branch of data.branches ?? []) expect((await answerOf(branch)).judgement.opens).toBe(true)
  const twice = join(tempDir(), 'twice')
  const again = await runMain(['repair', output, '-o', twice, '--json'])
  const { steps, digests } = reportIn(again.stdout).data as ReportData<'repair'>
  expect({ steps, stderr: again.stderr }).toEqual({ steps: [], stderr: '' })
  expect(digests.surface.before).toBe(data.digests.surface.after)
  expect(digests.transcript.before).toBe(data.digests.transcript.after)
  // Nothing to repair is nothing to write.
  expect(existsSync(twice)).toBe(false)
}

/** What the quarantine of a repair holds, if it has one. */
export function piecesOf({ quarantine }: ReportData<'repair'>): readonly Piece[] {
  if (quarantine === undefined || !existsSync(quarantine)) return []
  const lines = readFileSync(quarantine, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Piece)
}

/** How many events the lines of a text hold, members of packed rows counted. */
export function eventsIn(lines: readonly string[]): number {
  let count = 0
  for (const line of lines) {
    const value = valueIn(line)
    if (!isJsonObject(value) || typeof value.type !== 'string' || value.type === 'session') continue
    const expanded = expandRow(value)
    if (expanded.kind === 'row') count += expanded.rows.length
  }
  return count
}

function valueIn(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line) as JsonValue
  } catch {
    return undefined
  }
}

/** Steps of a repair by kind. */
export function kindsOf(data: ReportData<'repair'>): string[] {
  return data.steps.map(({ kind }) => kind)
}
