/** Each kind of mending in every format and container that can show it, through the command line. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { citedSeqs, type SessionEvent } from '../../src/core/event/session-event.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json/json-value.ts'
import { containerOf } from '../../src/storage/detect.ts'
import { writeFrame } from '../../src/storage/zstd/frame-writer.ts'
import { type ContainerName, readBack, wholeLog, written } from '../support/containers.ts'
import { imageBlock, type LaterLog, later, laterBase } from '../support/later-log.ts'
import { type LogBuilder, log } from '../support/log-builder.ts'
import { kindsOf, mended, repairing } from '../support/repairing.ts'
import { runMain } from '../support/run-main.ts'
import { repair } from '../support/run-repair.ts'
import { base, twoTurns } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'
import { clash } from '../support/two-writers.ts'

type Version = 0 | 2 | 3 | 4
const VERSIONS: readonly Version[] = [0, 2, 3, 4]

const TEXT: readonly ContainerName[] = ['plain', 'zstd']
const ALL: readonly ContainerName[] = [...TEXT, 'SQLite 14', 'SQLite 17']

/** Databases hold sessions of format 0. */
const PLACES: readonly (readonly [version: Version, container: ContainerName])[] = VERSIONS.flatMap(
  (version) => (version === 0 ? ALL : TEXT).map((container) => [version, container] as const),
)

async function stored(container: ContainerName, built: { bytes(): Buffer }): Promise<string> {
  return written(container, await wholeLog(built.bytes()))
}

/** Both builders know these. */
type Builder = LogBuilder | LaterLog

function start(version: Version): Builder {
  return version === 0 ? log() : later(version)
}

/** An answer with calls, started each. */
function calls(built: Builder, ...ids: string[]): void {
  if ('announce' in built) {
    built.assistant('')
    for (const id of ids) built.call(id, 'bash')
  } else {
    built.assistant(
      '',
      ids.map((id) => ({ id })),
    )
    for (const id of ids) built.call(id)
  }
}

function turn(built: Builder, build: (turn: Builder) => unknown): void {
  if ('announce' in built) built.turn(build)
  else built.turn(build)
}

function step(built: Builder, build: (step: Builder) => unknown): void {
  if ('announce' in built) built.step(build)
  else built.step(build)
}

/** A whole compaction outside of turns. */
function compaction(built: Builder, id: string, nodes: readonly number[]): void {
  if ('announce' in built) built.compaction(nodes[0] as number, nodes.at(-1))
  else built.compaction(id, nodes)
}

/** What every event refers to, each event by its time: in a built log no two have the same. */
function references(
  events: readonly SessionEvent[],
  isOld: (time: number) => boolean,
): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const event of events) {
    if (!isOld(event.time)) continue
    const times = seqsIn(event).map((seq) => events[seq]?.time ?? -1)
    found.set(`${event.type} ${event.time}`, times.filter(isOld))
  }
  return found
}

function seqsIn(event: SessionEvent): number[] {
  const { data, surfaceOp } = event
  const op = isJsonObject(surfaceOp) ? Object.values(surfaceOp) : []
  const named: JsonValue[] = []
  const visit = (value: JsonValue | undefined, key: string): void => {
    if (Array.isArray(value)) for (const member of value) visit(member, key)
    else if (isJsonObject(value)) for (const [name, member] of Object.entries(value)) visit(member, name)
    else if (value !== undefined && REFERENCES.has(key)) named.push(value)
  }
  visit(data as JsonValue, '')
  return [...citedSeqs(event), ...op, ...named].filter((value) => typeof value === 'number')
}

const REFERENCES = new Set([
  'shadowedSeqs',
  'messageSeqs',
  'sourceEventSeq',
  'headerSeq',
  'seq',
  'start',
  'end',
])

describe.each(PLACES)('format %i in %s', (version, container) => {
  test('a call without result is the last node of what compactions shadow', async () => {
    const built = start(version)
    turn(built, (t) =>
      step(t, (s) => {
        s.user('one')
        calls(s, 'a')
      }),
    )
    // In both builders: turn 0, step 1, user 2, answer 3, call 4.
    compaction(built, 'x1', [2, 3])
    const checkpoint = built.nextSeq - 2
    turn(built, (t) =>
      step(t, (s) => {
        s.user('two')
        calls(s, 'b')
      }),
    )
    compaction(built, 'x2', [checkpoint, checkpoint + 4, checkpoint + 5])
    const { data, output, exitCode } = await mended(await stored(container, built))
    expect(kindsOf(data)).toEqual(['insert-results'])
    expect(exitCode).toBe(0)
    expect(data.digests.surface.after).toBe(data.digests.surface.before)
    const { events } = await readBack(output)
    const inserted = data.inserted as readonly SessionEvent[]
    expect(inserted.map(({ seq }) => events[seq])).toEqual(inserted)
    const summaries = events.filter(({ type }) => type === 'compaction/summary')
    expect(summaries.map((event) => (event.data as JsonObject).shadowedSeqs)).toEqual([
      [2, 3, 5],
      [checkpoint + 1, checkpoint + 5, checkpoint + 6, checkpoint + 8],
    ])
    expect(summaries.map((event) => (event.data as JsonObject).shadowedRange)).toEqual([
      { start: 2, end: 5 },
      { start: checkpoint + 1, end: checkpoint + 8 },
    ])
  })

  /** Two turns, the first with a call that has no result when `isOpen`, and everything that refers to the second. */
  function referring(isOpen: boolean): Builder {
    const built = start(version)
    turn(built, (t) =>
      step(t, (s) => {
        s.user('one')
        calls(s, 'a')
        if (!isOpen) s.result('a', 'done')
      }),
    )
    built.event('plan/mode', { mode: 'off' })
    turn(built, (t) =>
      step(t, (s) => {
        s.user('two')
        calls(s, 'b')
        s.result('b', 'done')
      }),
    )
    const user = built.nextSeq - 6
    built.event('session/title', { title: 't', messageSeqs: [2, user], source: { kind: 'fallback' } })
    if (!('announce' in built) && version >= 3) {
      built.turn((t) => t.step((s) => s.content([imageBlock()])))
      built.event('image/offload', { targets: [{ seq: built.nextSeq - 3, imageIndexes: [0] }] })
    }
    built.event('command/run', { commandId: 'k', name: 'compact', args: '' })
    compaction(built, 'x1', [user, user + 1, user + 3])
    return built.event('command/done', { commandId: 'k', kind: 'success', sourceEventSeq: built.nextSeq - 3 })
  }

  test('everything after an insertion means the events that it meant', async () => {
    const before = (await wholeLog(referring(true).bytes())).events
    const old = new Set(before.map(({ time }) => time))
    const { data, output } = await mended(await stored(container, referring(true)))
    expect(kindsOf(data)).toEqual(['insert-results'])
    const { events } = await readBack(output)
    const result = data.inserted?.[0]?.seq as number
    const after = references(
      events.map((event) => (event.seq === result ? { ...event, time: -2 } : event)),
      (time) => old.has(time),
    )
    expect(after).toEqual(references(before, (time) => old.has(time)))
    expect(events).toHaveLength(before.length + 1)
  })

  test('everything after a gap means the events that it meant', async () => {
    const { header, events: before } = await wholeLog(referring(false).bytes())
    const rest = before.filter(({ type }) => type !== 'plan/mode')
    const { data, output } = await mended(await written(container, { header, events: rest }))
    expect(kindsOf(data)).toEqual(['close-gap'])
    expect(data.digests.surface.after).toBe(data.digests.surface.before)
    const old = new Set(rest.map(({ time }) => time))
    const { events } = await readBack(output)
    expect(references(events, (time) => old.has(time))).toEqual(references(before, (time) => old.has(time)))
    expect(events).toHaveLength(rest.length)
  })

  test('parallel calls, of which one was answered', async () => {
    const built = start(version)
    turn(built, (t) =>
      step(t, (s) => {
        s.user('one')
        calls(s, 'a', 'b', 'c')
        s.result('b', 'done')
      }),
    )
    const { data, output } = await mended(await stored(container, built))
    expect(kindsOf(data)).toEqual(['insert-results'])
    expect(data.inserted?.map(({ seq, sourceEventSeqs }) => [seq, sourceEventSeqs])).toEqual([
      [8, [4]],
      [9, [6]],
    ])
    expect((await readBack(output)).events.map(({ type }) => type).slice(7, 11)).toEqual([
      'tool/result',
      'tool/result',
      'tool/result',
      'step/end',
    ])
  })

  test.each([
    {
      name: 'inside a later one',
      later: true,
      lists: [
        [2, 3],
        [14, 7, 8, 9, 18],
      ],
      ranges: [
        [2, 3],
        [14, 18],
      ],
    },
    {
      name: 'at the end of a later one',
      later: false,
      lists: [
        [2, 3],
        [14, 7, 8, 9],
      ],
      ranges: [
        [2, 3],
        [14, 9],
      ],
    },
  ])('a compaction takes the call alone, and what comes after it goes $name', async (shape) => {
    const built = start(version)
    turn(built, (t) =>
      step(t, (s) => {
        s.user('one')
        calls(s, 'a', 'b', 'c')
        s.result('b', 'done')
      }),
    )
    compaction(built, 'x1', [2, 3])
    const checkpoint = built.nextSeq - 2
    turn(built, (t) => step(t, (s) => s.user('two')))
    compaction(built, 'x2', shape.later ? [checkpoint, 7, built.nextSeq - 3] : [checkpoint, 7])
    const { data, output, exitCode } = await mended(await stored(container, built))
    expect({ exitCode, kinds: kindsOf(data) }).toEqual({ exitCode: 0, kinds: ['insert-results'] })
    expect(data.digests.surface.after).toBe(data.digests.surface.before)
    const { events } = await readBack(output)
    const summaries = events.filter(({ type }) => type === 'compaction/summary')
    expect(summaries.map((event) => (event.data as JsonObject).shadowedSeqs)).toEqual(shape.lists)
    const ranges = shape.ranges.map(([start, end]) => ({ start, end }))
    expect(summaries.map((event) => (event.data as JsonObject).shadowedRange)).toEqual(ranges)
  })

  test('a call whose id the next answer announces again', async () => {
    const built = start(version)
    turn(built, (t) =>
      step(t, (s) => {
        s.user('one')
        calls(s, 'a')
        calls(s, 'a')
        s.result('a', 'for the second')
      }),
    )
    const { data, exitCode } = await mended(await stored(container, built))
    expect(kindsOf(data)).toEqual(['insert-results'])
    expect(data.inserted).toMatchObject([{ seq: 5, sourceEventSeqs: [4] }])
    expect(exitCode).toBe(0)
  })

  test('a call of a closed step, and one of the step that is open', async () => {
    const built = start(version)
    built.openTurn((t: Builder) => {
      step(t, (s) => {
        s.user('one')
        calls(s, 'a')
      })
      t.openStep((s: Builder) => calls(s, 'b'))
    })
    const { data, output } = await mended(await stored(container, built))
    expect(kindsOf(data)).toEqual(['insert-results', 'close-turn'])
    expect(data.closers.map(({ type }) => type)).toEqual(['tool/result', 'step/end', 'turn/end'])
    const { events } = await readBack(output)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
  })

  test('a result whose call was compacted away becomes a note', async () => {
    const built = start(version)
    turn(built, (t) =>
      step(t, (s) => {
        s.user('one')
        calls(s, 'a')
        s.result('a', 'a.txt')
      }),
    )
    compaction(built, 'x1', [2, 3])
    const { data, exitCode, output } = await mended(await stored(container, built))
    expect(kindsOf(data)).toEqual(['note-exchanges'])
    expect(exitCode).toBe(0)
    expect(data.notes).toMatchObject([{ type: 'user/message', sourceEventSeqs: [5] }])
    expect((await readBack(output)).events.at(-1)).toEqual(data.notes?.[0])
  })

  test('a call that a checkpoint takes off the surface before its step ends', async () => {
    const built = start(version)
    turn(built, (t) =>
      step(t, (s) => {
        s.user('one')
        calls(s, 'a')
        compaction(s, 'x1', [2, 3])
      }),
    )
    const { data, exitCode } = await mended(await stored(container, built))
    expect(exitCode).toBe(0)
    // Format 4 wants every compaction in a turn to name it, and this one names none.
    const named = version === 4 ? ['mend-relations'] : []
    expect(kindsOf(data)).toEqual([...named, 'insert-results', 'note-exchanges'])
  })
})

describe('an inherited part', () => {
  /** A call without result at seq 3, the rest of the seed after it. */
  function fork(seedLength: number): LogBuilder {
    return log()
      .header({ parentSession: 'session-00000000-0000-4000-8000-000000000009', seedLength })
      .turn((t) => t.user('one').step((s) => s.assistant('').call('a', 'bash')))
      .turn((t) => t.user('two').step((s) => s.assistant('so')))
  }

  test.each(ALL)('grows by what is inserted into it: %s', async (container) => {
    for (const [before, after] of [
      [5, 5],
      [6, 7],
      [13, 14],
    ] as const) {
      const { data, output } = await mended(await stored(container, fork(before)))
      expect(kindsOf(data)).toEqual(['insert-results'])
      expect((await readBack(output)).header.seedLength).toBe(after)
    }
  })

  test.each([
    [9, 9],
    [12, 11],
    [13, 12],
    [15, 14],
  ])('shrinks by what is missing of it and not put back: %i', async (before, after) => {
    const built = twoTurns().header({ seedLength: before })
    for (const seq of [9, 10, 11]) built.drop(seq)
    const { header } = await wholeLog(built.bytes())
    for (const container of ALL) {
      const path = await written(container, { header, events: built.events() })
      const { data, output } = await mended(path)
      expect(kindsOf(data)).toEqual(['fill-gap'])
      expect((await readBack(output)).header.seedLength).toBe(after)
    }
  })
})

describe('an open compaction of format 4', () => {
  test.each(TEXT)('ends before the turn does: %s', async (container) => {
    const built = later(4).openTurn((t) =>
      t
        .step((s) => s.system().user('one').request().tool('a'))
        .event('compaction/start', { compactionId: 'x', turn: 1 }),
    )
    const { data, exitCode } = await mended(await stored(container, built))
    expect(data.closers.map(({ type }) => type)).toEqual(['compaction/end', 'turn/end'])
    expect(exitCode).toBe(0)
  })
})

describe('--truncate-after', () => {
  test.each<[place: string, length: number, steps: string[]]>([
    ['turn:1', 9, ['truncate']],
    ['seq:8', 9, ['truncate']],
    ['turn:2', 15, []],
    ['seq:14', 15, []],
  ])('%s', async (place, length, steps) => {
    for (const container of ALL) {
      const { data, output, pieces } = await mended(
        await stored(container, twoTurns()),
        '--truncate-after',
        place,
      )
      expect(kindsOf(data)).toEqual(steps)
      expect((await readBack(output)).events).toEqual(twoTurns().events().slice(0, length))
      expect(pieces).toHaveLength(15 - length)
    }
  })

  test.each([
    ['turn:3', /turn 3 does not end.* 2$/],
    ['seq:11', /after seq 11 .*8 and 14$/],
    ['seq:0', /after seq 0 .*after seq 8$/],
  ])('%s is refused', async (place, reason) => {
    const { data, exitCode } = await repairing(tempFile(twoTurns().bytes()), '--truncate-after', place)
    expect(exitCode).toBe(5)
    expect(data.refused?.[0]).toMatch(reason)
  })

  test('not inside an inherited part', async () => {
    const built = twoTurns().header({ seedLength: 12 })
    const { data } = await repairing(tempFile(built.bytes()), '--truncate-after', 'turn:1')
    expect(data.refused?.[0]).toMatch(/inherited/)
  })

  test('together with what moves the events before it', async () => {
    const built = log()
      .turn((t) => t.step((s) => s.assistant('').call('a', 'bash')))
      .turn((t) => t.user('two'))
      .turn((t) => t.user('three'))
    const { data, output } = await mended(tempFile(built.bytes()), '--truncate-after', 'seq:8')
    expect(kindsOf(data)).toEqual(['truncate', 'insert-results'])
    expect((await readBack(output)).events).toHaveLength(10)
  })

  test('means the seqs that the log has, not those it will get', async () => {
    const built = twoTurns()
      .turn((t) => t.user('three'))
      .drop(3)
    const { data, output } = await mended(tempFile(built.bytes()), '--truncate-after', 'seq:14')
    expect(kindsOf(data)).toEqual(['close-gap', 'truncate'])
    expect((await readBack(output)).events.at(-1)).toMatchObject({ type: 'turn/end', data: { turn: 2 } })
  })

  test('after chunks that are packed into one row', async () => {
    const built = log()
      .packed(['a', 'b', 'c', 'd'])
      .turn((t) => t.user('one'))
    const { output } = await mended(tempFile(built.bytes()), '--truncate-after', 'seq:1')
    expect((await readBack(output)).events.map(({ seq }) => seq)).toEqual([0, 1])
  })
})

describe('unknown types', () => {
  test.each(VERSIONS)('of format %i are marked only when that is allowed', async (version) => {
    const built = start(version)
    turn(built, (t) => t.user('one'))
    built.event('acme/x', { a: 1 })
    for (const container of version === 0 ? [...TEXT, 'SQLite 17' as const] : TEXT) {
      const path = await stored(container, built)
      expect(await repairing(path)).toMatchObject({ kind: 'refused', exitCode: 5 })
      const { data, output } = await mended(path, '--allow-unknown')
      expect(kindsOf(data)).toEqual(['mark-ignorable'])
      expect((await readBack(output)).events.at(-1)).toMatchObject({ type: 'acme/x', ignorable: true })
    }
  })

  test('an older schema cannot mark them', async () => {
    const built = base().event('acme/x', {})
    const path = await stored('SQLite 14', built)
    const done = await runMain(['repair', path, '--allow-unknown', '-o', join(tempDir(), 'out.db')])
    expect(done.exitCode).toBe(5)
  })
})

describe('a header that is missing', () => {
  function inStore(content: string | Buffer, name = 'session.jsonl', project = '--w--'): string {
    const folder = join(tempDir(), project, 'session-00000000-0000-4000-8000-000000000001')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }

  const rows = (bytes: Buffer) => bytes.subarray(bytes.indexOf(10) + 1)

  test('is made from the place of the log', async () => {
    const { data, output } = await mended(inStore(rows(base().bytes())))
    expect(kindsOf(data)).toEqual(['add-header'])
    const { header, events } = await readBack(output)
    expect(header).toEqual((await wholeLog(base().bytes())).header)
    expect(events).toEqual(base().events())
  })

  test('of a later format', async () => {
    for (const version of [2, 3, 4] as const) {
      const built = laterBase(version)
      const path = inStore(rows(built.bytes()), `session.v${version}.jsonl`, '--w--')
      const { output } = await mended(path)
      const { header, events } = await readBack(output)
      expect(header).toMatchObject({ version, isSeeded: false, cwd: '/w' })
      expect(events).toEqual((await wholeLog(built.bytes())).events)
    }
  })

  test('of a session without a folder', async () => {
    const { output } = await mended(inStore(rows(base().bytes()), 'session.jsonl', '_no-cwd'))
    expect((await readBack(output)).header).not.toHaveProperty('cwd')
  })

  test.each<[name: string, first: string]>([
    ['garbage', '%%%\n'],
    ['an empty line', '\n'],
    ['half of it', '{"type":"session","version":0,"id":"ses\n'],
  ])('with %s in its place', async (_name, first) => {
    const { output, pieces } = await mended(inStore(`${first}${rows(base().bytes())}`))
    expect((await readBack(output)).events).toEqual(base().events())
    expect(pieces.map(({ text }) => text).join('')).toBe(first.trimEnd())
  })

  test('and more is broken', async () => {
    const built = twoTurns().drop(9).torn('{"type":')
    const { data, output } = await mended(inStore(rows(built.bytes())))
    expect(kindsOf(data)).toEqual(['add-header', 'cut-tail', 'fill-gap'])
    expect((await readBack(output)).events).toHaveLength(15)
  })

  test('elsewhere there is nothing to make it from', async () => {
    const { data } = await repairing(tempFile(rows(base().bytes())))
    expect(data.refused?.[0]).toMatch(/^header\/missing/)
  })
})

describe('lines', () => {
  /** The lines of two turns, changed. */
  function lines(change: (lines: string[]) => void): string {
    const all = twoTurns().text().trimEnd().split('\n')
    change(all)
    return all.map((line) => `${line}\n`).join('')
  }

  test.each<
    [name: string, change: (lines: string[]) => void, kinds: string[], lost: string[], events: number]
  >([
    [
      'joined by a lost line feed',
      (l) => void l.splice(5, 2, l.slice(5, 7).join('')),
      ['mend-lines'],
      [],
      15,
    ],
    [
      'of which half is glued to the next',
      (l) => void l.splice(5, 2, `${(l[5] as string).slice(0, 30)}${l[6]}`),
      // The answer is lost, and its call is told by the start of it.
      ['mend-lines', 'fill-gap'],
      [JSON.stringify(twoTurns().events()[4]).slice(0, 30)],
      15,
    ],
    ['with NUL bytes in front', (l) => void l.splice(5, 1, `\0\0\0${l[5]}`), ['mend-lines'], [], 15],
    ['with NUL bytes after', (l) => void l.splice(15, 1, `${l[15]}\0\0`), ['mend-lines'], [], 15],
    ['of NUL bytes alone', (l) => void l.splice(9, 0, '\0\0\0\0'), ['drop-rows'], ['\0\0\0\0'], 15],
    [
      'split by a raw line feed',
      (l) => {
        l[2] = (l[2] as string).replace('list', 'li\nst')
      },
      ['mend-lines'],
      [],
      15,
    ],
    [
      'joined with a second header',
      (l) => {
        l[9] = `${l[9]}${l[0]}`
      },
      ['mend-lines'],
      [
        twoTurns()
          .lines()
          .flatMap((row, index, all) => (index === 9 ? [`${row}${all[0]}`] : []))[0] as string,
      ],
      15,
    ],
  ])('%s', async (_name, change, kinds, lost, events) => {
    const { data, output, pieces } = await mended(tempFile(lines(change)))
    expect(kindsOf(data)).toEqual(kinds)
    const kept = (await readBack(output)).events.length - (data.notes?.length ?? 0)
    expect(kept).toBe(events)
    expect(pieces.map(({ text }) => text)).toEqual(lost)
  })
})

describe('two writers', () => {
  const first = () => twoTurns().turn((t) => t.user('first'))
  const second = () =>
    base()
      .turn((t) => t.user('second').step((s) => s.assistant('').call('z', 'bash').result('z', 'ok')))
      .turn((t) => t.user('second again'))
      .openTurn((t) => t.user('and open'))

  test('the one that does not live on becomes a log that opens by itself', async () => {
    const { data, output } = await mended(tempFile(clash(first(), second())))
    expect(kindsOf(data)).toEqual(['drop-branch', 'close-turn'])
    expect(data.branches).toHaveLength(1)
    const [branch] = data.branches as [string]
    expect((await readBack(branch)).events).toEqual(first().events())
    expect((await readBack(output)).events.slice(0, second().events().length)).toEqual(second().events())
    expect((await runMain(['check', branch])).exitCode).toBe(0)
    expect((await runMain(['repair', branch])).exitCode).toBe(0)
  })

  test('the other way round', async () => {
    for (const keep of ['first', 'last', 'longest', 'living']) {
      const { data, output } = await mended(tempFile(clash(first(), second())), '--branch', keep)
      const [branch] = data.branches as [string]
      const kept = keep === 'first' ? first() : second()
      const other = keep === 'first' ? second() : first()
      expect((await readBack(output)).events.slice(0, kept.events().length)).toEqual(kept.events())
      expect((await readBack(branch)).events).toEqual(other.events())
      expect((await runMain(['check', branch])).exitCode).toBe(0)
    }
  })

  test('three of them are three logs', async () => {
    const third = () => {
      const built = base().turn((t) => t.user('third'))
      for (let n = 0; n < 4; n++) built.turn((t) => t.user(`third, ${n}`))
      return built
    }
    const { data, output } = await mended(tempFile(clash(first(), second(), third())))
    expect(data.branches).toHaveLength(2)
    const [a, b] = data.branches as [string, string]
    expect((await readBack(output)).events).toEqual(third().events())
    expect((await readBack(a)).events).toEqual(first().events())
    expect((await readBack(b)).events).toEqual(second().events())
  })

  test('a branch in the place of the log is written next to it', async () => {
    const path = tempFile(clash(first(), second()))
    const { exitCode, data } = await repair(path, '--in-place')
    expect(exitCode).toBe(0)
    const [branch] = data.branches as [string]
    expect((await readBack(branch)).events).toEqual(first().events())
    const { events } = await readBack(path)
    expect(events.slice(0, second().events().length)).toEqual(second().events())
  })

  test.each(['plain', 'zstd'] as const)(
    'in a container of the kind that the log has: %s',
    async (container) => {
      const rows = clash(first(), second()).toString().trimEnd().split('\n')
      const bytes = Buffer.from(rows.map((row) => `${row}\n`).join(''))
      const header = bytes.indexOf(10) + 1
      const parts = [bytes.subarray(0, header), bytes.subarray(header)]
      const frames = Buffer.concat(await Promise.all(parts.map((part) => writeFrame(part))))
      const { data } = await mended(tempFile(container === 'zstd' ? frames : bytes, 'log.jsonl'))
      const [branch] = data.branches as [string]
      expect(await containerOf(branch)).toBe(container === 'zstd' ? 'zstd' : 'jsonl')
      expect((await readBack(branch)).events).toEqual(first().events())
    },
  )

  test('closers are told from a writer however long the real branch is', async () => {
    const closed = base().edit(8, (row) => ({ ...row, data: { turn: 1, reason: { kind: 'interrupted' } } }))
    const long = base()
    for (let n = 0; n < 20_001; n++) long.event('plan/mode', {})
    const rows = [...closed.lines(), ...long.lines().slice(9)]
    const path = tempFile(rows.map((row) => `${row}\n`).join(''))
    expect(kindsOf((await repair(path)).data)).toEqual(['drop-rows'])
  })
})

test('line ends of another system stay, and rows that move get those of DSH', async () => {
  const crlf = (built: LogBuilder) => built.text().replaceAll('\n', '\r\n')
  const open = await mended(tempFile(crlf(base().openTurn())))
  const lines = readFileSync(open.output, 'utf8').split('\n')
  expect(lines.filter((row) => row.endsWith('\r'))).toHaveLength(11)
  expect(kindsOf(open.data)).toEqual(['close-turn'])
  const gap = await mended(tempFile(crlf(twoTurns().drop(3))))
  expect(kindsOf(gap.data)).toEqual(['close-gap'])
  expect((await readBack(gap.output)).events).toHaveLength(14)
})

describe('calls without an id or a name', () => {
  const NAMELESS = [
    ['a name', { id: 'a', name: '' }],
    ['an id', { id: '', name: 'bash' }],
    ['both', { id: '', name: '' }],
  ] as const
  const cases = PLACES.flatMap(([version, container]) =>
    NAMELESS.map(([what, call]) => [what, version, container, call] as const),
  ).filter(([what, version]) => version !== 2 || what === 'a name')

  test.each(cases)('without %s, format %i, %s', async (_what, version, container, call) => {
    const built = start(version)
    turn(built, (inTurn) =>
      step(inTurn, (inStep) => {
        if ('announce' in inStep) inStep.user('go').assistant('ok').call(call.id, call.name, '{"a":1}')
        else inStep.user('go').request().assistant('ok', [call]).call(call.id, call.name)
        inStep.result(call.id, 'no such tool')
      }),
    )
    const { data, output, exitCode } = await mended(await stored(container, built))
    expect({ exitCode, remaining: data.remaining }).toEqual({ exitCode: 0, remaining: undefined })
    const { events } = await readBack(output)
    expect(JSON.stringify(events)).toContain('no such tool')
    const steps = data.steps.map(({ kind }) => kind)
    expect(steps.includes('note-exchanges')).toBe(call.name === '')
    expect(steps.includes('insert-results')).toBe(false)
  })
})
