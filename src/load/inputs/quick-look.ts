/**
 * The few facts about a log that a list shows, without replaying it: the header, the last seq, turns and title. Lines
 * are parsed only where they hold one of these; of a large plain file only the two ends are read.
 */
import { stat } from 'node:fs/promises'
import { isFormatVersion } from '../../core/dialect/dialect.ts'
import { decodeHeader, looksLikeHeader } from '../../core/event/decode-header.ts'
import type { SessionHeader } from '../../core/event/session-event.ts'
import { ruleOf } from '../../core/findings/rules.ts'
import { isCount, isJsonObject, present } from '../../core/json/json-value.ts'
import { turnFailure } from '../../core/projections/turn-failure.ts'
import { fileEnd } from '../../storage/jsonl/file-end.ts'
import type { RecordSource, StoredItem, StoredRecord } from '../../storage/record-source.ts'
import { userOf } from '../../storage/rewrite/live-writer.ts'
import { hasByteOrderMark, nulsIn, withoutByteOrderMark } from '../reading/header-line.ts'
import { rowIn, type StoredRow } from '../reading/stored-row.ts'
import type { OpenedInput } from './open-input.ts'

export const HEALTHS = [
  'closed',
  'open',
  'running',
  'torn',
  'damaged',
  'empty',
  'newer',
  'not-a-log',
] as const
export type Health = (typeof HEALTHS)[number]

export interface QuickLook {
  readonly header?: SessionHeader
  /** Bytes of the file that holds the log. */
  readonly bytes: number
  /** Events, from the last seq; absent when it could not be read. */
  readonly events?: number
  /** The last turn that was started; absent when the part that was read holds none. */
  readonly turns?: number
  readonly title?: string
  /** What the last turn failed with. */
  readonly failure?: string
  /** Time of the last event that could be read, or of the header. */
  readonly updated: number
  readonly health: Health
}

/** Files up to this size are read whole: it is cheaper than to find out where they end. */
const READ_WHOLE = 1024 * 1024
const END_BYTES = 256 * 1024

const NEEDLES = ['turn/start', 'turn/end', 'session/title'].map((needle) => Buffer.from(needle))

export async function quickLook(input: OpenedInput): Promise<QuickLook> {
  const { size: bytes, mtimeMs } = await stat(input.file)
  const facts = new Facts()
  if (input.container === 'jsonl' && bytes > READ_WHOLE) {
    await readBatches(input.source, facts, 1)
    facts.skipTo(await fileEnd(input.file, END_BYTES))
  } else await readBatches(input.source, facts, Number.POSITIVE_INFINITY)
  const look = facts.look(bytes, Math.floor(mtimeMs))
  const isRefused = input.findings.some(({ code }) => ruleOf(code).refused === true)
  if (isRefused && look.header !== undefined) return { ...look, health: 'damaged' }
  const isOpen = look.health === 'open' || look.health === 'torn'
  const { replaceable } = input
  const runs = isOpen && replaceable !== undefined && (await userOf(replaceable.path)) !== undefined
  return runs ? { ...look, health: 'running' } : look
}

async function readBatches(source: RecordSource, facts: Facts, most: number): Promise<void> {
  let batches = 0
  for await (const batch of source.items()) {
    for (const item of batch) facts.take(item)
    facts.keep()
    batches++
    if (batches >= most || facts.isForeign) break
  }
}

class Facts {
  #header: SessionHeader | undefined
  #seenAny = false
  #damaged = false
  #onlyNuls = false
  #torn = false
  #last: StoredRow | undefined
  /** The last line, while it is not parsed; copied at the end of each batch, whose bytes do not last. */
  #lastRecord: StoredRecord | undefined
  #turns: number | undefined
  #open = false
  /** Nothing was left out, so what was not seen is not there. */
  #isWhole = true
  #title: string | undefined
  #failure: string | undefined

  get isForeign(): boolean {
    return this.#header !== undefined && !isFormatVersion(this.#header.version)
  }

  take(item: StoredItem): void {
    if (item.kind === 'fault') {
      if (item.code === 'bytes/torn-frame') this.#torn = true
      else this.#damaged = true
      return
    }
    if (!this.#seenAny) {
      this.#seenAny = true
      this.#takeHeader(item)
    } else if (!item.ended) this.#torn = true
    else this.#takeRow(item)
  }

  /** Makes what is remembered of a batch outlive it. */
  keep(): void {
    const { content } = this.#lastRecord ?? {}
    if (this.#lastRecord === undefined || content?.kind !== 'bytes') return
    this.#lastRecord = { ...this.#lastRecord, content: { ...content, bytes: Buffer.from(content.bytes) } }
  }

  /** Goes on with the end of the file; what lies between is not looked at. */
  skipTo(end: readonly StoredRecord[]): void {
    this.#last = undefined
    this.#lastRecord = undefined
    this.#turns = undefined
    this.#open = false
    this.#isWhole = false
    for (const record of end) this.take(record)
  }

  /** @param changed - when the file was last written, for a log that names no time. */
  look(bytes: number, changed: number): QuickLook {
    const lastSeq = this.#lastSeq()
    const time = this.#last?.time
    return {
      ...(this.#header !== undefined && { header: this.#header }),
      bytes,
      ...(lastSeq !== undefined && { events: lastSeq + 1 }),
      ...present({ turns: this.#turns, title: this.#title, failure: this.#failure }),
      updated: typeof time === 'number' ? time : this.#header?.createdAt || changed,
      health: this.#health(),
    }
  }

  #takeHeader(record: StoredRecord): void {
    if (!record.ended && nulsIn(record.content) > 0) this.#onlyNuls = true
    if (hasByteOrderMark(record.content)) this.#damaged = true
    const content = withoutByteOrderMark(record.content)
    const value = rowIn({ ...record, content })?.value
    if (value !== undefined && looksLikeHeader(value))
      this.#header = decodeHeader(value, record.origin).header
  }

  #takeRow(record: StoredRecord): void {
    const { content } = record
    if (content.kind === 'bytes') {
      this.#lastRecord = record
      if (!NEEDLES.some((needle) => content.bytes.includes(needle))) {
        this.#last = undefined
        return
      }
    }
    const row = rowIn(record)
    if (row === undefined || !isJsonObject(row.value)) {
      this.#damaged = true
      return
    }
    this.#last = row
    const { type } = row
    const { data } = row.members
    const object = isJsonObject(data) ? data : {}
    if (type === 'turn/start' && typeof object.turn === 'number') this.#turns = object.turn
    if (type === 'turn/start' || type === 'turn/end') this.#open = type === 'turn/start'
    if (type === 'turn/start') this.#failure = undefined
    else if (type === 'turn/end') {
      const failed = turnFailure({ type, data: object })
      this.#failure = failed && (failed.text === '' ? failed.reason : failed.text)
    }
    if (type === 'session/title' && typeof object.title === 'string') this.#title = object.title
  }

  #lastSeq(): number | undefined {
    if (this.#last === undefined && this.#lastRecord !== undefined) {
      const row = rowIn(this.#lastRecord)
      if (row !== undefined && isJsonObject(row.value)) this.#last = row
      else this.#damaged = true
    }
    if (this.#last === undefined) return this.#header !== undefined && this.#isWhole ? -1 : undefined
    const event = this.#last.events.at(-1)
    return isJsonObject(event) && isCount(event.seq) ? event.seq : undefined
  }

  #health(): Health {
    if (!this.#seenAny) return 'empty'
    if (this.isForeign) return 'newer'
    if (this.#onlyNuls) return 'damaged'
    if (this.#header === undefined) return this.#last === undefined ? 'not-a-log' : 'damaged'
    if (this.#damaged) return 'damaged'
    if (this.#torn) return 'torn'
    return this.#open ? 'open' : 'closed'
  }
}
