/** Watching changes nothing about what is read, and what is told goes forward to the end of what is stored. */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { InputOpener } from '../../../src/load/inputs/open-input.ts'
import { type Reading, type ReadingProgress, watchedSource } from '../../../src/load/inputs/watched-source.ts'
import { loadLog } from '../../../src/load/sessions/load-log.ts'
import { DEFAULT_LIMITS, type StoredItem } from '../../../src/storage/record-source.ts'
import { DATABASES, TEXT_CONTAINERS, wholeLog } from '../../support/containers.ts'
import { log } from '../../support/log-builder.ts'
import { memorySource } from '../../support/memory-source.ts'
import { base } from '../../support/sample-logs.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** Writes down what it is told. */
function listener(): ReadingProgress & { readonly passes: { reading: Reading; reached: number[] }[] } {
  const passes: { reading: Reading; reached: number[] }[] = []
  return {
    passes,
    expect: () => {},
    next: () => {},
    passed: () => {},
    holds: () => {},
    begin: (reading) => void passes.push({ reading, reached: [] }),
    reach: (done) => void passes.at(-1)?.reached.push(done),
  }
}

/** More than one chunk of a file, so that there is more than one batch. */
function long(): Buffer {
  const built = log()
  for (let count = 0; count < 3000; count++) built.event('plan/mode', { note: `${count} `.repeat(100) })
  return built.bytes()
}

describe.each(Object.entries({ ...TEXT_CONTAINERS, ...DATABASES }))('%s', (kind, { file, write }) => {
  test('the same log, and steps that go forward', async () => {
    const folder = join(tempDir(), 'logs')
    mkdirSync(folder)
    const path = join(folder, file)
    await write(await wholeLog(long()), path)
    const progress = listener()
    const answers = []
    for (const watcher of [undefined, progress]) {
      const opener = new InputOpener({
        limits: DEFAULT_LIMITS,
        stdin: Readable.from([]),
        ...(watcher !== undefined && { progress: watcher }),
      })
      const input = await opener.open({ name: path, path, remarks: [] })
      const { end, findings } = await loadLog(input.source, {}, { limits: DEFAULT_LIMITS })
      answers.push({ events: end.eventCount, findings: findings.findings() })
      await input.close()
      await opener.close()
    }
    expect(answers[1]).toEqual(answers[0])
    const readings = progress.passes.map(({ reading }) => reading.unit)
    expect(readings).toEqual(kind === 'gzip' ? ['bytes', 'bytes'] : [file === 'log.db' ? 'rows' : 'bytes'])
    for (const { reading, reached } of progress.passes) {
      expect(reading.name).toBe(path)
      expect(reached).toEqual(reached.toSorted((a, b) => a - b))
      expect(reached.at(-1)).toBeGreaterThan(0)
      if (reading.unit === 'bytes') expect(reached.at(-1)).toBeLessThanOrEqual(reading.total as number)
      else expect(reached.at(-1)).toBe(3001)
    }
    if (kind !== 'gzip' && file !== 'log.db')
      expect(progress.passes[0]?.reading.total).toBe(statSync(path).size)
  })
})

test('standard input has no known end while it arrives, and then it has', async () => {
  const bytes = long()
  const progress = listener()
  const opener = new InputOpener({ limits: DEFAULT_LIMITS, stdin: Readable.from([bytes]), progress })
  const input = await opener.open({ name: '-', path: '-', remarks: [] })
  await loadLog(input.source, {}, { limits: DEFAULT_LIMITS })
  await input.close()
  expect(progress.passes.map(({ reading }) => reading)).toEqual([
    { name: '-', unit: 'bytes' },
    { name: '-', unit: 'bytes', total: bytes.length },
  ])
  expect(progress.passes[0]?.reached).toEqual([bytes.length])
})

test('looking ahead is not told', async () => {
  const progress = listener()
  const source = memorySource(base().bytes())
  const watched = watchedSource(source, { name: 'log', unit: 'bytes' }, progress)
  const linesFrom = async (items: AsyncIterable<readonly StoredItem[]>): Promise<number> => {
    let count = 0
    for await (const batch of items) count += batch.length
    return count
  }
  expect(await linesFrom(watched.items(4))).toBe(await linesFrom(source.items(4)))
  expect(progress.passes).toEqual([])
})
