/** A list of texts that grows in a few arrays of bytes: a million strings are a million objects. */
import { NumberColumn } from './number-column.ts'
import type { Texts } from './texts.ts'

/** Says that the two bytes that follow are one UTF-16 unit; smaller units are one byte. */
const LONG = 0xff

/** Bytes of a piece: a list that grew as one array would be copied, and hold room for as much again. */
const PIECE = 256 * 1024

export class TextList implements Texts {
  /** A text lies in one piece; all but the last are as long as what they hold. */
  readonly #pieces: Uint8Array[] = []
  #last = new Uint8Array(0)
  #end = 0
  /** Where each text begins, as if all pieces were `PIECE` long. */
  readonly #starts = new NumberColumn()

  get length(): number {
    return this.#starts.length
  }

  push(text: string): void {
    this.#reserve(3 * text.length)
    this.#starts.push((this.#pieces.length - 1) * PIECE + this.#end)
    const bytes = this.#last
    let end = this.#end
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      if (unit < LONG) bytes[end++] = unit
      else {
        bytes[end++] = LONG
        bytes[end++] = unit >> 8
        bytes[end++] = unit & 0xff
      }
    }
    this.#end = end
  }

  /** @param index - of a text that was pushed. */
  at(index: number): string {
    const { bytes, start, end } = this.#placeOf(index)
    let text = ''
    for (let at = start; at < end; at++) {
      let unit = bytes[at] as number
      if (unit === LONG) unit = ((bytes[++at] as number) << 8) | (bytes[++at] as number)
      text += String.fromCharCode(unit)
    }
    return text
  }

  /** Whether this is the text at an index. */
  is(index: number, text: string): boolean {
    const { bytes, start, end } = this.#placeOf(index)
    let at = start
    for (let unitAt = 0; unitAt < text.length; unitAt++) {
      if (at >= end) return false
      let unit = bytes[at++] as number
      if (unit === LONG) {
        unit = ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
        at += 2
      }
      if (unit !== text.charCodeAt(unitAt)) return false
    }
    return at === end
  }

  #placeOf(index: number): { readonly bytes: Uint8Array; readonly start: number; readonly end: number } {
    const at = this.#starts.at(index)
    const piece = Math.floor(at / PIECE)
    const bytes = this.#pieces[piece] as Uint8Array
    const next = index + 1 < this.#starts.length ? this.#starts.at(index + 1) : undefined
    if (next !== undefined && Math.floor(next / PIECE) === piece)
      return { bytes, start: at % PIECE, end: next % PIECE }
    return { bytes, start: at % PIECE, end: next === undefined ? this.#end : bytes.length }
  }

  #reserve(length: number): void {
    const { length: count } = this.#pieces
    if (count > 0 && this.#end + length <= this.#last.length && this.#end < PIECE) return
    if (count > 0) this.#pieces[count - 1] = this.#last.subarray(0, this.#end)
    this.#last = new Uint8Array(Math.max(PIECE, length))
    this.#pieces.push(this.#last)
    this.#end = 0
  }
}
