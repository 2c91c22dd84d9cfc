/**
 * Why the published reader of a format refuses the data of an event: every member that is missing, unexpected or not
 * what the catalogue says, by its path. One walk over the kinds; what a kind means for a reader is here and nowhere
 * else.
 */

import {
  isJsonObject,
  isName,
  type JsonObject,
  type JsonValue,
  sameJson,
  wordOf,
} from '../json/json-value.ts'
import { stringifyJson } from '../json/stringify-json.ts'
import { EVENT_TYPES } from './event-types.ts'
import type {
  Author,
  Kind,
  ListKind,
  MemberKind,
  NumberKind,
  ObjectKind,
  SeqRangeKind,
  TextKind,
  VariantsKind,
  WordKind,
} from './kinds.ts'
import { memberOf } from './kinds.ts'
import type { Fault, FaultName } from './member-faults.ts'
import { BLOCKS, LATER_SOURCES, MESSAGE, SOURCES } from './values.ts'
import { catalogued } from './vocabulary.ts'

export type Problem =
  /** A required member is not there. */
  | 'missing'
  /** A member that the format does not name. */
  | 'unexpected'
  /** A value of another kind, or outside its bounds. */
  | 'value'
  /** Members that do not go together. */
  | 'disagrees'
  /** Form and members of a plugin source that do not go together. */
  | 'form'
  /** A kind of message source that no harness of the format writes. */
  | 'source'
  /** A type of content block that is not on the list of the format. */
  | 'content'

export interface Refusal {
  readonly problem: Problem
  /** Where in the row it is: `data.usage.inputTokens`. */
  readonly path: string
  /** The same, member by member. */
  readonly at: readonly (string | number)[]
  /** What the reader wants there, or what is there. */
  readonly fault: Fault
  /** What the member belongs to, in words: an event type, `a user source`, `a message`. */
  readonly of: string
  /** The member, or the kind of source or content in question. */
  readonly what: string
}

export type RefusalSink = (refusal: Refusal) => void

/** What is wrong with the data of an event for the published reader of `format`; a type without a row is opaque. */
export function dataRefusals(
  type: string,
  data: JsonValue | undefined,
  { format, seq }: Context,
  visit: RefusalSink,
): void {
  const row = catalogued(type)
  if (row !== undefined && row.isOpaque?.(data, format) !== true)
    new Inspection(type, format, seq, visit).value(row.data, data, 'data')
}

export interface Context {
  readonly format: number
  /** Seq of the event; what it names must be earlier. */
  readonly seq: number
}

/** The same for a value that is no data of an event: a header, a packed row. */
export function kindRefusals(
  kind: Kind,
  value: JsonValue | undefined,
  { root, type, format, seq }: Context & { readonly root: string; readonly type: string },
  visit: RefusalSink,
): void {
  new Inspection(type, format, seq, visit).value(kind, value, root)
}

/** The first of them; absent when the value is what the kind says. */
export function firstRefusal(
  kind: Kind,
  value: JsonValue | undefined,
  root: string,
  context: Context,
): Refusal | undefined {
  let first: Refusal | undefined
  kindRefusals(kind, value, { ...context, root, type: root }, (refusal) => {
    first ??= refusal
  })
  return first
}

/** Content nests results in results; what nests deeper than this is no content that a harness writes. */
const DEEPEST = 100
const LONGEST_KEY = 80

/** The members that an object has in one format. Every object of a log is looked up in one, so each is made once. */
interface MemberTable {
  readonly known: ReadonlyMap<string, MemberKind>
  readonly required: readonly string[]
}

const TABLES = new WeakMap<ObjectKind['members'], MemberTable[]>()

function tableOf(members: ObjectKind['members'], format: number): MemberTable {
  const tables = TABLES.get(members) ?? []
  TABLES.set(members, tables)
  tables[format] ??= makeTable(members, format)
  return tables[format]
}

function makeTable(members: ObjectKind['members'], format: number): MemberTable {
  const current = Object.entries(members)
    .map(([key, member]) => [key, memberOf(member)] as const)
    .filter(([, { from = 0, to = Number.POSITIVE_INFINITY }]) => format >= from && format <= to)
  return {
    known: new Map(current.filter(([, { early }]) => early !== true)),
    required: current.flatMap(([key, { optional }]) => (optional ? [] : [key])),
  }
}

class Inspection {
  readonly #format: number
  readonly #seq: number
  readonly #visit: RefusalSink
  readonly #path: (string | number)[] = []
  /** What the members that are looked at belong to. */
  #of: string
  #isPluginSource = false

  constructor(type: string, format: number, seq: number, visit: RefusalSink) {
    this.#of = type
    this.#format = format
    this.#seq = seq
    this.#visit = visit
  }

  value(kind: Kind, value: JsonValue | undefined, key: string | number): void {
    this.#path.push(key)
    if (this.#path.length <= DEEPEST) this.#check(kind, value)
    this.#path.pop()
  }

  #check(kind: Kind, value: JsonValue | undefined) {
    switch (kind.kind) {
      case 'text':
        return this.#text(kind, value)
      case 'word':
        return this.#word(kind, value)
      case 'number':
        return this.#number(kind, value)
      case 'flag':
        if (kind.only === undefined ? typeof value !== 'boolean' : value !== kind.only)
          this.#refuse('value', kind.only === undefined ? 'flag' : 'yes')
        return
      case 'seq':
        return this.#seqValue(value)
      case 'seqs':
        return this.#seqs(value, kind.mayBeEmpty)
      case 'seq-range':
        return this.#seqRange(value)
      case 'list':
        return this.#list(kind, value)
      case 'object':
        return this.#object(kind, value)
      case 'variants':
        return this.#variants(kind, value)
      case 'word-or-object':
        if (typeof value === 'string') this.#word(kind.word, value)
        else this.#object(kind.object, value)
        return
      case 'nullable':
        if (value !== null) this.#check(kind.of, value)
        return
      case 'message':
        return this.#message(kind.by, value)
      case 'content':
        return this.#each(value, (block, index) => this.value({ kind: 'block' }, block, index))
      case 'block':
        return this.#variants(BLOCKS, value)
      case 'block-type':
        return this.#blockType(value)
      case 'stream':
        return this.#stream(value)
      case 'anything':
        if (kind.lossless === true && this.#format < 2 && value !== undefined && !isLossless(value))
          this.#refuse('value', 'lossless')
        return
    }
  }

  #refuse(
    problem: Problem,
    fault: FaultName | Fault,
    member?: string | readonly (string | number)[],
    what?: string,
  ): void {
    const path = [...this.#path, ...(member === undefined || member === '' ? [] : [member].flat())]
    const key = what ?? String(path.findLast((part) => typeof part === 'string'))
    const isForm = this.#isPluginSource && FORM_MEMBERS.has(key) && problem !== 'unexpected'
    this.#visit({
      problem: isForm ? 'form' : problem,
      path: pathText(path),
      at: path,
      fault: typeof fault === 'string' ? { name: fault } : fault,
      of: this.#of,
      what: cut(key),
    })
  }

  // Scalars ----------------------------------------------------------------------------------------------------------

  #text({ mayBeEmpty, rule }: TextKind, value: JsonValue | undefined): void {
    if (typeof value !== 'string') this.#refuse('value', 'text')
    else if (!mayBeEmpty && value === '') this.#refuse('value', 'empty')
    else {
      const problem = rule?.(value)
      if (problem !== undefined) this.#refuse('value', problem)
    }
  }

  #word({ words, others }: WordKind, value: JsonValue | undefined): void {
    if (typeof value === 'string' && (words.has(value) || (others && value !== ''))) return
    this.#refuse('value', others ? 'name' : { name: 'word', part: [...words] })
  }

  #number(kind: NumberKind, value: JsonValue | undefined): void {
    const { whole, least, most } = kind
    const isNumber = whole ? Number.isSafeInteger(value) : typeof value === 'number' && Number.isFinite(value)
    const fits =
      isNumber &&
      !Object.is(value, -0) &&
      (value as number) >= (least ?? Number.NEGATIVE_INFINITY) &&
      (value as number) <= (most ?? Number.POSITIVE_INFINITY)
    if (!fits) this.#refuse('value', { name: 'number', part: { kind, found: value } })
    else if (kind.earlier === true && (value as number) >= this.#seq) this.#refuse('value', 'earlier-seq')
  }

  // References to events ------------------------------------------------------------------------------------------------

  #seqValue(value: JsonValue | undefined): void {
    const fits = Number.isSafeInteger(value) && !Object.is(value, -0) && (value as number) >= 0
    if (!fits) this.#refuse('value', { name: 'seq', part: { found: value } })
    else if ((value as number) >= this.#seq) this.#refuse('value', 'earlier-event')
  }

  #seqs(value: JsonValue | undefined, mayBeEmpty: boolean): void {
    if (!Array.isArray(value)) this.#refuse('value', 'seqs')
    else if (value.length === 0 && !mayBeEmpty) this.#refuse('value', 'empty')
    else {
      const seen = new Set<JsonValue>()
      this.#each(value, (seq, index) => {
        this.value({ kind: 'seq' }, seq, index)
        if (seen.has(seq)) this.#refuse('value', { name: 'seq-twice', part: String(seq) })
        seen.add(seq)
      })
    }
  }

  #seqRange(value: JsonValue | undefined): void {
    this.#object(RANGE, value)
  }

  /** A range is made of the first and the last seq of its list. */
  #rangeOfList({ of }: SeqRangeKind, range: JsonValue | undefined, parent: JsonObject, key: string): void {
    const seqs = parent[of]
    if (!isJsonObject(range) || !Array.isArray(seqs) || seqs.length === 0) return
    if (range.start !== seqs[0] || range.end !== seqs.at(-1))
      this.#refuse('disagrees', { name: 'range', part: of }, key)
  }

  // Lists and objects -----------------------------------------------------------------------------------------------

  #each(value: JsonValue | undefined, visit: (item: JsonValue, index: number) => void): void {
    if (!Array.isArray(value)) this.#refuse('value', 'list')
    else for (const [index, item] of value.entries()) visit(item, index)
  }

  #list({ of, least, most }: ListKind, value: JsonValue | undefined): void {
    this.#each(value, (item, index) => this.value(of, item, index))
    if (!Array.isArray(value)) return
    if (value.length < (least ?? 0)) this.#refuse('value', 'empty')
    else if (value.length > (most ?? Number.POSITIVE_INFINITY))
      this.#refuse('value', { name: 'most', part: most as number })
  }

  #object(kind: ObjectKind, value: JsonValue | undefined): void {
    if (isJsonObject(value)) this.#members(kind, value)
    else this.#refuse('value', 'object')
  }

  #members({ members, open, rule }: ObjectKind, value: JsonObject): void {
    const { known, required } = tableOf(members, this.#format)
    for (const key of Object.keys(value)) {
      const member = known.get(key)
      if (member === undefined) {
        if (open !== true && !this.#isExtension(key)) this.#refuse('unexpected', 'unexpected', key)
        continue
      }
      if (member.checkedIf?.(value, this.#format) === false) continue
      this.value(member.of, value[key], key)
      if (member.of.kind === 'seq-range') this.#rangeOfList(member.of, value[key], value, key)
    }
    for (const key of required) if (!Object.hasOwn(value, key)) this.#refuse('missing', 'missing', key)
    rule?.(
      value,
      (member, name, part) => {
        const problem = name === 'of-checkpoint' ? 'unexpected' : 'disagrees'
        this.#refuse(problem, { name, ...(part !== undefined && { part }) }, partsOf(member))
      },
      { format: this.#format, seq: this.#seq },
    )
  }

  /** The members of something that has a name of its own. */
  #named(of: string, kind: ObjectKind, value: JsonObject): void {
    const [outer, wasPlugin] = [this.#of, this.#isPluginSource]
    this.#of = of
    this.#isPluginSource = of === PLUGIN_SOURCE
    this.#members(kind, value)
    this.#of = outer
    this.#isPluginSource = wasPlugin
  }

  /** Members that a plugin adds to a message of format 4 say so in their name. */
  #isExtension(key: string): boolean {
    return this.#format >= 4 && key.startsWith('plugin:')
  }

  #variants(kind: VariantsKind, value: JsonValue | undefined): void {
    const { by, cases, openUpTo } = kind
    if (!isJsonObject(value)) {
      this.#refuse('value', 'object')
      return
    }
    const word = value[by]
    const found = typeof word === 'string' && Object.hasOwn(cases, word) ? cases[word] : undefined
    if (found !== undefined && this.#format >= (found.from ?? 0)) {
      const noun = kind === SOURCES ? 'source' : kind === BLOCKS ? 'block' : undefined
      if (noun === undefined) this.#members(found, value)
      else this.#named(`${/^[aeio]/.test(String(word)) ? 'an' : 'a'} ${word} ${noun}`, found, value)
    } else if (!isName(word)) this.#refuse(Object.hasOwn(value, by) ? 'value' : 'missing', 'name', by)
    else if (kind === BLOCKS) {
      if (this.#format > openUpTo)
        this.#refuse('content', { name: 'unknown-block', part: word }, undefined, word)
    } else if (kind === SOURCES) {
      if (this.#format > openUpTo && !(this.#format >= 4 && isLaterSource(word)))
        this.#refuse('source', { name: 'unknown-source', part: word }, undefined, word)
    } else if (this.#format > openUpTo) this.#refuse('value', { name: 'word', part: Object.keys(cases) }, by)
  }

  // Messages, content, streams ----------------------------------------------------------------------------------------

  #message(by: Author, value: JsonValue | undefined): void {
    if (!isJsonObject(value)) {
      this.#refuse('value', 'message')
      return
    }
    const { role, source, content } = value
    if (
      this.#format < 2 &&
      by === 'user' &&
      isJsonObject(source) &&
      source.kind === 'goal' &&
      source.change !== undefined
    ) {
      this.#earlyGoal(value, source, source.change)
      return
    }
    // A message that is the data is called by its type.
    if (this.#path.length === 1) this.#members(MESSAGE, value)
    else this.#named('a message', MESSAGE, value)
    const wanted = rolesOf(by, this.#format)
    if (Object.hasOwn(value, 'role') && !wanted.includes(wordOf(role)))
      this.#refuse('value', { name: 'word', part: wanted }, 'role')
    const kind = by === 'assistant' ? 'model' : by === 'tool' ? 'tool' : undefined
    if (kind === undefined || !isJsonObject(source)) return
    if (source.kind !== kind) this.#refuse('value', { name: 'source', part: kind }, 'source')
    else if (by === 'tool' && this.#format < 4 && !isResultOf(source.callId, content))
      this.#refuse('disagrees', 'result', 'content')
  }

  /** A goal of early builds carried its change in the source; the migration makes an event of it. */
  #earlyGoal(value: JsonObject, source: JsonObject, change: JsonValue): void {
    this.#path.push('source')
    this.#members(EARLY_GOAL, source)
    this.value(EVENT_TYPES['goal/change']?.data as Kind, change, 'change')
    this.#path.pop()
    if (source.round !== 0) this.#refuse('value', { name: 'word', part: '0' }, 'source.round')
    if (!isJsonObject(change)) return
    const { operation, goal, cleared, clearedAt, roundsStarted, createdAt, updatedAt } = change
    const named = operation === 'clear' ? cleared : goal
    const fits = isJsonObject(named) && source.goalId === named.id && source.revision === named.revision
    if (!fits) this.#refuse('disagrees', 'goal', 'source')
    const state =
      operation === 'clear' ? { cleared, clearedAt } : { goal, roundsStarted, createdAt, updatedAt }
    const text = `<goal_state>${stringifyJson(state)}</goal_state>`
    if (!sameJson(value.content, [{ type: 'text', text }])) this.#refuse('disagrees', 'goal-state', 'content')
    for (const key of ['id', 'role']) this.value(memberOf(MESSAGE.members[key] as Kind).of, value[key], key)
    for (const key of Object.keys(value))
      if (!['id', 'role', 'content', 'source'].includes(key)) this.#refuse('unexpected', 'unexpected', key)
    if (value.role !== 'user') this.#refuse('value', { name: 'word', part: 'user' }, 'role')
  }

  #blockType(value: JsonValue | undefined): void {
    const isKnown =
      typeof value === 'string' &&
      Object.hasOwn(BLOCKS.cases, value) &&
      this.#format >= (BLOCKS.cases[value]?.from ?? 0)
    if (!isKnown && this.#format > BLOCKS.openUpTo)
      this.#refuse('content', { name: 'unknown-block', part: wordOf(value) }, undefined, wordOf(value))
  }

  /** Of a stream the published readers look at the content that it carries alone. */
  #stream(value: JsonValue | undefined): void {
    this.#each(value, (record, index) => {
      this.#path.push(index)
      if (!isJsonObject(record)) this.#refuse('value', 'object')
      else if (record.type === 'chunk') {
        this.#path.push('chunk')
        const { chunk } = record
        if (!isJsonObject(chunk)) this.#refuse('value', 'object')
        else if (chunk.type === 'block-end') this.value({ kind: 'block' }, chunk.block, 'block')
        else if (chunk.type === 'block-start')
          this.value({ kind: 'block-type' }, chunk.blockType, 'blockType')
        this.#path.pop()
      }
      this.#path.pop()
    })
  }
}

const PLUGIN_SOURCE = 'a plugin source'
const FORM_MEMBERS: ReadonlySet<string> = new Set(['form', 'sections', 'summary'])

const RANGE: ObjectKind = { kind: 'object', members: { start: { kind: 'seq' }, end: { kind: 'seq' } } }

const EARLY_GOAL: ObjectKind = {
  kind: 'object',
  members: {
    kind: { kind: 'anything' },
    goalId: { kind: 'text', content: 'ids', mayBeEmpty: false },
    revision: { kind: 'number', whole: true, least: 1, says: 'structure' },
    round: { kind: 'anything' },
    change: { kind: 'anything' },
  },
}

const AUTHORS = ['system', 'user', 'assistant'] as const

export function rolesOf(by: Author, format: number): readonly string[] {
  if (by === 'any') return AUTHORS
  return [by === 'tool' && format < 4 ? 'user' : by]
}

export function isResultOf(callId: JsonValue | undefined, content: JsonValue | undefined): boolean {
  const block = Array.isArray(content) && content.length === 1 ? content[0] : undefined
  return isJsonObject(block) && block.type === 'tool-result' && block.toolCallId === callId
}

function isLaterSource(kind: string): boolean {
  return LATER_SOURCES.has(kind) || kind.startsWith('plugin:')
}

// Paths ---------------------------------------------------------------------------------------------------------------

function pathText(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      return index === 0 ? key : `.${cut(key)}`
    })
    .join('')
}

/** `references[0].truncated`, as rules name members, member by member. */
function partsOf(member: string): readonly (string | number)[] {
  return member
    .split(/[.[\]]+/)
    .flatMap((part) => (part === '' ? [] : /^\d+$/.test(part) ? Number(part) : part))
}

function cut(text: string): string {
  return text.length > LONGEST_KEY ? `${text.slice(0, LONGEST_KEY)}…` : text
}

/** Whether every number in it survives being written as JSON and read again. */
export function isLossless(value: JsonValue): boolean {
  const pending: unknown[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'number' && (!Number.isFinite(next) || Object.is(next, -0))) return false
    if (typeof next === 'object' && next !== null)
      for (const below of Object.values(next)) pending.push(below)
  }
  return true
}
