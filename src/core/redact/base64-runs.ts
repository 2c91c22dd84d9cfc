/** Base64 that is long enough to be a file: nobody looks into it, and nothing is replaced in it. */
const DATA_URL = ';base64,'
const LEAST_OF_DATA = 64
/** A key that is written as base64 is shorter. */
const LEAST_OF_RUN = 8192
const CHARACTERS = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=')
  CHARACTERS[character.charCodeAt(0)] = 1

export type Range = readonly [start: number, end: number]

/** Where the runs are, in the order of the text. */
export function base64Runs(text: string): readonly Range[] {
  const runs: Range[] = []
  for (let at = text.indexOf(DATA_URL); at !== -1; at = text.indexOf(DATA_URL, at + 1)) {
    const start = at + DATA_URL.length
    const end = endOfRun(text, start)
    if (end - start >= LEAST_OF_DATA) runs.push([start, end])
  }
  // Whatever is that long has one of these places in it.
  for (let at = LEAST_OF_RUN - 1; at < text.length; at += LEAST_OF_RUN) {
    const before = runs.find(([start, end]) => at >= start && at < end)
    if (before !== undefined || !isBase64(text, at)) continue
    let start = at
    while (start > 0 && isBase64(text, start - 1)) start--
    const end = endOfRun(text, at)
    if (end - start >= LEAST_OF_RUN) runs.push([start, end])
    at = Math.max(at, end - (end % LEAST_OF_RUN) - 1)
  }
  return runs.length < 2 ? runs : runs.toSorted(([left], [right]) => left - right)
}

function endOfRun(text: string, from: number): number {
  let end = from
  while (end < text.length && isBase64(text, end)) end++
  return end
}

function isBase64(text: string, at: number): boolean {
  return CHARACTERS[text.charCodeAt(at)] === 1
}

/** The text without its runs. */
export function withoutRuns(text: string, runs: readonly Range[]): string {
  if (runs.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const [start, end] of runs) {
    parts.push(text.slice(at, start), '\n')
    at = end
  }
  parts.push(text.slice(at))
  return parts.join('')
}
