/** The surface as it is: its nodes in model order, where each came from, and every replacement that landed. */

import { SeqMap } from '../event/seq-map.ts'
import { advertisedCalls, messageOf, type SessionEvent, type SurfaceOp } from '../event/session-event.ts'
import { shortened } from '../findings/grammar.ts'
import type { JsonObject } from '../json/json-value.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { PlacedGap } from '../replay/gap.ts'
import type { Reducer } from '../replay/reducer.ts'
import { deriveEventMessage } from '../session/derive-messages.ts'
import { ImageOffload, withOffloadedImages } from '../surface/image-offload.ts'
import type { Replacement } from '../surface/session-surface.ts'
import type { SurfaceEffect } from '../surface/surface-manager.ts'
import { reasoningText, resultText, visibleText } from './message-text.ts'

/** An event on the surface. */
export interface SurfaceNode {
  readonly seq: number
  readonly type: string
  readonly op: SurfaceOp
  /** The beginning of what the node says. */
  readonly preview: string
}

/** A gap, and the node that it comes after; none when it lies before the first one. */
export type SurfaceGap = PlacedGap & { readonly after?: number }

/** The surface in the order of its messages, and how it came about (format.md §5). */
export interface SurfaceView {
  readonly nodes: readonly SurfaceNode[]
  readonly replaceGeneration: number
  readonly replacements: readonly Replacement[]
  /** Where messages may be missing, in log order. */
  readonly gaps: readonly SurfaceGap[]
}

const PREVIEW_UNITS = 160
const MOST_GAPS = 1000

/** Shows the surface as it is after the last event. */
export function surfaceView(): Reducer<SurfaceView> {
  const nodes = new Map<number, SurfaceNode>()
  const replacements: Replacement[] = []
  const gaps: PlacedGap[] = []
  /** The gaps by the node that they come after. */
  const following = new Map<number, PlacedGap[]>()
  /** A gap among messages that were replaced comes after what replaced them. */
  function moveGaps(seq: number, shadowed: readonly number[]): void {
    const moved = following.size === 0 ? [] : shadowed.flatMap((node) => following.get(node) ?? [])
    if (moved.length === 0) return
    for (const node of shadowed) following.delete(node)
    following.set(seq, moved)
  }
  return {
    onDeltas: ignoreDeltas,
    on({ event, effect }) {
      if (effect.kind === 'log-only') return
      if (effect.kind === 'replace') {
        replacements.push(effect.replacement)
        for (const seq of effect.replacement.shadowed) nodes.delete(seq)
        moveGaps(event.seq, effect.replacement.shadowed)
      }
      const { seq, type } = event
      nodes.set(seq, { seq, type, op: operationOf(effect), preview: previewOf(event) })
    },
    onGap(gap, { surface }) {
      if (gaps.length === MOST_GAPS) return
      gaps.push(gap)
      const last = surface.at(-1)
      if (last === undefined) return
      const here = following.get(last)
      if (here === undefined) following.set(last, [gap])
      else here.push(gap)
    },
    finish({ surface }) {
      const ordered = surface.nodes.map((seq) => nodes.get(seq) as SurfaceNode)
      const places = new Map(
        [...following].flatMap(([after, here]) => here.map((gap) => [gap, after] as const)),
      )
      const placed = gaps.map((gap) => {
        const after = places.get(gap)
        return after === undefined ? gap : { ...gap, after }
      })
      return { nodes: ordered, replaceGeneration: surface.replaceGeneration, replacements, gaps: placed }
    },
  }
}

/** A message for the model, and the event that it comes from. */
export interface SurfaceMessage {
  readonly seq: number
  readonly message: JsonObject
}

/** The messages that DSH derives for the model, in surface order. */
export function surfaceMessages(): Reducer<readonly SurfaceMessage[]> {
  const messages = derivedMessages<JsonObject>(
    (message) => message,
    (message) => message,
  )
  return { ...messages, finish: (end) => [...messages.finish(end)] }
}

/** The same as texts, which take a fraction of the room. @param written - gives JSON that can be read back. */
export function surfaceTexts(written: (message: JsonObject) => string): Reducer<Iterable<string>> {
  const texts = derivedMessages(written, (text) => JSON.parse(text) as JsonObject)
  return {
    ...texts,
    *finish(end) {
      for (const { message } of texts.finish(end)) yield message
    },
  }
}

function derivedMessages<Kept>(
  kept: (message: JsonObject) => Kept,
  messageIn: (kept: Kept) => JsonObject,
): Reducer<Iterable<{ readonly seq: number; readonly message: Kept }>> {
  const messages = new SeqMap<Kept>()
  const offload = new ImageOffload()
  return {
    onDeltas: ignoreDeltas,
    on({ event, effect, dialect }) {
      const canOffload = dialect.knows('image/offload')
      if (event.type === 'image/offload' && canOffload) {
        const plan = offload.apply(event)
        for (const { seq, imageIndexes } of plan.kind === 'offload' ? plan.targets : []) {
          const message = messages.get(seq)
          if (message !== undefined)
            messages.set(seq, kept(withOffloadedImages(messageIn(message), imageIndexes)))
        }
      }
      if (canOffload) offload.follow(event, effect)
      if (effect.kind === 'log-only') return
      if (effect.kind === 'replace') for (const seq of effect.replacement.shadowed) messages.delete(seq)
      const message = deriveEventMessage(event)
      if (message !== undefined) messages.set(event.seq, kept(message))
    },
    *finish({ surface }) {
      for (const seq of surface.nodes) {
        const message = messages.get(seq)
        if (message !== undefined) yield { seq, message }
      }
    },
  }
}

/** The operation in the words of the core, whatever the format calls its endpoints. */
function operationOf(effect: SurfaceEffect): SurfaceOp {
  if (effect.kind !== 'replace') return 'append'
  const { start, end } = effect.replacement
  return { op: 'replace', start, end }
}

function previewOf(event: SessionEvent): string {
  const message = messageOf(event)
  const text = event.type === 'tool/result' ? resultText(message) : visibleText(message)
  const calls = advertisedCalls(event).map((call) => `${call.name}(${call.arguments})`)
  const parts = [text, ...calls].filter((part) => part !== '')
  if (parts.length === 0) parts.push(reasoningText(message))
  return shortened(parts.join(' · '), PREVIEW_UNITS)
}
