/**
 * Streams of answers that are recognised by their bytes against the same streams parsed: whatever is in them, and
 * however the record is spelled, findings, answers and state are the same.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { migrationFacts } from '../../src/core/compatibility/migration-facts.ts'
import { SOUND_STREAM, streamMember } from '../../src/core/event/sound-stream.ts'
import { jsonAnomalies } from '../../src/core/json/json-anomalies.ts'
import type { JsonObject, JsonValue } from '../../src/core/json/json-value.ts'
import { classification } from '../../src/core/projections/classification.ts'
import { statistics } from '../../src/core/projections/statistics.ts'
import { surfaceMessages } from '../../src/core/projections/surface-view.ts'
import { type TranscriptEntry, transcript } from '../../src/core/projections/transcript.ts'
import { parseRecord } from '../../src/load/reading/parse-record.ts'
import { loadLog } from '../../src/load/sessions/load-log.ts'
import { plainFile } from '../../src/storage/jsonl/plain-file.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { runs } from '../support/effort.ts'
import { type LaterVersion, later } from '../support/later-log.ts'
import { tempFile } from '../support/temp-dir.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '"', '\\', '\n\u0001', '\u2028', '\ud83d', 'é', '😀', ']},{"type":"chunk"'),
)
const number = fc.oneof(
  fc.nat(),
  fc.constantFrom(0, -1, 1.5, 1e21, 1_790_000_000_000, 9_007_199_254_740_991, -0),
)
const blockType = fc.constantFrom('text', 'reasoning', 'tool-call', 'image', 'plugin:odd', '')
const anything: fc.Arbitrary<JsonValue> = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.constant([]),
)

const block: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.record({ type: blockType, text }),
  fc.record({ type: fc.constant('tool-call'), id: text, name: text, arguments: text }),
  fc.record({ type: blockType, text: anything, more: anything }, { requiredKeys: [] }),
  anything,
)
const chunk: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.record({ type: fc.constant('block-start'), index: number, blockType }),
  fc.record({ type: fc.constant('block-end'), index: number, block }),
  fc.record({ type: fc.constant('usage'), usage: fc.dictionary(text, anything, { maxKeys: 3 }) }),
  fc.record({ type: fc.constant('finish'), reason: fc.record({ kind: fc.constant('stop') }) }),
  anything,
)
const record: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.record({ type: fc.constant('chunk'), time: number, chunk }),
  fc
    .tuple(
      fc.constantFrom('text-chunks', 'reasoning-chunks'),
      number,
      number,
      fc.array(text),
      fc.array(number),
    )
    .map(([type, time0, index, texts, dt]) => ({ type, time0, index, dt, texts })),
  fc
    .tuple(number, number, text, fc.option(text, { nil: undefined }), fc.array(text), fc.array(number))
    .map(([time0, index, id, name, args, dt]) => ({
      ...{ type: 'tool-call-chunks', time0, index, dt, id },
      ...(name !== undefined && { name }),
      args,
    })),
  anything,
)
/** A record of a stream that may come to the message it is embedded in, which says "text". */
const fitting: fc.Arbitrary<JsonValue> = fc
  .tuple(fc.constantFrom('text', 'te', 'xt', 'é', ''), fc.constantFrom(0, 0, 1), fc.constantFrom(0, 1, 1, 2))
  .chain(([said, index, missing]) =>
    fc.constantFrom<JsonValue>(
      {
        type: 'text-chunks',
        time0: 1,
        index,
        dt: Array.from({ length: missing }, () => 1),
        texts: ['te', 'xt'],
      },
      { type: 'text-chunks', time0: 1, index, dt: [], texts: [said] },
      { type: 'chunk', time: 1, chunk: { type: 'block-end', index, block: { type: 'text', text: said } } },
      { type: 'chunk', time: 1, chunk: { type: 'block-start', index, blockType: 'text' } },
    ),
  )
const stream: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 9, arbitrary: fc.array(record, { maxLength: 4 }) },
  { weight: 9, arbitrary: fc.array(fc.oneof({ weight: 5, arbitrary: fitting }, record), { maxLength: 5 }) },
  anything,
)

/** A log of one answer with this stream, and other members around it. */
function answering(version: LaterVersion, value: JsonValue, more: JsonObject = {}) {
  return later(version).turn((turn) =>
    turn.step((step) =>
      step
        .system()
        .user('ask')
        .assistant('text', [], { data: { ...more, stream: value } }),
    ),
  )
}

async function answers(bytes: Buffer, skipsStreams: boolean): Promise<unknown> {
  const entries: TranscriptEntry[] = []
  const reducers = {
    classes: classification(),
    numbers: statistics(),
    messages: surfaceMessages(),
    facts: migrationFacts(),
    shown: transcript((entry) => entries.push(entry)),
  }
  const source = plainFile(tempFile(bytes), DEFAULT_LIMITS)
  const { findings, results } = await loadLog(source, reducers, { limits: DEFAULT_LIMITS, skipsStreams })
  const { classes, numbers, messages, facts } = results
  return { found: findings.findings(), events: [...classes.events()], numbers, messages, facts, entries }
}

describe('a stream that is not read', () => {
  test.each([2, 3, 4] as const)('changes no answer about a log of format %d', async (version) => {
    await fc.assert(
      fc.asyncProperty(stream, fc.dictionary(text, anything, { maxKeys: 2 }), async (value, more) => {
        const bytes = answering(version, value, more).bytes()
        expect(await answers(bytes, true)).toEqual(await answers(bytes, false))
      }),
      { numRuns: runs(300) },
    )
  })

  test('hides nothing of its record, however that is spelled', () => {
    const lines = fc.array(record, { maxLength: 4 }).map((value) => {
      const [line = ''] = answering(4, value)
        .text()
        .split('\n')
        .filter((row) => row.includes('"stream"'))
      return line
    })
    const changed = fc
      .tuple(
        lines,
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', '"', ',', '0', ' ', '}', '\\', '"stream":[],', '"type":1,'),
      )
      .map(([line, at, cut, put]) => {
        const place = at % (line.length + 1)
        return Buffer.from(line.slice(0, place) + put + line.slice(place + cut))
      })
    fc.assert(
      fc.property(changed, (bytes) => {
        const whole = parseRecord({ kind: 'bytes', bytes })
        const short = parseRecord({ kind: 'bytes', bytes }, streamMember(4))
        if (short.kind !== 'value' || whole.kind !== 'value' || !short.isPlain) {
          expect(short).toEqual(whole)
          return
        }
        expect(jsonAnomalies(bytes.toString('utf8'))).toEqual([])
        const { data } = short.value as { data?: { stream?: unknown } }
        if (data?.stream === SOUND_STREAM)
          (whole.value as { data: { stream: unknown } }).data.stream = SOUND_STREAM
        expect(short.value).toEqual(whole.value)
      }),
      { numRuns: runs(5000) },
    )
  })

  test('is one that DSH has written', () => {
    const time0 = 1_790_000_000_000
    const call = { type: 'tool-call', id: 'c', name: 'bash', arguments: '{"a":"\\n"}' }
    const usage = { inputTokens: 1, outputTokens: 2 }
    const parsed = parseRecord(
      {
        kind: 'bytes',
        bytes: Buffer.from(
          JSON.stringify({
            type: 'assistant/message',
            data: {
              stream: [
                {
                  type: 'chunk',
                  time: time0,
                  chunk: { type: 'block-start', index: 0, blockType: 'reasoning' },
                },
                { type: 'reasoning-chunks', time0, index: 0, dt: [1, 20], texts: ['so', ' "é', '\n'] },
                {
                  type: 'chunk',
                  time: time0,
                  chunk: { type: 'block-end', index: 0, block: { type: 'text', text: '' } },
                },
                { type: 'tool-call-chunks', time0, index: 1, dt: [], id: 'c', name: 'bash', args: ['{}'] },
                { type: 'chunk', time: time0, chunk: { type: 'block-end', index: 1, block: call } },
                { type: 'chunk', time: time0, chunk: { type: 'usage', usage } },
                {
                  type: 'chunk',
                  time: time0,
                  chunk: { type: 'finish', reason: { kind: 'stop' }, replayState: [{}] },
                },
              ],
            },
          }),
        ),
      },
      streamMember(4),
    )
    if (parsed.kind !== 'value') throw new Error(parsed.problem)
    expect((parsed.value as { data: JsonObject }).data.stream).toBe(SOUND_STREAM)
  })
})
