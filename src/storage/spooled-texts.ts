/**
 * A list of texts of which some megabytes are in memory. The rest lies in a file without a name, which is gone with the
 * process; where none can be made or written to, all of it stays in memory.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NumberColumn } from '../core/event/number-column.ts'
import type { Texts } from '../core/event/texts.ts'

const FIRST = 1024
const MOST_HELD = 4 * 1024 * 1024
/** What is read at once where texts are asked for in their order. */
const AHEAD = 64 * 1024

/** Of texts; in the first, half of a surrogate pair would become another character. */
const UTF8 = 0
const UTF16 = 1
const NAMES = ['utf8', 'utf16le'] as const
/** The room for a longer text is counted, not reckoned. */
const LONG = 64 * 1024

export class SpooledTexts implements Texts {
  /** The last texts. */
  #held = Buffer.alloc(0)
  #end = 0
  /** Bytes before those; they are in the file. */
  #spooled = 0
  #file: number | undefined
  #canSpool = true
  /** A part of the file. */
  #ahead = Buffer.alloc(0)
  #aheadAt = 0
  readonly #starts = new NumberColumn()
  readonly #encodings = new NumberColumn()

  get length(): number {
    return this.#starts.length
  }

  push(text: string): void {
    const encoding = text.isWellFormed() ? UTF8 : UTF16
    this.#reserve(text.length < LONG ? 3 * text.length : Buffer.byteLength(text, NAMES[encoding]))
    this.#starts.push(this.#spooled + this.#end)
    this.#encodings.push(encoding)
    this.#end += this.#held.write(text, this.#end, NAMES[encoding])
    if (this.#end > MOST_HELD && this.#canSpool) this.#spool()
  }

  at(index: number): string {
    const start = this.#starts.at(index)
    const end = index + 1 < this.length ? this.#starts.at(index + 1) : this.#spooled + this.#end
    const encoding = NAMES[this.#encodings.at(index)]
    if (start >= this.#spooled)
      return this.#held.toString(encoding, start - this.#spooled, end - this.#spooled)
    this.#readAhead(start, end)
    return this.#ahead.toString(encoding, start - this.#aheadAt, end - this.#aheadAt)
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#held.length) return
    const longer = Buffer.allocUnsafe(Math.max(FIRST, this.#end + length, 2 * this.#held.length))
    this.#held.copy(longer, 0, 0, this.#end)
    this.#held = longer
  }

  /** Puts what is held into the file. */
  #spool(): void {
    try {
      this.#file ??= fileOf(this)
      for (let at = 0; at < this.#end; )
        at += writeSync(this.#file, this.#held, at, this.#end - at, this.#spooled + at)
    } catch {
      this.#canSpool = false
      return
    }
    this.#spooled += this.#end
    this.#end = 0
    if (this.#held.length > 2 * MOST_HELD) this.#held = Buffer.alloc(0)
  }

  #readAhead(start: number, end: number): void {
    const aheadEnd = this.#aheadAt + this.#ahead.length
    if (start >= this.#aheadAt && end <= aheadEnd) return
    const isNext = start >= this.#aheadAt && start - aheadEnd < AHEAD
    const length = isNext ? Math.max(end - start, Math.min(AHEAD, this.#spooled - start)) : end - start
    const bytes = Buffer.allocUnsafe(length)
    for (let at = 0; at < length; ) {
      const read = readSync(this.#file as number, bytes, at, length - at, start + at)
      if (read === 0) throw new Error('a temporary file was cut')
      at += read
    }
    this.#ahead = bytes
    this.#aheadAt = start
  }
}

const unread = new FinalizationRegistry<number>(closeSync)

/** A file that nobody else finds, and that is closed when nobody can ask for the texts any more. */
function fileOf(texts: SpooledTexts): number {
  const path = join(tmpdir(), `resurface-${randomUUID()}`)
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  unread.register(texts, file)
  return file
}
