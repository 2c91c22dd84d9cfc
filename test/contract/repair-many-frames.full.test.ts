/**
 * A log of 63,000 frames is repaired in place in a heap of 128 MB, in memory that hardly grows with the log, and every
 * whole frame of it stays as it was.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { writeManyFrames } from '../support/many-frames.ts'
import { resting } from '../support/resting.ts'
import { BIN } from '../support/run-cli.ts'
import { tempDir } from '../support/temp-dir.ts'

const PRELOAD = fileURLToPath(new URL('../support/peak-memory.mjs', import.meta.url))
const MEGABYTE = 1024

/** @returns the peak of memory in kilobytes. */
async function repairInPlace(path: string): Promise<number> {
  const peak = join(tempDir(), 'peak')
  const heap = '--max-old-space-size=128'
  const run = await execa(process.execPath, [heap, '--import', PRELOAD, BIN, 'repair', path, '--in-place'], {
    reject: false,
    env: { PEAK_FILE: peak },
  })
  expect(run.exitCode, run.stderr).toBe(0)
  return Number(readFileSync(peak, 'utf8'))
}

async function peakOf(least: number): Promise<{ peak: number; frames: number; bytes: number }> {
  const path = join(tempDir(), 'session.jsonl.zstd')
  const { frames, bytes, tornAt } = await writeManyFrames(path, least)
  const before = readFileSync(resting(path))
  const peak = await repairInPlace(path)
  const after = readFileSync(path)
  expect(after.subarray(0, tornAt).equals(before.subarray(0, tornAt))).toBe(true)
  expect(after.length).toBeGreaterThan(tornAt)
  return { peak, frames, bytes }
}

test('63,000 frames of 17 MB', { timeout: 300_000 }, async () => {
  const small = await peakOf(1000)
  const large = await peakOf(63_000)
  expect(large.frames).toBeGreaterThan(63_000)
  expect(large.bytes).toBeGreaterThan(17_000_000)
  expect(large.peak).toBeLessThan(small.peak + 300 * MEGABYTE)
})
