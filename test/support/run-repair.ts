/** `repair` and `undo` in this process, with their answer as data. */

import type { ReportData } from '../../src/report/report.ts'
import { reportIn } from './report-in.ts'
import { runMain } from './run-main.ts'

export interface RepairRun {
  readonly exitCode: number
  readonly stderr: string
  /** Empty where the run ended without an answer. */
  readonly data: ReportData<'repair'>
}

export async function repair(...args: readonly string[]): Promise<RepairRun> {
  const { stdout, stderr, exitCode } = await runMain(['repair', ...args, '--json'])
  return { exitCode, stderr, data: dataIn(stdout) }
}

export async function undo(...args: readonly string[]): Promise<RepairRun> {
  const { stdout, stderr, exitCode } = await runMain(['undo', ...args, '--json'])
  return { exitCode, stderr, data: dataIn(stdout) }
}

function dataIn(stdout: string): ReportData<'repair'> {
  return (stdout === '' ? {} : reportIn(stdout).data) as ReportData<'repair'>
}
