/**
 * Packs runs of `assistant/chunk` delta events into stored rows, at random places and of any length: a reader must
 * accept packed and plain rows mixed, and runs shorter than the ones that DSH writes.
 */
import type { Row } from './draft-log.ts'
import type { Random } from './random.ts'

const MOST_PACKED = 7

const TAGS: Readonly<
  Record<string, { readonly tag: string; readonly payload: string; readonly from: string }>
> = {
  'text-delta': { tag: 'text-chunks', payload: 'texts', from: 'text' },
  'reasoning-delta': { tag: 'reasoning-chunks', payload: 'texts', from: 'text' },
  'tool-call-delta': { tag: 'tool-call-chunks', payload: 'args', from: 'argumentsDelta' },
}

/** @param share - how likely a delta event is to be packed. */
export function packRows(events: readonly Row[], share: number, random: Random): Row[] {
  const rows: Row[] = []
  for (let index = 0; index < events.length; ) {
    const length = runLength(events, index)
    if (length === 0 || !random.chance(share)) {
      rows.push(events[index] as Row)
      index++
      continue
    }
    const taken = random.whole(1, Math.min(length, MOST_PACKED))
    rows.push(packed(events.slice(index, index + taken)))
    index += taken
  }
  return rows
}

function runLength(events: readonly Row[], start: number): number {
  const wanted = runKey(events[start] as Row)
  if (wanted === undefined) return 0
  let length = 1
  while (start + length < events.length && runKey(events[start + length] as Row) === wanted) length++
  return length
}

/** What the members of one run have in common; `undefined` for an event that no run can hold. */
function runKey({ type, data }: Row): string | undefined {
  if (type !== 'assistant/chunk') return undefined
  const { turn, step, chunk } = data as { turn: number; step: number; chunk: Row }
  if (!Object.hasOwn(TAGS, chunk.type as string)) return undefined
  return JSON.stringify([turn, step, chunk.type, chunk.index, chunk.id ?? null, chunk.name ?? null])
}

function packed(run: readonly Row[]): Row {
  const chunks = run.map((event) => (event.data as { chunk: Row }).chunk)
  const times = run.map((event) => event.time as number)
  const [chunk] = chunks as [Row]
  const [first] = run as [Row]
  const { turn, step } = first.data as Row
  const { tag, payload, from } = TAGS[chunk.type as string] as (typeof TAGS)[string]
  const call = tag === 'tool-call-chunks'
  return {
    type: tag,
    seq0: first.seq,
    time0: first.time,
    data: {
      turn,
      step,
      index: chunk.index,
      dt: times.slice(1).map((time, index) => time - (times[index] as number)),
      ...(call && { id: chunk.id }),
      ...(call && chunk.name !== undefined && { name: chunk.name }),
      [payload]: chunks.map((member) => member[from]),
    },
  }
}
