/**
 * What may stay of a value, as data: an allow-list by member. A shape names the members that the format knows, the
 * words that it enumerates and the numbers that carry structure. Whatever no shape speaks of is replaced.
 */

/** How a value is called in the account of what was replaced. */
export type FieldKind =
  | 'event types'
  | 'member names'
  | 'words'
  | 'ids'
  | 'names'
  | 'paths'
  | 'texts'
  | 'tool arguments'
  | 'other texts'
  | 'structure'
  | 'times'
  | 'other numbers'
  | 'truth values'
  | 'broken lines'
  | 'asked for elsewhere'

export interface StringShape {
  readonly kind: 'string'
  readonly what: FieldKind
  /** Whether a value is a constant of the format. */
  readonly isConstant?: (value: string) => boolean
}

export interface ObjectShape {
  readonly kind: 'object'
  readonly members: ReadonlyMap<string, Shape>
  /** What a text in the place of the object may be. */
  readonly word?: StringShape
}

export type Shape =
  | StringShape
  | ObjectShape
  | { readonly kind: 'list'; readonly item: Shape }
  /** A number that carries structure, or a list of such numbers. */
  | { readonly kind: 'structure' }
  /** Milliseconds since the epoch. */
  | { readonly kind: 'time' }
  /** JSON inside a string. */
  | { readonly kind: 'json' }
  /** A part of a text that was streamed. */
  | { readonly kind: 'piece' }
  /** Nothing is known of it. */
  | { readonly kind: 'opaque' }

export const OPAQUE: Shape = { kind: 'opaque' }
export const STRUCTURE: Shape = { kind: 'structure' }
export const TIME: Shape = { kind: 'time' }
export const JSON_TEXT: Shape = { kind: 'json' }
export const PIECE: Shape = { kind: 'piece' }

export function hidden(what: FieldKind): StringShape {
  return { kind: 'string', what }
}

export function constants(what: FieldKind, isConstant: (value: string) => boolean): StringShape {
  return { kind: 'string', what, isConstant }
}

export function list(item: Shape): Shape {
  return { kind: 'list', item }
}

/** What the items of a list are, when this is the shape of the list. */
export function itemShapeOf(shape: Shape): Shape {
  if (shape.kind === 'list') return shape.item
  return shape.kind === 'structure' ? STRUCTURE : OPAQUE
}
