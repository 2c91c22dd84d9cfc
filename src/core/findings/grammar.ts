/** Numbers and nouns that agree, for every sentence of the program. */

/** A whole number, with a comma before every three digits. Written out by hand: the tables of a locale load slowly. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

export function plural(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : nouns}`
}
