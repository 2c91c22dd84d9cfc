/** The lines of a log after what the survey decided: mended, parted, joined or taken out. */
import type { StoredRecord } from '../../storage/record-source.ts'
import { lineIn } from '../../storage/rewrite/log-lines.ts'
import type { RecordEdit } from './edited-source.ts'
import type { Quarantine } from './quarantine.ts'
import type { LineMend } from './survey.ts'

/** @param header - a header that is put in front, for a log that has lost its own. */
export function mendedLines(
  mends: ReadonlyMap<number, LineMend>,
  quarantine: Quarantine,
  header?: Buffer,
): () => RecordEdit {
  return () => {
    let front = header
    return (record) => {
      const lines = mendedLine(record, mends.get(record.line), quarantine)
      if (front === undefined) return lines
      const first = front
      front = undefined
      return [first, ...(lines ?? [lineIn(record)])]
    }
  }
}

function mendedLine(
  record: StoredRecord,
  mend: LineMend | undefined,
  quarantine: Quarantine,
): readonly Buffer[] | undefined {
  if (mend === undefined) return undefined
  const { code, lines, lostBytes } = mend
  const { content } = record
  if (lostBytes > 0 || content.kind !== 'bytes') {
    const lost = content.kind === 'bytes' ? content.bytes.subarray(0, lostBytes) : undefined
    quarantine.record(record, code, lost)
  }
  return lines
}
