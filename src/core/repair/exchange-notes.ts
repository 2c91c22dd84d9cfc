/**
 * Halves of tool exchanges that a replacement left on the surface without their other half, so that no provider takes
 * the conversation any more. What is left of such an exchange becomes a note: a user message that is where the node
 * was and says in words what was called or answered. The log keeps the events; only the surface changes.
 */
import {
  advertisedCalls,
  answeredCallId,
  blocksOf,
  messageOf,
  type SessionEvent,
} from '../event/session-event.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import { type Half, isPending, pairingsOn, type ShownCall } from '../replay/exchanges.ts'
import type { Reducer } from '../replay/reducer.ts'

export interface ExchangeNote {
  /** Node that the note stands for. */
  readonly node: number
  readonly content: readonly JsonValue[]
}

interface NotedHalf extends Half {
  readonly event: SessionEvent
  /** It announces a call without a name, which no provider takes. */
  readonly isNameless: boolean
}

/** Notes for the surface as it is at the end, in its order. Calls of the open turn are not looked at. */
export function exchangeNotes(): Reducer<readonly ExchangeNote[]> {
  const halves = new Map<number, NotedHalf>()
  return {
    onDeltas: ignoreDeltas,
    on({ event, effect }) {
      if (effect.kind === 'log-only') return
      if (effect.kind === 'replace') for (const seq of effect.replacement.shadowed) halves.delete(seq)
      const answers = answeredCallId(event)
      const calls = advertisedCalls(event)
      const announces = calls.map(({ id }) => id)
      const isNameless = calls.some(({ name }) => name === '')
      if (answers !== undefined || calls.length > 0)
        halves.set(event.seq, { event, announces, answers, isNameless })
    },
    finish({ surface, cursor }) {
      const broken = brokenHalves(surface.nodes, halves, (call) => isPending(call, cursor))
      return surface.nodes
        .filter((seq) => broken.has(seq))
        .map((seq) => ({ node: seq, content: wordsOf(halves.get(seq) as NotedHalf) }))
    },
  }
}

/** Nodes of exchanges that are not whole: of each, the message that calls and the results right after it. */
function brokenHalves(
  nodes: readonly number[],
  halves: ReadonlyMap<number, NotedHalf>,
  isWaiting: (call: ShownCall) => boolean,
): ReadonlySet<number> {
  const broken = new Set<number>()
  const results = new Map<number, number[]>()
  /** A result after the message becomes a note: that is a message, and no other result may come after one. */
  let isCut = false
  for (const [seq, { isNameless }] of halves) if (isNameless) broken.add(seq)
  for (const pairing of pairingsOn(nodes, (seq) => halves.get(seq))) {
    if (pairing.kind === 'message') {
      isCut = false
      continue
    }
    if (pairing.kind === 'alone') {
      if (!isWaiting(pairing.call)) broken.add(pairing.call.callAt)
      continue
    }
    const { seq, call } = pairing
    const isApart = call === undefined || call.interruptedAt !== undefined
    if (call !== undefined && (isApart || isCut)) broken.add(call.callAt)
    if (isApart) {
      broken.add(seq)
      isCut = true
    } else results.set(call.callAt, [...(results.get(call.callAt) ?? []), seq])
  }
  for (const [callAt, own] of results) if (broken.has(callAt)) for (const seq of own) broken.add(seq)
  return broken
}

/** A result in words, where its call is not next to it. */
export function resultNote(event: SessionEvent): readonly JsonValue[] {
  const intro = `[A tool result stood here. Its call (${answeredCallId(event)}) is no longer next to it. The result was:]`
  return [text(intro), ...resultContent(messageOf(event))]
}

function wordsOf({ event, answers }: NotedHalf): readonly JsonValue[] {
  const message = messageOf(event)
  if (answers !== undefined) return resultNote(event)
  const said = blocksOf(message).filter(({ type }) => type === 'text')
  const called = advertisedCalls(event).map(({ id, name, arguments: given }) =>
    text(
      name === ''
        ? `[The assistant called a tool without a name here (${id}) with: ${given}.]`
        : `[The assistant called the tool ${name} here (${id}) with: ${given}. Its result is no longer next to it.]`,
    ),
  )
  return [...said, ...called]
}

function resultContent(message: JsonObject | undefined): readonly JsonValue[] {
  const content = message?.content
  if (!Array.isArray(content)) return []
  return content.flatMap((block: JsonValue) => {
    if (!isJsonObject(block) || block.type !== 'tool-result') return [block]
    return Array.isArray(block.content) ? block.content : []
  })
}

function text(words: string): JsonObject {
  return { type: 'text', text: words }
}
