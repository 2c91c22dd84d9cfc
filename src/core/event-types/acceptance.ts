/**
 * Whether the published readers of several formats all take the data of an event: the answer for almost every event, in
 * one pass over its members and with nothing made. Each kind becomes a function once for the formats that are asked for.
 * Why data are refused `refusals.ts` says: what is not surely taken is looked at again there.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { type Author, type Kind, type Member, memberOf, type ObjectKind, type VariantsKind } from './kinds.ts'
import { isLossless, isResultOf, rolesOf } from './refusals.ts'
import { BLOCKS, MESSAGE } from './values.ts'
import { catalogued } from './vocabulary.ts'

/** True when the value is surely taken; `seq` is that of the event, which names only earlier ones. */
type Accepts = (value: JsonValue | undefined, seq: number) => boolean

const EVERYTHING: Accepts = () => true
const NOTHING: Accepts = () => false

/** Data of events for one list of formats. Made where it is asked, kept for all events. */
export class Acceptance {
  readonly #formats: readonly number[]
  readonly #added: ReadonlySet<string>
  readonly #types = new Map<string, Accepts>()
  readonly #kinds = new Map<Kind, Accepts>()
  /** Content nests results in results, and a hostile log does it without end. */
  #depth = 0

  /** @param added - members that a migration between these formats writes itself. */
  constructor(formats: readonly number[], added: readonly string[] = []) {
    this.#formats = formats
    this.#added = new Set(added)
  }

  takes(type: string, data: JsonValue | undefined, seq: number): boolean {
    let accepts = this.#types.get(type)
    if (accepts === undefined) {
      const row = catalogued(type)
      // A log may name any number of types without a row.
      if (row === undefined) return true
      accepts = row.isOpaque === undefined ? this.#of(row.data) : NOTHING
      this.#types.set(type, accepts)
    }
    return accepts(data, seq)
  }

  /** The same of any value that is to be of a kind. */
  takesKind(kind: Kind, value: JsonValue | undefined, seq: number): boolean {
    return this.#of(kind)(value, seq)
  }

  #of(kind: Kind): Accepts {
    const made = this.#kinds.get(kind) ?? this.#made(kind)
    this.#kinds.set(kind, made)
    return made
  }

  #made(kind: Kind): Accepts {
    switch (kind.kind) {
      case 'text': {
        const { mayBeEmpty, rule } = kind
        return (value) =>
          typeof value === 'string' &&
          (mayBeEmpty || value !== '') &&
          (rule === undefined || rule(value) === undefined)
      }
      case 'word': {
        const { words, others } = kind
        return (value) => typeof value === 'string' && (words.has(value) || (others && value !== ''))
      }
      case 'number': {
        const { whole, earlier, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = kind
        return (value, seq) =>
          typeof value === 'number' &&
          (whole ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
          value >= least &&
          value <= most &&
          !Object.is(value, -0) &&
          (earlier !== true || value < seq)
      }
      case 'flag': {
        const { only } = kind
        return (value) => (only === undefined ? typeof value === 'boolean' : value === only)
      }
      case 'seq':
        return isEarlierSeq
      case 'seqs':
        return (value, seq) =>
          Array.isArray(value) && (kind.mayBeEmpty || value.length > 0) && areRisingSeqs(value, seq)
      case 'seq-range':
        return this.#object({ kind: 'object', members: { start: { kind: 'seq' }, end: { kind: 'seq' } } })
      case 'list': {
        const { of, least = 0, most = Number.POSITIVE_INFINITY } = kind
        const items = this.#each(this.#of(of))
        return (value, seq) =>
          items(value, seq) && (value as []).length >= least && (value as []).length <= most
      }
      case 'object':
        return this.#object(kind)
      case 'variants':
        return this.#variants(kind)
      case 'word-or-object': {
        const [word, object] = [this.#of(kind.word), this.#of(kind.object)]
        return (value, seq) => word(value, seq) || object(value, seq)
      }
      case 'nullable': {
        const accepts = this.#of(kind.of)
        return (value, seq) => value === null || accepts(value, seq)
      }
      case 'message':
        return this.#message(kind.by)
      case 'content':
        return this.#each((value, seq) => this.#block(value, seq))
      case 'block':
        return (value, seq) => this.#block(value, seq)
      case 'block-type':
        return (value) => this.#knowsBlock(value)
      case 'stream':
        return this.#each((record, seq) => this.#streamed(record, seq))
      case 'anything':
        return kind.lossless === true && this.#formats.some((format) => format < 2)
          ? (value) => value === undefined || isLossless(value)
          : EVERYTHING
    }
  }

  #each(accepts: Accepts): Accepts {
    return (value, seq) => {
      if (!Array.isArray(value)) return false
      for (let index = 0; index < value.length; index++) if (!accepts(value[index], seq)) return false
      return true
    }
  }

  #object({ members, open, rule }: ObjectKind): Accepts {
    const known = new Map<string, KnownMember>()
    let required = 0
    for (const [key, member] of Object.entries(members)) {
      const { optional, of, checkedIf, early } = memberOf(member)
      const has = this.#formats.map((format) => isIn(member, format))
      if (!optional && has.includes(true) && !this.#added.has(key)) required++
      if (early === true || has.includes(false)) continue
      const range = of.kind === 'seq-range' ? of.of : undefined
      known.set(key, {
        accepts: this.#of(of),
        isRequired: !optional && !this.#added.has(key),
        checkedIf,
        range,
      })
    }
    const formats = this.#formats
    return (value, seq) => {
      if (!isJsonObject(value)) return false
      let missing = required
      for (const key in value) {
        const member = known.get(key)
        if (member === undefined) {
          if (open === true) continue
          return false
        }
        if (member.isRequired) missing--
        const { checkedIf, range } = member
        if (checkedIf !== undefined && !formats.some((format) => checkedIf(value, format))) continue
        if (!member.accepts(value[key], seq)) return false
        if (range !== undefined && !isRangeOf(value[key], value[range])) return false
      }
      return missing === 0 && (rule === undefined || this.#follows(rule, value, seq))
    }
  }

  #follows(rule: ObjectKind['rule'] & {}, value: JsonObject, seq: number): boolean {
    let follows = true
    for (const format of this.#formats) {
      rule(
        value,
        () => {
          follows = false
        },
        { format, seq },
      )
    }
    return follows
  }

  #variants({ by, cases }: VariantsKind): Accepts {
    const made = new Map<unknown, Accepts>()
    for (const [word, shape] of Object.entries(cases))
      if (this.#formats.every((format) => format >= (shape.from ?? 0))) made.set(word, this.#of(shape))
    return (value, seq) => isJsonObject(value) && made.get(value[by])?.(value, seq) === true
  }

  #block(value: JsonValue | undefined, seq: number): boolean {
    if (this.#depth === DEEPEST) return false
    this.#depth++
    const accepts = this.#of(BLOCKS)(value, seq)
    this.#depth--
    return accepts
  }

  #knowsBlock(value: JsonValue | undefined): boolean {
    const shape = typeof value === 'string' && Object.hasOwn(BLOCKS.cases, value) && BLOCKS.cases[value]
    return typeof shape === 'object' && this.#formats.every((format) => format >= (shape.from ?? 0))
  }

  #streamed(record: JsonValue | undefined, seq: number): boolean {
    if (!isJsonObject(record)) return false
    if (record.type !== 'chunk') return true
    const { chunk } = record
    if (!isJsonObject(chunk)) return false
    if (chunk.type === 'block-end') return this.#block(chunk.block, seq)
    return chunk.type !== 'block-start' || this.#knowsBlock(chunk.blockType)
  }

  #message(by: Author): Accepts {
    const members = this.#of(MESSAGE)
    const formats = this.#formats
    const roles = formats.map((format) => rolesOf(by, format))
    const kind = by === 'assistant' ? 'model' : by === 'tool' ? 'tool' : undefined
    const isWrapped = by === 'tool' && formats.some((format) => format < 4)
    return (value, seq) => {
      if (!isJsonObject(value) || !isJsonObject(value.source)) return false
      const { role, source, content } = value
      // Early goals are not taken apart twice.
      if (source.kind === 'goal' && source.change !== undefined) return false
      if (kind !== undefined && source.kind !== kind) return false
      if (isWrapped && !isResultOf(source.callId, content)) return false
      for (let index = 0; index < roles.length; index++)
        if (roles[index]?.includes(role as string) !== true) return false
      return members(value, seq)
    }
  }
}

interface KnownMember {
  readonly accepts: Accepts
  readonly isRequired: boolean
  readonly checkedIf: ((parent: JsonObject, format: number) => boolean) | undefined
  /** The list next to it that a range is the range of. */
  readonly range: string | undefined
}

const DEEPEST = 20

function isIn(member: Member, format: number): boolean {
  const { from = 0, to = Number.POSITIVE_INFINITY } = memberOf(member)
  return format >= from && format <= to
}

function isEarlierSeq(value: JsonValue | undefined, seq: number): boolean {
  return (
    Number.isSafeInteger(value) && (value as number) >= 0 && !Object.is(value, -0) && (value as number) < seq
  )
}

/** Seqs that do not rise may hold one twice. */
function areRisingSeqs(values: readonly JsonValue[], seq: number): boolean {
  let last = -1
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as JsonValue
    if (!isEarlierSeq(value, seq) || (value as number) <= last) return false
    last = value as number
  }
  return true
}

function isRangeOf(range: JsonValue | undefined, listed: JsonValue | undefined): boolean {
  if (!isJsonObject(range) || !Array.isArray(listed) || listed.length === 0) return false
  return range.start === listed[0] && range.end === listed.at(-1)
}
