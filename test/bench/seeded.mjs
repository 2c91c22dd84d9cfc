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

export function header(id = 'session-00000000-0000-4000-8000-00000000be7c') {
  return JSON.stringify({ type: 'session', version: 0, id, createdAt: START, cwd: '/w', delegationDepth: 0 })
}

/** Gives rows with rising seqs and times. */
export function rowWriter() {
  let seq = 0
  const row = (type, data, more = {}) => JSON.stringify({ type, seq, time: START + seq++ * 7, data, ...more })
  return { row, next: () => seq }
}

export function message(id, role, source, text) {
  return { id, role, source, content: [{ type: 'text', text }] }
}
