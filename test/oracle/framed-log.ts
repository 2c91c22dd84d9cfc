/** Random compressed logs with damage inside zstd frames and across them. */
import { writeStoredFrame } from '../../src/storage/zstd/frame-writer.ts'
import { nodeZstd } from '../../src/storage/zstd/node-zstd.ts'
import { draftBytes } from './draft-log.ts'
import type { DshProcess } from './dsh-process.ts'
import { byteDamages, contentDamages, type Frames, linesOf } from './frame-damages.ts'
import { Random } from './random.ts'
import { randomLog } from './random-log.ts'

/** The portable decoder reads some damaged blocks that others refuse, and of a torn frame no checksum tells. */
const hasZstd = (await nodeZstd()) !== undefined

export interface FramedLog {
  /** Names of the damages. */
  readonly name: string
  /** The log as it was, in plain lines. */
  readonly plain: Buffer
  readonly stored: Buffer
}

export async function framedLog(seed: string, dsh: DshProcess): Promise<FramedLog> {
  const random = new Random(seed)
  const plain = draftBytes(randomLog(random))
  const { name, frames } = await damaged(plain, random, dsh)
  return { name, plain, stored: Buffer.concat(frames) }
}

/** One damage or two, each of the content or of the bytes. */
async function damaged(
  log: Buffer,
  random: Random,
  dsh: DshProcess,
): Promise<{ name: string; frames: readonly Buffer[] }> {
  const names: string[] = []
  const chosen = (all: object): string => {
    const name = random.pick(Object.keys(all))
    names.push(name)
    return name
  }
  const count = random.pick([0, 1, 1, 2])
  const ofContent = random.whole(0, count)
  let content = inFrames(log, random)
  for (let done = 0; done < ofContent; done++)
    content = (contentDamages[chosen(contentDamages)] as (typeof contentDamages)[string])(content, random)
  const isStored = !hasZstd && count - ofContent > 1
  const encoded = (texts: readonly Buffer[]): Promise<Buffer> =>
    isStored || random.chance(0.5) ? writeStoredFrame(Buffer.concat(texts)) : dsh.frame(texts)
  let frames: readonly Buffer[] = await Promise.all(content.map(encoded))
  for (let done = ofContent; done < count; done++)
    frames = (byteDamages[chosen(byteDamages)] as (typeof byteDamages)[string])(frames, random)
  return { name: names.join(' and '), frames }
}

/** The header alone, then frames of some lines each, with blocks of some lines. */
function inFrames(log: Buffer, random: Random): Frames {
  const [header, ...lines] = linesOf(log) as [Buffer, ...Buffer[]]
  const frames: (readonly Buffer[])[] = [[header]]
  for (let at = 0; at < lines.length; ) {
    const size = random.whole(1, 12)
    const texts: Buffer[] = []
    for (const end = at + size; at < Math.min(end, lines.length); ) {
      const many = random.whole(1, 5)
      texts.push(Buffer.concat(lines.slice(at, Math.min(at + many, end))))
      at = Math.min(at + many, end)
    }
    frames.push(texts)
  }
  return frames.length > 1 ? frames : [...frames, []]
}
