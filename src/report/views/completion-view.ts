/** A script for a shell, or the words that may come next: a line each, with what it means behind two spaces. */
import { dataOf, type View } from './view.ts'

export type CompletionData =
  | { readonly script: string }
  | {
      readonly words: readonly { readonly word: string; readonly meaning: string }[]
      readonly files: boolean
    }

export const completionView: View = {
  *sections(report) {
    const data = dataOf<CompletionData>(report)
    if ('script' in data) {
      yield { kind: 'code', text: data.script }
      return
    }
    const lines = data.words.map(({ word, meaning }) => (meaning === '' ? word : `${word}  ${meaning}`))
    if (data.files) lines.push(':files')
    if (lines.length > 0) yield { kind: 'code', text: lines.join('\n') }
  },
}
