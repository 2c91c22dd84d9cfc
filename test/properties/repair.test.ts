/**
 * Healthy logs with random damage, through `repair`: a refusal with a reason and no file, or a log that opens, needs
 * nothing more and has lost no event that could be read, unless the quarantine has it.
 */
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContainerName, readBack, wholeLog, written } from '../support/containers.ts'
import { runs } from '../support/effort.ts'
import { framed } from '../support/frames-of-lines.ts'
import { later, laterBase } from '../support/later-log.ts'
import { log } from '../support/log-builder.ts'
import { eventsIn, repairing, type Written } from '../support/repairing.ts'
import { runMain } from '../support/run-main.ts'
import { rich, twoTurns } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

const LOGS: Readonly<Record<string, Buffer>> = {
  rich: rich().bytes(),
  'two turns': twoTurns().bytes(),
  'format 2': threeTurns(2),
  'format 3': threeTurns(3),
  'format 4': threeTurns(4),
}

/** Three turns with a call each, and a compaction of the first. */
function threeTurns(version: 2 | 3 | 4): Buffer {
  const built = laterBase(version)
  const first = version === 2 ? 2 : 3
  const answer = first + 2
  built.turn((turn) => turn.step((step) => step.user('and now?').tool('c2')))
  built.compaction('x1', [first, answer, answer + 2])
  return built.turn((turn) => turn.step((step) => step.user('go on').tool('c3'))).bytes()
}

/** Changes the lines of a log. The number says where, the other what or how much. */
type Damage = (lines: Buffer[], at: number, other: number) => void

const GARBAGE = ['%%%', '', '{', 'null', '42', '[]', '{}', '{"type":"acme/x"}', '\0\0\0', '\ufeff{}']

const DAMAGES: Readonly<Record<string, Damage>> = {
  drop: (lines, at) => void lines.splice(at, 1),
  duplicate: (lines, at) => void lines.splice(at, 0, lines[at] as Buffer),
  swap: (lines, at, other) => {
    const line = lines[at] as Buffer
    lines[at] = lines[other] as Buffer
    lines[other] = line
  },
  'append a block again': (lines, at, other) =>
    void lines.push(...lines.slice(Math.max(1, at), Math.max(1, at) + (other % 7) + 1)),
  'write a block twice': (lines, at, other) => {
    const block = lines.slice(at, at + (other % 7) + 1)
    lines.splice(at + block.length, 0, ...block)
  },
  'cut a line': (lines, at, other) => {
    const line = lines[at] as Buffer
    lines[at] = line.subarray(0, other % (line.length + 1))
  },
  splice: (lines, at) => void lines.splice(at, 2, Buffer.concat(lines.slice(at, at + 2))),
  'splice halves': (lines, at, other) => {
    const [first, second] = [lines[at] as Buffer, lines[at + 1] ?? Buffer.alloc(0)]
    lines.splice(at, 2, Buffer.concat([first.subarray(0, other % (first.length + 1)), second]))
  },
  garbage: (lines, at, other) =>
    void lines.splice(at, 0, Buffer.from(GARBAGE[other % GARBAGE.length] as string)),
  NUL: (lines, at, other) => {
    const padding = Buffer.alloc((other % 5) + 1)
    const line = lines[at] as Buffer
    lines[at] = other % 2 === 0 ? Buffer.concat([padding, line]) : Buffer.concat([line, padding])
  },
  'byte order mark': (lines, at, other) => {
    const index = other % 2 === 0 ? 0 : at
    lines[index] = Buffer.concat([Buffer.from('\ufeff'), lines[index] as Buffer])
  },
  'wrong digit': (lines, at, other) => {
    const text = (lines[at] as Buffer).toString()
    lines[at] = Buffer.from(text.replace(/"seq0?":(\d*)\d/, (found) => `${found.slice(0, -1)}${other % 10}`))
  },
  'one byte': (lines, at, other) => {
    const line = Buffer.from(lines[at] as Buffer)
    if (line.length > 0) line[other % line.length] = 0x20 + (other % 90)
    lines[at] = line
  },
  'another writer': (lines, at, other) => {
    const from = Math.max(1, at)
    const fork = lines.slice(from, from + 1 + (other % 12))
    lines.push(...fork.map((line) => Buffer.from(line.toString().replace(/"time(0?)":1/, '"time$1":2'))))
  },
}

const damage = fc.record({
  kind: fc.constantFrom(...Object.keys(DAMAGES)),
  at: fc.nat(),
  other: fc.nat(),
})

const damages = fc.array(damage, { minLength: 1, maxLength: 3 })

function damaged(log: Buffer, list: readonly { kind: string; at: number; other: number }[]): Buffer[] {
  const lines = linesOf(log)
  for (const { kind, at, other } of list) {
    // The header is spared half of the time: without one there is little to repair.
    const index = other % 2 === 0 ? at % lines.length : 1 + (at % Math.max(1, lines.length - 1))
    if (index < lines.length) DAMAGES[kind]?.(lines, index, other % lines.length)
  }
  return lines
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let at = 0, end = bytes.indexOf(10); end !== -1; at = end + 1, end = bytes.indexOf(10, at)) {
    lines.push(bytes.subarray(at, end))
  }
  return lines
}

function joined(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))
}

/** Events of the repaired log that were in the broken one. */
async function keptIn({ data, output }: Written): Promise<number> {
  const { closers, inserted = [], notes = [] } = data
  return (await readBack(output)).events.length - closers.length - inserted.length - notes.length
}

async function keepsEveryEvent(path: string, lines: readonly Buffer[], keep = 'living'): Promise<void> {
  const result = await repairing(path, '--branch', keep)
  if (result.kind === 'refused') return
  const { pieces } = result
  const quarantined = pieces.flatMap(({ text = '' }) => text.split('\n'))
  const readable = eventsIn(lines.map(String))
  expect((await keptIn(result)) + eventsIn(quarantined)).toBeGreaterThanOrEqual(readable)
}

const keeps = fc.constantFrom('living', 'first', 'last', 'longest')
const names = fc.constantFrom(...Object.keys(LOGS))

describe('random damage', () => {
  test('of lines', async () => {
    await fc.assert(
      fc.asyncProperty(names, damages, keeps, async (name, list, keep) => {
        const lines = damaged(LOGS[name] as Buffer, list)
        await keepsEveryEvent(tempFile(joined(lines)), lines, keep)
      }),
      { numRuns: runs(45) },
    )
  })

  test('of lines in a compressed log', async () => {
    await fc.assert(
      fc.asyncProperty(names, damages, fc.integer({ min: 1, max: 6 }), async (name, list, size) => {
        const lines = damaged(LOGS[name] as Buffer, list)
        await keepsEveryEvent(tempFile(await framed(lines, size), 'log.jsonl.zstd'), lines)
      }),
      { numRuns: runs(20) },
    )
  })

  test('of bytes, in both containers', async () => {
    const piece = fc.record({ at: fc.nat(), length: fc.nat({ max: 200 }), byte: fc.nat({ max: 255 }) })
    await fc.assert(
      fc.asyncProperty(names, piece, fc.boolean(), fc.boolean(), async (name, hole, isZstd, cuts) => {
        const { at, length, byte } = hole
        const lines = linesOf(LOGS[name] as Buffer)
        const whole = isZstd ? await framed(lines, 4) : joined(lines)
        const start = at % whole.length
        const bytes = cuts
          ? Buffer.concat([whole.subarray(0, start), whole.subarray(start + length)])
          : Buffer.from(whole).fill(byte, start, Math.min(whole.length, start + length))
        await repairing(tempFile(bytes, isZstd ? 'log.jsonl.zstd' : 'log.jsonl'))
      }),
      { numRuns: runs(20) },
    )
  })
})

/** Rows taken out of a database, numbered otherwise or with data that is none. */
test('random damage of rows in a database', async () => {
  const change = fc.record({ seq: fc.nat({ max: 48 }), other: fc.nat({ max: 60 }), kind: fc.nat({ max: 3 }) })
  const schemas = fc.constantFrom<ContainerName>('SQLite 14', 'SQLite 17')
  await fc.assert(
    fc.asyncProperty(schemas, fc.array(change, { minLength: 1, maxLength: 3 }), async (schema, list) => {
      const path = await written(schema, await wholeLog(rich().bytes()))
      const db = new Database(path)
      for (const { seq, other, kind } of list) {
        if (kind === 0) db.prepare('DELETE FROM events WHERE seq = ?').run(seq)
        if (kind === 1) db.prepare("UPDATE events SET data = '{' WHERE seq = ?").run(seq)
        if (kind === 2) db.prepare('UPDATE OR IGNORE events SET seq = ? WHERE seq = ?').run(other, seq)
        if (kind === 3) db.prepare('DELETE FROM events WHERE seq > ?').run(seq)
      }
      const rows = db.prepare("SELECT count(*) FROM events WHERE data <> '{'").pluck().get() as number
      db.close()
      const result = await repairing(path)
      if (result.kind === 'refused') return
      expect(await keptIn(result)).toBeGreaterThanOrEqual(rows - result.pieces.length)
    }),
    { numRuns: runs(8) },
  )
})

/** Three turns of two calls each, `c0` to `c5`, some without a result; compactions take all before them off the surface. */
function withoutResults(version: 0 | 2 | 3 | 4, gone: readonly number[]): Buffer {
  return version === 0 ? earlyWithout(gone) : laterWithout(version, gone)
}

function earlyWithout(gone: readonly number[]): Buffer {
  const built = log()
  for (let turn = 0; turn < 3; turn++) {
    built.turn((open) => {
      open.user('go')
      for (const call of [2 * turn, 2 * turn + 1]) {
        open.step((step) => {
          step.assistant('').call(`c${call}`, 'bash')
          if (!gone.includes(call)) step.result(`c${call}`, 'done')
        })
      }
    })
    const { surface } = built
    if (turn < 2) built.compaction(surface[0] as number, surface.at(-1))
    built.event('session/title', { title: 't', messageSeqs: [1], source: { kind: 'fallback' } })
  }
  return built.bytes()
}

function laterWithout(version: 2 | 3 | 4, gone: readonly number[]): Buffer {
  const built = later(version)
  let nodes: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    built.turn((open) => {
      for (const call of [2 * turn, 2 * turn + 1]) {
        open.step((step) => {
          if (version >= 3 && call === 0) step.system()
          nodes.push(step.nextSeq)
          step.user('go')
          nodes.push(step.nextSeq)
          step.assistant('', [{ id: `c${call}` }]).call(`c${call}`)
          if (gone.includes(call)) return
          nodes.push(step.nextSeq)
          step.result(`c${call}`)
        })
      }
    })
    if (turn === 2) break
    built.compaction(`x${turn}`, nodes)
    nodes = [built.nextSeq - 2]
  }
  return built.bytes()
}

/** Results taken out of a log, and the rest numbered anew as a tool of somebody's would have done it. */
test('results that are gone', async () => {
  const pick = fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(pick, fc.constantFrom<0 | 2 | 3 | 4>(0, 2, 3, 4), async (gone, version) => {
      const result = await repairing(tempFile(withoutResults(version, gone)))
      expect(result.kind).toBe('written')
      expect(result.data.inserted).toHaveLength(gone.length)
    }),
    { numRuns: runs(16) },
  )
})

test.each(Object.keys(LOGS))('a healthy log comes out as it is: %s', async (name) => {
  for (const isZstd of [false, true]) {
    const lines = linesOf(LOGS[name] as Buffer)
    const bytes = isZstd ? await framed(lines, 3) : joined(lines)
    const path = tempFile(bytes, isZstd ? 'log.jsonl.zstd' : 'log.jsonl')
    const result = await repairing(path)
    expect(result.data.refused).toBeUndefined()
    expect(result).toMatchObject({ kind: 'written', exitCode: 0, data: { steps: [] } })
    const { digests } = result.data
    expect(digests.surface.after).toBe(digests.surface.before)
    expect(digests.transcript.after).toBe(digests.transcript.before)
    if (result.kind === 'written') expect((await runMain(['check', result.output])).exitCode).toBe(0)
  }
})
