/**
 * A valid log cut at every byte: each time a report and no exception, closers that balance it, and a repair after
 * which there is nothing left to repair.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { command } from '../../src/commands/repair.ts'
import type { SessionEvent } from '../../src/core/event/session-event.ts'
import { interruptedTurnClosers } from '../../src/core/repair/closers.ts'
import type { ReportData } from '../../src/report/report.ts'
import { commandContext } from '../support/context.ts'
import { stride } from '../support/effort.ts'
import { load } from '../support/load.ts'
import type { LogBuilder } from '../support/log-builder.ts'
import { rich } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

/** A rich log that ends in the middle of things. */
function interrupted(): LogBuilder {
  return rich().openTurn((turn) =>
    turn
      .user('once more')
      .openStep((step) => step.chunk('hm').assistant('').call('d1', 'bash').announce('d2', 'read')),
  )
}

const whole = interrupted().bytes()
const headerEnd = whole.indexOf(10) + 1

async function read(bytes: Buffer) {
  const events: SessionEvent[] = []
  const { judgement, list } = await load(bytes, {
    events: { on: ({ event }) => void events.push(event), finish: () => undefined },
  })
  return { events, judgement, list }
}

describe('cut at every byte', () => {
  test('gives a report, and closers balance what is left', async () => {
    for (let end = 0; end <= whole.length; end += stride(1)) {
      const { events, judgement, list } = await read(whole.subarray(0, end))
      const codes = list.map(({ code }) => code)
      if (end < headerEnd) {
        expect(judgement.opens, `byte ${end}`).toBe(false)
        expect(codes, `byte ${end}`).toHaveLength(1)
        continue
      }
      expect(judgement.opens, `byte ${end}`).toBe(true)
      expect(judgement.counts.error, `byte ${end}: ${codes}`).toBe(0)
      expect(codes.includes('bytes/torn-tail'), `byte ${end}`).toBe(whole[end - 1] !== 10)
      const closers = interruptedTurnClosers(events)
      expect(interruptedTurnClosers([...events, ...closers])).toEqual([])
    }
  })

  test('closers leave no open turn and no waiting call, by the checks too', async () => {
    for (const end of lineEnds()) {
      const bytes = whole.subarray(0, end)
      const { events } = await read(bytes)
      const closers = interruptedTurnClosers(events).map((closer) => `${JSON.stringify(closer)}\n`)
      const { list, end: closed } = await load(Buffer.concat([bytes, Buffer.from(closers.join(''))]), {})
      expect(
        // A cut inside a compaction leaves its bracket open, which DSH never closes (format.md §6.4).
        list.map(({ code }) => code).filter((code) => !code.startsWith('compaction/')),
        `byte ${end}`,
      ).toEqual([])
      expect(closed.cursor.openTurn).toBeUndefined()
      expect(closed.cursor.pending.size).toBe(0)
    }
  })
})

describe('repair', () => {
  test('gives a plan for a cut anywhere, and writes a log that needs none', async () => {
    for (let end = headerEnd; end <= whole.length; end += stride(211))
      await repairsToEnd(whole.subarray(0, end))
    for (const end of lineEnds()) await repairsToEnd(whole.subarray(0, end))
  })

  test.each([0, 1, 20, headerEnd - 1])('refuses a log without a whole header: %i bytes', async (length) => {
    const { exitCode, data } = await repair(tempFile(whole.subarray(0, length)))
    expect([3, 5]).toContain(exitCode)
    expect(data.refused).not.toEqual([])
  })

  test('of a whole log changes nothing', async () => {
    const { exitCode, data } = await repair(tempFile(rich().bytes()))
    expect({ exitCode, steps: data.steps, closers: data.closers }).toEqual({
      exitCode: 0,
      steps: [],
      closers: [],
    })
  })
})

async function repairsToEnd(cut: Buffer): Promise<void> {
  const path = tempFile(cut)
  const once = join(tempDir(), 'once.jsonl')
  const twice = join(tempDir(), 'twice.jsonl')
  const plan = await repair(path)
  const first = await repair(path, once)
  expect(first.exitCode).toBe(0)
  expect(plan.exitCode).toBe(plan.data.steps.length > 0 ? 1 : 0)
  expect(first.data.closers).toEqual(plan.data.closers)
  expect(readFileSync(path).equals(cut)).toBe(true)
  // Nothing to repair is nothing to write: the log is then its own repair.
  expect(existsSync(once)).toBe(plan.data.steps.length > 0)
  const second = await repair(existsSync(once) ? once : path, twice)
  expect({ exitCode: second.exitCode, steps: second.data.steps }).toEqual({ exitCode: 0, steps: [] })
  expect(existsSync(twice)).toBe(false)
}

async function repair(
  path: string,
  output?: string,
): Promise<{ exitCode: number; data: ReportData<'repair'> }> {
  const { reportSet, exitCode } = await command.call([[path]], {}).run(commandContext({ output }))
  return { exitCode, data: reportSet.reports[0]?.data as unknown as ReportData<'repair'> }
}

function lineEnds(): number[] {
  const ends: number[] = []
  for (let at = whole.indexOf(10); at !== -1; at = whole.indexOf(10, at + 1)) ends.push(at + 1)
  return ends
}
