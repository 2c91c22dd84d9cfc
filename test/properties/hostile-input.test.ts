/** Whatever the bytes are, every reducer gets through them, and the answer can be judged. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classification } from '../../src/core/projections/classification.ts'
import { pageBounds } from '../../src/core/projections/event-pages.ts'
import { statistics } from '../../src/core/projections/statistics.ts'
import { surfaceMessages, surfaceView } from '../../src/core/projections/surface-view.ts'
import { eventTrace } from '../../src/core/projections/trace.ts'
import { transcript } from '../../src/core/projections/transcript.ts'
import { closersAt } from '../../src/core/repair/closers.ts'
import { load } from '../support/load.ts'
import { log } from '../support/log-builder.ts'
import { rich } from '../support/sample-logs.ts'
import { EVENT_TYPES } from './event-types.ts'

async function survives(bytes: Buffer): Promise<void> {
  const loaded = await load(bytes, {
    surface: surfaceView(),
    messages: surfaceMessages(),
    classes: classification(),
    transcript: transcript(() => {}),
    statistics: statistics(),
    bounds: pageBounds(2),
    trace: eventTrace(1),
  })
  const { judgement, results, end, list } = loaded
  expect([0, 1, 3, 4]).toContain(judgement.exitCode)
  const classes = [...results.classes.events()]
  const { current, shadowed, logOnly } = results.classes.counts
  expect(current + shadowed + logOnly).toBe(classes.length)
  expect(results.surface.nodes.length).toBe(end.surface.length)
  for (const finding of list) expect(finding.origin).toBeDefined()
  closersAt(end.cursor, end.last?.event)
}

const header = log().text()
const anyJson = fc.jsonValue()
const smallSeq = fc.integer({ min: -1, max: 12 })

/** Values that an event may hold where something else is expected. */
const odd = fc.oneof(anyJson, smallSeq, fc.constant('append'), fc.array(smallSeq, { maxLength: 4 }))

/** Rows that are nearly events, so that they get past the envelope. */
const row = fc.record(
  {
    type: fc.constantFrom(...EVENT_TYPES),
    seq: smallSeq,
    time: fc.oneof(fc.integer(), anyJson),
    data: fc.oneof(
      anyJson,
      fc.record(
        {
          turn: odd,
          step: odd,
          reason: odd,
          callId: fc.constantFrom('a', 'b', '', 3),
          chunk: odd,
          message: fc.record(
            {
              id: odd,
              role: fc.constantFrom('user', 'assistant', 'tool', null),
              source: fc.oneof(
                odd,
                fc.record({ kind: fc.constantFrom('tool', 'user', 'model'), callId: odd }),
              ),
              content: fc.oneof(
                odd,
                fc.array(
                  fc.record(
                    {
                      type: fc.constantFrom('text', 'tool-call', 'tool-result', 'image'),
                      id: odd,
                      name: odd,
                      text: odd,
                      content: odd,
                    },
                    { requiredKeys: [] },
                  ),
                ),
              ),
            },
            { requiredKeys: [] },
          ),
        },
        { requiredKeys: [] },
      ),
    ),
    surfaceOp: fc.oneof(
      fc.constant('append'),
      fc.record({ op: fc.constant('replace'), start: smallSeq, end: smallSeq }),
      odd,
    ),
    sourceEventSeqs: odd,
    ignorable: fc.constantFrom(true, false, null),
    seq0: smallSeq,
    time0: odd,
  },
  { requiredKeys: ['type'] },
)

test('random JSON lines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyJson, { maxLength: 8 }), fc.boolean(), async (values, withHeader) => {
      const lines = values.map((value) => `${JSON.stringify(value)}\n`).join('')
      await survives(Buffer.from(withHeader ? header + lines : lines))
    }),
    { numRuns: 300 },
  )
})

test('rows that are nearly events, numbered or not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 12 }), fc.boolean(), async (rows, numbered) => {
      const lines = rows.map((value, seq) => JSON.stringify(numbered ? { ...value, seq } : value))
      await survives(Buffer.from(`${header}${lines.join('\n')}\n`))
    }),
    { numRuns: 400 },
  )
})

test('random bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, withHeader) => {
      await survives(Buffer.concat([Buffer.from(withHeader ? header : ''), bytes]))
    }),
    { numRuns: 300 },
  )
})

test('random byte flips in a rich log', async () => {
  const whole = rich().bytes()
  const flip = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }))
  await fc.assert(
    fc.asyncProperty(fc.array(flip, { minLength: 1, maxLength: 4 }), async (flips) => {
      const bytes = Buffer.from(whole)
      for (const [at, mask] of flips) bytes[at] = (bytes[at] as number) ^ mask
      await survives(bytes)
    }),
    { numRuns: 300 },
  )
})

test('lines of a rich log in any order, lost or twice', async () => {
  const [first, ...rest] = rich().text().trimEnd().split('\n')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(rest.length - 1), { maxLength: rest.length }), async (picked) => {
      const lines = [first, ...picked.map((index) => rest[index])]
      await survives(Buffer.from(`${lines.join('\n')}\n`))
    }),
    { numRuns: 300 },
  )
})

test('a value nested deeper than the call stack', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const text = log().user('x').text().replace('"x"', deep)
  await survives(Buffer.from(text))
})
