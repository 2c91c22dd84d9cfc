/** All small changes inside rows, by the seq of the event. */
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import { eachEvent, type Reducer, type ReplayStep } from '../replay/reducer.ts'
import { SessionInbox } from '../replay/session-inbox.ts'
import { callIdPatches, messageIdPatches, type PatchSink } from './identity-patches.ts'
import type { RowPatch } from './row-patch.ts'

export type RowPatches = ReadonlyMap<number, readonly RowPatch[]>

/** @param allowUnknown - mark events of unknown types ignorable. */
export function rowPatches(allowUnknown: boolean): Reducer<RowPatches> {
  const patches = new Map<number, readonly RowPatch[]>()
  const add: PatchSink = (seq, patch) => {
    const others = patches.get(seq)?.filter(({ kind }) => kind !== patch.kind) ?? []
    // A list of one has no room to spare, and there may be very many.
    patches.set(seq, others.length === 0 ? [patch] : [...others, patch])
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

/** Splices that reach past the list they change are cut to what is there, as any splice would be. */
function inboxPatches(patch: PatchSink): Reducer<void> {
  const inbox = new SessionInbox()
  return eachEvent((step) => {
    const problem = inbox.take(step)?.problem
    if (problem?.kind === 'range' && problem.cut !== undefined)
      patch(step.event.seq, { kind: 'inbox', ...problem.cut })
  })
}

/**
 * What readers of format 4 want of a compaction and the log tells: the turn that it is in, and that it did not succeed
 * when it has lost its summary (format.md §7.3).
 */
function compactionPatches(patch: PatchSink): Reducer<void> {
  let hasSummary = false
  let turn: JsonValue = null
  return eachEvent(({ event, before }) => {
    const { type, data, seq } = event
    if (!isJsonObject(data)) return
    if (type === 'compaction/summary') hasSummary = true
    if (type !== 'compaction/start' && type !== 'compaction/end') return
    if (type === 'compaction/start') {
      hasSummary = false
      turn = before.turn ?? null
    } else if (data.error === undefined && !hasSummary) patch(seq, { kind: 'compaction-error' })
    if ((data.turn ?? null) !== turn) patch(seq, { kind: 'compaction-turn', turn })
  })
}
