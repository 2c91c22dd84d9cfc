/**
 * `image/offload` (formats 3 and 4) changes what the model gets of nodes that stay where they are: the named images
 * are marked `offloaded` in the derived messages (format.md §5.5, §12.I). Nodes, ids and log are untouched.
 */
import { SeqIndex } from '../event/seq-index.ts'
import { messageOf, type SessionEvent } from '../event/session-event.ts'
import { isCount, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { SurfaceEffect } from './surface-manager.ts'

interface Target {
  readonly seq: number
  readonly imageIndexes: readonly number[]
}

export type OffloadPlan =
  | { readonly kind: 'offload'; readonly targets: readonly Target[] }
  | { readonly kind: 'invalid'; readonly fault: OffloadFault }

/** What an offload is refused for, and the target and image that it is about. */
export interface OffloadFault {
  readonly problem:
    | 'no-targets'
    | 'incomplete'
    | 'named-twice'
    | 'not-on-surface'
    | 'no-images'
    | 'not-rising'
    | 'no-such-image'
    | 'offloaded'
  readonly target?: number
  readonly image?: number
}

/** Follows the images of the current nodes, so that an offload can be judged without the messages themselves. */
export class ImageOffload {
  /** By node: 1 where it can be a target, 0 where it cannot. */
  readonly #isTarget = new SeqIndex()
  /** Of targets with images: for each image block in order, whether it is offloaded. */
  readonly #images = new Map<number, boolean[]>()

  follow(event: SessionEvent, effect: SurfaceEffect): void {
    if (effect.kind === 'log-only') return
    if (effect.kind === 'replace') {
      for (const seq of effect.replacement.shadowed) {
        this.#isTarget.delete(seq)
        this.#images.delete(seq)
      }
    }
    const isTarget = event.type === 'user/message' || event.type === 'tool/result'
    this.#isTarget.set(event.seq, isTarget ? 1 : 0)
    const images = isTarget ? imagesIn(messageOf(event)) : []
    if (images.length > 0)
      this.#images.set(
        event.seq,
        images.map((image) => image.offloaded === true),
      )
  }

  /** Judges the event and, when it is sound, marks its targets. */
  apply(event: SessionEvent): OffloadPlan {
    const plan = this.#plan(event.data)
    if (plan.kind === 'offload') {
      for (const { seq, imageIndexes } of plan.targets) {
        const flags = this.#images.get(seq) as boolean[]
        for (const index of imageIndexes) flags[index] = true
      }
    }
    return plan
  }

  /** Those targets that are there, with their images in order. */
  sound(data: JsonValue): readonly Target[] {
    const list = isJsonObject(data) && Array.isArray(data.targets) ? data.targets.filter(isJsonObject) : []
    const named = new Map<number, Set<number>>()
    for (const { seq, imageIndexes } of list) {
      const flags = isCount(seq) ? this.#images.get(seq) : undefined
      if (!isCount(seq) || flags === undefined || !Array.isArray(imageIndexes)) continue
      const sound = imageIndexes.filter(isCount).filter((image) => flags[image] === false)
      if (sound.length > 0) named.set(seq, new Set([...(named.get(seq) ?? []), ...sound]))
    }
    return [...named].map(([seq, images]) => ({ seq, imageIndexes: [...images].sort((a, b) => a - b) }))
  }

  #plan(data: JsonValue): OffloadPlan {
    const list = isJsonObject(data) && Object.keys(data).length === 1 ? data.targets : undefined
    if (!Array.isArray(list) || list.length === 0) return invalid({ problem: 'no-targets' })
    const targets: Target[] = []
    for (const target of list) {
      if (!isJsonObject(target) || !isCount(target.seq) || !isNonEmptyList(target.imageIndexes)) {
        return invalid({ problem: 'incomplete' })
      }
      const { seq, imageIndexes } = target as unknown as Target
      if (targets.some((earlier) => earlier.seq === seq))
        return invalid({ problem: 'named-twice', target: seq })
      const fault = this.#targetFault(seq, imageIndexes)
      if (fault !== undefined) return invalid(fault)
      targets.push({ seq, imageIndexes })
    }
    return { kind: 'offload', targets }
  }

  #targetFault(target: number, indexes: readonly unknown[]): OffloadFault | undefined {
    const isTarget = this.#isTarget.get(target)
    if (isTarget === undefined) return { problem: 'not-on-surface', target }
    if (isTarget === 0) return { problem: 'no-images', target }
    const flags = this.#images.get(target) ?? []
    let previous = -1
    for (const image of indexes) {
      if (!isCount(image) || image <= previous) return { problem: 'not-rising', target }
      if (flags[image] === undefined) return { problem: 'no-such-image', target, image }
      if (flags[image]) return { problem: 'offloaded', target, image }
      previous = image
    }
    return undefined
  }
}

/** The message with the images at these positions marked, counted depth first. */
export function withOffloadedImages(message: JsonObject, indexes: readonly number[]): JsonObject {
  let position = -1
  const mark = (content: JsonValue | undefined): JsonValue | undefined => {
    if (!Array.isArray(content)) return content
    return content.map((block) => {
      if (!isJsonObject(block)) return block
      if (block.type === 'image') {
        position++
        return indexes.includes(position) ? { ...block, offloaded: true } : block
      }
      return Array.isArray(block.content) ? { ...block, content: mark(block.content) } : block
    })
  }
  return { ...message, content: mark(message.content) }
}

function imagesIn(message: JsonObject | undefined): JsonObject[] {
  const images: JsonObject[] = []
  const visit = (content: JsonValue | undefined): void => {
    for (const block of Array.isArray(content) ? content : []) {
      if (!isJsonObject(block)) continue
      if (block.type === 'image') images.push(block)
      else visit(block.content)
    }
  }
  visit(message?.content)
  return images
}

function isNonEmptyList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}

function invalid(fault: OffloadFault): OffloadPlan {
  return { kind: 'invalid', fault }
}
