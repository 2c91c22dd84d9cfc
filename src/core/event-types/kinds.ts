/**
 * The kinds of values that members of events hold: the words in which the catalogue of event types is written. A kind
 * says at once what the readers accept, what names another event, where messages are and what a copy without content
 * may keep. It is data; what is asked of it is in the files that ask.
 */
import type { JsonObject } from '../json/json-value.ts'
import type { FaultName } from './member-faults.ts'

/** What a text says, so that it can be replaced by something neutral. */
export type Content = 'ids' | 'names' | 'paths' | 'texts' | 'arguments' | 'pieces' | 'instants'

export interface TextKind {
  readonly kind: 'text'
  readonly content: Content
  /** Whether the empty text is accepted. */
  readonly mayBeEmpty: boolean
  readonly rule?: TextRule
}

export interface WordKind {
  readonly kind: 'word'
  readonly words: ReadonlySet<string>
  /** Whether readers take any other text that is not empty. */
  readonly others: boolean
  /** Words of early builds, which no reader takes any more. */
  readonly retired?: ReadonlySet<string>
}

export interface NumberKind {
  readonly kind: 'number'
  readonly whole: boolean
  readonly least?: number
  readonly most?: number
  /** Must be smaller than the seq of its event, though it is no reference to be renamed. */
  readonly earlier?: true
  /** `structure` carries the order of the log, `time` is milliseconds since the epoch, `measure` says something of content. */
  readonly says: 'structure' | 'time' | 'measure'
}

/** `true` or `false`; or one of them alone. */
export interface FlagKind {
  readonly kind: 'flag'
  readonly only?: true
}

/** The seq of an earlier event. */
export interface SeqKind {
  readonly kind: 'seq'
}

/** The seqs of earlier events, none of them twice. */
export interface SeqsKind {
  readonly kind: 'seqs'
  readonly mayBeEmpty: boolean
  /** An event that is inserted after a listed one belongs to the list as well. */
  readonly grows: boolean
}

/** First and last of the seqs that a member next to it lists. */
export interface SeqRangeKind {
  readonly kind: 'seq-range'
  readonly of: string
}

export interface ListKind {
  readonly kind: 'list'
  readonly of: Kind
  readonly least?: number
  readonly most?: number
}

export interface ObjectKind {
  readonly kind: 'object'
  readonly members: Readonly<Record<string, Member>>
  /** Takes any other member. */
  readonly open?: true
  /** First format that has it, where it is a variant that came later. */
  readonly from?: number
  /** What holds between the members. */
  readonly rule?: ObjectRule
}

/** An object whose members depend on the word in one of them. */
export interface VariantsKind {
  readonly kind: 'variants'
  readonly by: string
  readonly cases: Readonly<Record<string, ObjectKind>>
  /** Formats up to this one take other words than the listed ones, with any members. */
  readonly openUpTo: number
}

/** One of these words, or an object. */
export interface WordOrObjectKind {
  readonly kind: 'word-or-object'
  readonly word: WordKind
  readonly object: ObjectKind
}

export interface NullableKind {
  readonly kind: 'nullable'
  readonly of: Kind
}

export interface MessageKind {
  readonly kind: 'message'
  readonly by: Author
}

/** Whose message it is; `any` where a member holds messages of several. */
export type Author = 'user' | 'assistant' | 'tool' | 'system' | 'developer' | 'any'

/** A list of content blocks, a single block, the type of one, or the stream of an answer. */
export interface ContentKind {
  readonly kind: 'content' | 'block' | 'block-type' | 'stream'
}

/** Whatever JSON can say; `lossless` when readers refuse numbers that JSON cannot give back. */
export interface AnythingKind {
  readonly kind: 'anything'
  readonly lossless?: true
}

export type Kind =
  | TextKind
  | WordKind
  | NumberKind
  | FlagKind
  | SeqKind
  | SeqsKind
  | SeqRangeKind
  | ListKind
  | ObjectKind
  | VariantsKind
  | WordOrObjectKind
  | NullableKind
  | MessageKind
  | ContentKind
  | AnythingKind

/** A member that is not simply required in all formats. */
export interface MemberKind {
  readonly kind: 'member'
  readonly of: Kind
  readonly optional: boolean
  /** First and last format that has the member. */
  readonly from?: number
  readonly to?: number
  /** Written by early builds of format 0 alone; reading the log turns it into what came later. */
  readonly early?: true
  /** When readers look at the value; always, where it is not said. */
  readonly checkedIf?: (parent: JsonObject, format: number) => boolean
}

export type Member = Kind | MemberKind

/** What is wrong with a text. */
export type TextRule = (text: string) => FaultName | undefined

/** Says what does not fit together. */
export type Report = (member: string, fault: FaultName, part?: string) => void

export interface RuleContext {
  readonly format: number
  /** Seq of the event. */
  readonly seq: number
}

export type ObjectRule = (value: JsonObject, report: Report, context: RuleContext) => void

const text = (content: Content, mayBeEmpty: boolean): TextKind => ({ kind: 'text', content, mayBeEmpty })

export const ID = text('ids', false)
export const NAME = text('names', false)
export const PATH = text('paths', false)
export const SOME_TEXT = text('texts', false)
export const TEXT = text('texts', true)
export const ARGUMENTS = text('arguments', true)
export const PIECE = text('pieces', true)

export function orEmpty(kind: TextKind): TextKind {
  return { ...kind, mayBeEmpty: true }
}

export function textThat(kind: TextKind, rule: TextRule): TextKind {
  return { ...kind, rule }
}

/** One of these words and no other. */
export function words(...list: readonly string[]): WordKind {
  return { kind: 'word', words: new Set(list), others: false }
}

export function withRetired(kind: WordKind, ...list: readonly string[]): WordKind {
  return { ...kind, retired: new Set(list) }
}

/** Words that the format gives a meaning; others are allowed. */
export function wordsAndOthers(...list: readonly string[]): WordKind {
  return { kind: 'word', words: new Set(list), others: true }
}

const number = (says: NumberKind['says'], more: Partial<NumberKind>): NumberKind => ({
  kind: 'number',
  whole: true,
  says,
  ...more,
})

export const COUNT = number('structure', { least: 0 })
export const POSITIVE = number('structure', { least: 1 })
export const WHOLE = number('structure', {})
export const TIME = number('time', { least: 0 })
/** The time of an event, which may be before the epoch. */
export const TIME_STAMP = number('time', {})
export const MEASURE = number('measure', { whole: false })

export function from(least: number, most?: number): NumberKind {
  return number('structure', { least, ...(most !== undefined && { most }) })
}

/** Any number between the two, whole or not. */
export function between(least: number, most?: number): NumberKind {
  return { ...from(least, most), whole: false }
}

export function exactly(value: number): NumberKind {
  return from(value, value)
}

/** A number that says something of content. */
export function measure(kind: NumberKind): NumberKind {
  return { ...kind, says: 'measure' }
}

export const EARLIER_COUNT = number('structure', { least: 0, earlier: true })

export const FLAG: FlagKind = { kind: 'flag' }
export const YES: FlagKind = { kind: 'flag', only: true }

export const SEQ: SeqKind = { kind: 'seq' }

export function seqs({ mayBeEmpty = false, grows = false } = {}): SeqsKind {
  return { kind: 'seqs', mayBeEmpty, grows }
}

export function seqRange(of: string): SeqRangeKind {
  return { kind: 'seq-range', of }
}

export function list(of: Kind, least?: number, most?: number): ListKind {
  return { kind: 'list', of, ...(least !== undefined && { least }), ...(most !== undefined && { most }) }
}

export function object(members: Readonly<Record<string, Member>>, rule?: ObjectRule): ObjectKind {
  return { kind: 'object', members, ...(rule !== undefined && { rule }) }
}

export function objectSince(from: number, members: Readonly<Record<string, Member>>): ObjectKind {
  return { kind: 'object', members, from }
}

export const ANY_OBJECT: ObjectKind = { kind: 'object', members: {}, open: true }

/** Last format that takes other words. */
export const NONE = -1
export const ALL = Number.POSITIVE_INFINITY

export function variants(
  by: string,
  cases: Readonly<Record<string, Readonly<Record<string, Member>> | ObjectKind>>,
  openUpTo: number,
): VariantsKind {
  const made = Object.entries(cases).map(([word, of]) => {
    const shape = isObjectKind(of) ? of : object(of)
    return [word, { ...shape, members: { [by]: words(word), ...shape.members } }]
  })
  return { kind: 'variants', by, cases: Object.fromEntries(made), openUpTo }
}

function isObjectKind(of: Readonly<Record<string, Member>> | ObjectKind): of is ObjectKind {
  return (of as ObjectKind).kind === 'object'
}

export function orNull(of: Kind): NullableKind {
  return { kind: 'nullable', of }
}

export function wordOrObject(word: WordKind, shape: ObjectKind): WordOrObjectKind {
  return { kind: 'word-or-object', word, object: shape }
}

export function message(by: Author): MessageKind {
  return { kind: 'message', by }
}

export const CONTENT: ContentKind = { kind: 'content' }
export const BLOCK: ContentKind = { kind: 'block' }
export const BLOCK_TYPE: ContentKind = { kind: 'block-type' }
export const STREAM: ContentKind = { kind: 'stream' }
export const ANYTHING: AnythingKind = { kind: 'anything' }
export const LOSSLESS: AnythingKind = { kind: 'anything', lossless: true }

export function optional(of: Kind): MemberKind {
  return { kind: 'member', of, optional: true }
}

/** An optional member that came with a format. */
export function since(format: number, of: Kind): MemberKind {
  return { kind: 'member', of, optional: true, from: format }
}

/** An optional member that a later format no longer has. */
export function upTo(format: number, of: Kind): MemberKind {
  return { kind: 'member', of, optional: true, to: format }
}

export function requiredSince(format: number, of: Kind): MemberKind {
  return { kind: 'member', of, optional: false, from: format }
}

export function early(of: Kind): MemberKind {
  return { kind: 'member', of, optional: true, early: true }
}

export function checkedIf(condition: MemberKind['checkedIf'] & {}, member: Member): MemberKind {
  return { ...memberOf(member), checkedIf: condition }
}

export function memberOf(member: Member): MemberKind {
  return member.kind === 'member' ? member : { kind: 'member', of: member, optional: false }
}

/** Whether a value of a kind can hold one of another kind at any depth, looked up once for each. Messages are not entered. */
export function holding(...wanted: readonly Kind['kind'][]): (kind: Kind) => boolean {
  const known = new WeakMap<Kind, boolean>()
  const holds = (kind: Kind): boolean => {
    const found = known.get(kind) ?? (wanted.includes(kind.kind) || inside(kind).some(holds))
    known.set(kind, found)
    return found
  }
  return holds
}

function inside(kind: Kind): readonly Kind[] {
  switch (kind.kind) {
    case 'list':
    case 'nullable':
      return [kind.of]
    case 'object':
      return Object.values(kind.members).map((member) => memberOf(member).of)
    case 'variants':
      return Object.values(kind.cases)
    default:
      return []
  }
}
