/**
 * A log without some of its rows, as if they had never been written: later events are renumbered, and whatever names an event,
 * a turn or a step names it by its new number. What is out of order stays out of order by as much as before.
 */
import { isCount, isJsonObject, type JsonObject, sameJson } from '../../core/json/json-value.ts'
import { type Renaming, renaming, renumberRow } from '../../core/repair/renumber-row.ts'
import { type MovedRange, SeqMap } from '../../core/repair/seq-map.ts'
import type { MemoryLine } from '../../storage/jsonl/memory-lines.ts'
import { jsonLine } from '../../storage/record-source.ts'
import { type Row, valueIn } from './row.ts'

/** @param left - some of `rows`, in their order, the header among them. */
export function removeRows(rows: readonly Row[], left: readonly Row[]): readonly MemoryLine[] {
  const staying = new Set(left)
  const removed = rows.filter((row) => !staying.has(row))
  if (removed.length === 0) return rows
  const numbers = new Renumbering(removed, left)
  const firstRemoved = rows.indexOf(removed[0] as Row)
  return left.map((row, index) => {
    if (index === 0) return headerWith(row, numbers)
    // What is before all that is removed can name nothing of it.
    return index < firstRemoved ? row : renumbered(row, numbers)
  })
}

/** Old numbers → new ones: of events, of turns, and of the steps of each turn. */
class Renumbering {
  readonly seqs: SeqMap
  readonly names: Renaming
  readonly #turns: SeqMap
  readonly #steps = new Map<number | undefined, SeqMap>()

  constructor(removed: readonly Row[], left: readonly Row[]) {
    const taken = numbersIn(left, (row) => row.seqs)
    this.seqs = closing(
      numbersIn(removed, (row) => row.seqs),
      taken,
    )
    this.names = renaming(this.seqs)
    this.#turns = closing(started(removed, 'turn'), started(left, 'turn'))
    const staying = stepsByTurn(left)
    for (const [turn, steps] of stepsByTurn(removed))
      this.#steps.set(turn, closing(started(steps, 'step'), started(staying.get(turn) ?? [], 'step')))
  }

  seq(seq: number): number {
    return this.seqs.of(seq) ?? seq
  }

  turn(turn: number): number {
    return this.#turns.of(turn) ?? turn
  }

  step(turn: number | undefined, step: number): number {
    return this.#steps.get(turn)?.of(step) ?? step
  }
}

function numbersIn(rows: readonly Row[], spanOf: (row: Row) => Row['seqs']): Set<number> {
  const numbers = new Set<number>()
  for (const row of rows) {
    const { first, count } = spanOf(row) ?? { first: 0, count: 0 }
    for (let number = first; number < first + count; number++) numbers.add(number)
  }
  return numbers
}

function started(rows: readonly Row[], what: 'turn' | 'step'): Set<number> {
  return numbersIn(rows, (row) => {
    const number = row[what]
    return row.type === `${what}/start` && number !== undefined ? { first: number, count: 1 } : undefined
  })
}

function stepsByTurn(rows: readonly Row[]): ReadonlyMap<number | undefined, readonly Row[]> {
  const byTurn = new Map<number | undefined, Row[]>()
  for (const row of rows) {
    if (row.type !== 'step/start') continue
    const steps = byTurn.get(row.turn)
    if (steps === undefined) byTurn.set(row.turn, [row])
    else steps.push(row)
  }
  return byTurn
}

/** Closes the holes that `removed` leaves. A number that something else has, too, is no hole. */
function closing(removed: ReadonlySet<number>, left: ReadonlySet<number>): SeqMap {
  const ranges: MovedRange[] = []
  let first = 0
  let shift = 0
  for (const hole of [...removed].filter((number) => !left.has(number)).toSorted((a, b) => a - b)) {
    if (hole > first) ranges.push({ first, end: hole, shift })
    first = hole + 1
    shift--
  }
  return new SeqMap([...ranges, { first, end: Number.POSITIVE_INFINITY, shift }])
}

/** A fork counts its inherited events in the header. */
function headerWith(row: Row, { seqs }: Renumbering): MemoryLine {
  const header = valueIn(row)
  const seedLength = header?.seedLength
  if (!isCount(seedLength)) return row
  const counted = seqs.countBelow(seedLength)
  return counted === seedLength ? row : lineWith(row, { ...header, seedLength: counted })
}

function renumbered(row: Row, numbers: Renumbering): MemoryLine {
  const { seqs, turn } = row
  const value = valueIn(row)
  if (value === undefined || seqs === undefined) return patched(row, turn, numbers)
  const moved = withTurnAndStep(renumberRow(value, numbers.seq(seqs.first), numbers.names), row, numbers)
  if (sameJson(moved, value)) return row
  if (row.isPlain) return lineWith(row, moved)
  // Bytes may be what is wrong with the line: they are kept where that can be.
  const kept = patched(row, turn, numbers)
  return sameJson(valueIn(kept), moved) ? kept : lineWith(row, moved)
}

function withTurnAndStep(value: JsonObject, { turn, step }: Row, numbers: Renumbering): JsonObject {
  const { data } = value
  if (!isJsonObject(data) || (turn === undefined && step === undefined)) return value
  return {
    ...value,
    data: {
      ...data,
      ...(turn !== undefined && { turn: numbers.turn(turn) }),
      ...(step !== undefined && { step: numbers.step(turn, step) }),
    },
  }
}

function lineWith({ ended }: Row, value: JsonObject): MemoryLine {
  return { bytes: jsonLine(value), ended }
}

const NUMBER_MEMBER = /("(seq0?|turn|step)"\s*:\s*)(\d{1,15})(?!\d)/g

/** The numbers alone are changed, in bytes that are otherwise kept. */
function patched({ bytes, ended }: Row, turn: number | undefined, numbers: Renumbering): MemoryLine {
  const text = bytes.toString('latin1').replace(NUMBER_MEMBER, (_all, name: string, key: string, digits) => {
    const number = Number(digits)
    if (key === 'turn') return `${name}${numbers.turn(number)}`
    return `${name}${key === 'step' ? numbers.step(turn, number) : numbers.seq(number)}`
  })
  return { bytes: Buffer.from(text, 'latin1'), ended }
}
