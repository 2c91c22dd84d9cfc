/**
 * An answer of formats 0 and 1 whose message is lost and whose chunks are all there: the message is put back as DSH makes
 * it of the chunks, in every container. Where the log does not tell all of it, none is made.
 */
import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../src/core/event/session-event.ts'
import { isJsonObject, type JsonObject } from '../../src/core/json/json-value.ts'
import {
  CONTAINERS,
  type ContainerName,
  readBack,
  type WholeLog,
  wholeLog,
  written,
} from '../support/containers.ts'
import { type LogBuilder, log } from '../support/log-builder.ts'
import { kindsOf, mended } from '../support/repairing.ts'

const USAGE = { inputTokens: 7, outputTokens: 3 }
const REPLAY = { response: { id: 'r1' }, blocks: [{ a: 1 }, { b: 2 }] }

function chunk(step: LogBuilder, chunk: JsonObject): number {
  const seq = step.nextSeq
  step.event('assistant/chunk', { turn: 1, step: 1, chunk })
  return seq
}

const BEGUN: readonly JsonObject[] = [
  { type: 'block-start', index: 0, blockType: 'reasoning' },
  { type: 'reasoning-delta', index: 0, text: 'hm' },
  { type: 'reasoning-delta', index: 0, text: ', files' },
  { type: 'block-end', index: 0, block: { type: 'reasoning', text: 'hm, files' } },
  { type: 'tool-call-delta', index: 1, id: 'c1', name: 'bash', argumentsDelta: '{"a":' },
  { type: 'tool-call-delta', index: 1, id: 'c1', argumentsDelta: '1}' },
  { type: 'usage', usage: USAGE },
]
const FINISHED: JsonObject = { type: 'finish', reason: { kind: 'tool-calls' }, replayState: REPLAY }

/** A call that is announced by a streamed answer; seq 4 is the first chunk. */
function streamed(chunks: readonly JsonObject[] = [...BEGUN, FINISHED]): LogBuilder {
  return log()
    .turn((turn) =>
      turn.user('list').step((step) => {
        step.request()
        const sources = chunks.map((each) => chunk(step, each))
        const message = {
          id: 'a',
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'hm, files' },
            { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{"a":1}' },
          ],
          source: { kind: 'model', provider: 'p', model: 'm', replayState: REPLAY },
        }
        const data = { turn: 1, step: 1, message, usage: USAGE }
        step.event('assistant/message', data, { sourceEventSeqs: sources, surfaceOp: 'append' })
        const call = step.nextSeq
        step.event('tool/call', { turn: 1, step: 1, callId: 'c1', name: 'bash', arguments: '{"a":1}' })
        step.result('c1', 'a.txt', { sources: [call] })
      }),
    )
    .turn((turn) => turn.user('thanks').step((step) => step.assistant('done', { sources: [] })))
}

function without(whole: WholeLog, ...seqs: readonly number[]): WholeLog {
  return { ...whole, events: whole.events.filter(({ seq }) => !seqs.includes(seq)) }
}

async function answerSeq(whole: WholeLog): Promise<number> {
  return (whole.events.find(({ type }) => type === 'assistant/message') as SessionEvent).seq
}

const names = Object.keys(CONTAINERS) as ContainerName[]

describe.each(names)('%s', (name) => {
  test('the answer is put back with its content, usage, source and chunks', async () => {
    const whole = await wholeLog(streamed().bytes())
    const lost = await answerSeq(whole)
    const { output, pieces, data } = await mended(await written(name, without(whole, lost)))
    const { events } = await readBack(output)
    expect(pieces).toEqual([])
    expect(kindsOf(data)).toEqual(['fill-gap'])
    const answer = events[lost] as SessionEvent
    expect({ ...answer, data: withoutId(answer), time: 0 }).toEqual({
      ...(whole.events[lost] as SessionEvent),
      data: withoutId(whole.events[lost] as SessionEvent),
      time: 0,
    })
    expect(events.toSpliced(lost, 1)).toEqual(whole.events.toSpliced(lost, 1))
  })

  test('its call and its result are lost as well', async () => {
    const whole = await wholeLog(streamed().bytes())
    const lost = await answerSeq(whole)
    const { output, pieces } = await mended(await written(name, without(whole, lost, lost + 1, lost + 2)))
    const { events } = await readBack(output)
    expect(pieces).toEqual([])
    expect(withoutId(events[lost] as SessionEvent)).toEqual(withoutId(whole.events[lost] as SessionEvent))
    expect(events[lost + 1]).toMatchObject({
      type: 'tool/result',
      data: { error: { code: 'TOOL_NOT_STARTED' } },
    })
  })
})

describe('what the log does not tell is not made', () => {
  const end = BEGUN.length + 4
  test.each([
    ['a chunk is lost', streamed(), [5]],
    ['the first chunk is lost', streamed(), [4]],
    ['the model may be among what is lost', streamed(), [3]],
    ['the chunk that ends the attempt is lost', streamed(), [end]],
    [
      'the attempt failed',
      streamed([...BEGUN, { type: 'finish', reason: { kind: 'error', failure: {} } }]),
      [],
    ],
    ['the attempt was cut off', streamed(BEGUN), []],
  ] as const)('%s', async (_why, built, more) => {
    const whole = await wholeLog(built.bytes())
    const { output } = await mended(await written('plain', without(whole, await answerSeq(whole), ...more)))
    const { events } = await readBack(output)
    const answers = events.filter(({ type }) => type === 'assistant/message')
    // The call proves that there was a message with it, and nothing else of it.
    expect(JSON.stringify(answers)).not.toContain('hm, files')
  })
})

function withoutId({ data }: SessionEvent): unknown {
  if (!isJsonObject(data) || !isJsonObject(data.message)) return data
  const { id: _, ...message } = data.message
  return { ...data, message }
}
