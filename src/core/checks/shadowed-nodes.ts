/** The nodes that a summary or a prune announces it will hide, against the surface as it is (format.md §7.2, §7.3). */
import { isJsonObject, type JsonValue, objectIn } from '../json/json-value.ts'
import type { SessionSurface } from '../surface/session-surface.ts'

export type ShadowedNodes =
  | { readonly kind: 'missing' }
  /** The list is not what is on the surface from start to end. */
  | { readonly kind: 'differs' }
  | { readonly kind: 'nodes'; readonly seqs: readonly number[] }

export function shadowedNodes(data: JsonValue, surface: SessionSurface): ShadowedNodes {
  const { shadowedRange: range, shadowedSeqs: seqs } = objectIn(data)
  if (!isJsonObject(range) || !Array.isArray(seqs) || seqs.length === 0) return { kind: 'missing' }
  const from = surface.indexOf(range.start as number)
  const to = surface.indexOf(range.end as number)
  const { nodes } = surface
  const fits = from !== -1 && to - from + 1 === seqs.length && seqs.every((seq, i) => seq === nodes[from + i])
  return fits ? { kind: 'nodes', seqs: seqs as readonly number[] } : { kind: 'differs' }
}
