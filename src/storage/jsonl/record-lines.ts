/**
 * JSON text in another layout than one record per line (one array, records over many lines, records with commas after
 * them) → lines. What is between the records goes, and so do the blanks between the tokens of a record; nothing inside a
 * string or a number is touched. The text passes through: no record is held, and of its nesting one byte a level. A
 * record that is no JSON is given as it is, and the next one is found by how an event begins.
 */
const TAB = 0x09
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** What may come next. */
const BETWEEN = 0
const VALUE = 1
const KEY = 2
const AFTER_KEY = 3
const AFTER_VALUE = 4
const IN_STRING = 5
const IN_SCALAR = 6
/** Whatever it is: the record is no JSON. */
const ANYTHING = 7

const IS_SCALAR = new Uint8Array(256)
for (const character of 'abcdefghijklmnopqrstuvwxyzE0123456789+-.') IS_SCALAR[character.charCodeAt(0)] = 1

const ROW_START = /^\{\s*"(?:type"\s*:\s*"[^"\\]{1,64}"\s*,\s*"(?:seq|time)0?"|seq"\s*:)/
/** Bytes that show whether an event begins. */
const SIGHT = 256
/** Deeper records are taken for no JSON, which passes them on as they are. */
const MOST_DEPTH = 1 << 20
const NOTHING = Buffer.alloc(0)

export class RecordLines {
  /** The first record is in an array. */
  isArray = false
  /** The first record has a line feed in it. */
  isOverLines = false
  /** A comma follows the first record. */
  hasCommas = false
  #state = BETWEEN
  /** Whether the string is the key of a member. */
  #isKey = false
  #isEscaped = false
  #depth = 0
  /** Of every level, whether it is an object. */
  #objects = new Uint8Array(64)
  #records = 0
  #openArrays = 0
  /** Blanks since the line began, while there is nothing else in it. */
  #indentation: number | undefined = 0
  /** Indentation of the first record that begins a line. */
  #recordIndentation: number | undefined
  #rest: Buffer = NOTHING

  /** Whether an array is open that nothing has closed. */
  get isOpen(): boolean {
    return this.#openArrays > 0
  }

  /** Whether no record has begun that has not ended. */
  get isBetween(): boolean {
    return this.#state === BETWEEN
  }

  /** Whether the record that has begun is no JSON. */
  get isBroken(): boolean {
    return this.#state === ANYTHING
  }

  /** Whether a string is open, and whether an escape in it is. */
  get openString(): 'string' | 'escape' | undefined {
    if (this.#state !== IN_STRING) return undefined
    return this.#isEscaped ? 'escape' : 'string'
  }

  /** The lines, or parts of lines, that `chunk` makes. */
  push(chunk: Buffer, isLast = false): Buffer {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = NOTHING
    // Every record is two bytes at least, and gets one line feed; one more may end a broken record.
    const made = Buffer.allocUnsafe(bytes.length * 2 + 1)
    let end = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (this.#state === IN_STRING && byte !== LF) {
        made[end++] = byte
        this.#inString(byte)
        continue
      }
      if (byte === SPACE || byte === LF || byte === CR || byte === TAB) {
        this.#blank(byte)
        if (this.#state === ANYTHING) made[end++] = SPACE
        continue
      }
      if (byte === OPEN_OBJECT && this.#mayBeNext) {
        if (!isLast && bytes.length - at < SIGHT) {
          this.#rest = Buffer.from(bytes.subarray(at))
          break
        }
        if (ROW_START.test(bytes.toString('latin1', at, at + SIGHT))) {
          made[end++] = LF
          this.#records++
          this.#state = BETWEEN
        }
      }
      const isPart = this.#state !== BETWEEN || this.#begins(byte)
      if (byte !== COMMA && byte !== OPEN_LIST) this.#indentation = undefined
      if (!isPart) continue
      made[end++] = byte
      this.#token(byte)
      if (this.#state !== BETWEEN) continue
      made[end++] = LF
      this.#records++
    }
    return made.subarray(0, end)
  }

  #inString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) this.#state = this.#isKey ? AFTER_KEY : AFTER_VALUE
  }

  #blank(byte: number): void {
    // No string goes over lines.
    if (this.#state === IN_STRING) this.#state = ANYTHING
    else if (this.#state === IN_SCALAR) this.#state = AFTER_VALUE
    if (byte !== LF) {
      if (this.#indentation !== undefined) this.#indentation++
      return
    }
    this.#indentation = 0
    if (this.#records === 0 && this.#state !== BETWEEN) this.isOverLines = true
  }

  /** Whether an object here may be the next record, and the one before it damaged. */
  get #mayBeNext(): boolean {
    if (this.#state === BETWEEN) return false
    if (this.#state !== VALUE) return true
    const [own, usual] = [this.#indentation, this.#recordIndentation]
    return own !== undefined && usual !== undefined && own <= usual
  }

  /** Whether a record begins, and not what separates them. */
  #begins(byte: number): boolean {
    if (byte === COMMA) {
      if (this.#records === 1) this.hasCommas = true
      return false
    }
    if (byte === OPEN_LIST) {
      if (this.#records === 0) this.isArray = true
      this.#openArrays++
      return false
    }
    if (byte === CLOSE_LIST) {
      this.#openArrays--
      return false
    }
    this.#recordIndentation ??= this.#indentation
    this.#depth = 0
    this.#state = byte === OPEN_OBJECT ? VALUE : ANYTHING
    return true
  }

  #token(byte: number): void {
    switch (this.#state) {
      case VALUE:
        if (byte === QUOTE) this.#string(false)
        else if (byte === OPEN_OBJECT) this.#open(true)
        else if (byte === OPEN_LIST) this.#open(false)
        else if (byte === CLOSE_LIST) this.#close(false)
        else this.#state = IS_SCALAR[byte] === 1 ? IN_SCALAR : ANYTHING
        return
      case KEY:
        if (byte === QUOTE) this.#string(true)
        else if (byte === CLOSE_OBJECT) this.#close(true)
        else this.#state = ANYTHING
        return
      case AFTER_KEY:
        this.#state = byte === COLON ? VALUE : ANYTHING
        return
      case IN_SCALAR:
        if (IS_SCALAR[byte] === 1) return
        this.#afterValue(byte)
        return
      case AFTER_VALUE:
        this.#afterValue(byte)
    }
  }

  #afterValue(byte: number): void {
    if (byte === COMMA) this.#state = this.#objects[this.#depth - 1] === 1 ? KEY : VALUE
    else if (byte === CLOSE_OBJECT) this.#close(true)
    else if (byte === CLOSE_LIST) this.#close(false)
    else this.#state = ANYTHING
  }

  #string(isKey: boolean): void {
    this.#state = IN_STRING
    this.#isKey = isKey
    this.#isEscaped = false
  }

  #open(isObject: boolean): void {
    if (this.#depth === MOST_DEPTH) {
      this.#state = ANYTHING
      return
    }
    if (this.#depth === this.#objects.length) {
      const grown = new Uint8Array(this.#depth * 2)
      grown.set(this.#objects)
      this.#objects = grown
    }
    this.#objects[this.#depth++] = isObject ? 1 : 0
    this.#state = isObject ? KEY : VALUE
  }

  #close(isObject: boolean): void {
    if (this.#objects[this.#depth - 1] !== (isObject ? 1 : 0)) this.#state = ANYTHING
    else this.#state = --this.#depth === 0 ? BETWEEN : AFTER_VALUE
  }
}
