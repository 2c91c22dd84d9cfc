/** Which of the known words somebody probably meant who typed another one. Pure; the words may be codes with a slash. */
import { listed } from '../findings/grammar.ts'

const MOST_WORDS = 5
/** Typing errors for every so many letters that still count as similar. */
const LETTERS_PER_ERROR = 3

/** Words that begin like it; else those that are few typing errors away; else codes of which a half is right. */
export function similarWords(typed: string, known: readonly string[]): readonly string[] {
  if (typed === '') return []
  const word = typed.toLowerCase()
  const beginning = known.filter((each) => each.toLowerCase().startsWith(word))
  const [family, name] = word.split('/')
  const halves = (code: string): boolean => {
    const [itsFamily, itsName] = code.split('/')
    return itsName !== undefined && (itsName === (name ?? family) || itsFamily === family)
  }
  const lists = [beginning, closest(word, known), known.filter(halves)]
  return (lists.find((list) => list.length > 0) ?? []).slice(0, MOST_WORDS)
}

/** `Did you mean a or b? `, or nothing. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const words = similarWords(typed, known)
  return words.length === 0 ? '' : `Did you mean ${listed(words, 'or')}? `
}

function closest(word: string, known: readonly string[]): readonly string[] {
  const most = Math.max(1, Math.floor(word.length / LETTERS_PER_ERROR))
  const near = known
    .filter((each) => Math.abs(each.length - word.length) <= most)
    .map((each) => ({ each, errors: typingErrors(word, each.toLowerCase()) }))
    .filter(({ errors }) => errors <= most)
  const fewest = Math.min(...near.map(({ errors }) => errors))
  return near.filter(({ errors }) => errors === fewest).map(({ each }) => each)
}

/** Letters to put in, take out, replace, or exchange with their neighbour. */
function typingErrors(typed: string, meant: string): number {
  let earlier: number[] = []
  let row = Array.from({ length: meant.length + 1 }, (_, index) => index)
  for (let i = 1; i <= typed.length; i++) {
    const next = [i]
    for (let j = 1; j <= meant.length; j++) {
      const isSame = typed[i - 1] === meant[j - 1]
      const replaced = (row[j - 1] as number) + (isSame ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1]
      const swapped = isSwapped ? (earlier[j - 2] as number) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1, swapped))
    }
    earlier = row
    row = next
  }
  return row[meant.length] as number
}
