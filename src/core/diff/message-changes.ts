/** What the model would be sent differently: two surfaces, message by message. Seqs do not count; the model sees none. */

import { blocksOf } from '../event/session-event.ts'
import { shortened } from '../findings/grammar.ts'
import { type JsonObject, wordOf } from '../json/json-value.ts'
import { resultText } from '../projections/message-text.ts'
import type { SurfaceMessage } from '../projections/surface-view.ts'
import { alignSequences } from './align-sequences.ts'
import type { Change, ChangePlace } from './change.ts'
import { memberChanges } from './member-changes.ts'

/** MessageList that are asked for one by one, and need not be held. */
export interface MessageList {
  readonly length: number
  at(index: number): SurfaceMessage | undefined
}

/** @param idOf - a small number for a message, the same for the same one. */
export function messageChanges(a: MessageList, b: MessageList, idOf: (message: JsonObject) => number) {
  const idsIn = (list: MessageList): Int32Array =>
    Int32Array.from({ length: list.length }, (_, at) => idOf(messageAt(list, at)))
  const [idsA, idsB] = [idsIn(a), idsIn(b)]
  const runs = alignSequences(idsA, idsB)
  const gaps: Gap[] = []
  let same = 0
  let [fromA, fromB] = [0, 0]
  for (const run of [...runs, { a: a.length, b: b.length, length: 0 }]) {
    if (run.a > fromA || run.b > fromB) gaps.push({ fromA, toA: run.a, fromB, toB: run.b })
    fromA = run.a + run.length
    fromB = run.b + run.length
    same += run.length
  }
  const moved = movedBetween(idsA, idsB, gaps)
  const changes = gaps.flatMap((gap) => changesIn(a, b, gap, moved))
  const count = (change: Change['change']): number => changes.filter((one) => one.change === change).length
  const counts = {
    same,
    added: count('added'),
    removed: count('removed'),
    changed: count('changed'),
    moved: count('moved'),
  }
  return { counts, changes }
}

interface Gap {
  readonly fromA: number
  readonly toA: number
  readonly fromB: number
  readonly toB: number
}

interface Moved {
  readonly toB: ReadonlyMap<number, number>
  readonly inB: ReadonlySet<number>
}

function movedBetween(a: Int32Array, b: Int32Array, gaps: readonly Gap[]): Moved {
  const waiting = new Map<number, number[]>()
  for (const { fromB, toB } of gaps)
    for (let j = fromB; j < toB; j++) {
      const places = waiting.get(b[j] as number) ?? []
      places.push(j)
      waiting.set(b[j] as number, places)
    }
  for (const places of waiting.values()) places.reverse()
  const toB = new Map<number, number>()
  for (const gap of gaps)
    for (let i = gap.fromA; i < gap.toA; i++) {
      const j = waiting.get(a[i] as number)?.pop()
      if (j !== undefined) toB.set(i, j)
    }
  return { toB, inB: new Set(toB.values()) }
}

function changesIn(
  a: MessageList,
  b: MessageList,
  { fromA, toA, fromB, toB }: Gap,
  moved: Moved,
): readonly Change[] {
  const restA = range(fromA, toA).filter((i) => !moved.toB.has(i))
  const restB = range(fromB, toB).filter((j) => !moved.inB.has(j))
  const partners = pairs(a, b, restA, restB)
  const changes: Change[] = []
  for (let i = fromA; i < toA; i++) {
    const elsewhere = moved.toB.get(i)
    const partner = partners.get(i)
    if (elsewhere !== undefined) changes.push({ ...change('moved', a, i), b: placeOf(b, elsewhere) })
    else if (partner === undefined) changes.push(change('removed', a, i))
    else {
      const { members, isCut } = memberChanges(messageAt(a, i), messageAt(b, partner))
      const detail = { b: placeOf(b, partner), members, ...(isCut && { more: true as const }) }
      changes.push({ ...change('changed', a, i), ...detail })
    }
  }
  const taken = new Set(partners.values())
  for (const j of restB) if (!taken.has(j)) changes.push(change('added', b, j))
  return changes
}

/** MessageList that are still the same one: by id, by seq, or one after the other when the gap is as long on both sides. */
function pairs(
  a: MessageList,
  b: MessageList,
  restA: readonly number[],
  restB: readonly number[],
): ReadonlyMap<number, number> {
  const partners = new Map<number, number>()
  const places = new Map<string, number>()
  for (const j of restB.toReversed()) for (const name of namesOf(b, j)) places.set(name, j)
  const free = new Set(restB)
  for (const i of restA) {
    const names = namesOf(a, i)
    const j = names.map((name) => places.get(name)).find((place) => place !== undefined && free.has(place))
    if (j === undefined) continue
    partners.set(i, j)
    free.delete(j)
  }
  const left = restA.filter((i) => !partners.has(i))
  const right = [...free]
  const isInStep =
    left.length === right.length &&
    left.every((i, at) => messageAt(a, i).role === messageAt(b, right[at] as number).role)
  if (isInStep) for (const [at, i] of left.entries()) partners.set(i, right[at] as number)
  return partners
}

/** A message of another role is another message. */
function namesOf(list: MessageList, at: number): readonly string[] {
  const { seq, message } = list.at(at) as SurfaceMessage
  const role = wordOf(message.role)
  const bySeq = `seq ${seq} ${role}`
  return typeof message.id === 'string' ? [`id ${message.id} ${role}`, bySeq] : [bySeq]
}

function change(kind: 'added' | 'removed' | 'moved' | 'changed', list: MessageList, at: number): Change {
  const message = messageAt(list, at)
  const where = placeOf(list, at)
  return {
    level: 'surface',
    change: kind,
    count: 1,
    ...(kind === 'added' ? { b: where } : { a: where }),
    kinds: { [wordOf(message.role)]: 1 },
    says: said(message),
  }
}

function placeOf(list: MessageList, at: number): ChangePlace {
  const { seq } = list.at(at) as SurfaceMessage
  return { first: seq, last: seq, position: at }
}

function messageAt(list: MessageList, at: number): JsonObject {
  return (list.at(at) as SurfaceMessage).message
}

const LONGEST_SAID = 160

function said(message: JsonObject): string {
  const calls = blocksOf(message)
    .filter(({ type }) => type === 'tool-call')
    .map(({ name }) => `${String(name)}(…)`)
  return shortened([resultText(message), ...calls].filter((part) => part !== '').join(' · '), LONGEST_SAID)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at)
}
