/** Numbers for people. */
import { grouped, plural } from '../core/findings/grammar.ts'

export { grouped, plural }

/** Millions of bytes, to one decimal. */
export function megabytes(bytes: number): string {
  const [whole, decimal] = (bytes / 1e6).toFixed(1).split('.')
  return `${grouped(Number(whole))}.${decimal}`
}

/** `the last 5,000 of 5,007 turns` */
export function lastOf(shown: number, all: number, noun: string): string {
  return shown === all ? plural(all, noun) : `the last ${grouped(shown)} of ${plural(all, noun)}`
}
