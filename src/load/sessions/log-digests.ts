/**
 * What a log shows, as hashes: SHA-256 over everything that is shown, each part as canonical JSON with a line feed after
 * it. The seqs are left out, for events may move without a word changing; so a session has the same digests in whatever
 * container, packing and order of members it is stored.
 */
import { createHash } from 'node:crypto'
import { canonicalJson, exactJson } from '../../core/json/canonical-json.ts'
import type { JsonObject } from '../../core/json/json-value.ts'
import { keptMessages, type SurfaceMessage } from '../../core/projections/surface-view.ts'
import { type TranscriptEntry, transcript } from '../../core/projections/transcript.ts'
import type { Reducer } from '../../core/replay/reducer.ts'
import { SpooledItems } from '../../storage/spooled-items.ts'

export interface LogDigests {
  /** Of the messages for the model, in the order of the surface; in hexadecimal. */
  readonly surface: string
  /** Of the entries of the transcript; in hexadecimal. */
  readonly transcript: string
}

/** Whether two logs show the same. */
export function showSame(one: LogDigests, other: LogDigests): boolean {
  return one.surface === other.surface && one.transcript === other.transcript
}

export function logDigests(): Reducer<LogDigests> {
  const messages = surfaceDigest()
  const entries = transcriptDigest()
  return {
    onDeltas: (run, state) => entries.onDeltas?.(run, state),
    on(step) {
      messages.on(step)
      entries.on(step)
    },
    finish: (end) => ({ surface: messages.finish(end), transcript: entries.finish(end) }),
  }
}

/** Of the messages for the model, in hexadecimal. */
export function surfaceDigest(): Reducer<string> {
  const messages = keptMessages(new SpooledItems<JsonObject>(exactJson))
  return { ...messages, finish: (end) => messagesDigest(messages.finish(end)) }
}

/** The same of messages that are at hand. */
export function messagesDigest(messages: Iterable<SurfaceMessage>): string {
  const hash = createHash('sha256')
  for (const { message } of messages) hash.update(canonicalJson(message)).update('\n')
  return hash.digest('hex')
}

/** @param emit - gets the entries too. */
export function transcriptDigest(emit: (entry: TranscriptEntry) => void = () => {}): Reducer<string> {
  const hash = createHash('sha256')
  const entries = transcript((entry) => {
    // What is missing from a log is no part of what it shows.
    if (entry.kind !== 'gap') hash.update(`${canonicalJson(withoutSeqs(entry))}\n`)
    emit(entry)
  })
  return {
    onDeltas: (run, state) => entries.onDeltas?.(run, state),
    on: (step) => entries.on(step),
    onGap: (gap, state) => entries.onGap?.(gap, state),
    finish(end) {
      entries.finish(end)
      return hash.digest('hex')
    },
  }
}

function withoutSeqs(entry: TranscriptEntry): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([member]) => !SEQS.has(member)))
}

const SEQS: ReadonlySet<string> = new Set(['seq', 'callSeq', 'summarySeq'])
