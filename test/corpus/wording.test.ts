/** What people read about every corpus case: plain words, real paths, and commands that do what is said of them. */
import { describe, expect, test } from 'vitest'
import { part } from '../support/effort.ts'
import { faultsIn } from '../support/plain-english.ts'
import { runMain } from '../support/run-main.ts'
import { tempDir } from '../support/temp-dir.ts'
import { FAMILIES } from './all-cases.ts'
import type { Case } from './case.ts'
import { writeCase } from './write-case.ts'

/** Every command that shows what people read, on one log. */
async function shown(wanted: Case): Promise<readonly string[]> {
  const { path, named } = await writeCase(wanted, tempDir())
  const reading = wanted.dialect === undefined ? [] : ['--dialect', wanted.dialect]
  const target = wanted.target === undefined ? [] : ['--target', wanted.target]
  const texts: string[] = []
  for (const args of [
    ['check', named, ...target],
    ['repair', path, ...target],
    ['info', path],
  ]) {
    const { stdout, stderr } = await runMain([...args, ...reading])
    texts.push(`${stdout}${stderr}`)
  }
  return texts
}

describe.each(Object.entries(FAMILIES))('%s', (_family, cases) => {
  test.each(part(cases, 7))('$name', async (wanted) => {
    for (const text of await shown(wanted)) {
      // What the log holds is quoted as it is.
      const own = text.replace(/^ {4}.*<-- HERE.*$/gm, '').replace(/\{".*\}/g, '{}')
      expect(faultsIn(own)).toEqual([])
      expect(own).not.toMatch(/\b(?:LOG|SEQ|PATH|NAME)\b/)
    }
  })

  test.each(part(cases, 7))('$name: the commands of its remedies can be pasted', async (wanted) => {
    const { named } = await writeCase(wanted, tempDir())
    // A look-alike has to be named as one in every command.
    if (wanted.dialect !== undefined) return
    const { stdout } = await runMain(['check', named])
    const commands = new Set([...stdout.matchAll(/"resurface ([^"]+)"/g)].map(([, words = '']) => words))
    for (const command of commands) {
      if (command === 'ls') continue
      const { exitCode } = await runMain(command.split(' '))
      expect([0, 1, 4, 5], command).toContain(exitCode)
    }
  })
})
