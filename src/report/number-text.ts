/** Numbers for people. Written out by hand, because the tables of a locale take longer to load than a small log. */

/** A whole number, with a comma before every three digits. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Millions of bytes, to one decimal. */
export function megabytes(bytes: number): string {
  const [whole, decimal] = (bytes / 1e6).toFixed(1).split('.')
  return `${grouped(Number(whole))}.${decimal}`
}

export function plural(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : nouns}`
}

/** `the last 5,000 of 5,007 turns` */
export function lastOf(shown: number, all: number, noun: string): string {
  return shown === all ? plural(all, noun) : `the last ${grouped(shown)} of ${plural(all, noun)}`
}
