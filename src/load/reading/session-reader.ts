/**
 * Located records → header, events and findings of a log, in file order (format.md §2.6).
 *
 * The reader knows what the shipped loader knows: a bad row or a break in the numbering is damage when a turn end
 * follows it, and a crash tail otherwise. Damage is reported, what can be saved of it is saved, and reading goes on; a
 * crash tail is left out, as DSH leaves it out, and what would be lost with it is counted. Whether a turn end follows is
 * looked up only when something is broken.
 *
 * A log that still grows is read by the same rules, from a source whose batches come when there is more, and which ends
 * when the log is taken to have ended. So nothing is handed out that later records could change: a record behind which it
 * matters whether a turn end follows waits until one does, or until the end; a broken line that the next one may complete
 * waits for that; and what only the end can say (a torn tail, what a tail without a turn end drops, a file that is no log)
 * is said there.
 */
import { dialectOf } from '../../core/dialect/dialect.ts'
import type { SessionEvent, SessionHeader } from '../../core/event/session-event.ts'
import type { Finding } from '../../core/findings/finding.ts'
import type { Origin } from '../../core/findings/origin.ts'
import { isCount, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import type { DeltaSpan, QuietRun } from '../../core/replay/quiet-run.ts'
import { lacksMarker, markedAsAppend } from '../../core/surface/unmarked-log.ts'
import type {
  ContainerFault,
  ReadLimits,
  RecordSource,
  StoredDeltas,
  StoredRecord,
} from '../../storage/record-source.ts'
import { quietItem, RowRun, recordsIn, runOfLines, runOfPackedRow, spanOfRow } from './delta-run.ts'
import { DroppedTail } from './dropped-tail.ts'
import { EventDecoder } from './event-decoder.ts'
import { clashFinding } from './explain-clash.ts'
import { dialectOfRecord } from './foreign-dialects.ts'
import { hasByteOrderMark, isLateHeader, readHeaderLine } from './header-line.ts'
import { PendingItems } from './item-queue.ts'
import type { LogItem } from './log-item.ts'
import { hasMarkedEvent, LookAhead } from './look-ahead.ts'
import { LineMender } from './mend-line.ts'
import { type Repetition, Sequence, shownSeq } from './numbering.ts'
import { parseRecord } from './parse-record.ts'
import { recordAnomalies } from './record-anomalies.ts'

export interface ReaderOptions {
  /** Give events as they are stored: older shapes and missing markers stay. */
  readonly asStored?: boolean
  /** Give streamed deltas as runs. */
  readonly skims?: boolean
}

/** What lies where in the file, for whoever wants to mend it. Complete once the reader is done. */
export interface PhysicalLayout {
  /** Where the part begins that DSH would cut off: a torn record, or the first one behind a break. */
  cut: Origin | undefined
  /** Valid events behind the cut. */
  droppedEvents: number
  byteOrderMark: boolean
}

const CR = 13

export class SessionReader {
  header: SessionHeader | undefined
  /** The header as it is stored, with whatever members it has. */
  storedHeader: JsonObject | undefined
  readonly layout: PhysicalLayout = { cut: undefined, droppedEvents: 0, byteOrderMark: false }

  readonly #source: RecordSource
  readonly #limits: ReadLimits
  readonly #asStored: boolean
  readonly #skims: boolean
  readonly #ahead: LookAhead
  readonly #pending = new PendingItems()
  #decoder: EventDecoder
  readonly #sequence: Sequence
  /** The rest is another dialect, which cannot be read. */
  #foreign = false
  #seenHeader = false
  #seenRow = false
  #markers: 'unknown' | 'marked' | 'unmarked' = 'unknown'
  #dropped: DroppedTail | undefined
  readonly #mender = new LineMender<Finding>()
  /** What was said of clashes while there may have been more to say. */
  readonly #clashes: { readonly finding: Finding; readonly repetition: Repetition }[] = []
  #crlf: { lines: number; readonly origin: Origin } | undefined

  constructor(
    source: RecordSource,
    limits: ReadLimits,
    { asStored = false, skims = false }: ReaderOptions = {},
  ) {
    this.#source = source
    this.#ahead = new LookAhead(source)
    this.#limits = limits
    this.#asStored = asStored
    this.#skims = skims
    this.#sequence = new Sequence(this.#pending.emit)
    this.#decoder = new EventDecoder(dialectOf(undefined), '', this.#pending.emit, asStored)
  }

  async *items(): AsyncIterable<readonly LogItem[]> {
    try {
      const skimmed = this.#skims ? this.#source.skim?.() : undefined
      for await (const batch of skimmed ?? this.#source.items()) {
        for (const item of batch) {
          if (item.kind === 'fault') this.#fault(item)
          else {
            // Only a broken log has to wait for something.
            const pending = item.kind === 'deltas' ? this.#deltas(item) : this.#record(item)
            if (pending !== undefined) yield* this.#meanwhile(pending)
          }
        }
        yield this.#pending.take()
      }
      await this.#finish()
      yield this.#pending.take()
    } finally {
      await this.#ahead.close()
    }
  }

  /** Waits for a record that asks for what follows it; what comes before it is certain already. */
  async *#meanwhile(pending: Promise<void>): AsyncIterable<readonly LogItem[]> {
    // What it throws is thrown below, also when that is reached late.
    pending.catch(() => undefined)
    const certain = this.#pending.take()
    if (certain.length > 0) yield certain
    await pending
  }

  #fault({ code, origin, args, losesRecords }: ContainerFault): void {
    const finding = this.#pending.report(code, origin, args)
    if (code === 'bytes/torn-frame') this.layout.cut ??= origin
    if (losesRecords) this.#sequence.damage = finding
  }

  #record(record: StoredRecord): undefined | Promise<void> {
    if (this.#foreign) return undefined
    const isFirst = !this.#seenHeader
    if (isFirst || (this.#pending.areHeld && isLateHeader(record))) {
      return this.#headerRecord(record)
    }
    if (!record.ended) return this.#tornTail(record)
    if (this.#dropped !== undefined) return this.#dropRecord(record, this.#dropped)
    return this.#eventRecord(record)
  }

  /** Lines of streamed deltas: one run where they are due, and records like any other elsewhere. */
  #deltas(stored: StoredDeltas): undefined | Promise<void> {
    if (this.#takesRun(stored)) {
      const { line, byteOffset, frame } = stored
      const origin = { line, byteOffset, ...(frame !== undefined && { frame }) }
      this.#quiet(runOfLines(stored), origin, () => recordsIn(stored))
      return undefined
    }
    return this.#eachRecord(recordsIn(stored))
  }

  async #eachRecord(records: Iterable<StoredRecord>): Promise<void> {
    for (const record of records) await this.#record(record)
  }

  /** Whether deltas can be taken as a run: nothing is open that a single record could settle. */
  #takesRun({ first }: DeltaSpan): boolean {
    const { header } = this
    if (header === undefined || header.version > 1 || this.#dropped !== undefined || this.#foreign)
      return false
    return this.#seenRow && this.#sequence.isSteadyAt(first)
  }

  /** Takes a packed row, or the decoded row of one delta, as a run or as the next part of one. */
  #takesDeltas(value: JsonValue, record: StoredRecord): boolean {
    const { origin, content } = record
    const packed = isJsonObject(value) && value.seq0 !== undefined ? runOfPackedRow(value) : undefined
    if (packed !== undefined && this.#takesRun(packed)) {
      this.#quiet(packed, origin, () => [{ ...record, content: { kind: 'value', value } }])
      return true
    }
    const span = content.kind === 'value' ? spanOfRow(value) : undefined
    if (span === undefined || !this.#takesRun(span)) return false
    const { last } = this.#pending
    if (last?.kind === 'quiet' && last.run instanceof RowRun && last.run.takes(span, record)) {
      this.#sequence.take(1)
      return true
    }
    const run = new RowRun(span, record)
    this.#quiet(run, origin, () => run.records())
    return true
  }

  #quiet(run: QuietRun, origin: Origin, records: () => Iterable<StoredRecord>): void {
    this.#pending.isLog = true
    this.#mender.pass()
    this.#sequence.take(run.count)
    this.#pending.push(quietItem(run, origin, records, this.#decoder))
  }

  // Header ---------------------------------------------------------------------------------------------------------

  #headerRecord(record: StoredRecord): undefined | Promise<void> {
    this.#seenHeader = true
    this.#dropped = undefined
    if (record.content.kind === 'oversize') {
      this.#pending.isLog = true
      return this.#oversize(record.content.bytes, record.origin)
    }
    if (hasByteOrderMark(record.content)) {
      this.layout.byteOrderMark = true
      this.#pending.report('bytes/byte-order-mark', record.origin, {})
    }
    const line = readHeaderLine(record)
    if (line.kind === 'broken') {
      this.#pending.hold(line.finding)
      this.#pending.isLog ||= line.isLog
      this.#foreign = line.finding.code === 'format/dialect'
      const { value } = line
      return isJsonObject(value) && isCount(value.seq) ? this.#eventValue(value, record) : undefined
    }
    for (const finding of line.findings) this.#pending.emit(finding)
    this.#pending.isLog = true
    this.storedHeader = line.stored
    const { header } = line
    if (header === undefined) return undefined
    this.header = header
    this.#pending.push({ kind: 'header', header })
    this.#decoder = new EventDecoder(dialectOf(header.version), header.id, this.#pending.emit, this.#asStored)
    return undefined
  }

  // Events ---------------------------------------------------------------------------------------------------------

  #eventRecord(record: StoredRecord): undefined | Promise<void> {
    const { content, origin } = record
    if (content.kind === 'oversize') return this.#oversize(content.bytes, origin)
    const parsed = parseRecord(content)
    if (parsed.kind === 'unreadable') return this.#unreadable(record, parsed.problem)
    if (content.kind === 'bytes' && content.bytes[content.bytes.length - 1] === CR) this.#countCrlf(origin)
    if (!parsed.validUtf8) this.#pending.report('bytes/invalid-utf8', origin, {})
    if (!this.#asStored) {
      for (const { code, evidence } of recordAnomalies(content, parsed))
        this.#pending.report(code, origin, { evidence })
    }
    return this.#eventValue(parsed.value, record)
  }

  #eventValue(value: JsonValue, record: StoredRecord): undefined | Promise<void> {
    const { origin } = record
    this.#decoder.admit(value, origin)
    if (this.#skims && this.#takesDeltas(value, record)) return undefined
    const expanded = this.#decoder.expand(value)
    if (expanded.kind === 'malformed') return this.#damaged(record, expanded.problem)
    if (!this.#seenRow && this.#isForeignDialect(value, origin)) return undefined
    const { rows } = expanded
    if (!this.#sequence.fits(seqOf(rows[0]))) return this.#outOfOrder(value, rows, record)
    const damage = this.#decoder.damageIn(value, this.#sequence.expected)
    if (damage !== undefined) return this.#damaged(record, damage, rows.length)
    return this.#take(rows, record)
  }

  /** Takes rows that stand where they should. */
  #take(rows: readonly JsonValue[], record: StoredRecord): undefined | Promise<void> {
    const { origin } = record
    this.#pending.isLog = true
    this.#mender.pass()
    const seq = this.#sequence.expected
    const repetition = this.#sequence.take(rows.length)
    if (repetition !== undefined)
      return this.#reportClash(repetition).then(() => this.#decode(rows, seq, record, origin))
    return this.#decode(rows, seq, record, origin)
  }

  #decode(
    rows: readonly JsonValue[],
    first: number,
    record: StoredRecord,
    origin: Origin,
  ): undefined | Promise<void> {
    for (const [member, row] of rows.entries()) {
      const place = rows.length === 1 ? origin : { ...origin, member }
      const event = this.#decoder.decode(row as JsonObject, first + member, place)
      if (this.#markers !== 'marked' && !this.#asStored) {
        const unmarked = lacksMarker(event)
        if (!unmarked && event.surfaceOp !== undefined) this.#markers = 'marked'
        // A surface event without a marker stands in a row of its own, so nothing is left to decode behind it.
        if (unmarked) return this.#unmarked(event, record, place)
      }
      this.#pending.push({ kind: 'event', event, origin: place })
    }
    return undefined
  }

  /** Events of a log without any marker are read as appended; whether it is such a log is looked up once. */
  async #unmarked(event: SessionEvent, record: StoredRecord, origin: Origin): Promise<void> {
    if (this.#markers === 'unknown') {
      const marked = await hasMarkedEvent(this.#source, record.line)
      this.#markers = marked ? 'marked' : 'unmarked'
      if (!marked) this.#pending.report('surface/unmarked-log', record.origin, {}, event.seq)
    }
    const shown = this.#markers === 'unmarked' ? markedAsAppend(event) : event
    this.#pending.push({ kind: 'event', event: shown, origin })
  }

  /** A look-alike shows itself by its first row. */
  #isForeignDialect(value: JsonValue, origin: Origin): boolean {
    this.#seenRow = true
    const dialect = this.#sequence.expected === 0 ? dialectOfRecord(value) : undefined
    if (dialect === undefined) return false
    this.#pending.report('format/dialect', origin, { dialect })
    this.#foreign = true
    return true
  }

  // Breaks ---------------------------------------------------------------------------------------------------------

  /** A line that does not parse. Where a turn end follows, what can be saved of it is. */
  async #unreadable(record: StoredRecord, problem: string): Promise<void> {
    const { content, origin } = record
    if (content.kind !== 'bytes' || !(await this.#isCommitted(record))) {
      await this.#damaged(record, problem)
      return
    }
    const mended = this.#mender.mend(content.bytes, this.#sequence.expected)
    if (mended !== undefined) {
      const { code, rows, lostBytes, completes } = mended
      const args = completes === undefined ? { rows: rows.length, lostBytes } : {}
      const finding = this.#pending.report(code, origin, args)
      this.#pending.withdraw(completes)
      await this.#saved(rows, record, finding)
      return
    }
    await this.#damaged(record, problem)
    const finding = this.#sequence.damage
    if (finding === undefined) return
    this.#mender.hold(content.bytes, finding)
    this.#pending.doubt(finding)
  }

  async #saved(rows: readonly JsonValue[], record: StoredRecord, finding: Finding): Promise<void> {
    this.#sequence.damage = finding
    for (const row of rows) await this.#eventValue(row, record)
  }

  /** A damaged row; `rows` when it had its seqs, so that the next one does not break the order again. */
  async #damaged(record: StoredRecord, problem: string, rows = 0): Promise<void> {
    const committed = await this.#isCommitted(record)
    const code = committed ? 'bytes/bad-line' : 'bytes/bad-tail-line'
    const finding = this.#pending.report(code, record.origin, { problem })
    if (!committed) return this.#startDropping(record.origin, finding)
    this.#sequence.damage = finding
    this.#sequence.expected += rows
  }

  /** Rows that do not carry the expected seq. */
  async #outOfOrder(value: JsonValue, rows: readonly JsonValue[], record: StoredRecord): Promise<void> {
    const { origin, line } = record
    const got = seqOf(rows[0])
    const { expected } = this.#sequence
    if (!(await this.#isCommitted(record))) {
      this.#startDropping(
        origin,
        this.#pending.report('order/tail-break', origin, { expected, got: shownSeq(got) }),
      )
      if (isCount(got)) this.#dropped?.count(got, rows.length)
      return
    }
    if (!isCount(got)) {
      const isHeader = isJsonObject(value) && value.type === 'session'
      this.#sequence.damage = isHeader
        ? this.#pending.report('header/repeated', origin, { id: value.id ?? null })
        : this.#pending.report('order/seq-invalid', origin, { expected, got: shownSeq(got) })
      return
    }
    if (got > expected) {
      this.#sequence.jumpTo(got, origin)
      await this.#take(rows, record)
      return
    }
    const earlier = this.#sequence.repeat(got, rows.length, line, origin)
    if (earlier !== undefined) await this.#reportClash(earlier)
  }

  async #reportClash(repetition: Repetition): Promise<void> {
    const finding = await clashFinding(this.#source, repetition)
    this.#pending.emit(finding)
    if (this.#source.stored !== undefined) this.#clashes.push({ finding, repetition })
  }

  /** Whether a turn end follows. */
  #isCommitted({ line }: StoredRecord): Promise<boolean> {
    return this.#ahead.hasTurnEnd(line)
  }

  #startDropping(origin: Origin, cause: Finding): void {
    this.layout.cut ??= origin
    this.#dropped = new DroppedTail(origin, cause)
  }

  #dropRecord(record: StoredRecord, tail: DroppedTail): undefined {
    const parsed = parseRecord(record.content)
    if (parsed.kind !== 'value') return
    this.#decoder.admit(parsed.value, record.origin)
    const expanded = this.#decoder.expand(parsed.value)
    const seq = expanded.kind === 'row' ? seqOf(expanded.rows[0]) : undefined
    if (expanded.kind === 'row' && isCount(seq)) tail.count(seq, expanded.rows.length)
  }

  #tornTail(record: StoredRecord): undefined {
    const { origin } = record
    this.layout.cut ??= origin
    const complete = parseRecord(record.content).kind === 'value'
    const args = { bytes: origin.byteLength ?? 0, complete }
    const cause = this.#dropped?.cause
    this.#pending.emit({ code: 'bytes/torn-tail', origin, args, ...(cause && { causedBy: cause }) })
  }

  #oversize(bytes: number, origin: Origin): undefined {
    const args = { bytes, limit: this.#limits.maxRecord }
    this.#sequence.passOver(this.#pending.report('bytes/line-too-long', origin, args))
  }

  // The end --------------------------------------------------------------------------------------------------------

  async #finish(): Promise<void> {
    const repetition = this.#sequence.endRepetition()
    if (repetition !== undefined) await this.#reportClash(repetition)
    for (const { finding: instead, repetition: before } of this.#clashes) {
      const finding = await clashFinding(this.#source, before)
      this.#pending.push({ kind: 'finding', finding, instead })
    }
    if (!this.#seenHeader) this.#pending.report('bytes/empty-file', { line: 1, byteOffset: 0 }, {})
    if (!this.#pending.settle()) return
    if (this.#crlf !== undefined)
      this.#pending.report('bytes/crlf', this.#crlf.origin, { lines: this.#crlf.lines })
    this.layout.droppedEvents = this.#dropped?.events ?? 0
    const dropped = this.#dropped?.finding()
    if (dropped !== undefined) this.#pending.emit(dropped)
  }

  #countCrlf(origin: Origin): void {
    this.#crlf ??= { lines: 0, origin }
    this.#crlf.lines++
  }
}

function seqOf(row: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(row) ? row.seq : undefined
}
