/**
 * Damaged logs of every kind, in every container, through every command, and what must not happen. The seed is fixed;
 * RESURFACE_SEED chooses other logs, and a failure says which one it was. `npm test` looks at a few; the full run goes on
 * until its time is over.
 */
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Random } from '../oracle/random.ts'
import { isFull } from '../support/effort.ts'
import { tempDir } from '../support/temp-dir.ts'
import { type Broken, brokenPromises } from './broken-promises.ts'
import { writeMutant } from './mutant.ts'
import { Thread } from './thread.ts'

const seed = process.env.RESURFACE_SEED ?? 'resurface'
const FEW = 12
const SECONDS = Number(process.env.RESURFACE_FUZZ_SECONDS ?? 120)

const thread = new Thread()
afterAll(() => thread.stop())

test(`nothing that must not happen, RESURFACE_SEED=${seed}`, {
  timeout: (SECONDS + 300) * 1000,
}, async () => {
  const end = Date.now() + SECONDS * 1000
  /** The first log for every kind of trouble. */
  const found = new Map<string, string>()
  let logs = 0
  while (isFull ? Date.now() < end : logs < FEW) {
    const folder = mkdtempSync(join(tempDir(), 'mutant-'))
    const { path, story } = await writeMutant(`${seed} ${logs}`, folder)
    const broken = await brokenPromises(path, tempDir(), new Random(`${seed} calls ${logs}`), thread)
    for (const one of broken) {
      const kind = kindOf(one)
      if (!found.has(kind))
        found.set(
          kind,
          `log ${logs}, ${story}\nkept as ${kept(path)}\n${one.args.join(' ')}\n${one.evidence}`,
        )
    }
    logs++
  }
  console.info(`fuzz: ${logs} logs, RESURFACE_SEED=${seed}`)
  expect([...found].map(([kind, first]) => `${kind}\n${first}`)).toEqual([])
})

function kindOf({ args, promise, evidence }: Broken): string {
  const [where = ''] = evidence.match(/(?<=\n\s+at )[\w.# ]+/) ?? []
  return `${args[0]}: ${promise} ${where}`.trim()
}

/** The log stays for anyone who looks into it. */
function kept(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'resurface-fuzz-'))
  mkdirSync(folder, { recursive: true })
  cpSync(join(path, '..'), folder, { recursive: true })
  return folder
}
