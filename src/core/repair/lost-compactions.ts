/**
 * What was lost of a compaction, where the rest of it or what crosses it proves it: its start and its end, and of summary
 * and checkpoint, which say the same, the one by the other.
 */
import type { Dialect } from '../dialect/dialect.ts'
import { messageOf, type SessionEvent } from '../event/session-event.ts'
import { isCount, isJsonObject, isName, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { SurfaceEffect } from '../surface/surface-manager.ts'
import { compactionEnd } from './closers.ts'
import type { EventRef, Filling, Gap, Gaps } from './gaps.ts'
import { repairedMessageId } from './identity-patches.ts'
import type { RowContext } from './row-mend.ts'

const CHECKPOINT_INTRO = '[A summary of earlier messages stands here. Its frame is lost. It says:]'

interface Compaction {
  readonly start: JsonObject
  /** Where it starts. */
  readonly startedBy: EventRef
  since: number
  summary?: { readonly by: EventRef; readonly data: JsonObject }
  hasCheckpoint: boolean
  /** Its start, where that was put in. */
  readonly filling?: Filling
  /** Its end, put in where a turn crosses it. */
  end?: Filling
}

export interface CompactedLog {
  readonly dialect: Dialect
  readonly sessionId: string
  /** Lost seqs that replacements name. */
  readonly messages: ReadonlySet<number>
  /** The model that was named last. */
  model(): RowContext['model']
}

export class LostCompactions {
  readonly #gaps: Gaps
  readonly #log: CompactedLog
  #open: Compaction | undefined

  constructor(gaps: Gaps, log: CompactedLog) {
    this.#gaps = gaps
    this.#log = log
  }

  onStart(start: JsonObject, seq: number): void {
    this.cross(seq)
    this.#open = { start, startedBy: seq, since: seq, hasCheckpoint: false }
  }

  /** @param shown - the last event that showed which turn is open. */
  onSummary(data: JsonObject, turn: number | undefined, shown: number, seq: number): void {
    const open = this.#opened(data, turn, shown, seq)
    if (open !== undefined) open.summary = { by: seq, data }
  }

  onCheckpoint(event: SessionEvent, effect: SurfaceEffect, turn: number | undefined, shown: number): void {
    const source = messageOf(event)?.source
    const since = this.#open?.since ?? shown
    const open = isJsonObject(source) ? this.#opened(source, turn, shown, event.seq) : undefined
    if (open === undefined) return
    if (open.summary === undefined && effect.kind === 'replace')
      this.#restoreSummary(open, event, effect.replacement.shadowed, this.#gaps.since(since, event.seq))
    open.hasCheckpoint = true
  }

  /**
   * The end of a compaction says in which turn it began.
   * @returns its start, where that was put in and belongs between turns.
   */
  onEnd(data: JsonObject, turn: number | undefined, shown: number, seq: number): Filling | undefined {
    const open = this.#opened(data, turn, shown, seq)
    if (open === undefined) return undefined
    this.#open = undefined
    if (data.error === undefined) this.#restoreCheckpoint(open, this.#gaps.since(sinceSummary(open), seq))
    const { start, filling } = open
    const named = data.turn ?? null
    if (filling === undefined || start.turn === named) return undefined
    ;(start as Record<string, JsonValue>).turn = named
    return named === null ? filling : undefined
  }

  /** A compaction that something crosses has ended before; where it brought no summary, with an error. */
  cross(seq: number): void {
    const open = this.#open
    if (open === undefined || open.end !== undefined) return
    const place = this.#gaps.since(open.since, seq) ?? this.#gaps.enforcedPlace(seq)
    if (place === undefined) return
    const { messages } = this.#log
    const gap = this.#gaps.since(sinceSummary(open), seq)
    if (gap !== undefined && [...messages].some((named) => gap.first <= named && named < gap.end))
      this.#restoreCheckpoint(open, gap)
    const data = compactionEnd(open.start, open.summary !== undefined && open.hasCheckpoint)
    open.end = this.#gaps.put(place, 'compaction/end', data)
  }

  /** A marker of a resume sets the latest compaction aside, so it needs no end. */
  orphan(): void {
    if (this.#open?.end !== undefined) this.#gaps.remove(this.#open.end)
    this.#open = undefined
  }

  /** What belongs to a compaction proves its start. @returns the compaction, where it is the open one. */
  #opened(
    { compactionId, sourceCommandId }: JsonObject,
    turn: number | undefined,
    shown: number,
    seq: number,
  ): Compaction | undefined {
    if (isName(compactionId) && this.#open?.start.compactionId !== compactionId) {
      const place = this.#gaps.since(shown, seq)
      if (place !== undefined) {
        const start: JsonObject = {
          compactionId,
          ...(sourceCommandId !== undefined && { sourceCommandId }),
          turn: turn ?? null,
        }
        const filling = this.#gaps.put(place, 'compaction/start', start)
        this.#open = { start, startedBy: filling, since: seq, hasCheckpoint: false, filling }
      }
    }
    const open = this.#open
    if (open === undefined || open.start.compactionId !== compactionId) return undefined
    open.since = seq
    return open
  }

  /** A checkpoint says what the summary said, and of which messages. How many tokens these had is lost. */
  #restoreSummary(
    open: Compaction,
    checkpoint: SessionEvent,
    shadowed: readonly number[],
    place: Gap | undefined,
  ): void {
    const model = this.#log.model()
    const [first, last] = [shadowed[0], shadowed.at(-1)]
    if (place === undefined || model === undefined || first === undefined || last === undefined) return
    const { compactionId, sourceCommandId } = open.start
    const data = {
      compactionId,
      ...(sourceCommandId !== undefined && { sourceCommandId }),
      summary: messageOf(checkpoint)?.content ?? [],
      shadowedTokenCount: 0,
      ...model,
    } as JsonObject
    const by = this.#gaps.add(place, 'compaction/summary', (_own, of) => ({
      data: {
        ...data,
        shadowedRange: { start: of(first), end: of(last) },
        shadowedSeqs: shadowed.map(of),
      },
    }))
    open.summary = { by, data }
  }

  /** A compaction that ended well had the checkpoint that its summary was made for. */
  #restoreCheckpoint(open: Compaction, gap: Gap | undefined): void {
    const { summary, startedBy, start, hasCheckpoint } = open
    if (gap === undefined || summary === undefined || hasCheckpoint) return
    const { shadowedSeqs, summary: content } = summary.data
    const shadowed = Array.isArray(shadowedSeqs) ? shadowedSeqs.filter(isCount) : []
    const [first, last] = [shadowed[0], shadowed.at(-1)]
    if (first === undefined || last === undefined || !Array.isArray(content)) return
    const { sessionId, dialect } = this.#log
    const { compactionId, sourceCommandId } = start
    const source = {
      ...(dialect.toolRole ? { kind: 'compact-checkpoint' } : { kind: 'plugin', plugin: 'compact' }),
      compactionId,
      ...(sourceCommandId !== undefined && { sourceCommandId }),
    } as JsonObject
    this.#gaps.add(gap, 'user/message', (own, of) => ({
      data: {
        id: repairedMessageId(sessionId, own),
        role: 'user',
        source,
        content: [{ type: 'text', text: CHECKPOINT_INTRO }, ...content],
      } as JsonObject,
      surfaceOp: { op: 'replace', [dialect.surface.start]: of(first), [dialect.surface.end]: of(last) },
      sourceEventSeqs: [of(startedBy), of(summary.by), ...shadowed.map(of)],
    }))
    open.hasCheckpoint = true
  }
}

function sinceSummary({ summary, since }: Compaction): number {
  return typeof summary?.by === 'number' ? summary.by : since
}
