/**
 * Packs runs of streamed deltas into rows, as DSH writes them (format.md §2.4): at least three consecutive events of
 * one kind, block and step, with nothing in them that a row could not give back.
 */
import type { SessionEvent } from '../../core/event/session-event.ts'
import { hasOnlyKeys, isJsonObject, type JsonObject } from '../../core/json/json-value.ts'

const SHORTEST_RUN = 3

interface Delta {
  readonly tag: string
  /** What all members of a run share. */
  readonly shared: JsonObject
  readonly text: string
}

/** Stored rows for `events`, in order. */
export function* packRows(events: Iterable<SessionEvent>): Iterable<JsonObject> {
  let run: SessionEvent[] = []
  let deltas: Delta[] = []
  function* flush(): Iterable<JsonObject> {
    if (run.length >= SHORTEST_RUN) yield packed(run, deltas)
    else for (const event of run) yield event as unknown as JsonObject
    run = []
    deltas = []
  }
  for (const event of events) {
    const delta = deltaOf(event)
    const last = run.at(-1)
    const continues =
      delta !== undefined &&
      last !== undefined &&
      event.seq === last.seq + 1 &&
      Number.isSafeInteger(event.time - last.time) &&
      sameBlock(delta, deltas.at(-1) as Delta)
    if (!continues) yield* flush()
    if (delta === undefined) yield event as unknown as JsonObject
    else {
      run.push(event)
      deltas.push(delta)
    }
  }
  yield* flush()
}

function deltaOf(event: SessionEvent): Delta | undefined {
  if (
    event.type !== 'assistant/chunk' ||
    !hasOnlyKeys(event as unknown as JsonObject, ['type', 'seq', 'time', 'data'])
  ) {
    return undefined
  }
  const { data } = event
  if (!isJsonObject(data) || !hasOnlyKeys(data, ['turn', 'step', 'chunk'])) return undefined
  const { turn, step, chunk } = data
  if (typeof turn !== 'number' || typeof step !== 'number' || !isJsonObject(chunk)) return undefined
  const { index } = chunk
  if (typeof index !== 'number') return undefined
  if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') {
    if (!hasOnlyKeys(chunk, ['type', 'index', 'text']) || typeof chunk.text !== 'string') return undefined
    const tag = chunk.type === 'text-delta' ? 'text-chunks' : 'reasoning-chunks'
    return { tag, shared: { turn, step, index }, text: chunk.text }
  }
  if (chunk.type !== 'tool-call-delta') return undefined
  const { id, name, argumentsDelta } = chunk
  if (!hasOnlyKeys(chunk, ['type', 'index', 'id', 'argumentsDelta'], ['name'])) return undefined
  if (typeof id !== 'string' || typeof argumentsDelta !== 'string') return undefined
  if (name !== undefined && typeof name !== 'string') return undefined
  return {
    tag: 'tool-call-chunks',
    shared: { turn, step, index, id, ...(name !== undefined && { name }) },
    text: argumentsDelta,
  }
}

function sameBlock(a: Delta, b: Delta): boolean {
  if (a.tag !== b.tag || Object.keys(a.shared).length !== Object.keys(b.shared).length) return false
  return Object.entries(a.shared).every(([key, value]) => Object.is(b.shared[key], value))
}

function packed(run: readonly SessionEvent[], deltas: readonly Delta[]): JsonObject {
  const [first] = run as [SessionEvent]
  const { tag, shared } = deltas[0] as Delta
  const dt = run.slice(1).map((event, index) => event.time - (run[index] as SessionEvent).time)
  const texts = deltas.map(({ text }) => text)
  const { turn, step, index, ...call } = shared
  const payload = tag === 'tool-call-chunks' ? { ...call, dt, args: texts } : { dt, texts }
  return { type: tag, seq0: first.seq, time0: first.time, data: { turn, step, index, ...payload } }
}
