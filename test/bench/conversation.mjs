/** Turns with a message, steps of streamed deltas, an answer that cites them and a tool call. */
import { header, message, rowWriter, seeded, words as someWords } from './seeded.mjs'

export function* conversation(events, deltasInStep = 150) {
  const random = seeded()
  const words = (number) => someWords(random, number)
  const { row, next } = rowWriter()
  yield header()
  for (let turn = 1; next() < events; turn++) {
    yield row('turn/start', { turn })
    yield row('user/message', message(`u${turn}`, 'user', { kind: 'user' }, words(40)), {
      surfaceOp: 'append',
    })
    for (let step = 1; step <= 3 && next() < events; step++) {
      yield row('step/start', { turn, step })
      const cited = []
      for (let delta = 0; delta < deltasInStep; delta++) {
        cited.push(next())
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
      const calledAt = next()
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
