/**
 * Where a text occurs in what was said, and whether the model still sees it there. That is known after the last event: a
 * later replacement may take a message away. One message gives at most one hit for each of its parts.
 */
import { advertisedCalls, messageOf } from '../event/session-event.ts'
import { oneOf, record, referencesTo, type Schema, type Static, text, whole } from '../json/json-schema.ts'
import { isJsonObject, type JsonValue, objectIn } from '../json/json-value.ts'
import type { EventClass } from '../projections/classification.ts'
import { resultText, visibleText } from '../projections/message-text.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { isCompactCheckpointSource } from '../surface/surface-predicates.ts'

export const HIT = {
  required: {
    seq: whole,
    /** Who said it; a call is what the model asked of a tool, an error is what ended a turn. */
    kind: oneOf('user', 'context', 'assistant', 'call', 'tool', 'system', 'compaction', 'error'),
    /** The text around the place, on one line. */
    excerpt: text,
    class: referencesTo<{ eventClass: Schema<EventClass> }>()('eventClass'),
  },
  optional: {
    turn: whole,
    /** Seq of the event that took the place of a shadowed one. */
    replacedBy: whole,
    /** What that event is: the checkpoint of a compaction, or another wording of the same message. */
    replacement: oneOf('compaction', 'rewrite'),
  },
}

const hit = record(HIT.required, HIT.optional)
export type Hit = Static<typeof hit>
export type HitKind = Hit['kind']

export interface TextSearch {
  /** Must match as `exec` of a regular expression without state does. */
  readonly pattern: RegExp
  /** Also what tools gave back. */
  readonly toolOutput: boolean
  /** Hits to keep. */
  readonly most: number
}

/** @returns the hits in the order of the log, and whether there were more. */
export function findText(search: TextSearch): Reducer<{ hits: readonly Hit[]; more: boolean }> {
  const found: { readonly seq: number; readonly kind: HitKind; readonly excerpt: string; turn?: number }[] =
    []
  const replacedBy = new Map<number, number>()
  const checkpoints = new Set<number>()
  let more = false

  return {
    onDeltas: ignoreDeltas,
    on(step) {
      const { event, effect, cursor, before } = step
      if (effect.kind === 'replace') {
        for (const seq of effect.replacement.shadowed) replacedBy.set(seq, event.seq)
        if (isCompactCheckpointSource(messageOf(event)?.source)) checkpoints.add(event.seq)
      }
      for (const [kind, text] of textsIn(step, search.toolOutput)) {
        const match = search.pattern.exec(text)
        if (match === null) continue
        if (found.length === search.most) {
          more = true
          return
        }
        const turn = cursor.openTurn ?? before.openTurn
        const excerpt = excerptOf(text, match.index, match[0].length)
        found.push({ seq: event.seq, kind, excerpt, ...(turn !== undefined && { turn }) })
      }
    },
    finish({ surface }) {
      const nodes = new Set(surface.nodes)
      const hits = found.map((hit): Hit => {
        if (nodes.has(hit.seq)) return { ...hit, class: 'current' }
        const by = replacedBy.get(hit.seq)
        if (by === undefined) return { ...hit, class: 'log-only' }
        const replacement = checkpoints.has(by) ? 'compaction' : 'rewrite'
        return { ...hit, class: 'shadowed', replacedBy: by, replacement }
      })
      return { hits, more }
    },
  }
}

/** The texts of an event that somebody may look for. */
function* textsIn({ event, effect }: ReplayStep, toolOutput: boolean): Iterable<readonly [HitKind, string]> {
  const { type, data } = event
  if (type === 'turn/end') {
    const text = errorText(data)
    if (text !== undefined) yield ['error', text]
  }
  if (effect.kind === 'log-only') return
  const message = messageOf(event)
  switch (type) {
    case 'user/message':
      yield [speakerOf(message?.source), visibleText(message)]
      break
    case 'assistant/message':
      yield ['assistant', visibleText(message)]
      for (const call of advertisedCalls(event)) yield ['call', `${call.name} ${call.arguments}`]
      break
    case 'tool/result':
      if (toolOutput) yield ['tool', resultText(message)]
      break
    default:
      yield ['system', visibleText(message)]
  }
}

function speakerOf(source: JsonValue | undefined): HitKind {
  if (isCompactCheckpointSource(source)) return 'compaction'
  return isJsonObject(source) && source.kind !== 'user' ? 'context' : 'user'
}

function errorText(data: JsonValue): string | undefined {
  const reason = objectIn(data).reason
  const error = objectIn(reason).error
  return isJsonObject(error) && typeof error.message === 'string' ? error.message : undefined
}

/** UTF-16 units of an excerpt before the place, and in all. */
const BEFORE = 40
const LONGEST = 160

function excerptOf(text: string, at: number, length: number): string {
  const from = boundary(text, Math.max(0, at - BEFORE))
  const to = boundary(text, Math.min(text.length, Math.max(at + Math.min(length, LONGEST), from + LONGEST)))
  const part = text.slice(from, to).replace(/\s+/g, ' ').trim()
  // A slice would keep the whole text in memory; what is made of several parts does not.
  return [from > 0 ? '…' : '', part, to < text.length ? '…' : ''].join('')
}

/** The same place, or the one before it where it would part the halves of a character. */
function boundary(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}
