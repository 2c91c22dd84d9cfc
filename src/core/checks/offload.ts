/** Image offloads that name something that is not there (format.md §12.I). */
import { SURFACE_TYPES } from '../event-types/vocabulary.ts'
import type { FindingSink } from '../findings/finding.ts'
import type { JsonObject } from '../json/json-value.ts'
import { eachEvent, type Reducer } from '../replay/reducer.ts'
import { ImageOffload } from '../surface/image-offload.ts'
import { raiseInto } from './raise.ts'

const TYPES: ReadonlySet<string> = new Set([...SURFACE_TYPES, 'image/offload'])

export function offloadChecks(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  const offload = new ImageOffload()
  return eachEvent((step) => {
    const { event, effect, dialect } = step
    if (!dialect.knows('image/offload')) return
    if (event.type !== 'image/offload') {
      offload.follow(event, effect)
      return
    }
    const plan = offload.apply(event)
    if (plan.kind === 'offload') return
    const data = { targets: offload.sound(event.data) } as unknown as JsonObject
    const isSound = offload.apply({ ...event, data }).kind === 'offload'
    const told = isSound ? [{ at: ['data'], value: data }] : undefined
    raise(step, 'surface/offload-invalid', { ...plan.fault }, undefined, told)
  }, TYPES)
}
