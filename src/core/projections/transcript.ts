/**
 * What the human saw: append-origin events in log order. A replacement never takes anything away from it; a landed
 * compaction leaves one marker at its own position, every other replacement is silent (transcript specification).
 *
 * Entries are handed out as soon as they are certain, and no later event changes one that was: a message says what it
 * says with its own event, and a result names the call that was announced before it. Open are, at any moment, the answer
 * that is being streamed and the calls that wait for a result. A message or result settles them, the end of their step or
 * turn gives them up, and so does `finish`; so a log that still grows and the same log read later give the same entries in
 * the same order, but for what only the end of the log gives up.
 */
import { advertisedCalls, answeredCallId, messageOf, type SessionEvent } from '../event/session-event.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from '../json/json-value.ts'
import type { DeltaRun } from '../replay/delta-run.ts'
import type { PlacedGap } from '../replay/gap.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { numberIn, type PendingCall, textIn } from '../replay/turn-cursor.ts'
import { isAppendSurfaceEvent, isCompactCheckpoint } from '../surface/surface-predicates.ts'
import { CompactionSummaries } from './compaction-summaries.ts'
import { reasoningText, resultText, visibleText } from './message-text.ts'
import { type TurnFailure, turnFailure } from './turn-failure.ts'

/** The text of the entry that a compaction leaves (format.md §8.3). */
export const COMPACTION_MARKER = '… earlier context was compacted …'

interface EntryBase {
  readonly seq: number
  readonly time: number
  /** Turn that was open; absent outside turns. */
  readonly turn?: number
}

/** One entry of the transcript (format.md §8.2); `time` is in milliseconds since the epoch. */
export type TranscriptEntry =
  | (EntryBase & { readonly kind: 'user'; readonly text: string })
  | (EntryBase & { readonly kind: 'context'; readonly source: string; readonly text: string })
  | (EntryBase & {
      readonly kind: 'assistant'
      readonly text: string
      readonly reasoning?: string
      /** The tool calls it announces. */
      readonly calls: readonly { readonly callId: string; readonly name: string }[]
      readonly interrupted?: true
    })
  | (EntryBase & {
      readonly kind: 'tool'
      readonly callId: string
      /** Name and arguments of the call, when an append-origin message announced it. */
      readonly name?: string
      readonly arguments?: string
      readonly callSeq?: number
      readonly isError: boolean
      readonly text: string
      /** Length of a text that was left out, in UTF-16 units. */
      readonly omitted?: number
    })
  | (EntryBase & {
      readonly kind: 'compaction'
      readonly text: typeof COMPACTION_MARKER
      /** How many messages the model stopped seeing here. */
      readonly hidden: number
      /** Their estimated tokens, as the compaction recorded them. */
      readonly hiddenTokens?: number
      readonly summarySeq?: number
    })
  /** A turn that ended with an error, was blocked, or reached the limit of tokens. */
  | (EntryBase & TurnFailure & { readonly kind: 'failure' })
  /** Events are missing here, or cannot be read; `seq` is the one that was due. */
  | (EntryBase & { readonly kind: 'gap'; readonly gap: PlacedGap })
  | (EntryBase & {
      readonly kind: 'unfinished'
      readonly what: 'answer'
      readonly text: string
      readonly reasoning?: string
    })
  | (EntryBase & {
      readonly kind: 'unfinished'
      readonly what: 'tool-call'
      readonly callId: string
      readonly name: string
      readonly arguments: string
      /** Whether the log recorded that the call began to run. */
      readonly started: boolean
    })

/** Streamed chunks that no message has claimed yet. */
interface PendingAnswer {
  readonly seq: number
  readonly time: number
  readonly turn: number | undefined
  readonly step: number | undefined
  /** What was streamed, in order. Most of it is never read: a message will say it again. */
  readonly streamed: (JsonValue | DeltaRun)[]
}

/** Feeds `emit` with entries in the order in which they become certain. */
export function transcript(emit: (entry: TranscriptEntry) => void): Reducer<void> {
  let answer: PendingAnswer | undefined
  /** Calls that append-origin messages announced and that wait for a result. */
  const announced = new Map<string, { name: string; arguments: string; callSeq?: number }>()
  const summaries = new CompactionSummaries()
  let lastTime = 0

  function base(step: ReplayStep): EntryBase {
    const { seq, time } = step.event
    const turn = step.before.openTurn
    return { seq, time, ...(turn !== undefined && { turn }) }
  }

  function giveUpAnswer(): void {
    if (answer === undefined) return
    const { seq, time, turn, streamed } = answer
    const { text, reasoning } = streamedText(streamed)
    answer = undefined
    if (text === '' && reasoning === '') return
    const optional = { ...(turn !== undefined && { turn }), ...(reasoning !== '' && { reasoning }) }
    emit({ kind: 'unfinished', what: 'answer', seq, time, text, ...optional })
  }

  function giveUpCall(call: PendingCall, time: number, turn: number | undefined): void {
    if (!announced.delete(call.callId)) return
    const { callId, name, startedAt } = call
    const seq = startedAt ?? call.advertisedAt
    const optional = turn === undefined ? {} : { turn }
    const started = startedAt !== undefined
    emit({
      kind: 'unfinished',
      what: 'tool-call',
      seq,
      time,
      ...optional,
      callId,
      name,
      arguments: call.arguments,
      started,
    })
  }

  function onChunk(event: SessionEvent): void {
    const { seq, time } = event
    const chunk = objectIn(event.data).chunk
    stream(numberIn(event, 'turn'), numberIn(event, 'step'), seq, time, chunk ?? null)
  }

  function stream(
    turn: number | undefined,
    step: number | undefined,
    seq: number,
    time: number,
    chunk: JsonValue | DeltaRun,
  ): void {
    if (answer !== undefined && (answer.turn !== turn || answer.step !== step)) giveUpAnswer()
    answer ??= { seq, time, turn, step, streamed: [] }
    answer.streamed.push(chunk)
  }

  function onSurfaceEvent(step: ReplayStep): void {
    const { event } = step
    const message = messageOf(event)
    if (event.type === 'assistant/message') {
      const calls = advertisedCalls(event)
      for (const { id, ...call } of calls) announced.set(id, call)
      const reasoning = reasoningText(message)
      emit({
        kind: 'assistant',
        ...base(step),
        text: visibleText(message),
        ...(reasoning !== '' && { reasoning }),
        calls: calls.map(({ id, name }) => ({ callId: id, name })),
        ...(objectIn(event.data).interrupted === true && { interrupted: true }),
      })
    } else if (event.type === 'tool/result') onResult(step, message)
    else if (event.type === 'system/message') return
    else {
      const source = isJsonObject(message?.source) ? message.source : {}
      const text = visibleText(message)
      if (source.kind === 'user' && event.type === 'user/message') emit({ kind: 'user', ...base(step), text })
      else emit({ kind: 'context', ...base(step), source: sourceName(source), text })
    }
  }

  function onResult(step: ReplayStep, message: JsonObject | undefined): void {
    const callId = answeredCallId(step.event) ?? ''
    const call = announced.get(callId)
    announced.delete(callId)
    const content = message?.content
    const block = Array.isArray(content) && isJsonObject(content[0]) ? content[0] : {}
    emit({
      kind: 'tool',
      ...base(step),
      callId,
      ...call,
      isError: (block.isError ?? message?.isError) === true,
      text: resultText(message),
    })
  }

  function onCheckpoint(step: ReplayStep): void {
    if (step.effect.kind !== 'replace') return
    const summary = summaries.claim(step.event)
    const tokens = summary?.tokens
    emit({
      kind: 'compaction',
      ...base(step),
      text: COMPACTION_MARKER,
      hidden: step.effect.replacement.shadowed.length,
      ...(tokens !== undefined && { hiddenTokens: tokens }),
      ...(summary !== undefined && { summarySeq: summary.seq }),
    })
  }

  return {
    onDeltas(run) {
      lastTime = run.lastTime
      stream(run.turn, run.step, run.first, run.firstTime, run.keep())
    },
    on(step) {
      const { event, change } = step
      const { type } = event
      lastTime = event.time
      if (type === 'assistant/chunk') onChunk(event)
      else if (type === 'llm/retry') answer = undefined
      else if (type === 'turn/start' || type === 'turn/end' || type === 'step/end') {
        giveUpAnswer()
        for (const call of change.abandoned) giveUpCall(call, event.time, step.before.openTurn)
        const failure = turnFailure(event)
        if (failure !== undefined) emit({ kind: 'failure', ...base(step), ...failure })
      } else if (type === 'tool/call') {
        const call = announced.get(textIn(event, 'callId'))
        if (call !== undefined) call.callSeq = event.seq
      } else if (type === 'compaction/summary') summaries.note(event)
      else {
        if (type === 'assistant/message' && event.surfaceOp === 'append') answer = undefined
        if (isAppendSurfaceEvent(event)) onSurfaceEvent(step)
        else if (isCompactCheckpoint(event)) onCheckpoint(step)
      }
    },
    onGap(gap, { time }) {
      const { first: seq, turn } = gap
      emit({ kind: 'gap', seq, time, ...(turn !== undefined && { turn }), gap })
    },
    finish({ cursor }) {
      giveUpAnswer()
      for (const call of cursor.pending.values()) giveUpCall(call, lastTime, cursor.openTurn)
    },
  }
}

function streamedText(streamed: readonly (JsonValue | DeltaRun)[]): { text: string; reasoning: string } {
  let text = ''
  let reasoning = ''
  for (const part of streamed) {
    for (const chunk of isRun(part) ? part.deltas() : [part]) {
      if (!isJsonObject(chunk) || typeof chunk.text !== 'string') continue
      if (chunk.type === 'text-delta') text += chunk.text
      else if (chunk.type === 'reasoning-delta') reasoning += chunk.text
    }
  }
  return { text, reasoning }
}

function isRun(part: JsonValue | DeltaRun): part is DeltaRun {
  return typeof part === 'object' && part !== null && 'deltas' in part && typeof part.deltas === 'function'
}

function sourceName(source: JsonObject): string {
  if (source.kind === 'plugin' && typeof source.plugin === 'string') return source.plugin
  return typeof source.kind === 'string' ? source.kind : 'unknown'
}
