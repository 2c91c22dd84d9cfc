/** A list of texts that grows in one array of bytes: a million strings are a million objects. */
import { NumberColumn } from './number-column.ts'

/** Says that the two bytes that follow are one UTF-16 unit; smaller units are one byte. */
const LONG = 0xff

export class TextList {
  #bytes = new Uint8Array(256)
  #end = 0
  /** Where each text begins. */
  readonly #starts = NumberColumn.large()

  get length(): number {
    return this.#starts.length
  }

  push(text: string): void {
    this.#reserve(3 * text.length)
    this.#starts.push(this.#end)
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      if (unit < LONG) this.#bytes[this.#end++] = unit
      else {
        this.#bytes[this.#end++] = LONG
        this.#bytes[this.#end++] = unit >> 8
        this.#bytes[this.#end++] = unit & 0xff
      }
    }
  }

  /** @param index - of a text that was pushed. */
  at(index: number): string {
    const end = this.#endOf(index)
    let text = ''
    for (let at = this.#starts.at(index); at < end; at++) {
      let unit = this.#bytes[at] as number
      if (unit === LONG) unit = ((this.#bytes[++at] as number) << 8) | (this.#bytes[++at] as number)
      text += String.fromCharCode(unit)
    }
    return text
  }

  /** Whether this is the text at an index. */
  is(index: number, text: string): boolean {
    const bytes = this.#bytes
    const end = this.#endOf(index)
    let at = this.#starts.at(index)
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

  #endOf(index: number): number {
    return index + 1 < this.#starts.length ? this.#starts.at(index + 1) : this.#end
  }

  #reserve(length: number): void {
    const needed = this.#end + length
    if (needed <= this.#bytes.length) return
    const more = new Uint8Array(Math.max(2 * this.#bytes.length, needed))
    more.set(this.#bytes.subarray(0, this.#end))
    this.#bytes = more
  }
}
