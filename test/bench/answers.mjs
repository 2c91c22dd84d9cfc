/**
 * Turns as formats 2 to 4 write them: an answer with the stream it came from, a tool call and its result. In format 0
 * the stream is left out; there it would be events of its own (`conversation.mjs`).
 */
import { header, message, rowWriter, seeded, words as someWords } from './seeded.mjs'

const MODEL = { provider: 'p', model: 'm' }
const APPEND = { surfaceOp: 'append' }

/** @param tokens - pieces of the stream of every answer. @param resultWords - length of every tool result. */
export function* answers(version, turns, tokens = 100, resultWords = 210, id = undefined) {
  const random = seeded()
  const words = (number) => someWords(random, number)
  const { row, next, time: now } = rowWriter()
  yield header(id, version)
  for (let turn = 1; turn <= turns; turn++) {
    const place = { turn, step: 1 }
    yield row('turn/start', { turn })
    yield row('step/start', place)
    if (turn === 1 && version >= 3) yield row('system/message', systemPrompt(version, place), APPEND)
    yield row('user/message', message(`u${turn}`, 'user', { kind: 'user' }, words(30)), APPEND)
    if (turn === 1) yield row('request/header', { header: { config: MODEL }, reason: 'initial' })
    const callId = `c${turn}`
    const call = { name: 'bash', arguments: '{"command":"ls"}' }
    const time = now()
    const texts = Array.from({ length: tokens }, () => `${words(1)} `)
    const answer = message(`a${turn}`, 'assistant', { kind: 'model', ...MODEL }, texts.join(''))
    answer.content.push({ type: 'tool-call', id: callId, ...call })
    const usage = { inputTokens: 1000 + turn, outputTokens: tokens, cacheReadTokens: 900 }
    const stream = version >= 2 && {
      stream: [
        chunk(time, { type: 'block-start', index: 0, blockType: 'text' }),
        { type: 'text-chunks', time0: time, index: 0, dt: texts.slice(1).map(() => random(30)), texts },
        chunk(time + 5, { type: 'block-end', index: 0, block: answer.content[0] }),
        {
          type: 'tool-call-chunks',
          time0: time + 6,
          index: 1,
          dt: [],
          id: callId,
          name: call.name,
          args: [call.arguments],
        },
        chunk(time + 7, { type: 'usage', usage }),
        chunk(time + 8, { type: 'finish', reason: { kind: 'tool-calls' } }),
      ],
    }
    yield row('assistant/message', { ...place, message: answer, usage, ...stream }, APPEND)
    const calledAt = next()
    yield row('tool/call', { ...place, callId, ...call })
    const said = [{ type: 'text', text: words(resultWords) }]
    const source = { kind: 'tool', callId }
    const result =
      version >= 4
        ? { id: `r${turn}`, role: 'tool', toolCallId: callId, source, content: said }
        : {
            id: `r${turn}`,
            role: 'user',
            source,
            content: [{ type: 'tool-result', toolCallId: callId, content: said }],
          }
    yield row('tool/result', { ...place, message: result }, { ...APPEND, sourceEventSeqs: [calledAt] })
    yield row('step/end', place)
    yield row('turn/end', { turn, reason: { kind: 'completed' } })
  }
}

function systemPrompt(version, place) {
  const source =
    version === 3 ? { kind: 'plugin', plugin: '@deepseek-ai/dsh-system-prompt' } : { kind: 'system-prompt' }
  return { ...place, message: message('s1', 'system', source, 'You are an agent.') }
}

function chunk(time, chunk) {
  return { type: 'chunk', time, chunk }
}
