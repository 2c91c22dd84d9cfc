/** The library face: what a program is told is what the command line prints, in every container. */
import { copyFileSync, existsSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withMark } from '../../src/core/projections/shadowed-by.ts'
import { openLog, planRepair, ToolError, writeRepair } from '../../src/index.ts'
import { collected } from '../../src/log/log.ts'
import { CONTAINERS, type ContainerName, wholeLog, written } from '../support/containers.ts'
import { fileTree, placeOf } from '../support/file-tree.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { base, rich } from '../support/sample-logs.ts'
import { tempDir } from '../support/temp-dir.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')
const damaged = join(EXAMPLES, 'damaged.jsonl')
const stranded = join(EXAMPLES, 'stranded.jsonl')

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

async function printed(...args: readonly string[]) {
  return reportIn((await runMain([...args, '--json'])).stdout)
}

describe.each(Object.keys(CONTAINERS) as readonly ContainerName[])('a log as %s', (container) => {
  const make = async (): Promise<string> =>
    written(container, await wholeLog(readFileSync(join(EXAMPLES, 'compacted.jsonl'))))

  test('is told as the command line tells it', async () => {
    const path = await make()
    const log = await openLog(path)
    const { reading, verdict, findings: _, ...checked } = await log.check()
    expect(asJson(checked)).toEqual((await printed('check', path)).data)
    expect(verdict).toBe(reading.judgement.verdict)
    const { reading: _surface, ...surface } = await log.surface({ at: 20, digest: true })
    expect(asJson(surface)).toEqual((await printed('surface', path, '--at', '20', '--digest')).data)
    const { reading: _messages, ...messages } = await log.messages()
    expect(asJson(messages)).toEqual((await printed('surface', path, '--messages')).data)
    for (const [options, args] of [
      [{}, []],
      [{ tail: 1, toolOutput: false }, ['--tail', '1', '--no-tool-output']],
      [{ only: 'assistant', seq: { from: 3, to: 30 } }, ['--only', 'assistant', '--seq', '3..30']],
    ] as const) {
      const { items, end } = await collected(log.transcript(options))
      const entries = items.map((entry) => withMark(entry, end.shadowed))
      expect(asJson({ entries })).toEqual((await printed('transcript', path, ...args)).data)
    }
    const { reading: _classes, ...classes } = await log.classify({ class: 'current' })
    const current = await printed('classify', path, '--class', 'current')
    expect(asJson({ ...classes, events: [...classes.events] })).toEqual(current.data)
    for (const [options, args] of [
      [{ maxMessages: 2, before: 30 }, ['--max-messages', '2', '--before', '30']],
      [{ text: 'cache', class: 'shadowed' }, ['--text', 'cache', '--class', 'shadowed']],
    ] as const) {
      const { items: events, end } = await collected(log.events(options))
      const { reading: _events, ...more } = end
      expect(asJson({ events, ...more })).toEqual((await printed('events', path, ...args)).data)
    }
    await log.close()
  })

  test('can be left in the middle, and asked again', async () => {
    const log = await openLog(await make())
    for await (const { seq } of log.events()) if (seq === 5) break
    const seqs: number[] = []
    for await (const { seq } of log.events()) seqs.push(seq)
    expect(seqs).toEqual([...Array(47).keys()])
    await log.close()
  })
})

test('all events are given when no page is asked for', async () => {
  const log = await openLog(join(EXAMPLES, 'compacted.jsonl'))
  const { items, end } = await collected(log.events())
  expect([items.length, end.hasMore, end.firstSeq]).toEqual([47, false, 0])
})

describe('findings', () => {
  test('have the words of their rule, with the name of the log', async () => {
    const log = await openLog(damaged)
    const { findings, rules } = await log.check()
    const report = await printed('check', damaged)
    const bare = findings.map(({ title: _t, why: _w, fix: _f, repairable: _r, ...finding }) => finding)
    expect(asJson(bare)).toEqual(report.findings)
    for (const { code, title, why, repairable } of rules)
      expect(findings).toContainEqual(expect.objectContaining({ code, title, why, repairable }))
    const words = findings.map(({ fix }) => fix).join(' ')
    expect(words).toContain(`resurface repair ${damaged}`)
    expect(words).not.toMatch(/\b(?:LOG|SEQ)\b/)
  })

  test('follow the target, which may be named by a number of DSH', async () => {
    const log = await openLog(stranded)
    const { reading: _, findings: _f, verdict: _v, ...data } = await log.check({ target: 'latest' })
    const report = await printed('check', stranded, '--target', 'latest')
    expect(asJson(data)).toEqual(report.data)
    expect(report.data.rehearsal.target).toBe('format-4')
  })

  test('a file that is no log has them, too', async () => {
    const log = await openLog(join(fileTree({ 'diary.jsonl': 'dear diary\n' }), 'diary.jsonl'))
    const { findings, reading } = await log.check()
    expect([findings[0]?.code, reading.judgement.exitCode]).toEqual(['bytes/not-a-log', 3])
  })

  test('a policy takes them otherwise', async () => {
    const policy = { rules: new Map([['turn/end-mismatch', 'off']] as const) }
    const log = await openLog(damaged, { policy, failOn: 'never' })
    const { findings, reading } = await log.check()
    expect(findings.map(({ code }) => code)).not.toContain('turn/end-mismatch')
    expect(reading.judgement.exitCode).toBe(0)
  })
})

describe('what is named', () => {
  const makeStore = (): string => fileTree({ [placeOf('abc-1')]: rich(), [placeOf('xyz-2')]: base() })

  test('an id, or the beginning of one, in the store', async () => {
    const store = makeStore()
    for (const id of ['abc-1', 'abc']) {
      const log = await openLog(id, { storeRoot: store })
      expect(log.name).toBe(join(store, placeOf('abc-1')))
    }
  })

  test('a session of a database', async () => {
    const path = await written('SQLite 17', await wholeLog(rich().bytes()))
    const log = await openLog(`${path}#s`)
    expect(log.name).toContain(`${path}#s`)
    expect((await log.check()).reading.header?.id).toMatch(/^s/)
    await log.close()
  })

  test('several logs, nothing or no name is an error', async () => {
    const store = makeStore()
    for (const [path, code, exitCode] of [
      [store, 'usage', 2],
      [join(store, 'none.jsonl'), 'input', 3],
      ['', 'usage', 2],
    ] as const) {
      const error = await openLog(path, { storeRoot: store }).catch((problem: unknown) => problem)
      expect(error).toBeInstanceOf(ToolError)
      expect(error).toMatchObject({ code, exitCode })
    }
  })

  test('a moment after the end, and a release that nobody knows', async () => {
    const log = await openLog(damaged)
    await expect(log.surface({ at: 999 })).rejects.toMatchObject({ code: 'usage' })
    await expect(log.check({ target: 'format-99' })).rejects.toMatchObject({ code: 'usage' })
    await expect(planRepair(log, { target: 'format-99' })).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('a repair', () => {
  test('is planned and written as by the command', async () => {
    const folder = tempDir()
    const log = await openLog(damaged)
    const { log: _, reading: _r, planned: _p, options: _o, ...plan } = await planRepair(log)
    const { commands: _c, ...data } = (await printed('repair', damaged)).data
    expect(asJson(plan)).toEqual(data)
    const mine = join(folder, 'mine.jsonl')
    const written = await writeRepair(await planRepair(log), { file: mine })
    const theirs = join(folder, 'theirs.jsonl')
    await runMain(['repair', damaged, '-o', theirs])
    expect(readFileSync(mine, 'utf8')).toBe(readFileSync(theirs, 'utf8'))
    expect(written).toEqual({ output: mine, quarantine: `${mine}.quarantine` })
    await expect(writeRepair(await planRepair(log), { file: mine })).rejects.toMatchObject({ code: 'usage' })
  })

  test('goes next to the log, or into its place with a backup', async () => {
    const path = join(tempDir(), 'log.jsonl')
    copyFileSync(damaged, path)
    utimesSync(path, 1, 1)
    const log = await openLog(path)
    const plan = await planRepair(log)
    const copy = await writeRepair(plan, 'next-to-log')
    expect(copy.output).toBe(path.replace('log.jsonl', 'log.repaired.jsonl'))
    const { backup = '' } = await writeRepair(plan, 'in-place')
    expect(readFileSync(backup)).toEqual(readFileSync(damaged))
    expect(readFileSync(path)).toEqual(readFileSync(copy.output as string))
    // The plan was made for other bytes.
    utimesSync(path, 1, 1)
    await expect(writeRepair(plan, 'in-place')).rejects.toMatchObject({ code: 'refused' })
    const again = await planRepair(await openLog(path))
    expect([again.steps, await writeRepair(again, 'in-place')]).toEqual([[], {}])
  })

  test('of what stays refused is not written, unless a part is asked for', async () => {
    const folder = fileTree({ 'log.jsonl': rich().event('some/thing') })
    const log = await openLog(join(folder, 'log.jsonl'))
    const plan = await planRepair(log)
    expect(plan.refused).toHaveLength(1)
    const file = join(folder, 'fixed.jsonl')
    await expect(writeRepair(plan, { file })).rejects.toMatchObject({ code: 'refused' })
    expect(existsSync(file)).toBe(false)
    const allowed = await planRepair(log, { allowUnknown: true })
    expect(await writeRepair(allowed, { file })).toMatchObject({ output: file })
  })
})
