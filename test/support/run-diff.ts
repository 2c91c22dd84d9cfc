/** `diff` in this process, with its answer as data. */

import type { Change } from '../../src/core/diff/change.ts'
import type { ReportData } from '../../src/report/report.ts'
import { reportIn } from './report-in.ts'
import { runMain } from './run-main.ts'

export interface DiffRun {
  readonly exitCode: number
  readonly stderr: string
  /** Empty where the run ended without an answer. */
  readonly data: Omit<ReportData<'diff'>, 'changes'> & { readonly changes: readonly Change[] }
}

export async function diff(...args: readonly string[]): Promise<DiffRun> {
  const { stdout, stderr, exitCode } = await runMain(['diff', ...args, '--json'])
  return { exitCode, stderr, data: stdout === '' ? {} : reportIn(stdout).data }
}
