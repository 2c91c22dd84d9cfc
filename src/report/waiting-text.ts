/** Messages in the inbox, in words: a resume sends them. */
import { plural } from './number-text.ts'

export function waitingText(waiting: readonly { readonly text: string }[]): string | undefined {
  const [first, ...others] = waiting
  if (first === undefined) return undefined
  const more = others.length === 0 ? '' : `, and ${plural(others.length, 'more message')}`
  return `${first.text === '' ? 'a message without text' : JSON.stringify(first.text)}${more}`
}
