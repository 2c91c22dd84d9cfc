/**
 * Located records → header, events and findings of a log, in file order (format.md §2.6).
 *
 * The reader knows what the shipped loader knows: a bad row or a break in the numbering is damage when a turn end
 * follows it, and a crash tail otherwise. Damage is reported, what can be saved of it is saved, and reading goes on; a
 * crash tail is left out, as DSH leaves it out, and what would be lost with it is counted. Whether a turn end follows is
 * looked up only when something is broken.
 *
 * A log that still grows is read by the same rules, from a source whose batches come when there is more, and which ends
 * when the log is taken to have ended. So nothing is handed out that later records could change: a record for which it
 * matters whether a turn end follows waits until one does, or until the end; a broken line that the next one may complete
 * waits for that; and what only the end can say (a torn tail, what a tail without a turn end drops, a file that is no log)
 * is said there.
 */
import { dialectOf } from '../../core/dialect/dialect.ts'
import type { SessionHeader } from '../../core/event/session-event.ts'
import { streamMember } from '../../core/event/sound-stream.ts'
import type { Excerpt, Finding } from '../../core/findings/finding.ts'
import type { Origin } from '../../core/findings/origin.ts'
import { isCount, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import type { GapKind } from '../../core/replay/gap.ts'
import type { Reducer } from '../../core/replay/reducer.ts'
import {
  type ContainerFault,
  endsInCr,
  type ReadLimits,
  type RecordSource,
  type StoredDeltas,
  type StoredRecord,
} from '../../storage/record-source.ts'
import { ClashReports } from './clash-reports.ts'
import { damageExcerpt } from './damage-excerpt.ts'
import { recordsIn } from './delta-run.ts'
import { DeltaRuns } from './delta-runs.ts'
import { DroppedTail } from './dropped-tail.ts'
import { EventDecoder } from './event-decoder.ts'
import { hasByteOrderMark, isLateHeader, readHeaderLine } from './header-line.ts'
import { ItemQueue } from './item-queue.ts'
import type { LogItem } from './log-item.ts'
import { LookAhead } from './look-ahead.ts'
import { type LookAlike, lookAlikeOf } from './look-alikes.ts'
import { isBlank, LostRecords } from './lost-records.ts'
import { Numbering, shownSeq } from './numbering.ts'
import { type MendedRecord, RowReader } from './row-reader.ts'
import { rowIn, StoredRow } from './stored-row.ts'
import { UnmarkedEvents } from './unmarked-events.ts'

export interface ReaderOptions {
  /** Give events as they are stored: older shapes and missing markers stay. */
  readonly asStored?: boolean
  /** Give streamed deltas as runs. */
  readonly withRuns?: boolean
  /** Nobody asks what the streams of answers hold, beyond what the readers of the format look at. */
  readonly skipsStreams?: boolean
  /** Are shown what every record holds, as it is stored. */
  readonly observers?: readonly Pick<Reducer, 'stored' | 'storedRun'>[]
}

/** Where things are in the file, for a repair. Complete once the reader is done. */
export interface PhysicalLayout {
  /** Where the part begins that DSH would cut off: a torn record, or the first one after a break. */
  cut: Origin | undefined
  /** Records of events: lines or rows, whole or not. */
  records: number
  /** Valid events after the cut. */
  droppedEvents: number
  byteOrderMark: boolean
}

/** Work that has to wait for what follows in the log, which only broken logs have. */
type Pending = undefined | Promise<void>

export class SessionReader {
  header: SessionHeader | undefined
  /** The header as it is stored, with whatever members it has. */
  storedHeader: JsonObject | undefined
  readonly layout: PhysicalLayout = {
    cut: undefined,
    records: 0,
    droppedEvents: 0,
    byteOrderMark: false,
  }

  readonly #source: RecordSource
  readonly #limits: ReadLimits
  readonly #asStored: boolean
  readonly #withRuns: boolean
  readonly #skipsStreams: boolean
  readonly #observers: readonly Pick<Reducer, 'stored' | 'storedRun'>[]
  readonly #ahead: LookAhead
  readonly #queue = new ItemQueue()
  readonly #rows = new RowReader()
  readonly #numbering = new Numbering(this.#queue.emit)
  readonly #runs = new DeltaRuns(this.#queue, this.#numbering)
  readonly #unmarked: UnmarkedEvents
  readonly #clashes: ClashReports
  readonly #lost = new LostRecords()
  #decoder: EventDecoder
  #seenHeader = false
  #seenRow = false
  /** The rest is another dialect, which cannot be read. */
  #foreign = false
  #dropped: DroppedTail | undefined
  /** The latest damage before broken lines that may be one record. */
  #damageBefore: Finding | undefined
  /** What can be read of a record that a torn frame ends in. */
  #cutRecord: Buffer | undefined
  #crlf: { lines: number; readonly origin: Origin } | undefined

  constructor(
    source: RecordSource,
    limits: ReadLimits,
    { asStored = false, withRuns = false, skipsStreams = false, observers = [] }: ReaderOptions = {},
  ) {
    this.#observers = observers.filter(({ stored }) => stored !== undefined)
    this.#source = source
    this.#ahead = new LookAhead(source)
    this.#limits = limits
    this.#asStored = asStored
    this.#withRuns = withRuns
    this.#skipsStreams = skipsStreams
    this.#unmarked = new UnmarkedEvents(source, this.#queue)
    this.#clashes = new ClashReports(source, this.#queue, this.#numbering.gaps)
    this.#decoder = new EventDecoder(dialectOf(undefined), '', this.#queue.emit, asStored)
  }

  async *items(): AsyncIterable<readonly LogItem[]> {
    try {
      const batches = this.#withRuns ? this.#source.itemsWithRuns?.() : undefined
      for await (const batch of batches ?? this.#source.items()) {
        for (const item of batch) {
          if (item.kind === 'fault') this.#fault(item)
          else {
            const pending = item.kind === 'deltas' ? this.#deltas(item) : this.#record(item)
            if (pending !== undefined) yield* this.#meanwhile(pending)
          }
        }
        yield this.#queue.take()
      }
      await this.#finish()
      yield this.#queue.take()
    } finally {
      await this.#ahead.close()
    }
  }

  /** Waits for a record that asks for what follows it; what comes before it is certain already. */
  async *#meanwhile(pending: Promise<void>): AsyncIterable<readonly LogItem[]> {
    // What it throws is thrown below, also when that is reached late.
    pending.catch(() => undefined)
    const certain = this.#queue.take()
    if (certain.length > 0) yield certain
    await pending
  }

  #fault({ code, origin, args, losesRecords, hidesRest, cutRecord }: ContainerFault): void {
    // What DSH never reads cannot refuse the log.
    if (this.#dropped?.isHidden === true) return
    const finding = this.#queue.report(code, origin, args)
    if (code === 'bytes/torn-frame') this.layout.cut ??= origin
    if (losesRecords) this.#numbering.damage = finding
    this.#cutRecord = cutRecord ?? this.#cutRecord
    if (hidesRest === true) this.#startDropping(origin, finding, true)
  }

  #record(record: StoredRecord): Pending {
    if (this.#foreign) return undefined
    if (!this.#seenHeader || (this.#queue.areHeld && isLateHeader(record))) return this.#headerRecord(record)
    this.layout.records++
    if (!record.ended) return this.#tornTail(record)
    if (this.#dropped !== undefined) return this.#dropRecord(record, this.#dropped)
    return this.#eventRecord(record)
  }

  /** Lines of streamed deltas: one run where they are due, and records like any other elsewhere. */
  #deltas(stored: StoredDeltas): Pending {
    const isRun = this.#mayRun && this.#runs.takeLines(stored, this.#decoder)
    if (!isRun) return this.#eachRecord(recordsIn(stored))
    const { line, byteOffset, lines } = stored
    this.layout.records += lines
    for (const observer of this.#observers) observer.storedRun?.(stored, { line, byteOffset })
    this.#rows.pass()
    return undefined
  }

  async #eachRecord(records: Iterable<StoredRecord>): Promise<void> {
    for (const record of records) await this.#record(record)
  }

  #show(value: JsonValue | undefined, { origin }: StoredRecord): void {
    for (const observer of this.#observers) observer.stored?.(value, origin)
  }

  get #mayRun(): boolean {
    const isPackable = this.header !== undefined && this.header.version <= 1
    return isPackable && this.#seenRow && this.#dropped === undefined && !this.#foreign
  }

  // Header ---------------------------------------------------------------------------------------------------------

  #headerRecord(record: StoredRecord): Pending {
    this.#seenHeader = true
    this.#dropped = undefined
    if (record.content.kind === 'oversize') {
      this.#queue.isLog = true
      return this.#oversize(record.content.bytes, record.origin)
    }
    if (hasByteOrderMark(record.content)) {
      this.layout.byteOrderMark = true
      this.#queue.report('bytes/byte-order-mark', record.origin, {})
    }
    const line = readHeaderLine(record)
    this.#show(line.kind === 'broken' ? line.value : line.stored, record)
    if (line.kind === 'broken') {
      this.#queue.hold(line.finding)
      this.#queue.isLog ||= line.isLog
      this.#foreign = line.finding.code === 'format/dialect'
      const { value = null } = line
      const row = new StoredRow(record, { value, validUtf8: true, isPlain: false }, this.#rows.dialect)
      return isCount(row.members.seq) ? this.#row(row) : undefined
    }
    for (const finding of line.findings) this.#queue.emit(finding)
    this.#queue.isLog = true
    this.storedHeader = line.stored
    const { header } = line
    if (header === undefined) return undefined
    this.header = header
    this.#queue.push({ kind: 'header', header })
    this.#rows.dialect = dialectOf(header.version)
    if (this.#skipsStreams) this.#rows.inner = streamMember(header.version)
    this.#unmarked.types = this.#rows.dialect.surface.types
    this.#decoder = new EventDecoder(this.#rows.dialect, header.id, this.#queue.emit, this.#asStored)
    return undefined
  }

  // Events ---------------------------------------------------------------------------------------------------------

  #eventRecord(record: StoredRecord): Pending {
    const taken = this.#rows.take(record, this.#numbering.expected)
    if (taken.kind === 'oversize') return this.#oversize(taken.bytes, record.origin)
    this.#show(taken.kind === 'row' ? taken.row.value : undefined, record)
    if (taken.kind === 'broken') return this.#broken(record, taken.problem, taken.mended)
    this.#remark(taken.row)
    return this.#row(taken.row)
  }

  /** What is worth saying of the bytes of a row, whatever becomes of it. */
  #remark(row: StoredRow): void {
    const { content, origin } = row.record
    if (content.kind === 'bytes' && endsInCr(content)) {
      this.#crlf ??= { lines: 0, origin }
      this.#crlf.lines++
    }
    if (!row.validUtf8)
      this.#queue.report('bytes/invalid-utf8', origin, {}, { excerpt: damageExcerpt(content) })
    if (this.#asStored) return
    for (const { code, evidence } of row.anomalies()) this.#queue.report(code, origin, { evidence })
  }

  #row(row: StoredRow): Pending {
    const { record } = row
    this.#decoder.admit(row)
    if (this.#withRuns && this.#mayRun && this.#runs.takeRow(row, this.#decoder)) return undefined
    if (row.problem !== undefined) return this.#unreadable(record, row.problem)
    const dialect = this.#seenRow ? undefined : this.#firstLookAlike(row)
    if (dialect !== undefined) return this.#stopAtLookAlike(record, dialect)
    const due = this.#numbering.expected
    if (!this.#numbering.fits(row.seq)) return this.#outOfOrder(row)
    if (this.#numbering.expected > due) this.#gap('unread', due, this.#numbering.expected - due)
    const damage = row.damageAt(this.#numbering.expected)
    if (damage !== undefined) return this.#unreadable(record, damage, row.events.length)
    return this.#take(row)
  }

  /** Takes a row that is where it should be. */
  #take(row: StoredRow): Pending {
    this.#queue.isLog = true
    const first = this.#numbering.expected
    if (this.#lost.count > 0) this.#gap(this.#lossKind, first, 0)
    const repetition = this.#numbering.take(row.events.length)
    if (repetition === undefined) return this.#decode(row, first)
    return this.#clashes.report(repetition).then(() => this.#decode(row, first))
  }

  #decode({ record, events }: StoredRow, first: number): Pending {
    for (const [member, stored] of events.entries()) {
      const origin = events.length === 1 ? record.origin : { ...record.origin, member }
      const decoded = this.#decoder.decode(stored as JsonObject, first + member, origin)
      const event = this.#asStored ? decoded : this.#unmarked.read(decoded, record)
      // Only a row of one event can be without a marker, so nothing is left to decode after it.
      if (event instanceof Promise)
        return event.then((marked) => this.#queue.push({ kind: 'event', event: marked, origin }))
      this.#queue.push({ kind: 'event', event, origin })
    }
    return undefined
  }

  /** A look-alike shows itself by its first row. */
  #firstLookAlike({ value }: StoredRow): LookAlike | undefined {
    this.#seenRow = true
    return this.#numbering.expected === 0 ? lookAlikeOf(value) : undefined
  }

  async #stopAtLookAlike(record: StoredRecord, dialect: LookAlike): Promise<void> {
    this.#foreign = true
    const code = (await this.#isCommitted(record)) ? 'format/dialect' : 'format/dialect-dropped'
    this.#queue.report(code, record.origin, { dialect })
  }

  // Breaks ---------------------------------------------------------------------------------------------------------

  /** A line that does not parse. Where a turn end follows, what can be saved of it is. */
  async #broken(record: StoredRecord, problem: string, mended: MendedRecord | undefined): Promise<void> {
    if (mended === undefined || !(await this.#isCommitted(record))) {
      const { damage } = this.#numbering
      const finding = await this.#damaged(record, problem, 0, damageExcerpt(record.content))
      if (this.#rows.waiting === 1) this.#damageBefore = damage
      // The next lines may show that it was a part of something whole.
      this.#queue.doubt(finding, this.#rows.waiting)
      return
    }
    const { rows, lostBytes, completes } = mended
    const finding = this.#reportMended(record, mended)
    if (completes !== undefined) {
      this.#queue.withdraw()
      this.#lost.withdraw(completes.completes)
      this.#numbering.damage = this.#damageBefore
    } else if (lostBytes > 0) {
      if (record.content.kind === 'bytes')
        this.#lost.note({ kind: 'bytes', bytes: record.content.bytes.subarray(0, lostBytes) })
      this.#numbering.damage = finding
    }
    for (const { row } of rows) await this.#row(row)
  }

  #reportMended(record: StoredRecord, { code, layout, rows, unreadBytes, completes }: MendedRecord): Finding {
    const excerpt = { excerpt: damageExcerpt(record.content) }
    if (code === 'bytes/spliced-line')
      return this.#queue.report(code, record.origin, { rows: rows.length, unreadBytes }, excerpt)
    if (code !== 'bytes/layout' || layout === undefined)
      return this.#queue.report(code, record.origin, {}, excerpt)
    const lines = [...(completes?.completes ?? []), record].map(({ origin }) => origin)
    const byteLength = lines.reduce((sum, { byteLength = 0 }) => sum + byteLength + 1, -1)
    const args = { layout, record: true, cut: false }
    return this.#queue.report(code, { ...lines[0], byteLength }, args)
  }

  /** A damaged row; `events` when it had its seqs, so that the next one does not break the order again. */
  async #damaged(record: StoredRecord, problem: string, events = 0, excerpt?: Excerpt): Promise<Finding> {
    const committed = await this.#isCommitted(record)
    const code = committed ? 'bytes/bad-line' : 'bytes/bad-tail-line'
    const finding = this.#queue.report(code, record.origin, { problem }, { excerpt })
    this.#lost.note(record.content)
    if (!committed) this.#startDropping(record.origin, finding)
    else if (!isBlank(record.content)) {
      if (events > 0) this.#gap('unreadable', this.#numbering.expected, events)
      this.#numbering.damage = finding
      this.#numbering.expected += events
    }
    return finding
  }

  async #unreadable(record: StoredRecord, problem: string, events?: number): Promise<void> {
    await this.#damaged(record, problem, events)
  }

  /** A row that does not carry the expected seq. */
  async #outOfOrder(row: StoredRow): Promise<void> {
    const { seq: got, record, events } = row
    const { origin, line } = record
    const { expected } = this.#numbering
    if (!(await this.#isCommitted(record))) {
      const args = { expected, got: shownSeq(got) }
      this.#startDropping(origin, this.#queue.report('order/tail-break', origin, args))
      if (isCount(got)) this.#dropped?.count(got, events.length)
      this.#lost.note(record.content)
      return
    }
    if (!isCount(got)) {
      const { type, id = null } = row.members
      if (type !== 'session') this.#lost.note(record.content)
      this.#numbering.damage =
        type === 'session'
          ? this.#queue.report('header/repeated', origin, { id })
          : this.#queue.report('order/seq-invalid', origin, { expected, got: shownSeq(got) })
      return
    }
    if (got > expected) {
      this.#gap(this.#lossKind, expected, got - expected)
      this.#numbering.jumpTo(got, origin)
      await this.#take(row)
      return
    }
    const earlier = this.#numbering.repeat(got, events.length, line, origin)
    if (earlier !== undefined) await this.#clashes.report(earlier)
  }

  /** Whether DSH needs the record: a turn end follows, or it lies in a whole frame, of which DSH drops nothing. */
  async #isCommitted({ line, standing }: StoredRecord): Promise<boolean> {
    return standing === 'whole-frame' || (await this.#ahead.hasTurnEnd(line))
  }

  /** What has become of the events that are missing here. */
  get #lossKind(): GapKind {
    const { damage } = this.#numbering
    // A second header hides nothing.
    if (damage === undefined || damage.code === 'header/repeated') return 'missing'
    return damage.code === 'order/seq-invalid' ? 'unnumbered' : 'unreadable'
  }

  /** @param missing - how many seqs are not there from `first` on. */
  #gap(kind: GapKind, first: number, missing: number): void {
    const events = Math.max(missing, this.#lost.count)
    const texts = this.#lost.take()
    const gap = { kind, first, events, ...(missing > 0 && { last: first + missing - 1 }) }
    this.#queue.push({ kind: 'gap', gap: texts.length > 0 ? { ...gap, texts } : gap })
  }

  /** What comes after the last event. */
  #gapAtEnd(): void {
    const { expected, damage } = this.#numbering
    const isDropped = this.layout.cut !== undefined
    if (this.#cutRecord !== undefined) {
      this.#lost.note({ kind: 'bytes', bytes: this.#cutRecord })
      const texts = this.#lost.take()
      // How many records the frame had nobody knows.
      const gap = { kind: 'dropped', first: expected, ...(texts.length > 0 && { texts }) } as const
      this.#queue.push({ kind: 'gap', gap })
    } else if (this.#lost.count > 0) this.#gap(isDropped ? 'dropped' : this.#lossKind, expected, 0)
    else if (damage !== undefined)
      this.#queue.push({ kind: 'gap', gap: { kind: 'unreadable', first: expected } })
  }

  #startDropping(origin: Origin, cause: Finding, isHidden = false): void {
    this.layout.cut ??= origin
    this.#dropped ??= new DroppedTail(origin, cause)
    this.#dropped.isHidden = isHidden
  }

  #dropRecord(record: StoredRecord, tail: DroppedTail): undefined {
    const row = rowIn(record, this.#rows.dialect)
    this.#show(row?.value, record)
    this.#lost.note(record.content)
    if (row === undefined) return
    this.#decoder.admit(row)
    if (row.problem === undefined && isCount(row.seq)) tail.count(row.seq, row.events.length)
  }

  #tornTail(record: StoredRecord): undefined {
    const { origin } = record
    this.layout.cut ??= origin
    this.#lost.note(record.content)
    const args = { bytes: origin.byteLength ?? 0, complete: rowIn(record) !== undefined }
    const cause = this.#dropped?.cause
    const excerpt = args.complete ? undefined : damageExcerpt(record.content)
    this.#queue.emit({
      code: 'bytes/torn-tail',
      origin,
      args,
      ...(excerpt && { excerpt }),
      ...(cause && { causedBy: cause }),
    })
  }

  #oversize(bytes: number, origin: Origin): undefined {
    const args = { bytes, limit: this.#limits.maxRecord }
    this.#numbering.passOver(this.#queue.report('bytes/line-too-long', origin, args))
  }

  // The end --------------------------------------------------------------------------------------------------------

  async #finish(): Promise<void> {
    const repetition = this.#numbering.endRepetition()
    if (repetition !== undefined) await this.#clashes.report(repetition)
    await this.#clashes.finish()
    if (!this.#seenHeader) this.#reportNoRecord({ line: 1, byteOffset: 0 })
    if (!this.#queue.settle()) return
    this.#gapAtEnd()
    if (this.#crlf !== undefined)
      this.#queue.report('bytes/crlf', this.#crlf.origin, { lines: this.#crlf.lines })
    this.layout.droppedEvents = this.#dropped?.events ?? 0
    const dropped = this.#dropped?.finding()
    if (dropped !== undefined) this.#queue.emit(dropped)
  }

  #reportNoRecord(origin: Origin): void {
    if (this.#numbering.damage === undefined) this.#queue.report('bytes/empty-file', origin, {})
    else this.#queue.report('bytes/not-a-log', origin, { problem: 'no record in it can be read' })
  }
}
