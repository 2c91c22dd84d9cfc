/** A log in memory, read, replayed and judged as the commands do it. */
import type { Finding } from '../../src/core/findings/finding.ts'
import { type Judgement, judge } from '../../src/core/findings/verdict.ts'
import type { Reducer } from '../../src/core/replay/reducer.ts'
import { type LoadedLog, loadLog } from '../../src/load/sessions/load-log.ts'
import { DEFAULT_LIMITS, type ReadLimits } from '../../src/storage/record-source.ts'
import type { LogBuilder } from './log-builder.ts'
import { memorySource } from './memory-source.ts'

type ResultsOf<Reducers> = { [Key in keyof Reducers]: Reducers[Key] extends Reducer<infer R> ? R : never }

export interface Loaded<Results> extends LoadedLog<Results> {
  readonly judgement: Judgement
  readonly list: readonly Finding[]
}

export async function load<const Reducers extends Record<string, Reducer>>(
  log: LogBuilder | Buffer | string,
  reducers: Reducers,
  limits: ReadLimits = DEFAULT_LIMITS,
): Promise<Loaded<ResultsOf<Reducers>>> {
  const bytes = typeof log === 'string' || Buffer.isBuffer(log) ? Buffer.from(log) : log.bytes()
  const loaded = await loadLog(memorySource(bytes, limits), reducers, { limits })
  return { ...loaded, judgement: judge(loaded.findings.counts()), list: loaded.findings.findings() }
}

/** Code and seq of every finding, in the order of the file. */
export async function findingsOf(
  log: LogBuilder | Buffer | string,
): Promise<readonly [code: string, seq: number | undefined][]> {
  const { list } = await load(log, {})
  return list.map(({ code, seq }) => [code, seq])
}
