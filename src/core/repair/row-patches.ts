/** All small changes inside rows, by the seq of the event. */
import { ignoreDeltas } from '../replay/delta-run.ts'
import { eachEvent, type Reducer, type ReplayStep } from '../replay/reducer.ts'
import { SessionInbox } from '../replay/session-inbox.ts'
import { callIdPatches, type MessageIds, messageIdPatches, type PatchSink } from './identity-patches.ts'
import type { RowPatch } from './row-patch.ts'

/** What a row with a seq is changed by. A `Map` is such a list, too. */
export interface RowPatches {
  readonly size: number
  has(seq: number): boolean
  get(seq: number): readonly RowPatch[] | undefined
  /** The seqs, in any order. */
  keys(): Iterable<number>
}

/** @param allowUnknown - mark events of unknown types ignorable. */
export function rowPatches(allowUnknown: boolean): Reducer<RowPatches> {
  const patches = new Map<number, readonly RowPatch[]>()
  const add: PatchSink = (seq, patch) => {
    const others = patches.get(seq)?.filter(({ kind }) => kind !== patch.kind) ?? []
    // A list of one has no room to spare, and there may be very many.
    patches.set(seq, others.length === 0 ? [patch] : [...others, patch])
  }
  let ids: Reducer<MessageIds> | undefined
  let reducers: readonly Reducer<void>[] = []

  function start({ header, dialect }: ReplayStep): Reducer<MessageIds> {
    const id = header?.id ?? ''
    const embedsStream = dialect.version === 2
    reducers = [callIdPatches(id, embedsStream, add), inboxPatches(add)]
    return messageIdPatches(id)
  }

  return {
    onDeltas: ignoreDeltas,
    on(step) {
      ids ??= start(step)
      ids.on(step)
      for (const reducer of reducers) reducer.on(step)
      const { event, dialect } = step
      if (allowUnknown && !dialect.knows(event.type) && event.ignorable !== true) {
        add(event.seq, { kind: 'ignorable' })
      }
    },
    finish(end) {
      for (const reducer of reducers) reducer.finish(end)
      return ids === undefined ? patches : withIds(patches, ids.finish(end))
    },
  }
}

function withIds(patches: ReadonlyMap<number, readonly RowPatch[]>, ids: MessageIds): RowPatches {
  const seqs = function* (): Iterable<number> {
    yield* ids.seqs()
    for (const seq of patches.keys()) if (!ids.has(seq)) yield seq
  }
  let size = ids.size
  for (const seq of patches.keys()) if (!ids.has(seq)) size++
  return {
    size,
    has: (seq) => patches.has(seq) || ids.has(seq),
    get(seq) {
      const id = ids.get(seq)
      return id === undefined ? patches.get(seq) : [...(patches.get(seq) ?? []), id]
    },
    keys: seqs,
  }
}

/** Splices that reach past the list they change are cut to what is there, as any splice would be. */
function inboxPatches(patch: PatchSink): Reducer<void> {
  const inbox = new SessionInbox()
  return eachEvent((step) => {
    const problem = inbox.take(step)?.problem
    if (problem?.kind === 'range' && problem.cut !== undefined)
      patch(step.event.seq, { kind: 'inbox', ...problem.cut })
  })
}
