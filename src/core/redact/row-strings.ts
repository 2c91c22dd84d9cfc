/**
 * The strings of one JSON text, where each is and what its place in a row of the log says of it. Words that the format
 * enumerates, and the names of its members, are constants: they are in every log and stay as they are.
 */
import { HEADER_SHAPE, rowShape } from '../anonymize/event-shapes.ts'
import { stringAt } from '../anonymize/json-string.ts'
import { itemShapeOf, OPAQUE, type Shape } from '../anonymize/shape.ts'
import { looksLikeHeader } from '../event/decode-header.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'

export class RowStrings {
  /** What the string says, escapes resolved. */
  value = ''
  /** Offset of its first unit within the quotes. */
  start = 0
  isName = false
  /** Offset of the closing quote. */
  #end = 0
  readonly #text: string
  readonly #root: Shape
  readonly #open: Frame[] = []

  /** @param row - the value of the text, which is JSON. */
  constructor(text: string, row: JsonValue) {
    this.#text = text
    this.#root = shapeOf(row)
  }

  /** Goes through the text: after each step, this object tells of the next string. */
  *[Symbol.iterator](): Iterator<this> {
    const text = this.#text
    const open = this.#open
    let isNameNext = false
    for (let at = 0; at < text.length; at++) {
      switch (text.charCodeAt(at)) {
        case OPEN_OBJECT:
        case OPEN_LIST: {
          const isList = text.charCodeAt(at) === OPEN_LIST
          const shape = this.#shape
          const member = isList ? this.member : ''
          open.push({ isList, shape, index: 0, member, next: isList ? itemShapeOf(shape) : OPAQUE })
          isNameNext = !isList
          break
        }
        case CLOSE_OBJECT:
        case CLOSE_LIST:
          open.pop()
          isNameNext = false
          break
        case COMMA: {
          const frame = open.at(-1)
          isNameNext = frame?.isList === false
          if (frame?.isList === true) frame.index++
          break
        }
        case QUOTE: {
          const token = stringAt(text, at)
          if (token === undefined) return
          this.value = token.value
          this.start = at + 1
          this.#end = token.end - 1
          this.isName = isNameNext
          const frame = open.at(-1)
          if (isNameNext && frame !== undefined) takeName(frame, token.value)
          isNameNext = false
          yield this
          at = token.end - 1
          break
        }
      }
    }
  }

  /** How it is spelled between the quotes. */
  get spelled(): string {
    return this.#text.slice(this.start, this.#end)
  }

  /** The member that it is the value of, or an item of. */
  get member(): string {
    return this.#open.at(-1)?.member ?? ''
  }

  get isConstant(): boolean {
    const around = this.#open.at(-1)?.shape
    if (this.isName) return around?.kind === 'object' && around.members.has(this.value)
    const shape = this.#shape
    const told = shape.kind === 'object' ? shape.word : shape
    // Texts of DSH are constants for a copy without content, and here texts like any other.
    return told?.kind === 'string' && told.what !== 'texts' && told.isConstant?.(this.value) === true
  }

  /** Whether it is a part of a streamed text. */
  get isPiece(): boolean {
    return !this.isName && this.#shape.kind === 'piece'
  }

  /** Its place as a path: `data.message.content[0].text`. */
  get path(): string {
    return this.#open
      .map(({ isList, index, member }) =>
        isList ? `[${index}]` : /^[\w$-]+$/.test(member) ? `.${member}` : `[${JSON.stringify(member)}]`,
      )
      .join('')
      .replace(/^\./, '')
  }

  get #shape(): Shape {
    return this.#open.at(-1)?.next ?? this.#root
  }
}

interface Frame {
  readonly isList: boolean
  readonly shape: Shape
  /** Of a list, which item comes next. */
  index: number
  member: string
  /** Shape of the value of the member. */
  next: Shape
}

const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const COMMA = 0x2c
const QUOTE = 0x22

function shapeOf(row: JsonValue): Shape {
  if (looksLikeHeader(row)) return HEADER_SHAPE
  if (!isJsonObject(row)) return OPAQUE
  return rowShape(typeof row.type === 'string' ? row.type : undefined)
}

function takeName(frame: Frame, name: string): void {
  frame.member = name
  frame.next = (frame.shape.kind === 'object' ? frame.shape.members.get(name) : undefined) ?? OPAQUE
}
