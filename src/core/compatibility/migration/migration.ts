/**
 * What the chain of migrations makes of a log, row by row as it is stored, for every release that gets the log by
 * migration: which refuse it, where and why. It follows the published readers of formats 0 to 3: rows, early shapes,
 * members, streams, the system prompt, relations. Nothing is migrated; only what the steps look at is followed.
 */
import { dialectOf } from '../../dialect/dialect.ts'
import { HEADER } from '../../event-types/envelope.ts'
import { memberFault } from '../../event-types/member-faults.ts'
import { kindRefusals } from '../../event-types/refusals.ts'
import { catalogued, isKnownType, isSurfaceEligibleType } from '../../event-types/vocabulary.ts'
import type { Origin } from '../../findings/origin.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from '../../json/json-value.ts'
import { eventRefusals } from '../event-refusals.ts'
import { EarlyShapes } from './early-shapes.ts'
import {
  ALL_LATER,
  type FaultIn,
  FROM_3,
  faultText,
  isTime,
  type MigratedEvent,
  type MigratedLog,
  ONLY_4,
  type RefusalReport,
  type TargetFormat,
  type UpgradeArea,
  type UpgradeRefusal,
} from './refusal.ts'
import { Relations } from './relations.ts'
import { type ChunkRun, StoredRows } from './stored-rows.ts'
import { ToFormat2 } from './to-format-2.ts'
import { ToFormat3 } from './to-format-3.ts'

const ENVELOPE: ReadonlySet<string> = new Set(['type', 'seq', 'time', 'data', 'ignorable'])
const SURFACE_MEMBERS: ReadonlySet<string> = new Set(['surfaceOp', 'sourceEventSeqs'])
const START: Origin = { line: 1, byteOffset: 0 }

export class Migration {
  readonly #visit: (refusal: UpgradeRefusal) => void
  readonly #log: MigratedLog
  readonly #format: number
  readonly #rows: StoredRows
  readonly #early: EarlyShapes
  readonly #relations: Relations
  readonly #second: ToFormat2
  readonly #third: ToFormat3
  /** Of the first row of a tail that is cut. */
  #damage: { readonly origin: Origin; readonly problem: string } | undefined
  /** The marker that ends the inherited part, once it is seen. */
  #marker: number | undefined

  /** @param header - as it is stored, of one of the formats 0 to 3. */
  constructor(header: JsonObject, origin: Origin, visit: (refusal: UpgradeRefusal) => void) {
    this.#visit = visit
    this.#log = {
      format: header.version as number,
      sessionId: typeof header.id === 'string' ? header.id : '',
      hasParent: header.parentSession !== undefined,
      seedLength: typeof header.seedLength === 'number' ? header.seedLength : undefined,
      isSeeded: header.isSeeded,
    }
    this.#format = this.#log.format
    this.#rows = new StoredRows(this.#format)
    this.#early = new EarlyShapes(this.#log.sessionId)
    this.#relations = new Relations(this.#report)
    this.#second = new ToFormat2(
      this.#log,
      this.#report,
      this.#relations,
      (event) => this.#related(event),
      (marker) => this.#relate(marker),
    )
    this.#third = new ToFormat3(this.#log, this.#report)
    const context = { root: 'header', type: 'the header', format: this.#format, seq: 0 }
    kindRefusals(HEADER, header, context, ({ path, fault, what }) => {
      const needs = memberFault(fault)
      this.#header('header', path, needs, `member ${what} of the header ${needs}`, origin)
    })
  }

  #header(area: UpgradeArea, path: string, problem: string, kind: string, origin: Origin = START): void {
    this.#visit({ area, targets: this.#later, origin, type: 'session', path, problem, kind })
  }

  /** Formats whose releases migrate the log. */
  get #later(): readonly TargetFormat[] {
    return this.#format < 2 ? ALL_LATER : this.#format === 2 ? FROM_3 : ONLY_4
  }

  readonly #report: RefusalReport = ({ type, seq, origin }, area, fault, { targets, path, part } = {}) => {
    const own = (targets ?? ALL_LATER).filter((target) => target > this.#format)
    if (own.length === 0) return
    const { problem, kind } = faultText(area, fault, part)
    const place = path === undefined ? {} : { path }
    const counted = `${path === undefined ? '' : `${path} of `}${type} ${kind}`
    this.#visit({ area, targets: own, origin, seq, type, problem, kind: counted, ...place })
  }

  // Rows -----------------------------------------------------------------------------------------------------------------

  /** Takes streamed deltas that are where they should. */
  takeRun(run: ChunkRun, origin: Origin): void {
    if (this.#rows.skip(run.count) && this.#format < 2) this.#second.takeRun(run, origin)
  }

  /** @param value - what the record holds; absent when it cannot be read. */
  take(value: JsonValue | undefined, origin: Origin) {
    const taken = this.#rows.take(this.#damageOf3(value) === undefined ? value : undefined)
    switch (taken.kind) {
      case 'event':
        return this.#row(taken.row, taken.sources, origin)
      case 'run':
        return this.#second.takeRun(taken.run, origin)
      case 'damaged':
        this.#damage = { origin, problem: taken.problem }
        return
      case 'turn end after damage': {
        const { origin: at, problem: cause } = this.#damage ?? { origin, problem: 'it breaks the numbering' }
        const problem = `is damaged before a turn end: ${cause}`
        const kind = 'damaged rows before a turn end'
        this.#visit({ area: 'row-damaged', targets: this.#later, type: 'row', origin: at, problem, kind })
        return
      }
      case 'dropped':
        return
    }
  }

  /** Format 3 looks at more of a row than the formats before it. */
  #damageOf3(value: JsonValue | undefined): string | undefined {
    if (this.#format !== 3 || !isJsonObject(value)) return undefined
    return dialectOf(3).rowDamage(value, this.#rows.count)
  }

  #row(row: JsonObject, sources: readonly number[] | undefined, origin: Origin) {
    const seq = this.#rows.count - 1
    const stored: MigratedEvent = {
      type: typeof row.type === 'string' ? row.type : '',
      seq,
      time: row.time,
      data: row.data,
      surfaceOp: row.surfaceOp,
      sourceEventSeqs: sources,
      ignorable: row.ignorable,
      origin,
    }
    const isKnown = this.#isKnown(stored)
    if (!isKnown && this.#format !== 3)
      this.#report(stored, 'unknown-type', 'unknown', { targets: this.#later })
    if (this.#format < 3) this.#envelope(row, stored)
    if (!isKnown) {
      if (this.#format < 2) this.#second.pass(stored)
      return
    }
    if (
      this.#format < 3 &&
      !isJsonObject(stored.data) &&
      !(this.#format === 1 && stored.type === 'assistant/chunk')
    ) {
      const missing = stored.data === undefined
      if (missing) this.#report(stored, 'member-missing', 'missing', { path: 'data' })
      else this.#report(stored, 'member-value', 'object', { path: 'data' })
      if (stored.type === 'assistant/chunk') return
    }
    const upgraded = this.#format === 0 && isJsonObject(stored.data) ? this.#upgraded(stored) : stored
    const event = upgraded ?? stored
    if (event.type === 'assistant/chunk') return this.#chunk(event)
    if (this.#format < 3 && upgraded !== undefined && isJsonObject(event.data)) this.#members(event)
    if (this.#format < 2) this.#second.take(event)
    else this.#related(event)
  }

  #isKnown({ type }: MigratedEvent): boolean {
    if (isKnownType(type, this.#format)) return true
    const early = this.#format === 0 ? catalogued(type) : undefined
    return early?.earlyNameOf !== undefined || early?.retired === true
  }

  #envelope(row: JsonObject, event: MigratedEvent): void {
    const { type, time, ignorable } = event
    const isChunk = type === 'assistant/chunk'
    const mayBeOnSurface =
      isChunk || isSurfaceEligibleType(type) || catalogued(type)?.earlyNameOf === 'user/message'
    for (const member of Object.keys(row)) {
      if (ENVELOPE.has(member) || (mayBeOnSurface && SURFACE_MEMBERS.has(member))) continue
      this.#report(event, 'envelope', 'member', { path: member })
    }
    if (ignorable !== undefined && ignorable !== true)
      this.#report(event, 'envelope', 'flag', { path: 'ignorable' })
    if (isChunk) {
      if (time === undefined) this.#report(event, 'envelope', 'missing', { path: 'time' })
      return
    }
    if (!isTime(time)) this.#report(event, 'envelope', 'time', { path: 'time' })
    if (this.#format === 2 && Object.is(row.seq, -0))
      this.#report(event, 'envelope', 'negative-zero', { path: 'seq' })
    if (isSurfaceEligibleType(type)) this.#surfaceMembers(row, event)
  }

  /** What the migration from format 2 to 3 asks of the surface members, beyond that they fit the surface. */
  #surfaceMembers({ surfaceOp: op, sourceEventSeqs }: JsonObject, event: MigratedEvent): void {
    const refuse = (path: string, fault: FaultIn<'reference'>): void =>
      this.#report(event, 'reference', fault, { targets: FROM_3, path })
    const sources = event.sourceEventSeqs ?? []
    if (sourceEventSeqs !== undefined && !(this.#format < 2 && event.type === 'assistant/message')) {
      if (event.type === 'assistant/message') refuse('sourceEventSeqs', 'on-answer')
      if (sources.length === 0) refuse('sourceEventSeqs', 'empty')
      if (new Set(sources).size !== sources.length) refuse('sourceEventSeqs', 'twice')
      if (sources.some((source) => source >= event.seq)) refuse('sourceEventSeqs', 'not-earlier')
    }
    if (!isJsonObject(op)) return
    for (const end of ['start', 'end']) {
      const seq = op[end]
      const isEarlier = Number.isSafeInteger(seq) && (seq as number) >= 0 && (seq as number) < event.seq
      if (!isEarlier || (this.#format === 2 && Object.is(seq, -0)))
        refuse(`surfaceOp.${end}`, 'end-not-earlier')
    }
    // The migration to format 2 writes the operation anew.
    if (this.#format < 2) return
    if (op.op !== 'replace') refuse('surfaceOp.op', 'op')
    for (const member of Object.keys(op))
      if (!['op', 'start', 'end'].includes(member)) refuse(`surfaceOp.${member}`, 'op-member')
  }

  #upgraded(stored: MigratedEvent): MigratedEvent | undefined {
    const event = this.#early.upgrade(stored)
    if ('type' in event) return event
    this.#report(stored, 'early-shape', event.fault, { part: event.part })
    return undefined
  }

  #members(event: MigratedEvent): void {
    eventRefusals(event, this.#format, ({ area, targets, path, needs, kind }) => {
      const { type, seq, origin } = event
      const own = targets.filter((target) => target > this.#format)
      this.#visit({ area, targets: own, origin, seq, type, path, problem: needs, kind })
    })
  }

  // From format 1 to 2 ------------------------------------------------------------------------------------------------------

  #chunk(event: MigratedEvent): void {
    const data = objectIn(event.data)
    const { chunk } = data
    if (chunk === undefined || chunk === null)
      this.#report(event, 'member-missing', 'missing', { path: 'data.chunk' })
    else if (!isJsonObject(chunk))
      this.#report(event, 'member-value', 'object', { targets: FROM_3, path: 'data.chunk' })
    else this.#streamed(event, chunk)
    const isFinish = objectIn(chunk).type === 'finish'
    if (this.#format < 2) this.#second.takeChunk(event, data, isFinish)
  }

  /** Content that is streamed is judged where the stream is: on the way from format 2 to 3. */
  #streamed({ type, seq, origin }: MigratedEvent, chunk: JsonObject): void {
    if (chunk.type !== 'block-end' && chunk.type !== 'block-start') return
    const data = { turn: 1, step: 1, stream: [{ type: 'chunk', time: 0, chunk }] }
    eventRefusals({ type: 'assistant/attempt', seq, data }, 2, ({ area, targets, path, needs, kind }) => {
      const at = path.replace('data.stream[0].chunk', 'data.chunk')
      this.#visit({ area, targets, origin, seq, type, path: at, problem: needs, kind })
    })
  }

  // From format 2 on --------------------------------------------------------------------------------------------------------

  #related(event: MigratedEvent): void {
    const data = objectIn(event.data)
    if (this.#format < 3) this.#third.take(event, data)
    if (event.type === 'session/end-seed' && data.inherited === true) this.#marker = event.seq
    this.#relate(event)
  }

  #relate(event: MigratedEvent): void {
    const { sessionId, hasParent, seedLength, isSeeded } = this.#log
    const { seq } = event
    this.#relations.take(event, {
      sessionId,
      hasParent,
      migratedSeq: this.#format < 2 ? this.#second.nextSeq : seq,
      isInherited:
        seedLength !== undefined ? seq < seedLength : isSeeded === true && this.#marker === undefined,
    })
  }

  // The end --------------------------------------------------------------------------------------------------------------------

  finish(): void {
    if (this.#format < 2) {
      this.#second.finish(this.#damage?.origin ?? START)
      const problem = 'is more than the log has events'
      if ((this.#log.seedLength ?? 0) > this.#rows.count)
        this.#header('header', 'header.seedLength', problem, `member seedLength of the header ${problem}`)
    } else if (this.#log.isSeeded === true && this.#marker === undefined) {
      const problem = 'needs a marker at the end of the inherited part'
      const kind = 'session without the marker of its inherited part'
      this.#header('seed-marker', 'header.isSeeded', problem, kind)
    }
    this.#third.finish(this.#marker)
    this.#relations.finish()
  }
}
