/** Numbers and nouns that agree, lists and shortened texts, for every sentence of the program. */

/** A whole number, with a comma before every three digits. Written out by hand: the tables of a locale load slowly. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

export function plural(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : nouns}`
}

/** `a, b or c`. */
export function listed(words: readonly string[], conjunction: 'and' | 'or'): string {
  return words.length <= 1
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`
}

/** @param longest - UTF-16 units that stay. */
export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
