/** Damaged compressed logs: a copy that is the same case, or a reason that names the place. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ReportData } from '../../src/report/report.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { writeFrame } from '../../src/storage/zstd/frame-writer.ts'
import { byteDamages, contentDamages, type Frames } from '../oracle/frame-damages.ts'
import { Random } from '../oracle/random.ts'
import { anonymized, answersOn } from '../support/anonymizing.ts'
import { runs } from '../support/effort.ts'
import { reportIn } from '../support/report-in.ts'
import { rich } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const SEED = process.env.RESURFACE_SEED ?? '1'
const lines = rich()
  .lines()
  .map((line) => Buffer.concat([line, Buffer.from('\n')]))

/** The header, then frames of one to six lines. */
function framesOf(random: Random): Frames {
  const frames = [[lines[0] as Buffer]]
  for (let at = 1; at < lines.length; ) {
    const size = random.whole(1, 6)
    frames.push(lines.slice(at, at + size))
    at += size
  }
  return frames
}

const stored = (frames: Frames): Promise<Buffer[]> =>
  Promise.all(frames.map((texts) => writeFrame(Buffer.concat(texts))))

const DAMAGES: readonly (readonly [string, (random: Random) => Promise<Buffer>])[] = [
  ...Object.entries(contentDamages).map(
    ([name, damage]) =>
      [
        name,
        async (random: Random) => Buffer.concat(await stored(damage(framesOf(random), random))),
      ] as const,
  ),
  ...Object.entries(byteDamages).map(
    ([name, damage]) =>
      [
        name,
        async (random: Random) => Buffer.concat(damage(await stored(framesOf(random)), random)),
      ] as const,
  ),
]

test.each(DAMAGES)('%s', async (name, damaged) => {
  for (let run = 0; run < runs(20); run++) {
    const which = `RESURFACE_SEED=${SEED}, run ${run}`
    const path = tempFile(await damaged(new Random(`${SEED} ${name} ${run}`)), 'log.jsonl.zstd')
    const before = readFileSync(path)
    const output = join(tempDir(), 'shared.jsonl.zstd')
    const { exitCode, stdout, stderr } = await anonymized(path, output)
    expect(readFileSync(path).equals(before), which).toBe(true)
    expect([0, 3, 5], which).toContain(exitCode)
    expect(existsSync(output), which).toBe(exitCode === 0)
    if (exitCode === 5) expect(stderr, which).toMatch(/\b(?:frame|line|seq|record|byte) \d/)
    if (exitCode !== 0) continue
    const { lacks = [] }: ReportData<'anonymize'> = reportIn(stdout).data
    const expected = await answersOn(path, true)
    expect(await answersOn(output, true, DEFAULT_LIMITS), which).toEqual({
      ...expected,
      findings: expected.findings.filter(({ code }) => !lacks.includes(code)),
      steps: expected.steps.filter(({ finding }) => !lacks.includes(finding ?? '')),
    })
  }
})
