/** zstd frames go both ways: what the published packages write is read here, and what is written here they read. */
import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsDigest } from '../../src/load/reading/stored-events.ts'
import { plainFile } from '../../src/storage/jsonl/plain-file.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { writeTextLog } from '../../src/storage/rewrite/write-text-log.ts'
import { zstdFile } from '../../src/storage/zstd/zstd-file.ts'
import { runs } from '../support/effort.ts'
import { tempDir } from '../support/temp-dir.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { draftBytes } from './draft-log.ts'
import { DshProcess, missingOracle } from './dsh-process.ts'
import { Random } from './random.ts'
import { randomLog } from './random-log.ts'
import { resurfaceAnswer } from './resurface-answer.ts'

const LOGS = runs(30)

describeUnlessMissing(missingOracle(), 'zstd frames', () => {
  let dsh: DshProcess
  beforeAll(() => {
    dsh = new DshProcess()
  })
  afterAll(() => dsh.stop())

  const logs = Array.from({ length: LOGS }, (_, index) => index)

  test.each(logs)('of the published packages, log %i', async (index) => {
    const { file } = randomFile(index)
    const target = join(tempDir(), 'session.jsonl.zstd')
    await dsh.write(file, target)
    const source = zstdFile(target, DEFAULT_LIMITS)
    expect(await eventsDigest(source, DEFAULT_LIMITS)).toEqual(
      await eventsDigest(plainFile(file, DEFAULT_LIMITS), DEFAULT_LIMITS),
    )
    expect(await resurfaceAnswer(target, source)).toEqual(await resurfaceAnswer(file))
  })

  test.each(logs)('of the project, log %i', async (index) => {
    const { file, bytes } = randomFile(index)
    const target = join(tempDir(), 'session.jsonl.zstd')
    const lines = bytes.toString('utf8').trimEnd().split('\n')
    const handle = await open(target, 'w')
    await writeTextLog(handle, buffers(lines), 'zstd')
    await handle.close()
    const answer = await dsh.ask(file, target)
    expect(answer.accepted).toBe(true)
    expect(answer).toEqual(await dsh.ask(file))
  })
})

function randomFile(index: number): { file: string; bytes: Buffer } {
  const bytes = draftBytes(randomLog(new Random(`zstd ${index}`)))
  const file = join(tempDir(), 'session.jsonl')
  writeFileSync(file, bytes)
  return { file, bytes }
}

async function* buffers(lines: readonly string[]): AsyncIterable<Buffer> {
  for (const line of lines) yield Buffer.from(line)
}
