/**
 * `diff` against what is known otherwise: a log and itself, a log and its repair, a log and the same log edited, and two
 * logs of which nothing is known.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/core/diff/change.ts'
import { citedSeqs } from '../../src/core/event/session-event.ts'
import type { JsonObject } from '../../src/core/json/json-value.ts'
import { renaming, renumberRow } from '../../src/core/repair/renumber-row.ts'
import type { ReportData } from '../../src/report/report.ts'
import { type ContainerName, readBack, wholeLog, written } from '../support/containers.ts'
import { runs } from '../support/effort.ts'
import type { LogBuilder } from '../support/log-builder.ts'
import { sorted } from '../support/member-order.ts'
import { repairing } from '../support/repairing.ts'
import { diff } from '../support/run-diff.ts'
import { rich, twoTurns } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

/** A rich log that ends in the middle of things. */
function interrupted(): LogBuilder {
  return rich().openTurn((turn) =>
    turn
      .user('once more')
      .openStep((step) => step.chunk('hm').assistant('').call('d1', 'bash').announce('d2', 'read')),
  )
}

const whole = interrupted().bytes()

/** A line taken out, written twice or put elsewhere, and the end cut off. */
const damage = fc.record({
  kind: fc.constantFrom('none', 'drop', 'repeat', 'swap'),
  at: fc.nat(),
  other: fc.nat(),
  lost: fc.nat({ max: 400 }),
})

function damaged({
  kind,
  at,
  other,
  lost,
}: {
  kind: string
  at: number
  other: number
  lost: number
}): Buffer {
  const lines = interrupted().lines()
  const index = 1 + (at % (lines.length - 1))
  const second = 1 + (other % (lines.length - 1))
  const [line, elsewhere] = [lines[index] as Buffer, lines[second] as Buffer]
  if (kind === 'drop') lines.splice(index, 1)
  if (kind === 'repeat') lines.splice(index, 0, line)
  if (kind === 'swap') {
    lines[index] = elsewhere
    lines[second] = line
  }
  const bytes = Buffer.concat(lines.flatMap((content) => [content, Buffer.from('\n')]))
  return bytes.subarray(0, bytes.length - lost)
}

function seqsOf(changes: readonly Change[], kind: Change['change']): number[] {
  const places = changes.flatMap(({ level, change, a, b }) =>
    level === 'log' && change === kind ? [b ?? a] : [],
  )
  return places.flatMap((place) => {
    const [first, last] = [place?.first as number, place?.last as number]
    return Array.from({ length: last - first + 1 }, (_, at) => first + at)
  })
}

test('a log and itself: nothing, however damaged it is', async () => {
  await fc.assert(
    fc.asyncProperty(damage, async (what) => {
      const bytes = damaged(what)
      const run = await diff(tempFile(bytes), tempFile(bytes))
      expect(run).toMatchObject({ exitCode: 0, data: { outcome: 'same', changes: [] } })
    }),
    { numRuns: runs(40) },
  )
})

describe('a log and its repair', () => {
  /** What the plan says of the surface is what is found there. */
  async function mustBeAsAnnounced(before: string, after: string, { digests }: ReportData<'repair'>) {
    const { data, exitCode } = await diff(before, after, '--level', 'log,surface')
    expect({ before: data.a.digest, after: data.b.digest }).toEqual(digests.surface)
    const stays = digests.surface.before === digests.surface.after
    expect(data.summary.surface?.same).toBe(stays)
    expect(data.changes.some(({ level }) => level === 'surface')).toBe(!stays)
    if (!stays) expect(exitCode).toBe(1)
    return data
  }

  test('at the level of the surface: what the plan announced', async () => {
    let written = 0
    await fc.assert(
      fc.asyncProperty(damage, async (what) => {
        const path = tempFile(damaged(what))
        const result = await repairing(path)
        if (result.kind !== 'written') return
        written++
        await mustBeAsAnnounced(path, result.output, result.data)
      }),
      { numRuns: runs(30) },
    )
    expect(written).toBeGreaterThan(0)
  })

  test('cut off anywhere: the closers are added, and nothing else', async () => {
    let written = 0
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 200, max: whole.length }), async (end) => {
        const path = tempFile(whole.subarray(0, end))
        const result = await repairing(path)
        if (result.kind !== 'written') return
        written++
        const { closers } = result.data
        const data = await mustBeAsAnnounced(path, result.output, result.data)
        const { same: _, ...counts } = data.summary.log?.counts ?? { same: 0 }
        expect(counts).toEqual({ added: closers.length, removed: 0, changed: 0, renumbered: 0, moved: 0 })
        expect(seqsOf(data.changes, 'added')).toEqual(closers.map(({ seq }) => seq))
        const shown = closers.filter(({ surfaceOp }) => surfaceOp !== undefined).map(({ seq }) => seq)
        const added = data.changes.filter(({ level, change }) => level === 'surface' && change === 'added')
        expect(added.map(({ b }) => b?.first)).toEqual(shown)
      }),
      { numRuns: runs(30) },
    )
    expect(written).toBeGreaterThan(0)
  })

  test('results that are missing: they are added, what follows is renumbered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.constantFrom('c1', 'c2', 'c3'), { minLength: 1 }), async (gone) => {
        const path = tempFile(withoutResults(gone))
        const result = await repairing(path)
        expect(result.kind).toBe('written')
        if (result.kind !== 'written') return
        const inserted = (result.data.inserted ?? []).map(({ seq }) => seq)
        expect(inserted).toHaveLength(gone.length)
        const data = await mustBeAsAnnounced(path, result.output, result.data)
        expect(seqsOf(data.changes, 'added')).toEqual(inserted)
        expect(data.summary.log?.counts).toMatchObject({ removed: 0, moved: 0 })
      }),
      { numRuns: runs(8) },
    )
  })
})

/** The events without the results of some calls, numbered anew, and without what is built on them. */
function withoutResults(calls: readonly string[]): Buffer {
  const built = twoTurns().turn((turn) =>
    turn.user('go').step((step) => {
      step.assistant('').call('c2', 'bash').call('c3', 'read').result('c2', 'two').result('c3', 'three')
    }),
  )
  const kept = built.events().filter(({ type, data }) => {
    const { message } = data as { message?: { source: { callId: string } } }
    return type !== 'tool/result' || !calls.includes(message?.source.callId as string)
  })
  return renumbered(built, kept as unknown as readonly JsonObject[])
}

/** Rows under the numbers of their places, and what they name under its new number. */
function renumbered(built: LogBuilder, rows: readonly JsonObject[]): Buffer {
  const places = new Map(rows.map((row, place) => [row.seq, place]))
  const names = renaming({ of: (seq) => places.get(seq) })
  const lines = rows.map((row, place) => JSON.stringify(renumberRow(row, place, names)))
  return Buffer.from(`${[built.lines()[0], ...lines].join('\n')}\n`)
}

test('a log and the same with events taken out, put in and changed: exactly these', async () => {
  const built = twoTurns()
  const events = built.events()
  // Apart from each other: of two neighbours that differ nobody can say whether they were changed or exchanged.
  const edit = fc.constantFrom('none', 'take out', 'put in front', 'change', 'put in front and change')
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 5, maxLength: 5 }), async (edits) => {
      const editOf = (seq: number): string => (seq % 3 === 1 ? (edits[(seq - 1) / 3] as string) : 'none')
      const is = (what: string): number[] =>
        events.map(({ seq }) => seq).filter((seq) => editOf(seq).includes(what))
      const [gone, added, touched] = [is('take out'), is('put in front'), is('change')]
      const rows = events.flatMap((event) => {
        const { seq, data } = event
        const front = added.includes(seq) ? [{ type: 'acme/new', seq: 100 + seq, time: seq, data: {} }] : []
        const changed = { ...event, data: { ...(data as JsonObject), touched: true } }
        return gone.includes(seq) ? [] : [...front, touched.includes(seq) ? changed : event]
      })
      // What named an event that is gone names less than before.
      const poorer = events
        .filter((event) => citedSeqs(event).some((source) => gone.includes(source)))
        .map(({ seq }) => seq)
      const other = renumbered(built, rows as unknown as readonly JsonObject[])
      const { data } = await diff(tempFile(built.bytes()), tempFile(other), '--level', 'log')
      const changed = [...new Set([...touched, ...poorer])]
        .filter((seq) => !gone.includes(seq))
        .toSorted((a, b) => a - b)
      expect(data.summary.log?.counts).toMatchObject({ added: added.length, removed: gone.length, moved: 0 })
      const told = data.changes.flatMap(({ change, a }) => (change === 'changed' ? [a?.first] : []))
      expect(told).toEqual(changed)
      expect(seqsOf(data.changes, 'removed')).toEqual(gone)
    }),
    { numRuns: runs(60) },
  )
})

test('any two logs: the same exactly when their headers and events are deeply equal, and the other way round is the reverse', async () => {
  const containers = fc.constantFrom<ContainerName>('plain', 'packed', 'zstd', 'SQLite 17')
  const edit = fc.record({ at: fc.nat({ max: 47 }), title: fc.constantFrom('', 'a', 'b') })
  const edited = async ({ at, title }: { at: number; title: string }) => {
    const { header, events } = await wholeLog(rich().bytes())
    const changed = events.map((event) =>
      event.seq === at && title !== ''
        ? { type: 'session/title', seq: at, time: event.time, data: { title } }
        : event,
    )
    return { header, events: changed }
  }
  await fc.assert(
    fc.asyncProperty(containers, containers, edit, edit, async (nameA, nameB, editA, editB) => {
      const [a, b] = [await written(nameA, await edited(editA)), await written(nameB, await edited(editB))]
      const { data, exitCode } = await diff(a, b, '--level', 'log')
      const [backA, backB] = [await readBack(a), await readBack(b)]
      const isEqual = JSON.stringify(sorted(backA)) === JSON.stringify(sorted(backB))
      expect(data.outcome).toBe(isEqual ? 'same' : 'different')
      expect(exitCode).toBe(isEqual ? 0 : 1)
      const reverse = (await diff(b, a, '--level', 'log')).data.summary.log?.counts
      const { added, removed, ...others } = data.summary.log?.counts ?? {}
      expect(reverse).toEqual({ added: removed, removed: added, ...others })
    }),
    { numRuns: runs(25) },
  )
})
