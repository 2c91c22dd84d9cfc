/** Compressed logs of whole lines, in frames of any size. */
import { writeFrame } from '../../src/storage/zstd/frame-writer.ts'

const LF = Buffer.from('\n')

/** The header alone, then frames of `size` lines each. @param lines - without their line feeds. */
export function framed(lines: readonly Buffer[], size = 1): Promise<Buffer> {
  const ended = lines.map((line) => Buffer.concat([line, LF]))
  const pieces = ended.slice(0, 1)
  for (let at = 1; at < ended.length; at += size) pieces.push(Buffer.concat(ended.slice(at, at + size)))
  return framesOf(pieces)
}

export async function framesOf(pieces: readonly Buffer[]): Promise<Buffer> {
  return Buffer.concat(await Promise.all(pieces.map(writeFrame)))
}
