/** What `check` and `repair` say to do next is something that works. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { releaseLine } from '../../src/core/compatibility/release-lines.ts'
import { RULES } from '../../src/core/findings/rules.ts'
import { later } from '../support/later-log.ts'
import { runMain } from '../support/run-main.ts'
import { repair } from '../support/run-repair.ts'
import { base } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

test('no remedy names a place to cut a log at, where something may be open', () => {
  for (const [code, { fix }] of Object.entries(RULES)) expect(fix, code).not.toContain('--truncate-after')
})

test.each([
  ['surface/start-not-found', () => join(import.meta.dirname, '../../examples/damaged.jsonl')],
  ['relation/call-unanswered', unanswered],
])('the remedy of %s is a command that plans a repair', async (code, log) => {
  const path = log()
  const { stdout } = await runMain(['check', path])
  const [, finding = ''] = stdout.split(`error ${code}`)
  const command = /fix: .*?"resurface (repair [^"]+)"/.exec(finding)?.[1]
  expect(command).toBe(`repair ${path}`)
  const { exitCode, data } = await repair(path)
  expect({ exitCode, refused: data.refused }).toEqual({ exitCode: 1, refused: undefined })
  expect(data.steps).not.toEqual([])
})

function unanswered(): string {
  const log = later(4).turn((turn) =>
    turn.user('go').step((step) => step.assistant('', [{ id: 'c7' }]).call('c7')),
  )
  return tempFile(log.text())
}

test('nothing to repair, and a newer release refuses the log: the command that upgrades it', async () => {
  const path = tempFile(base().text())
  const command = `resurface repair ${path} --target format-4`
  const { stdout } = await runMain(['repair', path])
  expect(stdout).toContain(
    `nothing to repair\nNewer releases of DSH refuse it. To see what can be mended, run: ${command}`,
  )
  const { exitCode, data } = await repair(path)
  expect({ exitCode, commands: data.commands }).toEqual({ exitCode: 0, commands: [command] })
})

test('a log that every release opens has no such hint', async () => {
  const { data } = await repair(join(import.meta.dirname, '../../examples/compacted.jsonl'))
  expect(data).toMatchObject({ steps: [] })
  expect(data.commands).toBeUndefined()
})

test.each(['', 'hello\n'])('%j has nothing in it to repair', async (text) => {
  const path = tempFile(text)
  const { stdout, exitCode } = await runMain(['repair', path])
  expect(exitCode).toBe(3)
  expect(stdout).toContain(`${path}: there is nothing in it to repair`)
})

test('of a folder, the copy that was written is named', async () => {
  const path = tempFile(base().text(), 'session.jsonl')
  const { stdout } = await runMain(['repair', dirname(path), '--target', '0.1.7', '--write'])
  const copy = join(dirname(path), 'session.repaired.jsonl')
  expect(existsSync(copy)).toBe(true)
  expect(stdout).toContain(copy)
})

test.each([
  ['0.1.2', '0.1.2'],
  ['0.1.3', 'format-2'],
  ['0.1.4', 'format-2'],
  ['v0.1.5', 'format-3'],
  ['0.1.6', 'format-3'],
  ['0.1.7', 'format-4'],
  ['0.1.x', 'format-4'],
  ['0.2.x', 'format-4'],
  ['1.0.0', 'format-4'],
  ['2', 'format-2'],
  ['3', 'format-3'],
  ['4', 'format-4'],
  ['latest', 'format-4'],
  ['0.0.9', undefined],
  ['5', undefined],
  ['newest', undefined],
])('--target %s is %s', (text, name) => {
  expect(releaseLine(text)?.name).toBe(name)
})

test('check and repair take the number of a release', async () => {
  const path = tempFile(base().text())
  const named = await runMain(['check', path, '--target', 'format-3'])
  expect(await runMain(['check', path, '--target', '0.1.6'])).toEqual(named)
  expect((await runMain(['repair', path, '--target', '9'])).exitCode).toBe(2)
})
