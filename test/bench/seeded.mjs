/** Numbers and words that are the same on every machine, and the envelope of a log. */

const START = 1_780_000_000_000

const WORDS =
  'the cache keeps an entry for one day so the page may be stale until it is read again from the source'.split(
    ' ',
  )

/** A small seeded generator. */
export function seeded(state = 42) {
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 8) % below
  }
}

export function words(random, number) {
  return Array.from({ length: number }, () => WORDS[random(WORDS.length)]).join(' ')
}

export function header(id = 'session-00000000-0000-4000-8000-00000000be7c', version = 0) {
  const later = version >= 2 && { isSeeded: false }
  return JSON.stringify({
    type: 'session',
    version,
    id,
    createdAt: START,
    cwd: '/w',
    ...later,
    delegationDepth: 0,
  })
}

/** Gives rows with rising seqs and times. */
export function rowWriter() {
  let seq = 0
  const time = () => START + seq * 7
  const row = (type, data, more = {}) => {
    const line = JSON.stringify({ type, seq, time: time(), data, ...more })
    seq++
    return line
  }
  return { row, next: () => seq, time }
}

export function message(id, role, source, text) {
  return { id, role, source, content: [{ type: 'text', text }] }
}
