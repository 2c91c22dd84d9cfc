/** The surface as it is: its nodes in model order, where each came from, and every replacement that landed. */

import { NONE, NumberColumn } from '../event/number-column.ts'
import { SeqIndex, SeqTable } from '../event/seq-index.ts'
import { advertisedCalls, messageOf, type SessionEvent, type SurfaceOp } from '../event/session-event.ts'
import { TextList } from '../event/text-list.ts'
import type { Texts } from '../event/texts.ts'
import { shortened } from '../findings/grammar.ts'
import type { Items } from '../json/items.ts'
import type { JsonObject } from '../json/json-value.ts'
import { type MadeList, madeList } from '../json/made-list.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { PlacedGap } from '../replay/gap.ts'
import type { Reducer } from '../replay/reducer.ts'
import { deriveEventMessage } from '../session/derive-messages.ts'
import { ImageOffload, withOffloadedImages } from '../surface/image-offload.ts'
import type { Replacement } from '../surface/session-surface.ts'
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
export interface SurfaceView<Nodes = readonly SurfaceNode[]> {
  readonly nodes: Nodes
  readonly replaceGeneration: number
  readonly replacements: readonly Replacement[]
  /** Where messages may be missing, in log order. */
  readonly gaps: readonly SurfaceGap[]
}

const PREVIEW_UNITS = 160
const MOST_GAPS = 1000

/** Shows the surface as it is after the last event. */
export function surfaceView(): Reducer<SurfaceView> {
  const view = surfaceOutline(new TextList())
  return {
    ...view,
    finish(end) {
      const { nodes, ...rest } = view.finish(end)
      return { nodes: [...nodes], ...rest }
    },
  }
}

/** The same, with nodes of which little is held. @param previews - takes what they say. */
export function surfaceOutline(previews: Texts): Reducer<SurfaceView<MadeList<SurfaceNode>>> {
  /** By seq, the numbers of all nodes that ever were. */
  const numbers = new SeqIndex()
  const types: string[] = []
  const typeOf = new NumberColumn()
  const startOf = new NumberColumn()
  const endOf = new NumberColumn()
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
        moveGaps(event.seq, effect.replacement.shadowed)
      }
      const { seq, type } = event
      numbers.set(seq, previews.length)
      if (!types.includes(type)) types.push(type)
      typeOf.push(types.indexOf(type))
      startOf.push(effect.kind === 'replace' ? effect.replacement.start : NONE)
      endOf.push(effect.kind === 'replace' ? effect.replacement.end : NONE)
      previews.push(previewOf(event))
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
      const { nodes } = surface
      function nodeOf(seq: number): SurfaceNode {
        const number = numbers.get(seq) as number
        const start = startOf.at(number)
        // In the words of the core, whatever the format calls the endpoints.
        const op: SurfaceOp = start === NONE ? 'append' : { op: 'replace', start, end: endOf.at(number) }
        return { seq, type: types[typeOf.at(number)] as string, op, preview: previews.at(number) }
      }
      const list = madeList(nodes, nodeOf)
      const places = new Map(
        [...following].flatMap(([after, here]) => here.map((gap) => [gap, after] as const)),
      )
      const placed = gaps.map((gap) => {
        const after = places.get(gap)
        return after === undefined ? gap : { ...gap, after }
      })
      return { nodes: list, replaceGeneration: surface.replaceGeneration, replacements, gaps: placed }
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
  const same = (message: JsonObject): JsonObject => message
  const messages = derivedMessages(same, same)
  return {
    ...messages,
    finish(end) {
      const { seqs, keptOf } = messages.finish(end)
      return seqs.map((seq) => ({ seq, message: keptOf(seq) }))
    },
  }
}

/** The same, in a list that need not hold them. */
export function keptMessages(items: Items<JsonObject>): Reducer<MadeList<SurfaceMessage>> {
  const kept = (message: JsonObject, units: number): number => {
    items.push(message, units)
    return items.length - 1
  }
  const messages = derivedMessages(kept, (index) => items.at(index))
  return {
    ...messages,
    finish(end) {
      const { seqs, keptOf } = messages.finish(end)
      return madeList(seqs, (seq) => ({ seq, message: items.at(keptOf(seq)) }))
    },
  }
}

function derivedMessages<Kept>(
  kept: (message: JsonObject, units: number) => Kept,
  messageIn: (kept: Kept) => JsonObject,
): Reducer<{ readonly seqs: readonly number[]; readonly keptOf: (seq: number) => Kept }> {
  const messages = new SeqTable<Kept>()
  const offload = new ImageOffload()
  return {
    onDeltas: ignoreDeltas,
    on({ event, effect, dialect, origin: { byteLength = 0 } }) {
      const canOffload = dialect.knows('image/offload')
      if (event.type === 'image/offload' && canOffload) {
        const plan = offload.apply(event)
        for (const { seq, imageIndexes } of plan.kind === 'offload' ? plan.targets : []) {
          const message = messages.get(seq)
          if (message !== undefined)
            messages.set(seq, kept(withOffloadedImages(messageIn(message), imageIndexes), 0))
        }
      }
      if (canOffload) offload.follow(event, effect)
      if (effect.kind === 'log-only') return
      if (effect.kind === 'replace') for (const seq of effect.replacement.shadowed) messages.delete(seq)
      const message = deriveEventMessage(event)
      if (message !== undefined) messages.set(event.seq, kept(message, byteLength))
    },
    finish({ surface }) {
      const seqs = surface.nodes.filter((seq) => messages.has(seq))
      return { seqs, keptOf: (seq) => messages.get(seq) as Kept }
    },
  }
}

function previewOf(event: SessionEvent): string {
  const message = messageOf(event)
  const text = event.type === 'tool/result' ? resultText(message) : visibleText(message)
  const calls = advertisedCalls(event).map((call) => `${call.name}(${call.arguments})`)
  const parts = [text, ...calls].filter((part) => part !== '')
  if (parts.length === 0) parts.push(reasoningText(message))
  return shortened(parts.join(' · '), PREVIEW_UNITS)
}
