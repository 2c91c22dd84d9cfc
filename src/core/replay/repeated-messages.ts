/**
 * Messages that come again, gathered while they come one after the other and in their old order: a part of the history
 * that was appended again is one repetition, and so is a message that has the id of another one. A message comes again
 * under its old id, or with its old content.
 */

import { NumberColumn } from '../event/number-column.ts'
import { blocksOf, messageOf, type SessionEvent } from '../event/session-event.ts'
import type { Origin } from '../findings/origin.ts'
import { type JsonObject, wordOf } from '../json/json-value.ts'
import { IntNumbers, type KeyNumbers, TextNumbers } from './key-numbers.ts'

export interface RepeatedMessages {
  /** Of the first of them. */
  readonly id: string
  readonly origin: Origin
  /** The messages, and those that they repeat. */
  readonly seqs: readonly number[]
  readonly originals: readonly number[]
  /** Every one has the time of the message that it repeats. */
  readonly sameTimes: boolean
  /** How many of them are the user's. */
  readonly byUser: number
}

/** A message with what it may be told from others by. */
export interface IdentifiedMessage {
  readonly id: string
  /** Of its content. */
  readonly mark: number
}

interface Running {
  readonly id: string
  readonly origin: Origin
  /** Number of the first message that is repeated. */
  readonly first: number
  readonly seqs: number[]
  sameTimes: boolean
  byUser: number
}

export class MessageRepetitions<Key> {
  readonly #numbers: KeyNumbers<Key>
  readonly #keyOf: (message: IdentifiedMessage) => Key
  /** Of the messages in order of their first appearance. */
  readonly #seqs = new NumberColumn()
  readonly #times = new NumberColumn()
  readonly #marks = new NumberColumn(0)
  #running: Running | undefined

  /** @param keyOf - what makes a message the one that was there before. */
  private constructor(numbers: KeyNumbers<Key>, keyOf: (message: IdentifiedMessage) => Key) {
    this.#numbers = numbers
    this.#keyOf = keyOf
  }

  static byId(): MessageRepetitions<string> {
    return new MessageRepetitions(new TextNumbers(), ({ id }) => id)
  }

  static byContent(): MessageRepetitions<number> {
    return new MessageRepetitions(new IntNumbers(), ({ mark }) => mark)
  }

  /** The number of the message that this one repeats; -1 for one that was not there before. */
  find(message: IdentifiedMessage): number {
    return this.#numbers.find(this.#keyOf(message))
  }

  /** @returns the repetition that this message ends. */
  take(
    event: SessionEvent,
    origin: Origin,
    message: IdentifiedMessage,
    number = this.find(message),
  ): RepeatedMessages | undefined {
    const { id, mark } = message
    const running = this.#running
    const next = running === undefined ? -1 : running.first + running.seqs.length
    if (running !== undefined && number === next && this.#marks.at(next) === mark) {
      this.#extend(running, event, next)
      return undefined
    }
    const ended = this.end()
    if (number === -1) {
      this.#numbers.add(this.#keyOf(message))
      this.#seqs.push(event.seq)
      this.#times.push(event.time)
      this.#marks.push(mark)
    } else {
      this.#running = { id, origin, first: number, seqs: [], sameTimes: true, byUser: 0 }
      this.#extend(this.#running, event, number)
    }
    return ended
  }

  /** @returns the repetition that the log ends with. */
  end(): RepeatedMessages | undefined {
    const running = this.#running
    if (running === undefined) return undefined
    this.#running = undefined
    const { first, seqs, ...rest } = running
    return { ...rest, seqs, originals: seqs.map((_, index) => this.#seqs.at(first + index)) }
  }

  #extend(running: Running, event: SessionEvent, number: number): void {
    running.seqs.push(event.seq)
    running.sameTimes &&= event.time === this.#times.at(number)
    if (event.type === 'user/message') running.byUser++
  }
}

/** Characters of a text that go into the mark of its message, at both ends. */
const SAMPLE = 24

/** A number that tells the same message from another one that was given its id, or says something else. */
function markOf(message: JsonObject | undefined): number {
  return mixed(message, 0x811c9dc5)
}

/** Blocks hold blocks in a wrapper, and that only once. */
const MOST_LEVELS = 2

function mixed(message: JsonObject | undefined, seed: number, level = 0): number {
  let mark = mixedText(seed, wordOf(message?.role))
  for (const block of blocksOf(message)) {
    mark = mixedText(mark, wordOf(block.type))
    for (const part of [block.text, block.name, block.arguments])
      if (typeof part === 'string') mark = mixedText(mark, part)
    if (Array.isArray(block.content) && level < MOST_LEVELS) mark = mixed(block, mark, level + 1)
  }
  return mark
}

/** By its length and both its ends: to read all of a long text takes longer than to check it. */
function mixedText(seed: number, text: string): number {
  let mark = Math.imul(seed ^ text.length, 0x01000193)
  const end = text.length
  for (let at = 0; at < end; at = at === SAMPLE ? Math.max(at + 1, end - SAMPLE) : at + 1)
    mark = Math.imul(mark ^ text.charCodeAt(at), 0x01000193)
  return mark | 0
}

/** The message of an event, and the id it has. */
export function identified(event: SessionEvent): IdentifiedMessage | undefined {
  const message = messageOf(event)
  const id = message?.id
  return typeof id === 'string' && id !== '' ? { id, mark: markOf(message) } : undefined
}
