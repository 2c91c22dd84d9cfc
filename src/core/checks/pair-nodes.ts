/**
 * The halves of pairs by seq, each in a few numbers: which calls a message announces, where their results are, and which
 * call a result answers. Calls go by the number of their id.
 */
import { NONE, NumberColumn } from '../event/number-column.ts'
import { SeqIndex } from '../event/seq-index.ts'

export class PairNodes {
  readonly #rows = new SeqIndex()
  /** By row: the call that it answers, where that is, and where its calls begin in the lists of calls. */
  readonly #answers = new NumberColumn()
  readonly #callAt = new NumberColumn()
  readonly #firstCalls = new NumberColumn()
  /** By call of all rows: its id, and where its result is. */
  readonly #calls = new NumberColumn()
  readonly #resultAt = new NumberColumn()

  addResult(seq: number, call: number): void {
    this.#add(seq, call)
  }

  /** @param calls - in the order of the message; one that it announces twice is there twice. */
  addCalls(seq: number, calls: readonly number[]): void {
    this.#add(seq, NONE)
    for (const call of calls) {
      this.#calls.push(call)
      this.#resultAt.push(NONE)
    }
  }

  #add(seq: number, answers: number): void {
    this.#rows.set(seq, this.#answers.length)
    this.#answers.push(answers)
    this.#callAt.push(NONE)
    this.#firstCalls.push(this.#calls.length)
  }

  has(seq: number): boolean {
    return this.#rows.get(seq) !== undefined
  }

  delete(seq: number): void {
    this.#rows.delete(seq)
  }

  /** The call that the node answers. */
  answered(seq: number): number | undefined {
    const row = this.#rows.get(seq)
    return row === undefined ? undefined : known(this.#answers.at(row))
  }

  /** Where the call is that the node answers. */
  callAt(seq: number): number | undefined {
    const row = this.#rows.get(seq)
    return row === undefined ? undefined : known(this.#callAt.at(row))
  }

  setCallAt(seq: number, callAt: number | undefined): void {
    const row = this.#rows.get(seq)
    if (row !== undefined) this.#callAt.set(row, callAt ?? NONE)
  }

  /** The calls that the node announces. */
  announced(seq: number): readonly number[] {
    const [first, end] = this.#callsOf(seq)
    const calls: number[] = []
    for (let at = first; at < end; at++) calls.push(this.#calls.at(at))
    return calls
  }

  announces(seq: number, call: number): boolean {
    return this.#indexOf(seq, call) !== NONE
  }

  /** Where the result of a call is that the node announces. */
  resultAt(seq: number, call: number): number | undefined {
    const at = this.#indexOf(seq, call)
    return at === NONE ? undefined : known(this.#resultAt.at(at))
  }

  setResultAt(seq: number, call: number, resultAt: number | undefined): void {
    const at = this.#indexOf(seq, call)
    if (at !== NONE) this.#resultAt.set(at, resultAt ?? NONE)
  }

  /** Where the calls of the node begin and end. */
  #callsOf(seq: number): readonly [first: number, end: number] {
    const row = this.#rows.get(seq)
    if (row === undefined) return [0, 0]
    const isLast = row + 1 === this.#firstCalls.length
    return [this.#firstCalls.at(row), isLast ? this.#calls.length : this.#firstCalls.at(row + 1)]
  }

  #indexOf(seq: number, call: number): number {
    const [first, end] = this.#callsOf(seq)
    for (let at = first; at < end; at++) if (this.#calls.at(at) === call) return at
    return NONE
  }
}

function known(value: number): number | undefined {
  return value === NONE ? undefined : value
}
