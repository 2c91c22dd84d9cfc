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
import { FrameLines, type FramePlace, LF } from './frame-lines.ts'
import { FrameScanner, type FrameSpan, type GapSpan, type TornSpan } from './frame-scanner.ts'
import { headerFrameProblem } from './header-frame.ts'

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
      else {
        const { offset, end, problem } = span
        this.#fault('bytes/frame-structure', placed(offset, end), { problem, bytes: end - offset }, true)
      }
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
    const decoded = this.#decoder.decode(await this.#file.at(offset, end - offset), header)
    if (decoded.kind === 'too-large') {
      this.#tooLarge(span, decoded.limit)
      return true
    }
    if (decoded.kind === 'corrupt') {
      const resumed = await this.#scanner.distrust(span)
      if (resumed === undefined) return false
      const { problem } = decoded
      this.#fault('bytes/corrupt-frame', placed(offset, resumed, index), { problem }, true)
      return true
    }
    const { bytes } = decoded
    const origin = placed(offset, end, index)
    const headerProblem = offset === 0 ? headerFrameProblem(bytes) : undefined
    if (headerProblem !== undefined)
      this.#fault('bytes/header-frame', origin, { problem: headerProblem }, false)
    this.#records(bytes, { byteOffset: offset, frame: index, standing: this.#standing })
    return true
  }

  async #torn({ offset, end, index, header }: TornSpan): Promise<void> {
    const origin = placed(offset, end, index)
    const bytes = end - offset
    if (header === undefined) {
      this.#fault('bytes/torn-frame', origin, { bytes, records: 0 }, false)
      return
    }
    const readable = await this.#file.at(offset, Math.min(bytes, this.#limit + MOST_OVERHEAD))
    const prefix = this.#decoder.decodePrefix(readable, header)
    if (prefix.kind === 'too-large') {
      this.#tooLarge({ offset, end, index }, prefix.limit)
      this.#fault('bytes/torn-frame', origin, { bytes, records: 0 }, false)
      return
    }
    const { isSound } = prefix
    const whole = wholeLines(prefix.bytes)
    const records = isSound ? linesIn(whole) : 0
    const headerProblem =
      offset === 0 && whole.length > 0
        ? (headerFrameProblem(prefix.bytes) ?? 'a header without its end')
        : undefined
    if (headerProblem !== undefined)
      this.#fault('bytes/header-frame', origin, { problem: headerProblem }, false)
    this.#fault('bytes/torn-frame', origin, { bytes, records }, false, !isSound && whole.length > 0)
    const standing = this.#standing === 'hidden' || !isSound ? 'hidden' : undefined
    this.#records(whole, { byteOffset: offset, frame: index, ...(standing && { standing }) })
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
    // What is lost is not what an unfinished line goes on with.
    if (losesRecords) this.#items.push(...this.#lines.flush())
    const finding = findingOf(code, args, { origin })
    this.#items.push({ kind: 'fault', ...finding, losesRecords, ...(hidesRest && { hidesRest }) })
  }
}

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
