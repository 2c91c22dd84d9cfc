/**
 * What a copy of a log is written from: its lines in their order, and between them the damage of a compressed log, which
 * is made anew. What cannot be copied is refused.
 */
import type { Origin } from '../../core/findings/origin.ts'
import type { FindingCode } from '../../core/findings/rules.ts'
import {
  type ContainerFault,
  jsonLine,
  type RecordSource,
  type StoredRecord,
} from '../../storage/record-source.ts'
import { ToolError } from '../../storage/tool-error.ts'

export interface CopiedLine {
  readonly kind: 'line'
  /** Without its line feed. */
  readonly bytes: Buffer
  /** Whether a line feed follows. */
  readonly ended: boolean
  /** Compressed frame that it was in. */
  readonly frame?: number
}

/** What a compressed file has in this place and no reader can read; `frame` is the one that is torn or damaged. */
export interface CopiedDamage {
  readonly kind: 'torn-frame' | 'corrupt-frame' | 'no-frame'
  readonly frame?: number
}

const DAMAGES: Readonly<Record<string, CopiedDamage['kind']>> = {
  'bytes/torn-frame': 'torn-frame',
  'bytes/corrupt-frame': 'corrupt-frame',
  'bytes/frame-structure': 'no-frame',
}

/** The lines of a source as they are. @param faults - is given the codes of what is wrong with the container. */
export async function* copiedLines(
  source: RecordSource,
  faults: Set<FindingCode>,
): AsyncIterable<CopiedLine | CopiedDamage> {
  for await (const batch of source.items())
    for (const item of batch) {
      if (item.kind === 'record') yield lineOf(item, Buffer.from(bytesOf(item)))
      else {
        faults.add(item.code)
        const damage = damageOf(item)
        if (damage !== undefined) yield damage
      }
    }
}

/** What stands for the damage in the copy; `undefined` where nothing is lost by it. */
export function damageOf({
  code,
  origin,
  losesRecords,
  hidesRest,
}: ContainerFault): CopiedDamage | undefined {
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

export function bytesOf({ content, line }: StoredRecord): Buffer {
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

export function lineOf({ ended, origin }: StoredRecord, bytes: Buffer): CopiedLine {
  const { frame } = origin
  return { kind: 'line', bytes, ended, ...(frame !== undefined && { frame }) }
}
