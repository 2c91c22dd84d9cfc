/**
 * Damage inside zstd frames and across them, shown to resurface and to DSH: one damage or two in each log, in frames as
 * they are stored by the project and as they are compressed by Node. RESURFACE_SEED chooses other logs.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { writeStoredFrame } from '../../src/storage/zstd/frame-writer.ts'
import { nodeZstd } from '../../src/storage/zstd/node-zstd.ts'
import { zstdFile } from '../../src/storage/zstd/zstd-file.ts'
import { runs } from '../support/effort.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { compareAnswers } from './compare-answers.ts'
import { draftBytes } from './draft-log.ts'
import { DshProcess, missingOracle } from './dsh-process.ts'
import { byteDamages, contentDamages, type Frames, linesOf } from './frame-damages.ts'
import { Random } from './random.ts'
import { randomLog } from './random-log.ts'
import { resurfaceAnswer } from './resurface-answer.ts'

/** The portable decoder reads some damaged blocks that others refuse, and of a torn frame no checksum tells. */
const hasZstd = (await nodeZstd()) !== undefined
const seed = process.env.RESURFACE_SEED ?? 'resurface'
const LOGS = Number(process.env.RESURFACE_FRAMED_LOGS ?? runs(5000, 25))
const LOGS_PER_BATCH = 50
const batches = Array.from({ length: Math.ceil(LOGS / LOGS_PER_BATCH) }, (_, index) => index)

describeUnlessMissing(missingOracle(), `zstd logs against DSH 0.1.0-rc.8, RESURFACE_SEED=${seed}`, () => {
  let folder: string
  let dsh: DshProcess

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'resurface-frames-'))
    dsh = new DshProcess()
  })

  afterAll(async () => {
    await dsh.stop()
    // A log that somebody has to look into stays behind.
    if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true })
  })

  test.each(batches)('batch %i', async (batch) => {
    const indices = Array.from({ length: LOGS_PER_BATCH }, (_, index) => batch * LOGS_PER_BATCH + index)
    const differences = await Promise.all(indices.map(compared))
    expect(differences.filter((difference) => difference !== undefined)).toEqual([])
  })

  async function compared(index: number): Promise<object | undefined> {
    const random = new Random(`${seed} frames ${index}`)
    const plain = join(folder, `${index}.jsonl`)
    const bytes = draftBytes(randomLog(random))
    writeFileSync(plain, bytes)
    const { name, frames } = await damaged(bytes, random)
    const stored = join(folder, `${index}.jsonl.zstd`)
    writeFileSync(stored, Buffer.concat(frames))
    const [answer, own] = await Promise.all([
      dsh.ask(plain, stored),
      resurfaceAnswer(stored, zstdFile(stored, DEFAULT_LIMITS)),
    ])
    const differences = compareAnswers(answer, own)
    if (differences.length > 0) return { name, stored, differences }
    rmSync(plain)
    rmSync(stored)
    return undefined
  }

  /** One damage or two, each of the content or of the bytes. */
  async function damaged(log: Buffer, random: Random): Promise<{ name: string; frames: readonly Buffer[] }> {
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
})

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
