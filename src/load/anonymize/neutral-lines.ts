/** The records of a log → lines of the same length without their content, in their order. */
import type { Neutralizer } from '../../core/anonymize/neutral-json.ts'
import { stringifyJson } from '../../core/json/stringify-json.ts'
import type { RecordSource, StoredRecord } from '../../storage/record-source.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { RowReader } from '../reading/row-reader.ts'
import { brokenLine, joinedLines, parsedBytes } from './neutral-record.ts'

export interface NeutralLine {
  /** Without its line feed. */
  readonly bytes: Buffer
  /** Whether a line feed follows. */
  readonly ended: boolean
  /** Compressed frame that it stood in. */
  readonly frame?: number
}

/** A line that does not parse, kept to see whether the next one completes it. */
interface Half {
  readonly bytes: Buffer
  readonly record: StoredRecord
}

export async function* neutralLines(source: RecordSource, using: Neutralizer): AsyncIterable<NeutralLine> {
  const reader = new RowReader()
  let half: Half | undefined
  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind === 'fault') {
        if (item.losesRecords) throw cannot(`what stood in a damaged part cannot be told (${item.code})`)
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

function bytesOf({ content, line }: StoredRecord): Buffer {
  switch (content.kind) {
    case 'bytes':
      return content.bytes
    case 'value':
      return Buffer.from(stringifyJson(content.value))
    case 'unreadable':
      throw cannot(`record ${line} cannot be read: ${content.problem}`)
    case 'oversize':
      throw new ToolError(
        'refused',
        `record ${line} is longer than what is read, so its content cannot be replaced`,
        'Raise the limit with --max-record.',
      )
  }
}

function cannot(problem: string): ToolError {
  return new ToolError('refused', problem, 'Repair the log first, and anonymize the repaired copy.')
}

function lineOf({ ended, origin }: StoredRecord, bytes: Buffer): NeutralLine {
  const { frame } = origin
  return { bytes, ended, ...(frame !== undefined && { frame }) }
}
