/** A log with a fault that the log does not tell how to mend: the plan has the rest, and commands that help. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBack } from '../support/containers.ts'
import { kindsOf } from '../support/repairing.ts'
import { repair } from '../support/run-repair.ts'
import { twoTurns } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

/** A message without source, and a call with a false mark. */
function doublyBroken(): string {
  const built = twoTurns()
  built.edit(10, (row) => {
    const { source: _source, ...data } = row.data as Record<string, never>
    return { ...row, data }
  })
  return tempFile(built.edit(5, (row) => ({ ...row, ignorable: false })).text())
}

/** The arguments of a command that an answer gives, for the same program. */
function argumentsOf(command: string): string[] {
  return command.replace(/^resurface repair /, '').split(' ')
}

test('the plan has what can be mended, and says what remains', async () => {
  const path = doublyBroken()
  const { data, exitCode } = await repair(path)
  expect(exitCode).toBe(5)
  expect(kindsOf(data)).toEqual(['mend-rows'])
  expect(data.refused?.[0]).toMatch(/^message\/source-invalid at seq 10\b/)
  expect(data.commands).toEqual([
    `resurface repair ${path} --drop 10 --write`,
    `resurface repair ${path} --truncate-after seq:8 --write`,
    `resurface repair ${path} --partial --write`,
  ])
})

test('commands that it names repair the log', async () => {
  const path = doublyBroken()
  const { data } = await repair(path)
  for (const command of data.commands?.slice(0, 2) ?? []) {
    const output = join(tempDir(), 'out.jsonl')
    const args = argumentsOf(command).filter((word) => word !== '--write')
    const done = await repair(...args, '-o', output)
    expect(done.exitCode).toBe(0)
    expect(done.data.refused).toBeUndefined()
    const again = await repair(output)
    expect(kindsOf(again.data)).toEqual([])
  }
})

test('an event that is dropped goes to quarantine, and what cited it does so no more', async () => {
  const output = join(tempDir(), 'out.jsonl')
  const { data } = await repair(tempFile(twoTurns().text()), '--drop', '5', '-o', output)
  expect(kindsOf(data)).toEqual(['drop-events', 'insert-results'].slice(0, kindsOf(data).length))
  expect(readFileSync(data.quarantine as string, 'utf8')).toContain('"why":"dropped"')
  const { events } = await readBack(output)
  expect(events).toHaveLength(14)
  expect(events[5]).toMatchObject({ type: 'tool/result' })
  expect(events[5]).not.toHaveProperty('sourceEventSeqs')
})

test('a partial repair is written on demand only', async () => {
  const path = doublyBroken()
  const output = join(tempDir(), 'out.jsonl')
  const refused = await repair(path, '-o', output)
  expect({ exitCode: refused.exitCode, written: existsSync(output) }).toEqual({ exitCode: 5, written: false })
  const done = await repair(path, '--partial', '-o', output)
  expect(done.exitCode).toBe(1)
  expect(done.data.output).toBe(output)
  const lines = readFileSync(output, 'utf8').trimEnd().split('\n')
  expect(lines[6]).not.toContain('ignorable')
  expect(lines[11]).not.toContain('source')
})

test('nothing to repair is nothing to write', async () => {
  const output = join(tempDir(), 'out.jsonl')
  const { exitCode, data } = await repair(tempFile(twoTurns().text()), '-o', output)
  expect({ exitCode, steps: data.steps, written: existsSync(output) }).toEqual({
    exitCode: 0,
    steps: [],
    written: false,
  })
})

test('the name of the copy decides its container', async () => {
  const path = tempFile(twoTurns().drop(9).text())
  const compressed = join(tempDir(), 'out.jsonl.zstd')
  await repair(path, '-o', compressed)
  expect(readFileSync(compressed).subarray(0, 4)).toEqual(Buffer.from('28b52ffd', 'hex'))
  const plain = join(tempDir(), 'out.jsonl')
  const broken = tempFile(readFileSync(compressed).subarray(0, -5), 'session.jsonl.zstd')
  await repair(broken, '-o', plain)
  expect(readFileSync(plain, 'utf8')).toMatch(/^\{"type":"session"/)
  const database = await repair(path, '-o', join(tempDir(), 'out.db'))
  expect(database.exitCode).toBe(2)
})

test('what is lost is said, with its place', async () => {
  const { data } = await repair(tempFile(twoTurns().drop(10).text()))
  expect(data.losses).toEqual([{ kind: 'missing', first: 10, last: 10, events: 1, turn: 2 }])
  const filled = await repair(tempFile(twoTurns().drop(9).text()))
  expect(filled.data.losses).toBeUndefined()
})
