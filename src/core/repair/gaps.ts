/** The gaps of a log, and the events that are put into them. Events are numbered densely; a gap lies before one of them. */
import type { Dialect } from '../dialect/dialect.ts'
import type { SessionEvent } from '../event/session-event.ts'
import type { JsonObject } from '../json/json-value.ts'

/** Missing seqs: the first, and the one after the last. */
export interface LostRange {
  readonly first: number
  readonly end: number
}

/** Lost messages of which one has to be there. */
export interface NeededMessage {
  readonly seqs: readonly number[]
  /** Whether they are known to be of the user. */
  readonly isOfUser: boolean
}

/** An event that is put in. */
export interface Filling {
  /** The event, densely numbered, that it comes before. */
  readonly before: number
  readonly type: string
  /** The lost seq that it had, where another event says so. */
  claimed?: number
  /** @param seq - its seq at last. @param of - the seq of another event at last. */
  readonly row: (seq: number, of: (event: EventRef) => number) => JsonObject
}

/** An event of the log by its dense number, or one that is put in. */
export type EventRef = number | Filling

export interface GapLoss extends LostRange {
  readonly before: number
  /** How many of the events are put in again. */
  readonly filled: number
  /** The turn and step that were open at the gap. */
  readonly turn: number | undefined
  readonly step: number | undefined
}

/** Where events can be put in: a gap, or in formats whose readers enforce them any place. */
export interface Place {
  readonly before: number
  /** Time of the event that it comes after. */
  readonly time: number
}

export interface Gap extends GapLoss, Place {
  filled: number
}

export class Gaps {
  readonly #ranges: ReadonlyMap<number, LostRange>
  readonly #dialect: Dialect
  readonly #met: Gap[] = []
  readonly #fillings: Filling[] = []
  #time = 0
  #latest = 0

  constructor(ranges: ReadonlyMap<number, LostRange>, dialect: Dialect) {
    this.#ranges = ranges
    this.#dialect = dialect
  }

  /** The gaps so far. */
  get met(): readonly Gap[] {
    return this.#met
  }

  /** Meets the gap before an event, if there is one. */
  meet({ seq, time }: SessionEvent, open: Pick<GapLoss, 'turn' | 'step'>): Gap | undefined {
    this.#time = this.#latest
    this.#latest = time
    const range = this.#ranges.get(seq)
    if (range === undefined) return undefined
    const gap = { ...range, ...open, before: seq, time: this.#time, filled: 0 }
    this.#met.push(gap)
    return gap
  }

  /**
   * In the order in which they are to be put in; those before one event in the order in which they were found, but in a
   * gap that they fill each that is known by its lost seq in the place of that.
   */
  fillings(): readonly Filling[] {
    const sorted = this.#fillings.toSorted((a, b) => a.before - b.before)
    for (const { first, end, before } of this.#met) {
      const from = sorted.findIndex((filling) => filling.before === before)
      const own = sorted.filter((filling) => filling.before === before)
      if (own.length === end - first) sorted.splice(from, own.length, ...inTheirPlaces(own, first))
    }
    return sorted
  }

  /** A gap that has room for so many events, or where readers enforce them the place before the event. */
  placeFor(count: number, since: number, seq: number): Place | undefined {
    const gaps = this.#between(since, seq)
    const roomy = gaps.find((gap) => roomIn(gap) >= count)
    if (roomy !== undefined || !this.#dialect.relations) return roomy
    return gaps.toSorted((a, b) => roomIn(b) - roomIn(a))[0] ?? this.enforcedPlace(seq)
  }

  since(since: number, seq: number): Gap | undefined {
    const gaps = this.#between(since, seq)
    return gaps.find((gap) => roomIn(gap) > 0) ?? gaps[0]
  }

  /** The last gap before an event, with room if one has. */
  lastBefore(seq: number): Gap | undefined {
    const gaps = this.#between(-1, seq)
    return gaps.findLast((gap) => roomIn(gap) > 0) ?? gaps.at(-1)
  }

  enforcedPlace(seq: number): Place | undefined {
    return this.#dialect.relations ? { before: seq, time: this.#time } : undefined
  }

  /** Where this was put in. */
  placeOf({ before }: Filling): Place {
    return this.#gapBefore(before) ?? { before, time: this.#time }
  }

  put(place: Place, type: string, data: JsonObject): Filling {
    return this.add(place, type, () => ({ data }))
  }

  add(
    place: Place,
    type: string,
    rest: (seq: number, of: (event: EventRef) => number) => JsonObject,
  ): Filling {
    const { before, time } = place
    const row: Filling['row'] = (seq, of) => ({ type, seq, time, ...rest(seq, of) })
    const filling: Filling = { before, type, row }
    this.#fillings.push(filling)
    if ('filled' in place) (place as Gap).filled++
    return filling
  }

  /** Puts in what comes before something that was put in already. */
  addBefore(filling: Filling, put: () => void): void {
    const after = this.#fillings.splice(this.#fillings.indexOf(filling))
    put()
    this.#fillings.push(...after)
  }

  remove(filling: Filling): void {
    this.#fillings.splice(this.#fillings.indexOf(filling), 1)
    const gap = this.#gapBefore(filling.before)
    if (gap !== undefined) gap.filled--
  }

  /** The messages that are put into a gap are those that replacements say were in it, if they are as many. */
  claimMessages(named: ReadonlySet<number>): void {
    for (const { first, end, before } of this.#met) {
      const put = this.#fillings.filter(
        (filling) => filling.before === before && this.#dialect.surface.types.has(filling.type),
      )
      const free = put.filter(({ claimed }) => claimed === undefined)
      const taken = new Set(put.map(({ claimed }) => claimed))
      const lost = [...named].filter((seq) => first <= seq && seq < end && !taken.has(seq))
      if (lost.length !== free.length) continue
      for (const [index, seq] of lost.toSorted((a, b) => a - b).entries())
        (free[index] as Filling).claimed = seq
    }
  }

  #gapBefore(seq: number): Gap | undefined {
    return this.#met.find(({ before }) => before === seq)
  }

  #between(since: number, seq: number): readonly Gap[] {
    const from = this.#met.findLastIndex(({ before }) => before <= since)
    return this.#met.slice(from + 1).filter(({ before }) => before <= seq)
  }
}

function inTheirPlaces(fillings: readonly Filling[], first: number): readonly Filling[] {
  const placed = new Map<number, Filling>()
  for (const filling of fillings) {
    const index = filling.claimed === undefined ? -1 : filling.claimed - first
    if (index >= 0 && index < fillings.length && !placed.has(index)) placed.set(index, filling)
  }
  const known = new Set(placed.values())
  const others = fillings.filter((filling) => !known.has(filling))
  return fillings.map((_, index) => placed.get(index) ?? (others.shift() as Filling))
}

function roomIn({ first, end, filled }: Gap): number {
  return end - first - filled
}
