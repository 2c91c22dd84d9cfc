/**
 * How the surface came to be what it is: its size after every event that changed it, and every replacement with what it
 * hid. Bounded, because a log may change its surface a million times: the curve is thinned out, of the replacements the
 * last ones stay.
 */
import { blocksOf, messageOf, type SessionEvent } from '../event/session-event.ts'
import { flag, listOf, mapOf, record, type Static, text, whole } from '../json/json-schema.ts'
import { objectIn } from '../json/json-value.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'
import { isCompactCheckpoint } from '../surface/surface-predicates.ts'
import { CompactionSummaries } from './compaction-summaries.ts'
import { LastItems } from './last-items.ts'
import { reasoningText, resultText, visibleText } from './message-text.ts'
import {
  MOST_PER_PART,
  reducePoints,
  SURFACE_POINT,
  SURFACE_SIZE,
  type SurfacePoint,
} from './reduce-points.ts'
import { beginningOf } from './shorten-entry.ts'

const size = record(SURFACE_SIZE)

const surfaceStep = record(
  {
    seq: whole,
    /** Whether it is the checkpoint of a compaction. */
    compaction: flag,
    /** Nodes that it took off the surface, in all and by type of event. */
    hidden: whole,
    hiddenTypes: mapOf(whole),
    /** The lowest and the highest seq among them. */
    first: whole,
    last: whole,
    before: size,
    after: size,
  },
  /** What the compaction made of them, when the log holds it; cut after {@link MOST_SUMMARY} characters. */
  { summary: text },
)

export const SURFACE_GROWTH = record({
  /** By rising seq; thinned out when there are many. */
  points: listOf(SURFACE_POINT),
  /** The last ones, at most {@link MOST_STEPS} compactions and as many others, in log order. */
  replacements: listOf(surfaceStep),
  /** How many replacements are not among them. */
  leftOut: whole,
})

export type SurfaceStep = Static<typeof surfaceStep>
export type SurfaceGrowth = Static<typeof SURFACE_GROWTH>

/** Characters that are taken for one token. */
const UNITS_PER_TOKEN = 4
export const MOST_STEPS = 500
export const MOST_SUMMARY = 4000

const MOST_POINTS = 360
/** Points that are collected before the curve is thinned out on the way. */
const MOST_HELD = 4096
const MOST_OPEN_SUMMARIES = 100

export function surfaceGrowth(): Reducer<SurfaceGrowth> {
  const nodes = new Map<number, { readonly type: string; readonly units: number }>()
  let units = 0
  let points: SurfacePoint[] = []
  const compactions = new LastItems<SurfaceStep>(MOST_STEPS)
  const others = new LastItems<SurfaceStep>(MOST_STEPS)
  const summaries = new CompactionSummaries()
  /** Texts of the summaries that no checkpoint has claimed, oldest first. */
  const texts = new Map<number, string>()

  const sizeNow = () => ({ nodes: nodes.size, tokens: Math.ceil(units / UNITS_PER_TOKEN) })

  function remember(event: SessionEvent): void {
    summaries.note(event)
    const content = objectIn(event.data).summary
    texts.set(event.seq, beginningOf(visibleText({ content: content ?? [] }), MOST_SUMMARY))
    const [oldest] = texts.keys()
    if (texts.size > MOST_OPEN_SUMMARIES && oldest !== undefined) texts.delete(oldest)
  }

  function summaryOf(checkpoint: SessionEvent): string | undefined {
    const seq = summaries.claim(checkpoint)?.seq
    if (seq === undefined) return undefined
    const text = texts.get(seq)
    texts.delete(seq)
    return text
  }

  /** Takes nodes off, and says which. */
  function hide(shadowed: readonly number[]): Pick<SurfaceStep, 'hiddenTypes' | 'first' | 'last'> {
    const types = new Map<string, number>()
    let [first, last] = [Number.POSITIVE_INFINITY, 0]
    for (const seq of shadowed) {
      const node = nodes.get(seq)
      units -= node?.units ?? 0
      nodes.delete(seq)
      if (node !== undefined) types.set(node.type, (types.get(node.type) ?? 0) + 1)
      first = Math.min(first, seq)
      last = Math.max(last, seq)
    }
    return { hiddenTypes: Object.fromEntries(types), first, last }
  }

  return {
    onDeltas: ignoreDeltas,
    on({ event, effect }) {
      if (event.type === 'compaction/summary') remember(event)
      if (effect.kind === 'log-only') return
      const { seq, type } = event
      const before = sizeNow()
      const hidden = effect.kind === 'replace' ? hide(effect.replacement.shadowed) : undefined
      const added = unitsOf(event)
      nodes.set(seq, { type, units: added })
      units += added
      const after = sizeNow()
      points.push({ seq, ...after })
      if (points.length > MOST_HELD) points = [...reducePoints(points, MOST_POINTS)]
      if (effect.kind !== 'replace' || hidden === undefined) return
      const compaction = isCompactCheckpoint(event)
      const summary = compaction ? summaryOf(event) : undefined
      const step: SurfaceStep = {
        seq,
        compaction,
        hidden: effect.replacement.shadowed.length,
        ...hidden,
        before,
        after,
        ...(summary !== undefined && { summary }),
      }
      if (compaction) compactions.push(step)
      else others.push(step)
    },
    finish() {
      const replacements = [...compactions.items(), ...others.items()].toSorted((a, b) => a.seq - b.seq)
      const shown = points.length <= MOST_POINTS ? points : reducePoints(points, MOST_POINTS / MOST_PER_PART)
      return { points: shown, replacements, leftOut: compactions.leftOut + others.leftOut }
    },
  }
}

/** Characters of a node that a model reads, in UTF-16 units; pictures and files are not estimated. */
function unitsOf(event: SessionEvent): number {
  const message = messageOf(event)
  if (event.type === 'tool/result') return resultText(message).length
  let units = visibleText(message).length + reasoningText(message).length
  for (const { type, name, arguments: text } of blocksOf(message)) {
    if (type !== 'tool-call') continue
    if (typeof name === 'string') units += name.length
    if (typeof text === 'string') units += text.length
  }
  return units
}
