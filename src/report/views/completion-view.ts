/** A script for a shell, or the words that may come next: a line each, with what it means after two spaces. */
import type { View } from './view.ts'

export const completionView: View<'completion'> = {
  *sections(report) {
    const { script, words = [], files } = report.data
    if (script !== undefined) {
      yield { kind: 'code', text: script }
      return
    }
    const lines = words.map(({ word, meaning }) => (meaning === '' ? word : `${word}  ${meaning}`))
    if (files === true) lines.push(':files')
    if (lines.length > 0) yield { kind: 'code', text: lines.join('\n') }
  },
}
