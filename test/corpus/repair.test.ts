/** Every corpus case through `repair`: a plan that is carried out and needs no second one, or a reason and no file. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { InputOpener } from '../../src/load/inputs/open-input.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { listing } from '../support/listing.ts'
import { repair } from '../support/run-repair.ts'
import { tempDir } from '../support/temp-dir.ts'
import { FAMILIES } from './all-cases.ts'
import { writeCase } from './write-case.ts'

describe.each(Object.entries(FAMILIES))('%s', (_family, cases) => {
  test.each(cases)('$name', async (wanted) => {
    const root = tempDir()
    const { path: file } = await writeCase(wanted, root)
    const path = await oneLog(file)
    const before = listing(root)
    const folder = tempDir()
    const output = join(folder, 'repaired')
    const flags = wanted.dialect === undefined ? [] : ['--dialect', wanted.dialect]
    const planned = await repair(path, ...flags)
    expect(listing(root)).toEqual(before)
    if (![0, 1].includes(planned.exitCode)) {
      expect([2, 3, 4, 5]).toContain(planned.exitCode)
      const refused = await repair(path, '-o', output, ...flags)
      expect(refused.exitCode).toBe(planned.exitCode)
      expect(readdirSync(folder)).toEqual([])
      return
    }
    const done = await repair(path, '-o', output, ...flags)
    expect(done.data.steps).toEqual(planned.data.steps)
    expect(done.exitCode).toBe(planned.data.remaining === undefined ? 0 : 1)
    expect(listing(root)).toEqual(before)
    // Nothing to repair is nothing to write.
    expect(existsSync(output)).toBe(done.data.steps.length > 0)
    if (done.data.steps.length === 0) return
    const again = await repair(await oneLog(output))
    expect({ steps: again.data.steps, refused: again.data.refused }).toEqual({
      steps: [],
      refused: undefined,
    })
    expect(again.data.digests.surface.before).toBe(done.data.digests.surface.after)
    expect(again.data.digests.transcript.before).toBe(done.data.digests.transcript.after)
  })
})

/** Of a database with several sessions, the first. */
async function oneLog(path: string): Promise<string> {
  const opener = new InputOpener({ limits: DEFAULT_LIMITS, stdin: Readable.from([]) })
  try {
    const [first] = await opener.expand({ name: path, path, remarks: [] }).catch(() => [])
    return first?.name ?? path
  } finally {
    await opener.close()
  }
}
