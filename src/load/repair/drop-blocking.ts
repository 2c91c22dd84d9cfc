/**
 * The events that keep a log shut, and with them those that have no place without them: one plan after the other, until
 * one opens the log.
 */

interface Plan {
  /** Events that keep it shut, by their stored seqs. */
  readonly blocking: readonly number[]
}

export interface Dropped<Planned> {
  readonly seqs: readonly number[]
  readonly planned: Planned
}

/** More events than this are not taken out one by one. */
const MOST_DROPPED = 20
const MOST_ROUNDS = 6

export async function dropBlocking<Planned extends Plan>(
  first: Planned,
  plan: (drop: readonly number[]) => Promise<Planned>,
  isMended: (planned: Planned) => boolean,
): Promise<Dropped<Planned> | undefined> {
  const seqs = new Set<number>()
  let planned = first
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const known = seqs.size
    for (const seq of planned.blocking) seqs.add(seq)
    if (seqs.size === known || seqs.size > MOST_DROPPED) return undefined
    planned = await plan([...seqs])
    if (isMended(planned)) return { seqs: [...seqs], planned }
  }
  return undefined
}
