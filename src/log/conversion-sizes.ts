/** What a log would take after `convert`: its lines are made as for a file, and the bytes counted instead of written. */
import type { ConversionSize } from '../core/projections/log-sizes.ts'
import type { JudgedLog } from '../load/inputs/judged-log.ts'
import { convertedLines } from '../load/outputs/converted-lines.ts'
import type { ReadLimits } from '../storage/record-source.ts'
import { writeTextLog } from '../storage/rewrite/write-text-log.ts'
import { ToolError } from '../storage/tool-error.ts'
import { writeFrame } from '../storage/zstd/frame-writer.ts'
import { nodeZstd } from '../storage/zstd/node-zstd.ts'
import { mustBeConvertible } from './convertible.ts'

const NO_ZSTD =
  'this Node has no zstd, so convert would store the content as it is; from 22.15 on it compresses'

export async function conversionSizes(
  log: JudgedLog<unknown>,
  limits: ReadLimits,
): Promise<readonly ConversionSize[]> {
  return [...(await sizesWith('as-is', log, limits)), ...(await sizesWith('packed', log, limits))]
}

async function sizesWith(
  rows: ConversionSize['rows'],
  log: JudgedLog<unknown>,
  limits: ReadLimits,
): Promise<readonly ConversionSize[]> {
  const compresses = (await nodeZstd()) !== undefined
  const bytes = { jsonl: 0, zstd: 0 }
  // A frame holds what is written to a plain file at once.
  const counter = {
    async writeFile(block: Uint8Array) {
      bytes.jsonl += block.length
      if (compresses) bytes.zstd += (await writeFrame(block)).length
    },
  }
  try {
    mustBeConvertible(log, 'jsonl', rows)
    await writeTextLog(counter, convertedLines(log.input.source, rows, limits), 'jsonl')
    return [
      { to: 'jsonl', rows, bytes: bytes.jsonl },
      { to: 'zstd', rows, ...(compresses ? { bytes: bytes.zstd } : { reason: NO_ZSTD }) },
    ]
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const reason = error.message
    return [
      { to: 'jsonl', rows, reason },
      { to: 'zstd', rows, reason },
    ]
  }
}
