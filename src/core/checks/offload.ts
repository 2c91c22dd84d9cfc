/** Image offloads that name something that is not there (format.md §12.I). */
import type { FindingSink } from '../findings/finding.ts'
import { eachEvent, type Reducer } from '../replay/reducer.ts'
import { ImageOffload } from '../surface/image-offload.ts'

export function offloadChecks(report: FindingSink): Reducer<void> {
  const offload = new ImageOffload()
  return eachEvent(({ event, origin, effect, dialect }) => {
    if (!dialect.knows('image/offload')) return
    if (event.type !== 'image/offload') {
      offload.follow(event, effect)
      return
    }
    const plan = offload.apply(event)
    if (plan.kind === 'offload') return
    report({ code: 'surface/offload-invalid', origin, seq: event.seq, args: { ...plan.fault } })
  })
}
