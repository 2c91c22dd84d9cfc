/**
 * How much of a long sweep runs. `npm test` takes an even part of it and `npm run test:full` takes all of it, with the
 * same assertions. A test that says something only as a whole is in a file of its own, `*.full.test.ts`, which
 * `npm test` leaves out.
 */
export const isFull = process.env.RESURFACE_TESTS === 'full'

/** The number of random inputs for a property: `full`, or one in `share` of them. */
export function runs(full: number, share = 5): number {
  return isFull ? full : Math.ceil(full / share)
}

/** All the items, or one in `share` of them from the first one on. */
export function part<Item>(items: readonly Item[], share = 5): readonly Item[] {
  return isFull ? items : items.filter((_, index) => index % share === 0)
}

/** The distance between two places of a sweep: `full`, or `share` times as far. A prime share meets every bit of a byte. */
export function stride(full: number, share = 7): number {
  return isFull ? full : full * share
}
