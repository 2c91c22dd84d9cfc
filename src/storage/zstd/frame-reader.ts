/**
 * Frames of a compressed log → records and faults, in file order (format.md §2.5). A damaged frame costs its own
 * records and no others; of a torn last frame the complete records are kept, as DSH keeps them.
 */
import { findingOf } from '../../core/findings/finding.ts'
import type { Origin } from '../../core/findings/origin.ts'
import type { EvidenceOf, FindingCode } from '../../core/findings/rules.ts'
import { DeltaScanner } from '../packed-rows/delta-lines.ts'
import type { ReadLimits, StoredDeltas, StoredItem } from '../record-source.ts'
import type { FileWindow } from './file-window.ts'
import { FrameDecoder } from './frame-decoder.ts'
import type { FrameHeader } from './frame-header.ts'
import { FrameLines, type FramePlace, headerFrameProblem, LF } from './frame-lines.ts'
import { FrameScanner, type FrameSpan, type GapSpan, type TornSpan } from './frame-scanner.ts'
import { lineSpans } from './salvage-frame.ts'

/** A frame may always hold this much: it is a batch of records, not one. */
const SMALLEST_FRAME_LIMIT = 16 * 1024 * 1024
/** How much longer than its content a frame may be. */
const MOST_OVERHEAD = 1024 * 1024
/** Small frames are handed out together, up to this much content. */
const BATCH_BYTES = 256 * 1024
/** And after this many frames, for those without any. */
const BATCH_FRAMES = 1024

export class FrameReader {
  readonly #file: FileWindow
  readonly #scanner: FrameScanner
  readonly #decoder: FrameDecoder
  readonly #lines: FrameLines
  readonly #limit: number
  #items: (StoredItem | StoredDeltas)[] = []
  /** Content in the items. */
  #held = 0
  /** Of the records of whole frames. */
  #standing: 'whole-frame' | 'hidden' = 'whole-frame'

  /** @param withRuns - give streamed deltas as runs. */
  static async open(file: FileWindow, limits: ReadLimits, withRuns = false): Promise<FrameReader> {
    const limit = Math.max(limits.maxRecord, SMALLEST_FRAME_LIMIT)
    const deltas = withRuns ? new DeltaScanner(limits.maxRecord) : undefined
    const lines = new FrameLines(limits.maxRecord, deltas)
    return new FrameReader(file, await FrameDecoder.open(limit), lines, limit)
  }

  private constructor(file: FileWindow, decoder: FrameDecoder, lines: FrameLines, limit: number) {
    this.#file = file
    this.#scanner = new FrameScanner(file)
    this.#decoder = decoder
    this.#lines = lines
    this.#limit = limit
  }

  /** Where the next frame begins. */
  get position(): number {
    return this.#scanner.position
  }

  /** The items of the next frames; absent at the end of the file, also where it only ends for now. */
  async next(): Promise<readonly (StoredItem | StoredDeltas)[] | undefined> {
    this.#items = []
    this.#held = 0
    let spans = 0
    for (let span = await this.#scanner.next(); span !== undefined; span = await this.#scanner.next()) {
      if (span.kind === 'frame') {
        if (!(await this.#frame(span))) break
      } else if (span.kind === 'torn') await this.#torn(span)
      else if (span.hidesRest !== undefined) await this.#hidden(span, span.hidesRest)
      else await this.#gap(span)
      spans++
      if (this.#held >= BATCH_BYTES || spans === BATCH_FRAMES) return this.#items
    }
    if (this.#file.isComplete) this.#items.push(...this.#lines.flush())
    return spans === 0 && this.#items.length === 0 ? undefined : this.#items
  }

  /** @returns whether the frame was taken, as it is or as damage; otherwise it comes again. */
  async #frame(span: FrameSpan): Promise<boolean> {
    const { offset, end, index, header } = span
    if (end - offset > this.#limit + MOST_OVERHEAD) {
      this.#tooLarge(span, this.#limit)
      return true
    }
    const bytes = await this.#file.at(offset, end - offset)
    const decoded = this.#decoder.decode(bytes, header)
    if (decoded.kind === 'too-large') {
      this.#tooLarge(span, decoded.limit)
      return true
    }
    if (decoded.kind === 'corrupt') return this.#corrupt(span, bytes, decoded.problem)
    this.#content(decoded.bytes, offset, end, index)
    return true
  }

  /** @param bytes - of the frame. @returns whether the frame was taken. */
  async #corrupt(span: FrameSpan, bytes: Buffer, problem: string): Promise<boolean> {
    const { offset, end, index, header } = span
    const salvaged = await this.#decoder.salvage(bytes)
    if (salvaged?.end === end - offset) {
      this.#scanner.decide()
      this.#fault('bytes/frame-header', placed(offset, end, index), {}, false)
      this.#content(salvaged.content, offset, end, index)
      return true
    }
    const prefix = this.#decoder.decodePrefix(bytes, header)
    const resumed = await this.#scanner.distrust(span)
    if (resumed === undefined) return false
    const spans = resumed === end && prefix.kind === 'bytes' ? lineSpans(prefix.bytes) : []
    const readable = spans.filter(({ areRecords }) => areRecords).map(({ bytes }) => bytes)
    const records = linesIn(Buffer.concat(readable))
    const isLossless = spans.length > 0 && spans.length === readable.length
    const say = (): void =>
      this.#fault('bytes/corrupt-frame', placed(offset, resumed, index), { problem, records }, !isLossless)
    let isSaid = isLossless
    if (isLossless) say()
    for (const { areRecords, bytes: lines } of spans) {
      if (areRecords) this.#content(lines, offset, end, index)
      else if (!isSaid) {
        say()
        isSaid = true
      }
    }
    if (!isSaid) say()
    return true
  }

  /** Bytes that begin no frame, though frames without their beginning may be in them. */
  async #gap({ offset, end, problem }: GapSpan): Promise<void> {
    let from = offset
    if (end - offset <= this.#limit + MOST_OVERHEAD) {
      const bytes = await this.#file.at(offset, end - offset)
      for (;;) {
        const salvaged = await this.#decoder.salvage(bytes.subarray(from - offset))
        if (salvaged === undefined) break
        const until = from + salvaged.end
        const index = this.#scanner.count()
        this.#fault('bytes/frame-header', placed(from, until, index), {}, false)
        this.#content(salvaged.content, from, until, index)
        from = until
      }
    }
    if (from === end) return
    const rest = from === offset ? problem : `no frame begins at byte ${from}`
    this.#fault('bytes/frame-structure', placed(from, end), { problem: rest, bytes: end - from }, true)
  }

  #content(bytes: Buffer, offset: number, end: number, frame: number): void {
    const problem = offset === 0 ? headerFrameProblem(bytes) : undefined
    if (problem !== undefined)
      this.#fault('bytes/header-frame', placed(offset, end, frame), { problem }, false)
    this.#records(bytes, { byteOffset: offset, frame, standing: this.#standing })
  }

  async #torn({ offset, end, index, header }: TornSpan): Promise<void> {
    const origin = placed(offset, end, index)
    const bytes = end - offset
    if (header === undefined) {
      this.#tornFrame(origin, { bytes, records: 0 }, NOTHING)
      return
    }
    const readable = await this.#file.at(offset, Math.min(bytes, this.#limit + MOST_OVERHEAD))
    const prefix = this.#decoder.decodePrefix(readable, header)
    if (prefix.kind === 'too-large') {
      this.#tooLarge({ offset, end, index }, prefix.limit)
      this.#tornFrame(origin, { bytes, records: 0 }, NOTHING)
      return
    }
    const { isSound, isWhole } = prefix
    const whole = wholeLines(prefix.bytes)
    const records = isSound ? linesIn(whole) : 0
    const headerProblem =
      offset === 0 && whole.length > 0
        ? (headerFrameProblem(prefix.bytes) ?? 'a header without its end')
        : undefined
    if (headerProblem !== undefined)
      this.#fault('bytes/header-frame', origin, { problem: headerProblem }, false)
    const rest = prefix.bytes.subarray(whole.length)
    const cut = isWhole && rest.length === 0 ? undefined : rest
    this.#tornFrame(origin, { bytes, records }, cut, !isSound && whole.length > 0)
    const standing = this.#standing === 'hidden' || !isSound ? 'hidden' : undefined
    this.#records(whole, { byteOffset: offset, frame: index, ...(standing && { standing }) })
  }

  /** @param cutRecord - what can be read of the record that the frame ends in; absent where no record is cut. */
  #tornFrame(
    origin: Origin,
    args: EvidenceOf<'bytes/torn-frame'>,
    cutRecord: Buffer | undefined,
    hidesRest = false,
  ): void {
    const finding = findingOf('bytes/torn-frame', args, { origin })
    this.#items.push({
      kind: 'fault',
      ...finding,
      losesRecords: false,
      ...(hidesRest && { hidesRest }),
      ...(cutRecord !== undefined && { cutRecord }),
    })
  }

  /** Damage that DSH takes for the torn end of the file: the whole lines before it in its frame are all that DSH takes. */
  async #hidden({ offset, end, problem }: GapSpan, header: FrameHeader): Promise<void> {
    const rest = await this.#file.at(
      offset,
      Math.min(this.#file.length - offset, this.#limit + MOST_OVERHEAD),
    )
    const prefix = this.#decoder.decodePrefix(rest, header)
    if (prefix.kind === 'bytes' && prefix.isSound)
      this.#records(wholeLines(prefix.bytes), { byteOffset: offset, frame: this.#scanner.frames })
    this.#fault('bytes/frame-hides-rest', placed(offset, end), { problem, bytes: end - offset }, true, true)
    this.#standing = 'hidden'
  }

  #records(content: Buffer, place: FramePlace): void {
    this.#held += content.length
    for (const record of this.#lines.push(content, place)) this.#items.push(record)
  }

  #tooLarge({ offset, end, index }: Pick<FrameSpan, 'offset' | 'end' | 'index'>, limit: number): void {
    this.#fault('bytes/frame-too-large', placed(offset, end, index), { limit }, true)
  }

  #fault<Code extends FindingCode>(
    code: Code,
    origin: Origin,
    args: EvidenceOf<Code>,
    losesRecords: boolean,
    hidesRest = false,
  ): void {
    // What is lost, or doubtful, is not what an unfinished line goes on with.
    if (losesRecords || code === 'bytes/corrupt-frame') this.#items.push(...this.#lines.flush())
    const finding = findingOf(code, args, { origin })
    this.#items.push({ kind: 'fault', ...finding, losesRecords, ...(hidesRest && { hidesRest }) })
  }
}

const NOTHING = Buffer.alloc(0)

function wholeLines(content: Buffer): Buffer {
  return content.subarray(0, content.lastIndexOf(LF) + 1)
}

function linesIn(content: Buffer): number {
  let lines = 0
  for (let at = content.indexOf(LF); at !== -1; at = content.indexOf(LF, at + 1)) lines++
  return lines
}

function placed(offset: number, end: number, frame?: number): Origin {
  return { byteOffset: offset, byteLength: end - offset, ...(frame !== undefined && { frame }) }
}
