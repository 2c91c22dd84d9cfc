/**
 * The records of a log → lines of the same length without their content, in their order, and between them the damage of
 * a compressed log, which has no content either.
 */
import type { Neutralizer } from '../../core/anonymize/neutral-json.ts'
import type { FindingCode } from '../../core/findings/rules.ts'
import type { RecordSource, StoredRecord } from '../../storage/record-source.ts'
import { RowReader } from '../reading/row-reader.ts'
import { bytesOf, type CopiedDamage, type CopiedLine, damageOf, lineOf } from './copied-lines.ts'
import { brokenLine, joinedLines, parsedBytes } from './neutral-record.ts'

/** A line that does not parse, kept to see whether the next one completes it. */
interface Half {
  readonly bytes: Buffer
  readonly record: StoredRecord
}

/** @param faults - is given the codes of what is wrong with the container. */
export async function* neutralLines(
  source: RecordSource,
  using: Neutralizer,
  faults: Set<FindingCode> = new Set(),
): AsyncIterable<CopiedLine | CopiedDamage> {
  const reader = new RowReader()
  let half: Half | undefined
  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind === 'fault') {
        faults.add(item.code)
        const damage = damageOf(item)
        if (damage === undefined) continue
        if (half !== undefined) yield lineOf(half.record, brokenLine(half.bytes, using))
        half = undefined
        yield damage
        continue
      }
      const bytes = bytesOf(item)
      const taken = reader.take(item)
      const completes = taken.kind === 'broken' ? taken.mended?.completes : undefined
      if (half !== undefined) {
        const joined = completes === undefined ? undefined : joinedLines(half.bytes, bytes, using)
        yield lineOf(half.record, joined?.[0] ?? brokenLine(half.bytes, using))
        half = undefined
        if (joined !== undefined) {
          yield lineOf(item, joined[1])
          continue
        }
      }
      if (taken.kind === 'row') yield lineOf(item, parsedBytes(bytes, taken.row.value, using))
      else half = { bytes: Buffer.from(bytes), record: item }
    }
  }
  if (half !== undefined) yield lineOf(half.record, brokenLine(half.bytes, using))
}
