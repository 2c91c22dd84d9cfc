/**
 * The records of a log → lines of the same length without their content, in their order, and between them the damage of
 * a compressed log, which has no content either.
 */
import type { Neutralizer } from '../../core/anonymize/neutral-json.ts'
import type { Origin } from '../../core/findings/origin.ts'
import type { FindingCode } from '../../core/findings/rules.ts'
import {
  type ContainerFault,
  jsonLine,
  type RecordSource,
  type StoredRecord,
} from '../../storage/record-source.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { RowReader } from '../reading/row-reader.ts'
import { brokenLine, joinedLines, parsedBytes } from './neutral-record.ts'

export interface NeutralLine {
  readonly kind: 'line'
  /** Without its line feed. */
  readonly bytes: Buffer
  /** Whether a line feed follows. */
  readonly ended: boolean
  /** Compressed frame that it was in. */
  readonly frame?: number
}

/** What a compressed file has in this place and no reader can read; `frame` is the one that is torn or damaged. */
export interface NeutralDamage {
  readonly kind: 'torn-frame' | 'corrupt-frame' | 'no-frame'
  readonly frame?: number
}

const DAMAGES: Readonly<Record<string, NeutralDamage['kind']>> = {
  'bytes/torn-frame': 'torn-frame',
  'bytes/corrupt-frame': 'corrupt-frame',
  'bytes/frame-structure': 'no-frame',
}

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
): AsyncIterable<NeutralLine | NeutralDamage> {
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

/** What stands for the damage in the copy; `undefined` where nothing is lost by it. */
function damageOf({ code, origin, losesRecords, hidesRest }: ContainerFault): NeutralDamage | undefined {
  const kind = hidesRest === true ? undefined : DAMAGES[code]
  if (kind !== undefined) return { kind, ...(origin.frame !== undefined && { frame: origin.frame }) }
  if (!losesRecords && hidesRest !== true) return undefined
  throw cannot(`${placeText(origin)} cannot be read (${code}), and a copy cannot be damaged in the same way`)
}

function placeText({ frame, row, byteOffset }: Origin): string {
  if (row !== undefined) return `row ${row}`
  const at = byteOffset === undefined ? '' : ` from byte ${byteOffset} on`
  return frame === undefined ? `the file${at}` : `frame ${frame}${at}`
}

function bytesOf({ content, line }: StoredRecord): Buffer {
  switch (content.kind) {
    case 'bytes':
      return content.bytes
    case 'value':
      return jsonLine(content.value)
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
  return { kind: 'line', bytes, ended, ...(frame !== undefined && { frame }) }
}
