/**
 * Lists of source seqs as SQLite holds them from schema 17 on (format.md §3.5): little-endian base-128 numbers, the
 * first plain, every later one as its distance to the one before. Schemas 19 and 20 put a tag in front, and have a
 * second form that names runs of seqs by first seq and length.
 */
import { isCount } from '../../core/json/json-value.ts'

export type DecodedSources =
  | { readonly kind: 'sources'; readonly seqs: readonly number[] }
  | { readonly kind: 'malformed'; readonly problem: string }

const PREFIX = 'malformed source_event_seqs storage value:'
const GROUP = 128
/** Nine groups of seven bits: more than any value that is in range. */
const MOST_GROUPS = 9
/** What is exact in plain numbers, and below every limit. */
const MOST_PLAIN_GROUPS = 7
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER)

export function decodeSources(bytes: Uint8Array): DecodedSources {
  return guarded(() => distances(bytes, 0))
}

const DISTANCES_TAG = 0
const RUNS_TAG = 1

/** @param seq - of the event the list belongs to; runs cannot name more seqs than come before it. */
export function decodeTaggedSources(bytes: Uint8Array, seq: number): DecodedSources {
  return guarded(() => {
    if (bytes.length === 0) return []
    if (bytes.length === 1) throw new MalformedSources('truncated tagged payload')
    if (bytes[0] === DISTANCES_TAG) return distances(bytes, 1)
    if (bytes[0] === RUNS_TAG) return runs(bytes, 1, seq)
    throw new MalformedSources('unknown encoding tag')
  })
}

/** The bytes of schema 17 for a list of seqs. */
export function encodeSources(seqs: readonly number[]): Buffer {
  const bytes: number[] = []
  let previous = 0
  for (const [index, seq] of seqs.entries()) {
    if (!Number.isSafeInteger(seq) || seq < 0) throw new Error(`source ${seq} is no seq`)
    const distance = BigInt(seq) - BigInt(previous)
    let rest = index === 0 || distance >= 0n ? distance * (index === 0 ? 1n : 2n) : -distance * 2n - 1n
    for (; rest >= BigInt(GROUP); rest /= BigInt(GROUP)) bytes.push(Number(rest % BigInt(GROUP)) + GROUP)
    bytes.push(Number(rest))
    previous = seq
  }
  return Buffer.from(bytes)
}

class MalformedSources extends Error {}

function guarded(decode: () => readonly number[]): DecodedSources {
  try {
    return { kind: 'sources', seqs: decode() }
  } catch (error) {
    if (!(error instanceof MalformedSources)) throw error
    return { kind: 'malformed', problem: `${PREFIX} ${error.message}` }
  }
}

function distances(bytes: Uint8Array, start: number): readonly number[] {
  const seqs: number[] = []
  const reader = new VarintReader(bytes, start)
  let seq = 0
  while (!reader.atEnd) {
    if (seqs.length === 0) seq = Number(reader.next(LARGEST))
    else {
      const coded = reader.next(LARGEST * 2n)
      seq = typeof coded === 'number' ? seq + distanceOf(coded) : far(seq, coded)
    }
    if (!isCount(seq)) throw new MalformedSources('decoded seq is out of range')
    seqs.push(seq)
  }
  return seqs
}

function distanceOf(coded: number): number {
  return coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2
}

/** A distance too long for exact numbers. */
function far(seq: number, coded: bigint): number {
  return Number(BigInt(seq) + (coded % 2n === 0n ? coded / 2n : -(coded + 1n) / 2n))
}

function runs(bytes: Uint8Array, start: number, most: number): readonly number[] {
  const seqs: number[] = []
  const reader = new VarintReader(bytes, start)
  let previous = -1
  while (!reader.atEnd) {
    const first = Number(reader.next(LARGEST))
    const length = Number(reader.next(LARGEST))
    if (length < 1) throw new MalformedSources('run count must be positive')
    const last = first + length - 1
    if (first <= previous || !Number.isSafeInteger(last)) {
      throw new MalformedSources('runs must ascend within safe integers')
    }
    if (length > most - seqs.length) throw new MalformedSources('run exceeds its event sequence')
    for (let seq = first; seq <= last; seq++) seqs.push(seq)
    previous = last
  }
  return seqs
}

class VarintReader {
  readonly #bytes: Uint8Array
  #position: number

  constructor(bytes: Uint8Array, position: number) {
    this.#bytes = bytes
    this.#position = position
  }

  get atEnd(): boolean {
    return this.#position >= this.#bytes.length
  }

  /** A plain number unless it may be too large for one. */
  next(limit: bigint): number | bigint {
    let value = 0
    let scale = 1
    for (let group = 1; group <= MOST_PLAIN_GROUPS && !this.atEnd; group++) {
      const byte = this.#bytes[this.#position++] as number
      value += (byte % GROUP) * scale
      if (byte < GROUP) return this.#canonical(value, byte, group)
      scale *= GROUP
    }
    return this.#long(BigInt(value), limit)
  }

  #long(start: bigint, limit: bigint): bigint {
    let value = start
    let scale = BigInt(GROUP) ** BigInt(MOST_PLAIN_GROUPS)
    for (let group = MOST_PLAIN_GROUPS + 1; !this.atEnd; group++) {
      const byte = this.#bytes[this.#position++] as number
      value += BigInt(byte % GROUP) * scale
      if (byte < GROUP) {
        if (this.#canonical(value, byte, group) > limit) throw new MalformedSources('varint is out of range')
        return value
      }
      if (group === MOST_GROUPS) throw new MalformedSources('varint is out of range')
      scale *= BigInt(GROUP)
    }
    throw new MalformedSources('truncated varint')
  }

  #canonical<Value extends number | bigint>(value: Value, lastByte: number, groups: number): Value {
    if (groups > 1 && lastByte === 0) throw new MalformedSources('non-canonical varint')
    return value
  }
}
