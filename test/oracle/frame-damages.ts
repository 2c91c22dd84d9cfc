/**
 * What happens to compressed logs, inside frames and across them. A log is a list of frames, a frame a list of texts, each
 * of which gets blocks of its own; the first frame is the header.
 */
import type { Random } from './random.ts'

export type Frames = readonly (readonly Buffer[])[]

/** Changes of what the frames hold. */
export type ContentDamage = (frames: Frames, random: Random) => Frames
/** Changes of the finished frames. */
export type ByteDamage = (frames: readonly Buffer[], random: Random) => readonly Buffer[]

const LF = 10

export const contentDamages: Readonly<Record<string, ContentDamage>> = {
  'a blank line': inserted('\n'),
  'a line of blanks': inserted('  \t\n'),
  garbage: inserted('%%%\n'),
  'NUL bytes': inserted('\0\0\0\0\n'),
  'a line that is no object': inserted('42\n'),
  'a second header': (frames, random) => inserted(textOf(frames[0]).toString())(frames, random),
  'a lost line': (frames, random) => relined(frames, random, (lines, at) => lines.toSpliced(at, 1)),
  'a repeated line': (frames, random) =>
    relined(frames, random, (lines, at) => lines.toSpliced(at, 0, lines[at] as Buffer)),
  'two lines swapped': (frames, random) =>
    relined(frames, random, (lines, at) => lines.toSpliced(at, 2, ...lines.slice(at, at + 2).toReversed())),
  'a line without its line feed': (frames, random) =>
    relined(frames, random, (lines, at) => lines.with(at, (lines[at] as Buffer).subarray(0, -1))),
  'a line cut short': (frames, random) =>
    relined(frames, random, (lines, at) =>
      lines.with(at, (lines[at] as Buffer).subarray(0, random.whole(0, (lines[at] as Buffer).length - 1))),
    ),
  'a boundary inside a record': movedBoundary,
  'a record over many frames': (frames, random) => movedBoundary(movedBoundary(frames, random), random),
  'an empty frame': (frames, random) => frames.toSpliced(random.whole(1, frames.length), 0, []),
  'a last frame without its last line feed': (frames) => [
    ...frames.slice(0, -1),
    [textOf(frames.at(-1)).subarray(0, -1)],
  ],
}

export const byteDamages: Readonly<Record<string, ByteDamage>> = {
  'torn at any byte': (frames, random) => {
    const length = frames.reduce((sum, frame) => sum + frame.length, 0)
    return upTo(frames, random.whole(1, length - 1))
  },
  'torn in the last frame': (frames, random) => {
    const last = frames.at(-1) as Buffer
    return frames.with(-1, last.subarray(0, random.whole(1, last.length - 1)))
  },
  'a flipped bit': (frames, random) => flipped(frames, random, random.whole(0, 7), (frame) => frame.length),
  'a flipped bit in a frame header': (frames, random) =>
    flipped(frames, random, random.whole(0, 7), () => 17),
  'a flipped bit in the first block header': (frames, random) => {
    const at = eventFrame(frames, random)
    const frame = Buffer.from(frames[at] as Buffer)
    const block = headerLength(frame) + random.whole(0, 2)
    if (block >= frame.length) return frames
    frame[block] = (frame[block] as number) ^ (1 << random.whole(0, 7))
    return frames.with(at, frame)
  },
  'a wrong checksum': (frames, random) => {
    const at = eventFrame(frames, random)
    return frames.with(
      at,
      withFlip(frames[at] as Buffer, (frames[at] as Buffer).length - random.whole(1, 4), random),
    )
  },
  'a flipped bit in the frame of the header': (frames, random) =>
    frames.with(0, withFlip(frames[0] as Buffer, random.whole(0, (frames[0] as Buffer).length - 1), random)),
  'bytes before the first frame': (frames, random) => [
    Buffer.alloc(random.whole(1, 9), random.whole(0, 255)),
    ...frames,
  ],
  'a missing frame': (frames, random) => frames.toSpliced(eventFrame(frames, random), 1),
  'a doubled frame': (frames, random) => {
    const at = eventFrame(frames, random)
    return frames.toSpliced(at, 0, frames[at] as Buffer)
  },
  'two frames swapped': (frames, random) => {
    const at = random.whole(0, Math.max(0, frames.length - 2))
    return frames.toSpliced(at, 2, ...frames.slice(at, at + 2).toReversed())
  },
  'bytes between frames': (frames, random) =>
    frames.toSpliced(
      random.whole(1, frames.length),
      0,
      Buffer.alloc(random.whole(1, 9), random.whole(0, 255)),
    ),
  'a skippable frame': (frames, random) =>
    frames.toSpliced(random.whole(1, frames.length), 0, Buffer.from([0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 7])),
}

function inserted(line: string): ContentDamage {
  return (frames, random) =>
    relined(frames, random, (lines, at) => lines.toSpliced(at + random.whole(0, 1), 0, Buffer.from(line)))
}

/** Changes the lines of one frame; the texts of the frame become one. */
function relined(
  frames: Frames,
  random: Random,
  change: (lines: readonly Buffer[], at: number) => readonly Buffer[],
): Frames {
  const chosen = random.whole(1, frames.length - 1)
  const lines = linesOf(textOf(frames[chosen]))
  if (lines.length === 0) return frames
  return frames.with(chosen, change(lines, random.whole(0, lines.length - 1)))
}

/** Takes some bytes from one frame to the next, so that it ends anywhere. */
function movedBoundary(frames: Frames, random: Random): Frames {
  const at = random.whole(1, frames.length - 1)
  const [first, second] = [textOf(frames[at]), textOf(frames[at + 1])]
  const both = Buffer.concat([first, second])
  const border = random.whole(0, both.length)
  return frames.toSpliced(at, 2, [both.subarray(0, border)], [both.subarray(border)])
}

function flipped(
  frames: readonly Buffer[],
  random: Random,
  bit: number,
  reach: (frame: Buffer) => number,
): readonly Buffer[] {
  const at = eventFrame(frames, random)
  const frame = Buffer.from(frames[at] as Buffer)
  const byte = random.whole(0, Math.min(frame.length, reach(frame)) - 1)
  frame[byte] = (frame[byte] as number) ^ (1 << bit)
  return frames.with(at, frame)
}

function withFlip(frame: Buffer, byte: number, random: Random): Buffer {
  const flipped = Buffer.from(frame)
  flipped[byte] = (flipped[byte] as number) ^ (1 << random.whole(0, 7))
  return flipped
}

/** The header has a frame of its own; what another damage has left may be nothing else. */
function eventFrame(frames: readonly Buffer[], random: Random): number {
  return Math.min(random.whole(1, Math.max(1, frames.length - 1)), frames.length - 1)
}

function upTo(frames: readonly Buffer[], length: number): readonly Buffer[] {
  let left = length
  return frames.flatMap((frame) => {
    const kept = frame.subarray(0, Math.max(0, left))
    left -= frame.length
    return kept.length === 0 ? [] : [kept]
  })
}

/** Magic, descriptor, window, content size; none of these frames has a dictionary. */
function headerLength(frame: Buffer): number {
  const descriptor = frame[4] ?? 0
  const isSingle = (descriptor & 0x20) !== 0
  const sizeFlag = descriptor >> 6
  return 5 + (isSingle ? 0 : 1) + (sizeFlag === 0 ? (isSingle ? 1 : 0) : 1 << sizeFlag)
}

function textOf(frame: Frames[number] | undefined): Buffer {
  return Buffer.concat(frame ?? [])
}

export function linesOf(text: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(LF, start)
    lines.push(text.subarray(start, end === -1 ? text.length : end + 1))
    start = end === -1 ? text.length : end + 1
  }
  return lines
}
