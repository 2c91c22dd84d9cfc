/**
 * The fifteen acceptance rules of the surface in their order; the first that fails decides (format.md §5.1, §5.4).
 * A candidate is judged and nothing is applied: the answer is a violation, or the plan of what the event would do.
 */
import type { SurfaceDialect } from '../dialect/dialect.ts'
import { isRising } from '../dialect/source-ranges.ts'
import type { SessionEvent } from '../event/session-event.ts'
import type { EvidenceOf, FindingCode } from '../findings/rules.ts'
import { isCount, isJsonObject, isPlainCount, type JsonValue, sameJson } from '../json/json-value.ts'
import type { SurfaceOrder } from './surface-order.ts'

/** What an accepted event does to the surface. */
export type SurfacePlan =
  | { readonly kind: 'log-only' }
  | { readonly kind: 'append' }
  | {
      readonly kind: 'replace'
      readonly from: number
      readonly to: number
      readonly start: number
      readonly end: number
      readonly shadowed: readonly number[]
    }

export type SurfaceViolationCode = Extract<FindingCode, `surface/${string}`>

export interface SurfaceViolation {
  readonly kind: 'violation'
  readonly code: SurfaceViolationCode
  readonly args: EvidenceOf<SurfaceViolationCode>
}

/** Where the rules look: the current order, the next seq, and the data of current `tool/result` nodes. */
export interface SurfaceState {
  readonly order: SurfaceOrder
  readonly expectedSeq: number
  readonly dialect: SurfaceDialect
  knows(type: string): boolean
  /** Type and comparable data (see {@link rewriteSubject}) of a current node. */
  nodeSubject(seq: number): RewriteSubject | undefined
}

/** What a tool/result rewrite may not change: `data` with the inner content of its result block left out. */
export interface RewriteSubject {
  readonly type: string
  readonly data: JsonValue
}

const LOG_ONLY: SurfacePlan = Object.freeze({ kind: 'log-only' })
const APPEND: SurfacePlan = Object.freeze({ kind: 'append' })

export function planSurfaceEvent(event: SessionEvent, state: SurfaceState): SurfacePlan | SurfaceViolation {
  if (event.seq !== state.expectedSeq) {
    return violation('surface/not-contiguous', { got: event.seq, expected: state.expectedSeq })
  }
  const op = event.surfaceOp as unknown
  const { dialect } = state
  if (!dialect.types.has(event.type)) {
    // The members of an event that nobody interprets mean nothing (§12.B).
    if (dialect.opaqueIgnorables && event.ignorable === true && !state.knows(event.type)) return LOG_ONLY
    if (op !== undefined) return violation('surface/op-on-log-only', { type: event.type })
    if (event.sourceEventSeqs !== undefined) {
      return violation('surface/sources-on-log-only', { type: event.type })
    }
    return LOG_ONLY
  }
  const plan = planOperation(event.type, op, state)
  if (plan.kind === 'violation') return plan
  return (
    sourcesViolation(event, plan, dialect) ??
    (event.type === 'tool/result' && plan.kind === 'replace'
      ? rewriteViolation(event, plan.shadowed, state)
      : undefined) ??
    headViolation(event, plan, state) ??
    plan
  )
}

function planOperation(type: string, op: unknown, state: SurfaceState): SurfacePlan | SurfaceViolation {
  const { order, dialect } = state
  if (op === undefined) return violation('surface/op-missing', { type })
  if (op === 'append') return APPEND
  if (!isJsonObject(op)) return violation('surface/op-invalid', { type })
  const start = op[dialect.start]
  const end = op[dialect.end]
  const isSeq = dialect.start === 'startSeq' ? isPlainCount : isCount
  if (op.op !== 'replace' || !isSeq(start) || !isSeq(end) || Object.keys(op).length !== 3) {
    return violation('surface/replace-invalid', { type })
  }
  const from = order.indexOf(start)
  if (from === -1) return violation('surface/start-not-found', { start })
  const to = order.indexOf(end)
  if (to === -1) return violation('surface/end-not-found', { end })
  if (from > to) return violation('surface/range-reversed', { start, end, startIndex: from, endIndex: to })
  const shadowed = Object.freeze(order.nodes.slice(from, to + 1))
  return Object.freeze({ kind: 'replace', from, to, start, end, shadowed })
}

function sourcesViolation(
  event: SessionEvent,
  plan: SurfacePlan,
  dialect: SurfaceDialect,
): SurfaceViolation | undefined {
  const sources = event.sourceEventSeqs as unknown
  const { embeddedStreams } = dialect
  if (sources !== undefined) {
    if (embeddedStreams && event.type === 'assistant/message')
      return violation('surface/sources-embedded', {})
    if (!Array.isArray(sources)) return violation('surface/sources-not-list', {})
    if (sources.length === 0 && (embeddedStreams || event.type !== 'assistant/message')) {
      return violation('surface/sources-empty', { type: event.type })
    }
    const isPlain = isRising(sources) && ((sources.at(-1) as number | undefined) ?? -1) < event.seq
    const violated = isPlain ? undefined : unusualSourcesViolation(sources, event.seq)
    if (violated !== undefined) return violated
  }
  if (plan.kind !== 'replace') return undefined
  const cited = new Set(sources as readonly number[] | undefined)
  const missing = plan.shadowed.filter((seq) => !cited.has(seq))
  return missing.length === 0 ? undefined : violation('surface/sources-incomplete', { missing })
}

function unusualSourcesViolation(sources: readonly unknown[], seq: number): SurfaceViolation | undefined {
  for (const source of sources) {
    if (!isCount(source))
      return violation('surface/sources-invalid', { source: (source as JsonValue) ?? null })
  }
  const cited = new Set<unknown>()
  for (const source of sources as readonly number[]) {
    if (cited.has(source)) return violation('surface/sources-repeated', { source })
    cited.add(source)
  }
  for (const source of sources as readonly number[]) {
    if (source >= seq) return violation('surface/sources-not-earlier', { source })
  }
  return undefined
}

/** A tool/result may rewrite exactly one current tool/result, and only the content of its result (§5.4). */
function rewriteViolation(
  event: SessionEvent,
  shadowed: readonly number[],
  state: SurfaceState,
): SurfaceViolation | undefined {
  if (shadowed.length !== 1) return violation('surface/rewrite-not-single', { nodes: shadowed.length })
  const target = shadowed[0] as number
  const subject = state.nodeSubject(target)
  if (subject?.type !== 'tool/result') return violation('surface/rewrite-not-result', { target })
  if (sameJson(subject.data, rewriteSubject(event).data)) return undefined
  return violation('surface/rewrite-changes-more', { target })
}

/** Node 0 may hold the system prompt, which nothing but a new system prompt may replace (§5.5). */
function headViolation(
  event: SessionEvent,
  plan: SurfacePlan,
  state: SurfaceState,
): SurfaceViolation | undefined {
  if (!state.dialect.protectedHead || plan.kind !== 'replace' || plan.from !== 0) return undefined
  const head = plan.shadowed[0] as number
  if (state.nodeSubject(head)?.type !== 'system/message') return undefined
  if (event.type === 'system/message' && plan.shadowed.length === 1) return undefined
  return violation('surface/head-protected', { head })
}

/**
 * The part of an event that a rewrite must keep: for a tool/result all of `data` but the content, which is in the
 * first block of the message in formats 0 to 3 and in the message itself in format 4. Small, because the content is
 * what makes results large.
 */
export function rewriteSubject(event: SessionEvent): RewriteSubject {
  const { type, data } = event
  if (type !== 'tool/result' || !isJsonObject(data)) return { type, data: null }
  const { message } = data
  if (!isJsonObject(message) || !Array.isArray(message.content)) return { type, data }
  if (message.role === 'tool') return { type, data: { ...data, message: { ...message, content: null } } }
  const [block] = message.content
  const content = isJsonObject(block) ? [{ ...block, content: null }] : message.content
  return { type, data: { ...data, message: { ...message, content } } }
}

function violation<Code extends SurfaceViolationCode>(code: Code, args: EvidenceOf<Code>): SurfaceViolation {
  return { kind: 'violation', code, args }
}
