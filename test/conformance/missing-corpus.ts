/** Why logs of the corpus cannot be compared; `undefined` when there are some. They are not part of the project. */
export function missingCorpus(found: number): string | undefined {
  return found > 0 ? undefined : 'RESURFACE_CORPUS names no folder with such logs'
}
