/** What differs between two texts, line by line, in the form of a unified diff. Bounded: a text may be a whole file. */
import { shortened } from '../findings/grammar.ts'
import { alignSequences, type CommonRun } from './align-sequences.ts'

export interface LineChanges {
  /** `@@ -1,4 +1,5 @@`, then lines that begin with a space, `-` or `+`. */
  readonly lines: readonly string[]
  /** Lines that were left out at the end. */
  readonly hidden?: number
}

const CONTEXT = 3

/** @param longest - units of a line that are kept. */
export function lineChanges(a: string, b: string, most: number, longest: number): LineChanges {
  const [linesA, linesB] = [a.split('\n'), b.split('\n')]
  const ids = new Map<string, number>()
  const idOf = (line: string): number => {
    const id = ids.get(line) ?? ids.size
    ids.set(line, id)
    return id
  }
  const runs = alignSequences(linesA.map(idOf), linesB.map(idOf))
  const lines: string[] = []
  let hidden = 0
  for (const line of hunks(linesA, linesB, runs)) {
    if (lines.length < most) lines.push(shortened(line, longest))
    else hidden++
  }
  return { lines, ...(hidden > 0 && { hidden }) }
}

function* hunks(a: readonly string[], b: readonly string[], runs: readonly CommonRun[]): Iterable<string> {
  let hunk = new Hunk(0, 0)
  let [nextA, nextB] = [0, 0]
  for (const run of [...runs, { a: a.length, b: b.length, length: 0 }]) {
    for (; nextA < run.a; nextA++) hunk.add('-', a[nextA] as string)
    for (; nextB < run.b; nextB++) hunk.add('+', b[nextB] as string)
    const after = hunk.isEmpty ? 0 : Math.min(CONTEXT, run.length)
    const isLast = run.a + run.length === a.length && run.b + run.length === b.length
    const joins = !hunk.isEmpty && !isLast && run.length <= 2 * CONTEXT
    const kept = joins ? run.length : after
    for (let at = 0; at < kept; at++) hunk.add(' ', a[run.a + at] as string)
    nextA = run.a + run.length
    nextB = run.b + run.length
    if (joins) continue
    yield* hunk.text()
    const before = isLast ? 0 : Math.min(CONTEXT, run.length)
    hunk = new Hunk(nextA - before, nextB - before)
    for (let at = before; at > 0; at--) hunk.context(a[nextA - at] as string)
  }
}

class Hunk {
  isEmpty = true
  readonly #startA: number
  readonly #startB: number
  readonly #lines: string[] = []
  #countA = 0
  #countB = 0

  constructor(startA: number, startB: number) {
    this.#startA = startA
    this.#startB = startB
  }

  context(line: string): void {
    this.#push(' ', line)
  }

  add(mark: ' ' | '-' | '+', line: string): void {
    this.isEmpty = false
    this.#push(mark, line)
  }

  *text(): Iterable<string> {
    if (this.isEmpty) return
    const place = (start: number, count: number): string => `${count === 0 ? start : start + 1},${count}`
    yield `@@ -${place(this.#startA, this.#countA)} +${place(this.#startB, this.#countB)} @@`
    yield* this.#lines
  }

  #push(mark: ' ' | '-' | '+', line: string): void {
    this.#lines.push(mark + line)
    if (mark !== '+') this.#countA++
    if (mark !== '-') this.#countB++
  }
}
