/**
 * Writes a log for measuring: turns with a message, steps of streamed deltas, an answer that cites them and tool calls,
 * the same for the same arguments. Usage: node test/bench/generate.mjs EVENTS FILE [deltas in a step]
 */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

const [, , count = '1000000', file = 'bench.jsonl', deltas = '150'] = process.argv
const WORDS =
  'the cache keeps an entry for one day so the page may be stale until it is read again from the source'.split(
    ' ',
  )
const START = 1_780_000_000_000

let state = 42
/** A small seeded generator: the same log on every machine. */
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) | 0
  return (state >>> 8) % below
}

function words(number) {
  return Array.from({ length: number }, () => WORDS[random(WORDS.length)]).join(' ')
}

export function* lines(events, deltasInStep) {
  let seq = 0
  const row = (type, data, more = {}) => JSON.stringify({ type, seq, time: START + seq++ * 7, data, ...more })
  yield JSON.stringify({
    type: 'session',
    version: 0,
    id: 'session-00000000-0000-4000-8000-00000000be7c',
    createdAt: START,
    cwd: '/w',
    delegationDepth: 0,
  })
  for (let turn = 1; seq < events; turn++) {
    yield row('turn/start', { turn })
    yield row('user/message', message(`u${turn}`, 'user', { kind: 'user' }, words(40)), {
      surfaceOp: 'append',
    })
    for (let step = 1; step <= 3 && seq < events; step++) {
      yield row('step/start', { turn, step })
      const cited = []
      for (let delta = 0; delta < deltasInStep; delta++) {
        cited.push(seq)
        yield row('assistant/chunk', { turn, step, chunk: { type: 'text-delta', index: 0, text: words(12) } })
      }
      const callId = `c${turn}-${step}`
      const call = { type: 'tool-call', id: callId, name: 'bash', arguments: '{"command":"ls"}' }
      const answer = message(
        `a${turn}-${step}`,
        'assistant',
        { kind: 'model', provider: 'p', model: 'm' },
        words(60),
      )
      answer.content.push(call)
      yield row(
        'assistant/message',
        { turn, step, message: answer },
        { surfaceOp: 'append', sourceEventSeqs: cited },
      )
      const calledAt = seq
      yield row('tool/call', { turn, step, callId, name: 'bash', arguments: '{"command":"ls"}' })
      const result = message(`r${turn}-${step}`, 'user', { kind: 'tool', callId }, '')
      result.content = [
        { type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text: words(50) }] },
      ]
      yield row(
        'tool/result',
        { turn, step, message: result },
        { surfaceOp: 'append', sourceEventSeqs: [calledAt] },
      )
      yield row('step/end', { turn, step })
    }
    yield row('turn/end', { turn, reason: { kind: 'completed' } })
  }
}

function message(id, role, source, text) {
  return { id, role, source, content: [{ type: 'text', text }] }
}

if (process.argv[1]?.endsWith('generate.mjs')) {
  const output = createWriteStream(file)
  let batch = []
  for (const line of lines(Number(count), Number(deltas))) {
    batch.push(line)
    if (batch.length < 1000) continue
    if (!output.write(`${batch.join('\n')}\n`)) await once(output, 'drain')
    batch = []
  }
  output.end(batch.length > 0 ? `${batch.join('\n')}\n` : '')
}
