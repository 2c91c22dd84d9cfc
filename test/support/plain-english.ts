/** Words that nobody would say aloud, holes in sentences, and numbers and articles that do not agree. */
const FAULTS: readonly RegExp[] = [
  /\b(?:(?<!left )behind|beside|whoever|(?<!A bar )stands?(?! for)|stood(?! here)|liv(?:es|ed) on|moves? up|told apart)\b/i,
  /\b(?:without a word|in words|to its end|occurs twice in|be it|mends it on resume|not for this reader|as many as pay)\b/i,
  /\b(?:what it was|is no place|what follows from it|Judgement|turns bad)\b/,
  /\bundefined\b|\bNaN\b|\[object |\$\{/,
  /(?<![\w.,:#/-]|turn |step )1 (?!is\b|was\b|has\b|this\b|as\b)[a-z]+(?<![su])s\b/,
  /(?<![\w'"/-]|call |child |message )a [aeio][a-z]+\b|(?<![\w'"/-])an [^aeiouAEIOU\W\d]\w+\b/,
]

/** What is wrong with the words of a text. */
export function faultsIn(text: string): readonly string[] {
  return FAULTS.flatMap((fault) => {
    const found = fault.exec(text)
    if (found === null) return []
    const from = Math.max(0, found.index - 40)
    return [text.slice(from, found.index + 60).replaceAll('\n', ' ')]
  })
}
