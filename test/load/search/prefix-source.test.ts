/** The beginning of a log as a log of its own: the same from every container, and the same read one by one or in runs. */
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../../src/core/event/session-event.ts'
import { InputOpener } from '../../../src/load/inputs/open-input.ts'
import { recordsIn } from '../../../src/load/reading/delta-run.ts'
import { storedLog } from '../../../src/load/reading/stored-events.ts'
import { storedLines } from '../../../src/load/reading/stored-lines.ts'
import { prefixSource, recordsOf } from '../../../src/load/search/prefix-source.ts'
import { plainFile } from '../../../src/storage/jsonl/plain-file.ts'
import { DEFAULT_LIMITS, type RecordSource } from '../../../src/storage/record-source.ts'
import { CONTAINERS, type ContainerName, wholeLog, written } from '../../support/containers.ts'
import { log } from '../../support/log-builder.ts'
import { base, torn } from '../../support/sample-logs.ts'
import { tempFile } from '../../support/temp-dir.ts'

async function withSource(path: string, use: (source: RecordSource) => Promise<void>): Promise<void> {
  const opener = new InputOpener({ limits: DEFAULT_LIMITS, stdin: Readable.from([]) })
  try {
    const input = await opener.open({ name: path, path, remarks: [] })
    try {
      await use(input.source)
    } finally {
      await input.close()
    }
  } finally {
    await opener.close()
  }
}

/** Lines of deltas among others. */
function streamed(): Buffer {
  return log()
    .turn((turn) =>
      turn.user('hi').step((step) => {
        for (let count = 0; count < 20; count++) step.chunk(`word ${count} `)
        step.assistant('done', { sources: [] })
      }),
    )
    .bytes()
}

async function linesOf(source: RecordSource): Promise<string[]> {
  const lines: string[] = []
  for await (const { bytes } of storedLines(source)) lines.push(String(bytes))
  return lines
}

async function linesOfRuns(source: RecordSource): Promise<string[]> {
  const lines: string[] = []
  for await (const batch of source.itemsWithRuns?.() ?? []) {
    for (const item of batch) {
      const records = item.kind === 'deltas' ? [...recordsIn(item)] : [item]
      for (const record of records)
        if (record.kind === 'record' && record.content.kind === 'bytes')
          lines.push(record.content.bytes.toString())
    }
  }
  return lines
}

describe.each(Object.keys(CONTAINERS) as ContainerName[])('%s', (name) => {
  test('every length', async () => {
    await withSource(await written(name, await wholeLog(streamed())), async (source) => {
      const all = await linesOf(source)
      expect(await recordsOf(source)).toBe(all.length)
      for (let length = 0; length <= all.length; length++) {
        const prefix = prefixSource(source, length)
        expect(await linesOf(prefix)).toEqual(all.slice(0, length))
        expect(await recordsOf(prefix)).toBe(length)
        if (prefix.itemsWithRuns !== undefined)
          expect(await linesOfRuns(prefix)).toEqual(all.slice(0, length))
      }
    })
  })

  test('from a later line on', async () => {
    await withSource(await written(name, await wholeLog(base().bytes())), async (source) => {
      const lines: number[] = []
      for await (const batch of prefixSource(source, 6).items(4))
        for (const item of batch) if (item.kind === 'record') lines.push(item.line)
      expect(lines).toEqual([4, 5, 6])
    })
  })
})

test('the events of a prefix are those that were written by then', async () => {
  const path = tempFile(base().bytes())
  const source = plainFile(path, DEFAULT_LIMITS)
  const events: SessionEvent[] = []
  const stored = await storedLog(prefixSource(source, 4), DEFAULT_LIMITS)
  for await (const event of stored?.events ?? []) events.push(event)
  expect(events.map(({ seq }) => seq)).toEqual([0, 1, 2])
})

test('only the whole of a torn log is torn', async () => {
  const source = plainFile(tempFile(torn()), DEFAULT_LIMITS)
  const last = await recordsOf(source)
  const ends = async (length: number) => {
    let ended: boolean | undefined
    for await (const line of storedLines(prefixSource(source, length))) ended = line.ended
    return ended
  }
  expect(await ends(last)).toBe(false)
  expect(await ends(last - 1)).toBe(true)
})
