/**
 * Halves of tool exchanges that a replacement left on the surface without their other half, so that no provider takes
 * the conversation any more. What is left of such an exchange becomes a note: a user message that stands where the node
 * stood and says in words what was called or answered. The log keeps the events; only the surface changes.
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
import type { Reducer } from '../replay/reducer.ts'

export interface ExchangeNote {
  /** Node that the note stands for. */
  readonly node: number
  readonly content: readonly JsonValue[]
}

interface Half {
  readonly event: SessionEvent
  readonly calls: readonly string[]
  readonly answers: string | undefined
  /** It announces a call without a name, which no provider takes. */
  readonly isNameless: boolean
}

/** Notes for the surface as it stands at the end, in its order. Calls of the open turn are not looked at. */
export function exchangeNotes(): Reducer<readonly ExchangeNote[]> {
  const halves = new Map<number, Half>()
  return {
    onDeltas: ignoreDeltas,
    on({ event, effect }) {
      if (effect.kind === 'log-only') return
      if (effect.kind === 'replace') for (const seq of effect.replacement.shadowed) halves.delete(seq)
      const answers = answeredCallId(event)
      const announced = advertisedCalls(event)
      const calls = announced.map(({ id }) => id)
      const isNameless = announced.some(({ name }) => name === '')
      if (answers !== undefined || calls.length > 0)
        halves.set(event.seq, { event, calls, answers, isNameless })
    },
    finish({ surface, cursor }) {
      const broken = brokenHalves(
        surface.nodes,
        halves,
        (callId, seq) => cursor.pending.get(callId)?.advertisedAt === seq,
      )
      return surface.nodes
        .filter((seq) => broken.has(seq))
        .map((seq) => ({ node: seq, content: wordsOf(halves.get(seq) as Half) }))
    },
  }
}

/** Nodes of exchanges that are not whole, one call and its results right behind it. */
function brokenHalves(
  nodes: readonly number[],
  halves: ReadonlyMap<number, Half>,
  isWaiting: (callId: string, seq: number) => boolean,
): ReadonlySet<number> {
  const broken = new Set<number>()
  /** The exchange that results may still come for: its nodes, and the calls without one, as often as announced. */
  let open: { readonly nodes: number[]; readonly waiting: string[]; readonly isNameless: boolean } | undefined

  function close(): void {
    const { nodes: exchange, waiting, isNameless } = open ?? { nodes: [], waiting: [], isNameless: false }
    const isBroken = isNameless || waiting.some((id) => !isWaiting(id, exchange[0] as number))
    if (isBroken) for (const node of exchange) broken.add(node)
    open = undefined
  }

  function answer(callId: string): boolean {
    const at = open?.waiting.indexOf(callId) ?? -1
    if (at >= 0) open?.waiting.splice(at, 1)
    return at >= 0
  }

  for (const seq of nodes) {
    const half = halves.get(seq)
    if (half?.answers !== undefined && answer(half.answers)) {
      open?.nodes.push(seq)
    } else if (half?.answers !== undefined) {
      broken.add(seq)
      // Its note is a message, and no result may come behind one.
      close()
    } else {
      close()
      if (half !== undefined) open = { nodes: [seq], waiting: [...half.calls], isNameless: half.isNameless }
    }
  }
  close()
  return broken
}

/** A result in words, where its call is not next to it. */
export function resultNote(event: SessionEvent): readonly JsonValue[] {
  const intro = `[A tool result stood here. Its call (${answeredCallId(event)}) is no longer next to it. The result was:]`
  return [text(intro), ...resultContent(messageOf(event))]
}

function wordsOf({ event, answers }: Half): readonly JsonValue[] {
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
