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

/** A line that does not parse, kept to see whether the next ones complete it. */
interface Broken {
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
  let broken: Broken[] = []
  const given = (held: readonly Broken[], neutral?: readonly Buffer[]): readonly CopiedLine[] =>
    held.map(({ bytes, record }, index) => lineOf(record, neutral?.[index] ?? brokenLine(bytes, using)))
  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind === 'fault') {
        faults.add(item.code)
        const damage = damageOf(item)
        if (damage === undefined) continue
        yield* given(broken)
        broken = []
        yield damage
        continue
      }
      const bytes = bytesOf(item)
      const taken = reader.take(item)
      if (taken.kind === 'row') {
        yield* given(broken)
        broken = []
        yield lineOf(item, parsedBytes(bytes, taken.row.value, using))
        continue
      }
      broken.push({ bytes: Buffer.from(bytes), record: item })
      const joined = taken.kind === 'broken' ? taken.mended?.completes?.joined : undefined
      const own = broken.length - (joined?.length ?? reader.waiting)
      const parts = broken.slice(own)
      yield* given(broken.slice(0, own))
      broken = joined === undefined ? parts : []
      const lines = parts.map((part) => part.bytes)
      if (joined !== undefined) yield* given(parts, joinedLines(lines, joined, using))
    }
  }
  yield* given(broken)
}
