/**
 * A binary search among the indexes below `length`.
 *
 * @param isBefore - true for those that come first, false from then on.
 * @returns the first for which it is false; `length` when there is none.
 */
export function firstIndex(length: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
