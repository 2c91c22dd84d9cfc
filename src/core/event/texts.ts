/** A list of texts that grows, and is asked for one by one. */
export interface Texts {
  readonly length: number
  push(text: string): void
  /** @param index - of a text that was pushed. */
  at(index: number): string
}
