/**
 * Delta debugging by complements: parts are left out, from half of the list down to single items, as long as what is
 * left still holds. From the end to the beginning, because in a log the later cites the earlier.
 */

/**
 * The items that are left, in their order. One sweep for each size of a part: anyone who wants that no single item can be
 * left out calls again until nothing changes.
 *
 * @param holds - must be true of all items, and is asked about fewer.
 */
export async function fewest<Item>(
  items: readonly Item[],
  holds: (left: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let left = items
  for (let size = items.length; size >= 1; size = Math.floor(size / 2)) {
    for (let end = left.length; end > 0; end -= size) {
      const rest = [...left.slice(0, Math.max(0, end - size)), ...left.slice(end)]
      if (rest.length < left.length && (await holds(rest))) left = rest
    }
  }
  return left
}
