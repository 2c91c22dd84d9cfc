/**
 * What the checks say of a log of any format: where the findings of one code are, and what they give as evidence. For
 * that, logs of the later formats can be written as a list of events.
 */
import type { FindingCode } from '../../src/core/findings/rules.ts'
import type { JsonObject, JsonValue } from '../../src/core/json/json-value.ts'
import { type LaterLog, later } from './later-log.ts'
import { load } from './load.ts'

export type Entry = readonly [type: string, data: JsonValue, extra?: JsonObject]

/** These events, after those of `log`; without one the log has format 4 and nothing else. */
export function events(list: readonly Entry[], log: LaterLog = later()): LaterLog {
  for (const entry of list) log.event(...entry)
  return log
}

/** Seqs of the findings whose codes begin with one of `beginnings`, in the order of the file. */
export async function brokenAt(
  beginnings: string | readonly string[],
  log: { bytes(): Buffer },
): Promise<readonly (number | undefined)[]> {
  const { list } = await load(log.bytes(), {})
  const found = list.filter(({ code }) => [beginnings].flat().some((beginning) => code.startsWith(beginning)))
  return found.map(({ seq }) => seq)
}

/** Seq, evidence and related seqs of the findings of a code, in the order of the file. */
export async function evidenceOf(code: FindingCode, log: { bytes(): Buffer }): Promise<readonly unknown[]> {
  const { list } = await load(log.bytes(), {})
  return list
    .filter((finding) => finding.code === code)
    .map(({ seq, args, related }) => (related === undefined ? [seq, args] : [seq, args, related]))
}
