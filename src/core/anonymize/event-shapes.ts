/**
 * The allow-list: what may stay of a row, derived from the catalogue of event types. A type without a row there, and a
 * member that is not in its row, is opaque: names, texts and numbers below it are replaced, and only its shape stays.
 */
import { isClosingText } from '../event-types/closers.ts'
import { ENVELOPE, HEADER, PACKED_ENVELOPE, PACKED_ROWS } from '../event-types/envelope.ts'
import { EVENT_TYPES } from '../event-types/event-types.ts'
import {
  type Kind,
  memberOf,
  type NumberKind,
  type ObjectKind,
  type TextKind,
  type VariantsKind,
  type WordKind,
} from '../event-types/kinds.ts'
import { BLOCKS, LATER_SOURCES, MESSAGE, SOURCES, STREAM_RECORDS } from '../event-types/values.ts'
import { catalogued } from '../event-types/vocabulary.ts'
import {
  constants,
  hidden,
  JSON_TEXT,
  list,
  type ObjectShape,
  OPAQUE,
  PIECE,
  type Shape,
  STRUCTURE,
  type StringShape,
  TIME,
} from './shape.ts'

/** Of a type nothing is known of the data. */
const UNKNOWN: Kind = { kind: 'anything' }

const TYPE = constants(
  'event types',
  (type) => type === 'session' || Object.hasOwn(PACKED_ROWS, type) || catalogued(type) !== undefined,
)

const shapes = new WeakMap<Kind, Shape>()

function shapeOf(kind: Kind): Shape {
  const made = shapes.get(kind) ?? newShape(kind)
  shapes.set(kind, made)
  return made
}

function newShape(kind: Kind): Shape {
  switch (kind.kind) {
    case 'text':
      return textShape(kind)
    case 'word':
      return wordShape(kind)
    case 'number':
      return numberShape(kind)
    case 'seq':
    case 'seqs':
      return STRUCTURE
    case 'seq-range':
      return objectShape([
        ['start', STRUCTURE],
        ['end', STRUCTURE],
      ])
    case 'list':
      return list(shapeOf(kind.of))
    case 'object':
    case 'variants':
      return membersShape(kind)
    case 'word-or-object':
      return { ...membersShape(kind.object), word: shapeOf(kind.word) as StringShape }
    case 'nullable':
      return shapeOf(kind.of)
    case 'message':
      return shapeOf(MESSAGE)
    case 'content':
      return list(blockShape())
    case 'block':
      return blockShape()
    case 'block-type':
      return constants('words', (word) => Object.hasOwn(BLOCKS.cases, word))
    case 'stream':
      return list(shapeOf(STREAM_RECORDS))
    case 'flag':
    case 'anything':
      return OPAQUE
  }
}

/** Results nest content once; what nests deeper is no content that a harness writes. */
function blockShape(): ObjectShape {
  const { members } = membersShape(BLOCKS, 'content')
  const nested = objectShape([...members, ['content', OPAQUE]])
  return objectShape([...members, ['content', list(nested)]])
}

function wordShape({ words, retired }: WordKind): Shape {
  if (words.size === 0) return hidden('words')
  return constants('words', (word) => words.has(word) || retired?.has(word) === true)
}

function textShape({ content }: TextKind): Shape {
  switch (content) {
    case 'texts':
      return constants('texts', isClosingText)
    case 'arguments':
      return JSON_TEXT
    case 'pieces':
      return PIECE
    case 'instants':
      return TIME
    default:
      return hidden(content)
  }
}

function numberShape({ says }: NumberKind): Shape {
  return says === 'structure' ? STRUCTURE : says === 'time' ? TIME : OPAQUE
}

/** All members of all variants: which of them one has says nothing about what they hold. */
function membersShape(kind: ObjectKind | VariantsKind, but?: string): ObjectShape {
  const members = new Map<string, Shape>()
  for (const one of kind.kind === 'object' ? [kind] : Object.values(kind.cases)) {
    for (const [name, member] of Object.entries(one.members)) {
      if (name === but) continue
      const shape = shapeOf(memberOf(member).of)
      const other = members.get(name)
      members.set(name, other === undefined ? shape : merged(other, shape))
    }
  }
  if (kind === SOURCES) members.set('kind', merged(members.get('kind') ?? OPAQUE, LATER_KIND))
  return { kind: 'object', members }
}

const LATER_KIND = constants('words', (kind) => LATER_SOURCES.has(kind))

/** What two variants say of a member of the same name. */
function merged(left: Shape, right: Shape): Shape {
  if (left === right) return left
  if (left.kind === 'object' && right.kind === 'object')
    return { kind: 'object', members: new Map([...left.members, ...right.members]) }
  if (left.kind !== 'string' || right.kind !== 'string') return left
  return constants(left.what, (text) => left.isConstant?.(text) === true || right.isConstant?.(text) === true)
}

function objectShape(members: Iterable<readonly [string, Shape]>): ObjectShape {
  return { kind: 'object', members: new Map(members) }
}

// Rows -----------------------------------------------------------------------------------------------------------------

export const HEADER_SHAPE: ObjectShape = objectShape([...membersShape(HEADER).members, ['type', TYPE]])

const rows = new Map<string | undefined, ObjectShape>()

/** The shape of a row with events of this type. */
export function rowShape(type: string | undefined): ObjectShape {
  const data = type === undefined ? undefined : dataKind(type)
  const known = data === undefined ? undefined : type
  const made =
    rows.get(known) ??
    objectShape([
      ...membersShape(ENVELOPE).members,
      ...membersShape(PACKED_ENVELOPE).members,
      ['type', TYPE],
      ['data', shapeOf(data ?? UNKNOWN)],
    ])
  rows.set(known, made)
  return made
}

function dataKind(type: string): Kind | undefined {
  return Object.hasOwn(PACKED_ROWS, type) ? PACKED_ROWS[type] : catalogued(type)?.data
}

/** Event types whose data have a row here. */
export const SHAPED_TYPES: readonly string[] = [...Object.keys(PACKED_ROWS), ...Object.keys(EVENT_TYPES)]
