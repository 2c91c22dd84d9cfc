/** Logs that are hard in one way each: what takes twice as long for twice as much must not take four times as long. */
import { header, message, rowWriter, seeded } from './seeded.mjs'

const prompt = (seq) => message(`u${seq}`, 'user', { kind: 'user' }, `message ${seq}`)
const summary = (seq) => message(`s${seq}`, 'user', { kind: 'plugin', plugin: 'bench' }, `summary ${seq}`)

function replacing(node) {
  return { surfaceOp: { op: 'replace', start: node, end: node }, sourceEventSeqs: [node] }
}

/** Messages, and then as many replacements of the last node, one after the other. */
export function* lastReplaced(count) {
  const { row, next } = rowWriter()
  yield header()
  for (let done = 0; done < count; done++) yield row('user/message', prompt(next()), { surfaceOp: 'append' })
  for (let done = 0; done < count; done++) yield row('user/message', summary(next()), replacing(next() - 1))
}

/** Messages, and then twice as many replacements of nodes anywhere. */
export function* spreadReplaced(count) {
  const random = seeded()
  const { row, next } = rowWriter()
  const nodes = []
  yield header()
  for (let done = 0; done < count; done++) {
    nodes.push(next())
    yield row('user/message', prompt(next()), { surfaceOp: 'append' })
  }
  for (let done = 0; done < 2 * count; done++) {
    const place = random(count)
    const replaced = nodes[place]
    nodes[place] = next()
    yield row('user/message', summary(next()), replacing(replaced))
  }
}

/** Messages that no surface takes: a finding each. */
export function* faulty(count) {
  const { row, next } = rowWriter()
  yield header()
  yield row('user/message', prompt(next()), { surfaceOp: 'append' })
  for (let done = 0; done < count; done++) yield row('user/message', prompt(next()))
}

/** Small events, of which each goes into a frame of its own. */
export function* small(count) {
  const { row, next } = rowWriter()
  yield header()
  for (let done = 0; done < count; done++) yield row('plan/mode', { active: next() % 2 === 0 })
}

/** One session of many: a turn of a few hundred events. */
export function* session(number) {
  const { row, next } = rowWriter()
  yield header(idOf(number))
  yield row('turn/start', { turn: 1 })
  yield row('user/message', prompt(next()), { surfaceOp: 'append' })
  yield row('step/start', { turn: 1, step: 1 })
  for (let done = 0; done < 100; done++)
    yield row('assistant/chunk', { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'more' } })
  const source = { kind: 'model', provider: 'p', model: 'm' }
  const answer = message(`a${next()}`, 'assistant', source, 'done')
  yield row('assistant/message', { turn: 1, step: 1, message: answer }, { surfaceOp: 'append' })
  yield row('step/end', { turn: 1, step: 1 })
  yield row('turn/end', { turn: 1, reason: { kind: 'completed' } })
}

export function idOf(number) {
  return `session-00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}
