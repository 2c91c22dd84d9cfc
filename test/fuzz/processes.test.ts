/**
 * Damaged logs and the built program as a process of its own, which is interrupted at any moment, or whose reader goes away:
 * a log is the old one or the repaired one, a copy is there whole or not at all, and nothing is called a bug.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { Random } from '../oracle/random.ts'
import { runs } from '../support/effort.ts'
import { resting } from '../support/resting.ts'
import { BIN } from '../support/run-cli.ts'
import { runMain } from '../support/run-main.ts'
import { repair } from '../support/run-repair.ts'
import { tempDir } from '../support/temp-dir.ts'
import { writeMutant } from './mutant.ts'

const SEED = process.env.RESURFACE_SEED ?? 'resurface'
const PATIENCE = 600_000

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** A mutant that a repair changes, or the last one that was tried. */
async function damaged(name: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const { path } = await writeMutant(`${SEED} ${name} ${attempt}`, mkdtempSync(join(tempDir(), 'log-')))
    resting(path)
    const { exitCode, data } = await repair(path)
    if ((exitCode === 1 && data.refused === undefined && data.steps.length > 0) || attempt === 20) return path
  }
}

async function interrupted(args: readonly string[], random: Random): Promise<number | undefined> {
  const child = execa(process.execPath, [BIN, ...args], { reject: false })
  await Promise.race([child, sleep(random.whole(50, 900))])
  child.kill(random.pick(['SIGINT', 'SIGTERM']))
  const { exitCode, stderr, signal } = await child
  if (signal === undefined) expect([0, 1, 2, 3, 4, 5, 130, 143], stderr).toContain(exitCode)
  return exitCode
}

test('a copy is there whole, or not at all', { timeout: PATIENCE }, async () => {
  for (let run = 0; run < runs(40); run++) {
    const random = new Random(`${SEED} copy ${run}`)
    const path = await damaged(`copy ${run}`)
    const before = hashOf(path)
    const output = join(mkdtempSync(join(tempDir(), 'copy-')), 'repaired')
    await interrupted(['repair', path, '-o', output], random)
    expect(hashOf(path), path).toBe(before)
    if (existsSync(output)) expect((await repair(output)).data.steps, path).toEqual([])
    else expect(readdirSync(dirname(output)), path).toEqual([])
  }
})

test('a log is the old one or the repaired one', { timeout: PATIENCE }, async () => {
  for (let run = 0; run < runs(40); run++) {
    const random = new Random(`${SEED} in place ${run}`)
    const path = await damaged(`in place ${run}`)
    const before = hashOf(path)
    await interrupted(['repair', path, '--in-place'], random)
    if (hashOf(path) === before) continue
    expect((await repair(path)).data.steps, path).toEqual([])
    expect((await runMain(['undo', path])).exitCode, path).toBe(0)
    expect(hashOf(path), path).toBe(before)
  }
})

test('a reader that goes away is no bug', { timeout: PATIENCE }, async () => {
  const commands = [
    ['check'],
    ['events'],
    ['transcript'],
    ['info', '--json'],
    ['check', '--format', 'ndjson'],
  ]
  for (let run = 0; run < runs(40); run++) {
    const random = new Random(`${SEED} pipe ${run}`)
    const { path } = await writeMutant(`${SEED} pipe ${run}`, mkdtempSync(join(tempDir(), 'log-')))
    const [command = '', ...flags] = random.pick(commands)
    const child = execa(process.execPath, [BIN, command, path, ...flags], { reject: false, buffer: false })
    if (random.chance(0.5)) child.stdout.destroy()
    else child.stdout.once('data', () => child.stdout.destroy())
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const { exitCode } = await child
    expect(exitCode, stderr).not.toBe(70)
    expect(stderr).not.toMatch(/^\s+at /m)
  }
})
