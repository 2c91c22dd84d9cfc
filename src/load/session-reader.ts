/**
 * Located records → header, events and findings of a format-0 log, in file order (format.md §2.6).
 *
 * The reader knows what the shipped loader knows: a bad row or a break in the numbering is damage when a turn end
 * follows it, and a crash tail otherwise. Damage is reported and reading goes on; a crash tail is left out, as DSH
 * leaves it out, and what would be lost with it is counted. Whether a turn end follows is looked up once, and only
 * when something is broken.
 */
import { dialectOf, isFormatVersion } from '../core/dialect/dialect.ts'
import { eventType } from '../core/dialect/vocabulary.ts'
import { decodeEnvelope } from '../core/event/decode-envelope.ts'
import { decodeHeader, looksLikeHeader } from '../core/event/decode-header.ts'
import { closingHazard, messageFinding } from '../core/event/decode-message.ts'
import { isCount, isJsonObject, type JsonObject, type JsonValue } from '../core/event/json-value.ts'
import type { Origin } from '../core/event/origin.ts'
import type { SessionEvent, SessionHeader } from '../core/event/session-event.ts'
import { LegacyUpgrader, retiredVocabulary } from '../core/event/upgrade-legacy.ts'
import type { Finding } from '../core/findings/finding.ts'
import type { FindingCode } from '../core/findings/rules.ts'
import { lacksMarker, markedAsAppend } from '../core/surface/unmarked-log.ts'
import type {
  ContainerFault,
  ReadLimits,
  RecordContent,
  RecordSource,
  StoredRecord,
} from '../storage/record-source.ts'
import { type ExpandedRow, expandRow } from '../storage/versions/packed-rows.ts'
import { dialectOfRecord } from './foreign-dialects.ts'
import { hasMarkedEvent, lastTurnEnd } from './look-ahead.ts'
import { parseRecord } from './parse-record.ts'

export type LogItem =
  | { readonly kind: 'header'; readonly header: SessionHeader }
  | { readonly kind: 'event'; readonly event: SessionEvent; readonly origin: Origin }
  | { readonly kind: 'finding'; readonly finding: Finding }

/** What lies where in the file, for whoever wants to mend it. Complete once the reader is done. */
export interface PhysicalLayout {
  /** Where the part begins that DSH would cut off: a torn record, or the first one behind a break. */
  cut: Origin | undefined
  /** Valid events behind the cut. */
  droppedEvents: number
  byteOrderMark: boolean
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const CR = 13
const OPENING_BRACE = 0x7b
const MOST_HELD = 1000

export class SessionReader {
  header: SessionHeader | undefined
  /** The header as it is stored, with whatever members it has. */
  storedHeader: JsonObject | undefined
  readonly layout: PhysicalLayout = { cut: undefined, droppedEvents: 0, byteOrderMark: false }

  readonly #source: RecordSource
  readonly #limits: ReadLimits
  readonly #asStored: boolean
  #items: LogItem[] = []
  #legacy = new LegacyUpgrader('')
  #dialect = dialectOf(undefined)
  readonly #legacyShapes = new Set<string>()
  #expectedSeq = 0
  /** A broken header, kept back until it is clear whether there is a log behind it at all. */
  #brokenHeader: Finding | undefined
  #foreign = false
  #seenHeader = false
  #seenEvent = false
  #seenRow = false
  #markers: 'unknown' | 'marked' | 'unmarked' = 'unknown'
  #lastTurnEnd: number | undefined
  /** The latest damage, while no good row has followed: the cause of a gap right behind it. */
  #damage: Finding | undefined
  /** A record was passed over just before, so the next one may have any later seq. */
  #unread = false
  #repeated: { first: number; last: number; rows: number; origin: Origin; expected: number } | undefined
  #dropped: { rows: number; first: number; last: number; origin: Origin; cause: Finding } | undefined
  #crlf: { lines: number; origin: Origin } | undefined

  /** @param asStored - give events as they are stored: older shapes and missing markers stay. */
  constructor(source: RecordSource, limits: ReadLimits, asStored = false) {
    this.#source = source
    this.#limits = limits
    this.#asStored = asStored
  }

  async *items(): AsyncIterable<readonly LogItem[]> {
    for await (const batch of this.#source.items()) {
      for (const item of batch) {
        if (item.kind === 'record') await this.#record(item)
        else this.#fault(item)
      }
      yield this.#flush()
    }
    this.#finish()
    yield this.#flush()
  }

  async #record(record: StoredRecord): Promise<void> {
    if (this.#foreign) return
    const { origin } = record
    if (!this.#seenHeader || this.#isLateHeader(record)) await this.#headerRecord(record, origin)
    else if (!record.ended) this.#tornTail(record, origin)
    else if (this.#dropped !== undefined) this.#dropRecord(record)
    else await this.#eventRecord(record, origin)
  }

  #fault({ code, origin, args, losesRecords }: ContainerFault): void {
    const finding = this.#report(code, origin, args)
    if (code === 'bytes/torn-frame') this.layout.cut ??= origin
    if (losesRecords) this.#damage = finding
  }

  // Header ---------------------------------------------------------------------------------------------------------

  async #headerRecord(record: StoredRecord, origin: Origin): Promise<void> {
    this.#seenHeader = true
    if (record.content.kind === 'oversize') {
      this.#oversize(record.content.bytes, origin)
      return
    }
    const content = this.#withoutByteOrderMark(record.content, origin)
    const parsed = parseRecord(content)
    if (parsed.kind === 'unreadable' || !record.ended) {
      const torn = !record.ended && content.kind === 'bytes' && content.bytes[0] === OPENING_BRACE
      const problem = parsed.kind === 'unreadable' ? parsed.problem : 'it has no line feed'
      this.#brokenHeader = {
        code: 'header/missing',
        origin,
        args: { problem: torn ? 'it is torn' : problem },
      }
      // A torn first line that begins like a header is a header that was being written.
      if (torn) this.#seenEvent = true
      return
    }
    if (!parsed.validUtf8) this.#report('bytes/invalid-utf8', origin, {})
    if (!looksLikeHeader(parsed.value)) {
      this.#brokenHeader = { code: 'header/missing', origin, args: { problem: 'it is another JSON value' } }
      const dialect = dialectOfRecord(parsed.value)
      if (dialect === 'stream-json') {
        this.#brokenHeader = { code: 'format/dialect', origin, args: { dialect } }
        this.#seenEvent = true
        this.#foreign = true
      } else if (isCount(seqOf(parsed.value))) await this.#eventValue(parsed.value, record, origin)
      return
    }
    const { header, findings } = decodeHeader(parsed.value, origin)
    for (const finding of findings) this.#emit(finding)
    this.header = header
    this.storedHeader = parsed.value
    if (header !== undefined) this.#items.push({ kind: 'header', header })
    this.#seenEvent = true
    if (header === undefined) return
    this.#foreign = !isFormatVersion(header.version)
    this.#dialect = dialectOf(header.version)
    this.#legacy = new LegacyUpgrader(header.id)
  }

  /** A header that stands behind a first line which is none. */
  #isLateHeader(record: StoredRecord): boolean {
    if (this.#brokenHeader === undefined || this.#seenEvent || !record.ended) return false
    const parsed = parseRecord(record.content)
    if (parsed.kind !== 'value' || !looksLikeHeader(parsed.value)) return false
    this.#dropped = undefined
    return true
  }

  #withoutByteOrderMark(content: RecordContent, origin: Origin): RecordContent {
    if (content.kind !== 'bytes' || !content.bytes.subarray(0, 3).equals(BYTE_ORDER_MARK)) return content
    this.layout.byteOrderMark = true
    this.#report('bytes/byte-order-mark', origin, {})
    return { kind: 'bytes', bytes: content.bytes.subarray(3) }
  }

  // Events ---------------------------------------------------------------------------------------------------------

  async #eventRecord(record: StoredRecord, origin: Origin): Promise<void> {
    const { content } = record
    if (content.kind === 'oversize') {
      this.#oversize(content.bytes, origin)
      return
    }
    const parsed = parseRecord(content)
    if (parsed.kind === 'unreadable') {
      await this.#damaged(record, origin, parsed.problem)
      return
    }
    if (content.kind === 'bytes' && content.bytes[content.bytes.length - 1] === CR) this.#countCrlf(origin)
    if (!parsed.validUtf8) this.#report('bytes/invalid-utf8', origin, {})
    await this.#eventValue(parsed.value, record, origin)
  }

  async #eventValue(value: JsonValue, record: StoredRecord, origin: Origin): Promise<void> {
    if (!isJsonObject(value) && (value === null || this.#dialect.version >= 2)) {
      return this.#damaged(record, origin, `it is ${value === null ? 'null' : 'no object'}`)
    }
    this.#admit(value, origin)
    const expanded = this.#expand(value)
    if (expanded.kind === 'malformed') return this.#damaged(record, origin, expanded.problem)
    const { rows } = expanded
    if (this.#expectedSeq === 0 && !this.#seenRow) {
      this.#seenRow = true
      const dialect = dialectOfRecord(value)
      if (dialect !== undefined) {
        this.#report('format/dialect', origin, { dialect })
        this.#foreign = true
        return
      }
    }
    const got = seqOf(rows[0])
    if (got !== this.#expectedSeq && !(await this.#outOfOrder(value, got, rows.length, record, origin)))
      return
    const damage = isJsonObject(value) ? this.#dialect.rowDamage(value, this.#expectedSeq) : undefined
    if (damage !== undefined) {
      await this.#damaged(record, origin, damage)
      // The row has its seq, so the next one does not break the order again.
      if (this.#dropped === undefined) this.#expectedSeq += rows.length
      return
    }
    this.#seenEvent = true
    this.#unread = false
    this.#endRepetition()
    this.#damage = undefined
    for (const [member, row] of rows.entries()) {
      await this.#event(row as JsonObject, record, rows.length === 1 ? origin : { ...origin, member })
    }
  }

  async #event(row: JsonObject, record: StoredRecord, origin: Origin): Promise<void> {
    const seq = this.#expectedSeq++
    const stored = decodeEnvelope(row, seq, origin, (finding) => {
      if (!saysNothing(row, finding)) this.#emit(finding)
    })
    if (this.#asStored) {
      this.#items.push({ kind: 'event', event: stored, origin })
      return
    }
    const current =
      this.#dialect.version === 0 ? this.#upgraded(stored, origin) : this.#unretired(stored, origin)
    const event = await this.#marked(current, record)
    const finding = messageFinding(event, origin, this.#dialect) ?? this.#hazard(event, origin)
    if (finding !== undefined) this.#emit(finding)
    this.#items.push({ kind: 'event', event, origin })
  }

  #expand(value: JsonValue): ExpandedRow {
    return this.#dialect.version < 2 ? expandRow(value) : { kind: 'row', rows: [value] }
  }

  #admit(value: JsonValue, origin: Origin): void {
    const refusal = isJsonObject(value) ? this.#dialect.refusal(value) : undefined
    if (refusal === undefined) return
    const { code, problem } = refusal
    const seq = seqOf(value)
    this.#report(code, origin, { problem, type: problem }, isCount(seq) ? seq : undefined)
  }

  /** Later formats know no older shapes, but the same retired request header. */
  #hazard(event: SessionEvent, origin: Origin): Finding | undefined {
    return this.#dialect.relations ? undefined : closingHazard(event, origin)
  }

  #unretired(event: SessionEvent, origin: Origin): SessionEvent {
    const what = event.type === 'request/header' ? retiredVocabulary(event) : undefined
    if (what !== undefined) this.#report('vocabulary/retired', origin, { what }, event.seq)
    return event
  }

  #upgraded(event: SessionEvent, origin: Origin): SessionEvent {
    const upgrade = this.#legacy.upgrade(event)
    const { seq, type } = event
    switch (upgrade.kind) {
      case 'current':
        return event
      case 'upgraded':
        if (!this.#legacyShapes.has(upgrade.shape)) {
          this.#legacyShapes.add(upgrade.shape)
          this.#report('legacy/shape', origin, { shape: upgrade.shape }, seq)
        }
        return upgrade.event
      case 'malformed':
        this.#report('legacy/malformed', origin, { type, problem: upgrade.problem }, seq)
        return event
      case 'retired':
        this.#report('vocabulary/retired', origin, { what: upgrade.what }, seq)
        return event
    }
  }

  /** Events of a log without any marker are read as appended; whether it is such a log is looked up once. */
  async #marked(event: SessionEvent, record: StoredRecord): Promise<SessionEvent> {
    if (this.#markers === 'marked') return event
    if (!lacksMarker(event)) {
      if (event.surfaceOp !== undefined) this.#markers = 'marked'
      return event
    }
    if (this.#markers === 'unknown') {
      const marked = await hasMarkedEvent(this.#source, record.line)
      this.#markers = marked ? 'marked' : 'unmarked'
      if (marked) return event
      this.#report('surface/unmarked-log', record.origin, {}, event.seq)
    }
    return markedAsAppend(event)
  }

  // Breaks ---------------------------------------------------------------------------------------------------------

  async #damaged(record: StoredRecord, origin: Origin, problem: string): Promise<void> {
    const committed = await this.#isCommitted(record)
    const finding = this.#report(committed ? 'bytes/bad-line' : 'bytes/bad-tail-line', origin, { problem })
    if (committed) this.#damage = finding
    else this.#startDropping(origin, finding)
  }

  /** Judges a row that does not carry the expected seq. Says whether it can take part all the same. */
  async #outOfOrder(
    value: JsonValue,
    got: JsonValue | undefined,
    rows: number,
    record: StoredRecord,
    origin: Origin,
  ): Promise<boolean> {
    const expected = this.#expectedSeq
    if (this.#unread && isCount(got) && got > expected) {
      this.#expectedSeq = got
      return true
    }
    const shown =
      typeof got === 'string'
        ? `the string "${got}"`
        : isCount(got)
          ? got
          : got === undefined
            ? 'none'
            : String(got)
    if (!(await this.#isCommitted(record))) {
      const finding = this.#report('order/tail-break', origin, { expected, got: shown })
      this.#startDropping(origin, finding)
      if (isCount(got)) this.#countDropped(got, rows)
      return false
    }
    if (!isCount(got)) {
      if (isJsonObject(value) && value.type === 'session') {
        this.#damage = this.#report('header/repeated', origin, { id: value.id ?? null })
      } else this.#damage = this.#report('order/seq-invalid', origin, { expected, got: shown })
      return false
    }
    if (got > expected) {
      const args = { expected, got, missing: got - expected }
      const cause = this.#damage
      this.#emit({ code: 'order/seq-gap', origin, seq: got, args, ...(cause && { causedBy: cause }) })
      this.#expectedSeq = got
      return true
    }
    const last = got + rows - 1
    if (this.#repeated !== undefined && got === this.#repeated.last + 1) {
      this.#repeated.last = last
      this.#repeated.rows += rows
    } else {
      this.#endRepetition()
      this.#repeated = { first: got, last, rows, origin, expected }
    }
    return false
  }

  #endRepetition(): void {
    if (this.#repeated === undefined) return
    const { origin, ...args } = this.#repeated
    this.#report('order/seq-repeated', origin, args, args.first)
    this.#repeated = undefined
  }

  async #isCommitted(record: StoredRecord): Promise<boolean> {
    this.#lastTurnEnd ??= await lastTurnEnd(this.#source, record.line)
    return this.#lastTurnEnd >= record.line
  }

  #startDropping(origin: Origin, cause: Finding): void {
    this.layout.cut ??= origin
    this.#dropped = { rows: 0, first: 0, last: 0, origin, cause }
  }

  #dropRecord(record: StoredRecord): void {
    const parsed = parseRecord(record.content)
    if (parsed.kind !== 'value') return
    this.#admit(parsed.value, record.origin)
    const expanded = this.#expand(parsed.value)
    if (expanded.kind === 'malformed') return
    const seq = seqOf(expanded.rows[0])
    if (isCount(seq)) this.#countDropped(seq, expanded.rows.length)
  }

  #countDropped(seq: number, rows: number): void {
    const dropped = this.#dropped
    if (dropped === undefined) return
    if (dropped.rows === 0) dropped.first = seq
    dropped.rows += rows
    dropped.last = seq + rows - 1
    this.layout.droppedEvents = dropped.rows
  }

  #tornTail(record: StoredRecord, origin: Origin): void {
    this.layout.cut ??= origin
    const complete = parseRecord(record.content).kind === 'value'
    const bytes = origin.byteLength ?? 0
    const cause = this.#dropped?.cause
    this.#emit({
      code: 'bytes/torn-tail',
      origin,
      args: { bytes, complete },
      ...(cause && { causedBy: cause }),
    })
  }

  #oversize(bytes: number, origin: Origin): void {
    this.#damage = this.#report('bytes/line-too-long', origin, { bytes, limit: this.#limits.maxRecord })
    this.#unread = true
    if (!this.#seenHeader) this.#seenEvent = true
  }

  #finish(): void {
    this.#endRepetition()
    if (!this.#seenHeader) this.#report('bytes/empty-file', { line: 1, byteOffset: 0 }, {})
    const broken = this.#brokenHeader
    if (broken !== undefined && !this.#seenEvent) {
      // Whatever else is wrong with a file that is no log at all is nobody's concern.
      this.#items = [{ kind: 'finding', finding: { ...broken, code: 'bytes/not-a-log' } }]
      this.#seenEvent = true
      return
    }
    if (broken !== undefined) this.#emit(broken)
    if (this.#crlf !== undefined) this.#report('bytes/crlf', this.#crlf.origin, { lines: this.#crlf.lines })
    const dropped = this.#dropped
    if (dropped !== undefined && dropped.rows > 0) {
      const { rows, first, last, origin, cause } = dropped
      this.#emit({
        code: 'order/rows-dropped',
        origin,
        seq: first,
        args: { rows, first, last },
        related: [first, last],
        causedBy: cause,
      })
    }
  }

  // Bookkeeping ----------------------------------------------------------------------------------------------------

  #countCrlf(origin: Origin): void {
    if (this.#crlf === undefined) this.#crlf = { lines: 0, origin }
    this.#crlf.lines++
  }

  #report(code: FindingCode, origin: Origin, args: JsonObject, seq?: number): Finding {
    const finding: Finding = { code, origin, args, ...(seq !== undefined && { seq }) }
    this.#emit(finding)
    return finding
  }

  readonly #emit = (finding: Finding): void => {
    this.#items.push({ kind: 'finding', finding })
  }

  /** Nothing is handed out while the first line is broken and it is open whether the file is a log at all. */
  #flush(): readonly LogItem[] {
    if (this.#brokenHeader !== undefined && !this.#seenEvent) {
      this.#items = this.#items.slice(0, MOST_HELD)
      return []
    }
    const items = this.#items
    this.#items = []
    return items
  }
}

/** On an unknown type, `ignorable: false` says no more than absence: the type itself is the problem (§2.3). */
function saysNothing(row: JsonObject, { args }: Finding): boolean {
  return (
    args.member === 'ignorable' &&
    row.ignorable === false &&
    typeof row.type === 'string' &&
    eventType(row.type) === undefined
  )
}

function seqOf(row: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(row) ? row.seq : undefined
}
