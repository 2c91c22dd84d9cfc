/** All small changes inside rows, by the seq of the event. */
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { compactionPatches } from './compaction-patches.ts'
import { callIdPatches, messageIdPatches, type PatchSink } from './identity-patches.ts'
import { inboxPatches } from './inbox-patches.ts'
import type { RowPatch } from './row-patch.ts'

export type RowPatches = ReadonlyMap<number, readonly RowPatch[]>

/** @param allowUnknown - mark events of unknown types ignorable. */
export function rowPatches(allowUnknown: boolean): Reducer<RowPatches> {
  const patches = new Map<number, readonly RowPatch[]>()
  const add: PatchSink = (seq, patch) => {
    const others = (patches.get(seq) ?? []).filter(({ kind }) => kind !== patch.kind)
    patches.set(seq, [...others, patch])
  }
  let reducers: readonly Reducer<void>[] | undefined

  function start({ header, dialect }: ReplayStep): readonly Reducer<void>[] {
    const id = header?.id ?? ''
    const embedsStream = dialect.version === 2
    const compactions = dialect.relations ? [compactionPatches(add)] : []
    return [
      messageIdPatches(id, add),
      callIdPatches(id, embedsStream, add),
      inboxPatches(add),
      ...compactions,
    ]
  }

  return {
    onDeltas: ignoreDeltas,
    on(step) {
      reducers ??= start(step)
      for (const reducer of reducers) reducer.on(step)
      const { event, dialect } = step
      if (allowUnknown && !dialect.knows(event.type) && event.ignorable !== true) {
        add(event.seq, { kind: 'ignorable' })
      }
    },
    finish(end) {
      for (const reducer of reducers ?? []) reducer.finish(end)
      return patches
    },
  }
}
