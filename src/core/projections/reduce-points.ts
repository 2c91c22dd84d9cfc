/**
 * Fewer points of a curve that looks the same: the axis is cut into equal parts, and of each part the first and the
 * last point stay, and the lowest and highest of both curves. So no peak and no drop is lost, however short.
 */
import { record, type Schema, type Static, whole } from '../json/json-schema.ts'

const tokens: Schema<number> = { ...whole, description: 'estimated: a token for every 4 characters' }

/** What the model would be sent. */
export const SURFACE_SIZE = { nodes: whole, tokens }

/** The size of the surface after the event with this seq. */
export const SURFACE_POINT = record({ seq: whole, ...SURFACE_SIZE })

export type SurfacePoint = Static<typeof SURFACE_POINT>

const CURVES = ['nodes', 'tokens'] as const

/** Most points that stay of a part: first, last, and two of each curve. */
export const MOST_PER_PART = 2 + 2 * CURVES.length

/** @param points - by rising seq. @returns some of them, in order: at most {@link MOST_PER_PART} of each part. */
export function reducePoints(points: readonly SurfacePoint[], parts: number): readonly SurfacePoint[] {
  const [from, to] = [points[0]?.seq ?? 0, points.at(-1)?.seq ?? 0]
  const width = (to - from) / parts
  const kept: SurfacePoint[] = []
  let start = 0
  for (let part = 1; part <= parts && start < points.length; part++) {
    const limit = from + part * width
    let end = start
    while (end < points.length && (part === parts || (points[end] as SurfacePoint).seq < limit)) end++
    if (end > start) kept.push(...telling(points, start, end))
    start = end
  }
  return kept
}

/** The points that give the stretch from `start` to before `end` its shape. */
function telling(points: readonly SurfacePoint[], start: number, end: number): readonly SurfacePoint[] {
  const kept = new Set([start, end - 1])
  for (const curve of CURVES) {
    let [low, high] = [start, start]
    for (let index = start; index < end; index++) {
      const value = (points[index] as SurfacePoint)[curve]
      if (value < (points[low] as SurfacePoint)[curve]) low = index
      if (value > (points[high] as SurfacePoint)[curve]) high = index
    }
    kept.add(low).add(high)
  }
  return [...kept].toSorted((a, b) => a - b).map((index) => points[index] as SurfacePoint)
}
