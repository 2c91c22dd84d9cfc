/**
 * Replacements that name nodes which are not on the surface, or not what they say: the nodes that they mean are told by
 * what replaced the named ones, by the sources, and for a rewritten result by its call. Where nothing tells them the
 * message is appended, so that nothing the model was sent is hidden. The surface is followed with every event as it is
 * after its mending, so one fault never makes another.
 */
import type { Dialect, SurfaceDialect } from '../dialect/dialect.ts'
import { answeredCallId, type SessionEvent } from '../event/session-event.ts'
import { isCount, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { Reducer } from '../replay/reducer.ts'
import { SurfaceManager } from '../surface/surface-manager.ts'
import {
  type RewriteSubject,
  rewriteSubject,
  type SurfacePlan,
  type SurfaceViolation,
} from '../surface/surface-rules.ts'
import { omit } from './row-mend.ts'
import type { RowPatch, SurfacePatch } from './row-patch.ts'

/** Rules that one event can break, one after the other. */
const MOST_ROUNDS = 6

export function surfacePatches(): Reducer<ReadonlyMap<number, readonly RowPatch[]>> {
  const patches = new Map<number, readonly RowPatch[]>()
  let mender: SurfaceMender | undefined
  return {
    on({ event, dialect }) {
      mender ??= new SurfaceMender(dialect)
      const patch = mender.take(event)
      if (patch !== undefined) patches.set(event.seq, [patch])
    },
    finish: () => patches,
  }
}

class SurfaceMender {
  readonly #manager: SurfaceManager
  /** Which event took the place of a node. */
  readonly #replacedBy = new Map<number, number>()
  /** The result on the surface that answers each call. */
  readonly #results = new Map<string, number>()
  /** What a rewrite of a result has to leave as it is. */
  readonly #subjects = new Map<number, RewriteSubject>()
  readonly #dialect: SurfaceDialect

  constructor(dialect: Dialect) {
    this.#manager = new SurfaceManager(dialect)
    this.#dialect = dialect.surface
  }

  take(stored: SessionEvent): SurfacePatch | undefined {
    const manager = this.#manager
    if (stored.seq !== manager.expectedSeq) manager.skipTo(stored.seq)
    let event = stored
    let plan = manager.plan(event)
    for (let round = 0; plan.kind === 'violation' && round < MOST_ROUNDS; round++) {
      event = this.#mended(event, plan)
      plan = manager.plan(event)
    }
    if (plan.kind === 'violation') {
      manager.skipTo(stored.seq + 1)
      return undefined
    }
    this.#commit(event, plan)
    if (event === stored) return undefined
    const { surfaceOp, sourceEventSeqs, data } = event
    return {
      kind: 'surface',
      surfaceOp: surfaceOp as JsonValue | undefined,
      sourceEventSeqs: sourceEventSeqs as readonly number[] | undefined,
      ...(data !== stored.data && { data }),
    }
  }

  #commit(event: SessionEvent, plan: SurfacePlan): void {
    const effect = this.#manager.commit(event, plan)
    if (effect.kind === 'replace')
      for (const seq of effect.replacement.shadowed) this.#replacedBy.set(seq, event.seq)
    const callId = effect.kind === 'log-only' ? undefined : answeredCallId(event)
    if (callId === undefined) return
    this.#results.set(callId, event.seq)
    this.#subjects.set(event.seq, rewriteSubject(event))
  }

  #mended(event: SessionEvent, { code, args }: SurfaceViolation): SessionEvent {
    const told: JsonObject = args
    switch (code) {
      case 'surface/op-on-log-only':
      case 'surface/sources-on-log-only':
        return withoutMembers(event, 'surfaceOp', 'sourceEventSeqs')
      case 'surface/sources-incomplete':
        return this.#dialect.embeddedStreams && event.type === 'assistant/message'
          ? appended(event)
          : this.#covering(event, told.missing as readonly number[])
      case 'surface/sources-not-list':
      case 'surface/sources-empty':
      case 'surface/sources-embedded':
      case 'surface/sources-invalid':
      case 'surface/sources-repeated':
      case 'surface/sources-not-earlier':
        return withSources(event, soundSources(event))
      case 'surface/rewrite-changes-more':
        return this.#rewriting(event, told.target as number)
      case 'surface/rewrite-not-single':
      case 'surface/rewrite-not-result':
        return this.#ranging(event, this.#rewritten(event))
      case 'surface/head-protected':
        return this.#ranging(event, this.#afterHead(event))
      case 'surface/start-not-found':
      case 'surface/end-not-found':
      case 'surface/range-reversed':
        return this.#ranging(
          event,
          event.type === 'tool/result' ? this.#rewritten(event) : this.#meant(event),
        )
      default:
        return appended(event)
    }
  }

  /** The nodes that a replacement means: those that stand for the named ones, or for what it cites. */
  #meant(event: SessionEvent): readonly [number, number] | undefined {
    const { start, end } = this.#dialect
    const op: JsonObject = isJsonObject(event.surfaceOp) ? (event.surfaceOp as JsonObject) : {}
    const cited = soundSources(event).flatMap((seq) => this.#current(seq) ?? [])
    const inOrder = cited.toSorted(
      (a, b) => this.#manager.surface.indexOf(a) - this.#manager.surface.indexOf(b),
    )
    const first = this.#current(op[start]) ?? inOrder[0]
    const last = this.#current(op[end]) ?? inOrder.at(-1)
    if (first === undefined || last === undefined) return undefined
    const { surface } = this.#manager
    return surface.indexOf(first) <= surface.indexOf(last) ? [first, last] : [last, first]
  }

  /** The node that stands for an event now. */
  #current(seq: JsonValue | undefined): number | undefined {
    let now = isCount(seq) ? seq : undefined
    while (now !== undefined && !this.#manager.surface.has(now)) now = this.#replacedBy.get(now)
    return now
  }

  #rewritten(event: SessionEvent): readonly [number, number] | undefined {
    const callId = answeredCallId(event)
    const result = callId === undefined ? undefined : this.#results.get(callId)
    const node = this.#current(result)
    return node !== undefined && node === result ? [node, node] : undefined
  }

  #afterHead(event: SessionEvent): readonly [number, number] | undefined {
    const op: JsonObject = isJsonObject(event.surfaceOp) ? (event.surfaceOp as JsonObject) : {}
    const [head, next] = this.#manager.surface.nodes
    const last = op[this.#dialect.end]
    if (event.type === 'system/message') return head === undefined ? undefined : [head, head]
    return next !== undefined && isCount(last) && last !== head ? [next, last] : undefined
  }

  #ranging(event: SessionEvent, range: readonly [number, number] | undefined): SessionEvent {
    if (range === undefined) return appended(event)
    const { start, end } = this.#dialect
    const [first, last] = range
    const op = { op: 'replace', [start]: first, [end]: last } as unknown as SessionEvent['surfaceOp']
    return { ...event, surfaceOp: op } as SessionEvent
  }

  #covering(event: SessionEvent, missing: readonly number[]): SessionEvent {
    return withSources(event, [...soundSources(event), ...missing])
  }

  /** A rewrite changes the content of a result and nothing else about it. */
  #rewriting(event: SessionEvent, target: number): SessionEvent {
    const subject = this.#subjects.get(target)?.data
    const { data } = event
    if (!isJsonObject(subject) || !isJsonObject(subject.message)) return appended(event)
    if (!isJsonObject(data) || !isJsonObject(data.message)) return appended(event)
    return { ...event, data: withContentOf(subject, data) }
  }
}

/** The data of a result with the content of another one, in the form that its own message has. */
export function withContentOf(data: JsonObject, other: JsonObject): JsonObject {
  const message: JsonObject = isJsonObject(data.message) ? data.message : {}
  const said = isJsonObject(other.message) ? other.message.content : undefined
  const content = message.role === 'tool' ? (said ?? []) : rewrapped(message.content, said)
  return { ...data, message: { ...message, content } }
}

function rewrapped(kept: JsonValue | undefined, own: JsonValue | undefined): JsonValue {
  const [wrapper] = Array.isArray(kept) ? kept.filter(isJsonObject) : []
  const [said] = Array.isArray(own) ? own.filter(isJsonObject) : []
  return [{ ...wrapper, content: said?.content ?? [] }] as JsonValue
}

function appended(event: SessionEvent): SessionEvent {
  const { sourceEventSeqs } = event
  const isSound = Array.isArray(sourceEventSeqs) && sourceEventSeqs.length > 0
  const plain = { ...event, surfaceOp: 'append' } as SessionEvent
  return isSound ? plain : withoutMembers(plain, 'sourceEventSeqs')
}

function withSources(event: SessionEvent, sources: readonly number[]): SessionEvent {
  if (sources.length === 0) return withoutMembers(event, 'sourceEventSeqs')
  return { ...event, sourceEventSeqs: sources } as SessionEvent
}

function soundSources({ sourceEventSeqs: sources, seq: own }: SessionEvent): readonly number[] {
  const list: readonly unknown[] = Array.isArray(sources) ? sources : []
  return [...new Set(list.filter(isCount))].filter((seq) => seq < own)
}

function withoutMembers(event: SessionEvent, ...members: readonly string[]): SessionEvent {
  return omit(event as unknown as JsonObject, ...members) as unknown as SessionEvent
}
