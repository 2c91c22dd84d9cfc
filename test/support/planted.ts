/** Logs with a text in one place, for every kind of place that a log has. */

import { type LogBuilder, log } from './log-builder.ts'
import { pieces } from './pieces.ts'

const START = 1_700_000_000_000

/** By what a reader of the documents would call the place. */
export const PLACES: Readonly<Record<string, (text: string) => Buffer>> = {
  'message of the user': (text) => told(`see\n${text}\nplease`).bytes(),
  'output of a tool': (text) => withCall('{}', `1\t${text}\n2\tdone`).bytes(),
  'arguments of a tool': (text) => withCall(JSON.stringify({ command: `true\n${text}`, n: 1 })).bytes(),
  'JSON in arguments': (text) =>
    withCall(JSON.stringify({ content: JSON.stringify({ value: text, list: [`\n${text}`] }) })).bytes(),
  'name of a member': (text) => withCall(JSON.stringify({ [text]: true })).bytes(),
  'data of an unknown event': (text) =>
    told('hi')
      .event('acme/note', { [text]: { deep: [text] } }, { ignorable: true })
      .bytes(),
  'loose deltas': (text) => streamed(text, (step, parts) => parts.map((part) => step.chunk(part))).bytes(),
  'packed deltas': (text) => streamed(text, (step, parts) => step.packed(parts)).bytes(),
  'arguments in deltas': (text) => argumentsInDeltas(text).bytes(),
  'stream of an answer': embedded,
  'broken line': (text) =>
    told('hi')
      .raw(`{"type":"user/message","seq":2,"data":{"text":"${inJson(text)}`)
      .bytes(),
}

function told(text: string): LogBuilder {
  return log().turn((turn) => turn.user(text).step((step) => step.assistant('ok')))
}

function withCall(args: string, output = 'done'): LogBuilder {
  return log().turn((turn) =>
    turn.user('go').step((step) => step.assistant('').call('c1', 'bash', args).result('c1', output)),
  )
}

function streamed(text: string, write: (step: LogBuilder, parts: readonly string[]) => unknown): LogBuilder {
  const whole = `it is\n${text}\nnow`
  return log().turn((turn) =>
    turn.user('go').step((step) => {
      const first = step.nextSeq
      write(step, pieces(whole))
      const sources = Array.from({ length: step.nextSeq - first }, (_, at) => first + at)
      step.assistant(whole, { sources })
    }),
  )
}

function argumentsInDeltas(text: string): LogBuilder {
  const args = JSON.stringify({ command: `true\n${text}` })
  return log().turn((turn) =>
    turn.user('go').step((step) => {
      const first = step.nextSeq
      for (const argumentsDelta of pieces(args)) {
        const chunk = { type: 'tool-call-delta', index: 1, id: 'c1', name: 'bash', argumentsDelta }
        step.event('assistant/chunk', { turn: 1, step: 1, chunk })
      }
      const sources = Array.from({ length: step.nextSeq - first }, (_, at) => first + at)
      step.assistant('', { sources }).call('c1', 'bash', args).result('c1', 'done')
    }),
  )
}

/** Of format 2, whose readers put the stream together and compare it with the message. */
function embedded(text: string): Buffer {
  const whole = `it is\n${text}\nnow`
  const args = JSON.stringify({ command: text })
  const [texts, argTexts] = [pieces(whole), pieces(args)]
  const run = (list: readonly string[]) => ({ time0: START, dt: list.slice(1).map(() => 1) })
  const message = {
    id: 'a1',
    role: 'assistant',
    source: { kind: 'model', provider: 'p', model: 'm' },
    content: [
      { type: 'text', text: whole },
      { type: 'tool-call', id: 'c1', name: 'bash', arguments: args },
    ],
  }
  const stream = [
    { type: 'text-chunks', index: 0, texts, ...run(texts) },
    { type: 'tool-call-chunks', index: 1, id: 'c1', name: 'bash', args: argTexts, ...run(argTexts) },
  ]
  const event = (type: string, seq: number, data: object, extra = {}) => ({
    type,
    seq,
    time: START,
    data,
    ...extra,
  })
  const place = { turn: 1, step: 1 }
  const user = { id: 'u1', role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text: 'go' }] }
  const rows = [
    { type: 'session', version: 2, id: 's-1', createdAt: START, delegationDepth: 0, isSeeded: false },
    event('turn/start', 0, { turn: 1 }),
    event('user/message', 1, user, { surfaceOp: 'append' }),
    event('step/start', 2, place),
    event('assistant/message', 3, { ...place, message, stream }, { surfaceOp: 'append' }),
  ]
  return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
