/**
 * A JSON text → the same text with everything replaced that its shape does not let stay. Token for token and in its own
 * spelling, so the line keeps its length, its order of members, its doubled members and odd numbers: what is found
 * about a line depends on them. A text that breaks off or stops being JSON is followed as far as it goes, and what is
 * after it keeps no letter and no digit.
 */
import { type StringToken, spelledLike, stringAt } from './json-string.ts'
import { blankedText, bySlices, type Pseudonyms, saysNothing } from './pseudonyms.ts'
import { type FieldKind, itemShapeOf, OPAQUE, type Shape } from './shape.ts'
import type { Tally } from './tally.ts'
import type { TimeShift } from './time-shift.ts'

export interface Neutralizer {
  readonly names: Pseudonyms
  readonly times: TimeShift
  readonly tally: Tally
  /** Paths whose values stay, as `tool/call.name`. */
  readonly keep: ReadonlySet<string>
  /** Is told every text that stays because its path was asked for. */
  readonly reveal: (text: string) => void
}

export interface Root {
  readonly shape: Shape
  /** What paths of members begin with: an event type, or {@link HEADER_PATH}. */
  readonly path: string
  /** Parts of a streamed text in their order, with what stands for them. */
  readonly pieces?: readonly Piece[]
}

/** What paths of members of the header begin with. */
export const HEADER_PATH = 'header'

export interface Piece {
  readonly text: string
  readonly neutral: string
}

export function neutralJson(text: string, root: Root, using: Neutralizer): string {
  return new NeutralText(text, root, using).run()
}

/** The arguments of a tool call, of which no path can be named: nothing in them stays. */
export function neutralArguments(text: string, using: Neutralizer): string {
  return neutralJson(text, { shape: OPAQUE, path: '' }, { ...using, keep: NOTHING })
}

interface Frame {
  readonly isList: boolean
  readonly shape: Shape
  readonly place: Place
  /** Of the value that comes next. */
  next: { readonly shape: Shape; readonly place: Place }
}

/** Where a value is: below the data of an event or in a header; `kept` once its path was asked for. */
interface Place {
  readonly path: string
  readonly kept?: string
}

type Phase = 'value' | 'first-item' | 'first-member' | 'member' | 'colon' | 'separator' | 'end'

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const LITERAL = /true|false|null/y
const BLANK = /[ \t\r\n]*/y
const SPACE = 0x20

class NeutralText {
  readonly #text: string
  readonly #using: Neutralizer
  readonly #root: Root
  readonly #out: string[] = []
  readonly #open: Frame[] = []
  #at = 0
  #phase: Phase = 'value'
  #piece = 0

  constructor(text: string, root: Root, using: Neutralizer) {
    this.#text = text
    this.#root = root
    this.#using = using
  }

  run(): string {
    for (;;) {
      if (this.#text.charCodeAt(this.#at) <= SPACE) this.#copy(this.#match(BLANK))
      if (this.#at === this.#text.length) return this.#out.join('')
      if (!this.#step(this.#text[this.#at] as string)) return this.#brokenRest()
    }
  }

  /** @returns whether the text goes on as JSON. */
  #step(character: string): boolean {
    const frame = this.#open.at(-1)
    switch (this.#phase) {
      case 'first-item':
        if (character === ']') return this.#close(character)
        return this.#value(character)
      case 'value':
        return this.#value(character)
      case 'first-member':
        if (character === '}') return this.#close(character)
        return this.#member(character, frame)
      case 'member':
        return this.#member(character, frame)
      case 'colon':
        if (character !== ':') return false
        this.#copy(character)
        this.#phase = 'value'
        return true
      case 'separator':
        if (frame === undefined) return false
        if (character === (frame.isList ? ']' : '}')) return this.#close(character)
        if (character !== ',') return false
        this.#copy(character)
        this.#phase = frame.isList ? 'value' : 'member'
        return true
      case 'end':
        return false
    }
  }

  #value(character: string): boolean {
    const { shape, place } = this.#open.at(-1)?.next ?? { shape: this.#root.shape, place: this.#rootPlace() }
    if (character === '{' || character === '[') {
      this.#copy(character)
      const isList = character === '['
      const next = { shape: isList ? itemShapeOf(shape) : OPAQUE, place }
      this.#open.push({ isList, shape, place, next })
      this.#phase = isList ? 'first-item' : 'first-member'
      return true
    }
    const isRead =
      character === '"' ? this.#string(shape, place) : this.#number(shape, place) || this.#literal()
    if (isRead) this.#phase = this.#open.length === 0 ? 'end' : 'separator'
    return isRead
  }

  #member(character: string, frame: Frame | undefined): boolean {
    const token = character === '"' ? stringAt(this.#text, this.#at) : undefined
    if (token === undefined || frame === undefined) return false
    const { value } = token
    const { shape, place } = frame
    const known = shape.kind === 'object' ? shape.members.get(value) : undefined
    const below = this.#placed(place, this.#pathOf(value, place))
    const stays = token.closed && (known !== undefined || below.kept !== undefined)
    this.#replaceString(token, stays ? value : this.#hide('member names', value))
    if (stays) this.#using.tally.kept('member names')
    frame.next = { shape: known ?? OPAQUE, place: below }
    this.#phase = 'colon'
    return true
  }

  #rootPlace(): Place {
    const { path } = this.#root
    return this.#placed({ path: '' }, path === HEADER_PATH ? path : '')
  }

  /** The data of an event are where the paths of its type begin. */
  #pathOf(member: string, { path }: Place): string {
    const isEnvelope = this.#open.length === 1 && this.#root.path !== HEADER_PATH
    if (!isEnvelope) return `${path}.${member}`
    return member === 'data' ? this.#root.path : ''
  }

  #placed(parent: Place, path: string): Place {
    const { keep } = this.#using
    if (keep.size === 0) return parent
    const kept = parent.kept ?? (keep.has(path) ? path : undefined)
    return { path, ...(kept !== undefined && { kept }) }
  }

  #close(character: string): boolean {
    this.#copy(character)
    this.#open.pop()
    this.#phase = this.#open.length === 0 ? 'end' : 'separator'
    return true
  }

  #string(shape: Shape, place: Place): boolean {
    const token = stringAt(this.#text, this.#at)
    if (token === undefined) return false
    const { value, closed } = token
    this.#replaceString(
      token,
      closed ? this.#textFor(value, shape, place) : this.#hide('broken lines', value),
    )
    return true
  }

  #replaceString({ end, value, closed, rest }: StringToken, neutral: string): void {
    const inner = this.#text.slice(this.#at + 1, end - (closed ? 1 : rest.length))
    const spelled = neutral === value ? inner : spelledLike(inner, neutral)
    this.#out.push('"', spelled, closed ? '"' : rest.replace(/[0-9a-f]/gi, '0'))
    this.#at = end
  }

  #textFor(value: string, shape: Shape, place: Place): string {
    const { names, tally, reveal } = this.#using
    // Also one that stays has its turn among the pieces of its stream.
    const piece = shape.kind === 'piece' ? this.#root.pieces?.[this.#piece++] : undefined
    if (place.kept !== undefined) {
      tally.askedFor(place.kept)
      reveal(value)
      return value
    }
    const told = shape.kind === 'object' ? (shape.word ?? OPAQUE) : shape
    switch (told.kind) {
      case 'string':
        if (told.isConstant?.(value) !== true) return this.#hide(told.what, value)
        tally.kept(told.what)
        return value
      case 'json':
        if (names.isConstant(value)) return this.#hide('tool arguments', value)
        tally.replaced('tool arguments')
        return neutralArguments(value, this.#using)
      case 'piece':
        return this.#pieceFor(value, piece)
      default:
        return this.#hide('other texts', value)
    }
  }

  #pieceFor(value: string, piece: Piece | undefined): string {
    if (piece?.text !== value) return this.#hide('texts', value)
    this.#using.tally.replaced('texts')
    return piece.neutral
  }

  #hide(what: FieldKind, value: string): string {
    const { names, tally } = this.#using
    if (names.isConstant(value)) tally.kept('asked for elsewhere')
    else if (saysNothing(value)) tally.kept(what)
    else tally.replaced(what)
    return names.textFor(value)
  }

  #number(shape: Shape, place: Place): boolean {
    const written = this.#match(NUMBER)
    if (written === '') return false
    const { names, times, tally } = this.#using
    this.#at += written.length
    if (place.kept !== undefined) {
      tally.askedFor(place.kept)
      this.#out.push(written)
    } else if (shape.kind === 'structure') {
      tally.kept('structure')
      this.#out.push(written)
    } else {
      const kind = shape.kind === 'time' ? 'times' : 'other numbers'
      const moved = shape.kind === 'time' ? times.timeFor(written) : undefined
      const neutral = moved ?? names.numberFor(written)
      if (moved === undefined && Number(written) === 0) tally.kept(kind)
      else tally.replaced(kind)
      this.#out.push(neutral)
    }
    return true
  }

  #literal(): boolean {
    const word = this.#match(LITERAL)
    if (word === '') return false
    this.#using.tally.kept('truth values')
    this.#copy(word)
    return true
  }

  #brokenRest(): string {
    this.#using.tally.replaced('broken lines')
    this.#out.push(unreadText(this.#text.slice(this.#at)))
    return this.#out.join('')
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0] ?? ''
  }

  #copy(text: string): void {
    this.#out.push(text)
    this.#at += text.length
  }
}

const NOTHING: ReadonlySet<string> = new Set()

/** What no reader understands: letters and digits go, and the signs that make it unreadable stay. */
function unreadText(text: string): string {
  return bySlices(text, (slice) =>
    slice
      .replace(/[A-Za-z]+/g, (word) => 'x'.repeat(word.length))
      .replace(/\d/g, '0')
      .replace(/[^\u0000-\u007f]+/g, blankedText),
  )
}
