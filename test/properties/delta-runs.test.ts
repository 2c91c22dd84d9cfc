/**
 * Streamed deltas that are taken as runs against the same deltas read one by one: whatever a log holds, and however it
 * is damaged, findings, answers and state are the same.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { migrationFacts } from '../../src/core/compatibility/migration-facts.ts'
import { classification } from '../../src/core/projections/classification.ts'
import { statistics } from '../../src/core/projections/statistics.ts'
import { surfaceView } from '../../src/core/projections/surface-view.ts'
import { type TranscriptEntry, transcript } from '../../src/core/projections/transcript.ts'
import { examination } from '../../src/load/repair/examine.ts'
import { loadLog } from '../../src/load/sessions/load-log.ts'
import { plainFile } from '../../src/storage/jsonl/plain-file.ts'
import { DeltaScanner } from '../../src/storage/packed-rows/delta-lines.ts'
import { packedSpan } from '../../src/storage/packed-rows/expand-row.ts'
import { packRows } from '../../src/storage/packed-rows/pack-rows.ts'
import { DEFAULT_LIMITS, type RecordSource } from '../../src/storage/record-source.ts'
import { openCopy } from '../../src/storage/sqlite/open-copy.ts'
import { listSessions } from '../../src/storage/sqlite/sessions.ts'
import { sqliteSession } from '../../src/storage/sqlite/sqlite-session.ts'
import { wholeLog, written } from '../support/containers.ts'
import { runs } from '../support/effort.ts'
import { rich } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

/** @param withRuns - a reducer that wants single events turns the runs off. */
async function answers(source: RecordSource, withRuns = true): Promise<unknown> {
  const entries: TranscriptEntry[] = []
  const reducers = {
    ...examination({ allowUnknown: true }),
    classes: classification(),
    numbers: statistics(),
    surface: surfaceView(),
    facts: migrationFacts(),
    shown: transcript((entry) => entries.push(entry)),
    ...(!withRuns && { single: { on() {}, finish() {} } }),
  }
  const { findings, results, end } = await loadLog(source, reducers, { limits: DEFAULT_LIMITS })
  const { classes, patches, shown: _, single: __, ...rest } = results as typeof results & { single?: unknown }
  const { cursor, last, eventCount } = end
  return {
    findings: findings.findings(),
    counts: findings.counts(),
    events: [...classes.events()],
    entries,
    patches: [...patches.keys()].map((seq) => [seq, patches.get(seq)]),
    rest,
    state: [
      cursor.openTurn,
      cursor.openStep,
      [...cursor.pending.values()],
      eventCount,
      last?.event.seq,
      last?.event.time,
    ],
  }
}

function bytesOf(lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** The same lines with their deltas packed, where DSH would pack them. */
async function packed(lines: readonly string[]): Promise<string[]> {
  const { header, events } = await wholeLog(bytesOf(lines))
  return [header, ...packRows(events)].map((row) => JSON.stringify(row))
}

async function sameBothWays(bytes: Buffer): Promise<void> {
  const source = plainFile(tempFile(bytes), DEFAULT_LIMITS)
  expect(await answers(source)).toEqual(await answers(source, false))
}

/** Deltas of many spellings between the events of a log that has everything. */
function streaming(texts: readonly string[]): string[] {
  const built = rich().openTurn((turn) =>
    turn.user('more').openStep((step) => {
      for (const text of texts) step.chunk(text)
      step.assistant('done')
      for (const text of texts) step.chunk(text)
    }),
  )
  return built.text().trimEnd().split('\n')
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\n\t\r\b\f',
    '\u0001',
    '\u2028',
    '\ud83d',
    'é',
    '😀',
    '}}}\n{"type":"assistant/chunk","seq":',
  ),
)

describe('deltas as runs', () => {
  test('of whole logs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 12 }), async (texts) => {
        const lines = streaming(texts)
        await sameBothWays(bytesOf(lines))
        await sameBothWays(bytesOf(await packed(lines)))
      }),
      { numRuns: runs(60) },
    )
  })

  test.each(['SQLite 14', 'SQLite 17'] as const)('of databases: %s', async (schema) => {
    for (const texts of [
      ['one', 'two', 'three'],
      ['a', '', '\ud83d', 'é'],
    ]) {
      const path = await written(schema, await wholeLog(bytesOf(streaming(texts))))
      const database = await openCopy(path)
      try {
        const [session] = listSessions(database)
        const source = sqliteSession(database, session?.id ?? '', DEFAULT_LIMITS)
        expect(await answers(source)).toEqual(await answers(source, false))
      } finally {
        await database.close()
      }
    }
  })

  test('are what a log of deltas is read as', async () => {
    const lines = streaming(['one', 'two', 'three'])
    for (const rows of [lines, await packed(lines)]) {
      const source = plainFile(tempFile(bytesOf(rows)), DEFAULT_LIMITS)
      const counts: number[] = []
      for await (const batch of source.itemsWithRuns?.() ?? []) {
        for (const item of batch) if (item.kind === 'deltas') counts.push(item.count)
      }
      expect(counts.slice(-2)).toEqual([3, 3])
    }
  })

  test('of damaged logs', async () => {
    const damage = fc.record({
      texts: fc.array(text, { minLength: 3, maxLength: 8 }),
      packs: fc.boolean(),
      at: fc.nat(),
      kind: fc.constantFrom(
        'drop',
        'twice',
        'swap',
        'garbage',
        'byte',
        'spaces',
        'time',
        'turn',
        'cut',
        'nul',
        'gap',
        'gaps',
      ),
      byte: fc.nat(255),
    })
    await fc.assert(
      fc.asyncProperty(damage, async ({ texts, packs, at, kind, byte }) => {
        const lines = packs ? await packed(streaming(texts)) : streaming(texts)
        const place = 1 + (at % (lines.length - 1))
        const line = lines[place] as string
        if (kind === 'drop') lines.splice(place, 1)
        else if (kind === 'twice') lines.splice(place, 0, line)
        else if (kind === 'swap') lines.splice(place - 1, 2, line, lines[place - 1] as string)
        else if (kind === 'garbage') lines.splice(place, 0, '%%%')
        else if (kind === 'spaces') lines[place] = line.replaceAll('":', '": ')
        else if (kind === 'time') lines[place] = line.replace(/"time":\d+/, '"time":5')
        else if (kind === 'turn') lines[place] = line.replace(/"turn":\d+/, '"turn":77')
        else if (kind === 'cut') lines.length = place
        else if (kind === 'gap') lines[place] = line.replace(/"dt":\[\d+/, '"dt":[-9')
        else if (kind === 'gaps') lines[place] = line.replace(/"dt":\[\d+,/, '"dt":[')
        else if (kind === 'nul') lines[place] = `\0\0${line}`
        const bytes = bytesOf(lines)
        if (kind === 'byte') bytes[at % bytes.length] = byte
        await sameBothWays(bytes)
      }),
      { numRuns: runs(250) },
    )
  })
})

describe('the scanner', () => {
  const scanner = new DeltaScanner(1 << 20)
  const part = fc.oneof(
    text.map((value) => JSON.stringify(value).slice(1, -1)),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  const number = fc.oneof(
    fc.nat().map(String),
    fc.constantFrom('-0', '01', '1e3', '1.0', '-7', '9007199254740993', '999999999999999', ''),
  )

  test('takes only what reads back to the same text', () => {
    const kind = fc.constantFrom('text-delta', 'reasoning-delta', 'tool-call-delta', 'usage')
    const line = fc
      .tuple(number, number, number, number, kind, part)
      .map(
        ([seq, time, turn, step, type, content]) =>
          `{"type":"assistant/chunk","seq":${seq},"time":${time},"data":{"turn":${turn},"step":${step},"chunk":{"type":"${type}","index":0,${type === 'tool-call-delta' ? `"id":"c","argumentsDelta":"${content}"` : `"text":"${content}"`}}}}\n`,
      )
    fc.assert(
      fc.property(line, (candidate) => {
        const bytes = Buffer.from(candidate)
        const run = scanner.scan(bytes, 0)
        if (run === undefined) return
        const event = JSON.parse(bytes.toString('utf8', 0, run.end))
        expect(`${JSON.stringify(event)}\n`).toBe(candidate)
        expect(run).toMatchObject({
          first: event.seq,
          lines: 1,
          count: 1,
          turn: event.data.turn,
          step: event.data.step,
        })
      }),
      { numRuns: 3000 },
    )
  })

  test('takes only packed rows that span what it says', () => {
    const kind = fc.constantFrom('text-chunks', 'reasoning-chunks', 'tool-call-chunks', 'usage-chunks')
    const gaps = fc.array(number, { maxLength: 3 })
    const call = fc.constantFrom('', '"id":"c",', '"id":"c","name":"n",')
    const line = fc
      .tuple(kind, number, number, call, gaps, fc.array(part, { maxLength: 4 }))
      .map(([type, seq, time, id, dt, texts]) => {
        const payload = type === 'tool-call-chunks' ? 'args' : 'texts'
        const members = texts.map((content) => `"${content}"`).join(',')
        return `{"type":"${type}","seq0":${seq},"time0":${time},"data":{"turn":1,"step":2,"index":0,${id}"dt":[${dt.join(',')}],"${payload}":[${members}]}}\n`
      })
    let taken = 0
    fc.assert(
      fc.property(line, (candidate) => {
        const bytes = Buffer.from(candidate)
        const run = scanner.scan(bytes, 0)
        if (run === undefined) return
        taken++
        const row = JSON.parse(bytes.toString('utf8', 0, run.end))
        expect(`${JSON.stringify(row)}\n`).toBe(candidate)
        const { end: _end, lines, ...span } = run
        expect(span).toEqual(packedSpan(row))
        expect(lines).toBe(1)
      }),
      { numRuns: 6000 },
    )
    expect(taken).toBeGreaterThan(50)
  })

  test('takes nothing that no line feed ends, and nothing that is no UTF-8', () => {
    const whole = Buffer.from(
      '{"type":"assistant/chunk","seq":1,"time":2,"data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"é"}}}\n',
    )
    expect(scanner.scan(whole, 0)).toMatchObject({ end: whole.length, count: 1 })
    for (let end = 0; end < whole.length; end++)
      expect(scanner.scan(whole.subarray(0, end), 0)).toBeUndefined()
    const broken = Buffer.from(whole)
    broken[whole.indexOf(0xc3)] = 0xff
    expect(scanner.scan(broken, 0)).toBeUndefined()
  })
})
