import { expect, test } from 'vitest'
import { RULES } from '../../../src/core/findings/rules.ts'
import { didYouMean, similarWords } from '../../../src/core/search/similar-words.ts'

const CODES = Object.keys(RULES)

test.each([
  ['chekc', ['check', 'classify', 'convert'], ['check']],
  ['CHECK', ['check'], ['check']],
  ['sur', ['surface', 'find'], ['surface']],
  ['baselin', ['failOn', 'rules', 'baseline'], ['baseline']],
  ['fail-on', ['failOn', 'rules', 'baseline'], ['failOn']],
  ['jsn', ['json', 'ndjson', 'junit'], ['json']],
  ['turn/opne', CODES, ['turn/open']],
  ['pairs/result-missing', CODES, ['pair/result-missing']],
  ['result-missing', CODES, ['pair/result-missing']],
  ['xyzzy', CODES, []],
  ['', CODES, []],
])('%s', (typed, known, expected) => {
  expect(similarWords(typed, known)).toEqual(expected)
})

test('in words', () => {
  expect(didYouMean('chekc', ['check', 'find'])).toBe('Did you mean check? ')
  expect(didYouMean('order/', CODES)).toMatch(/^Did you mean order\/[^?]+, order\/\S+ or order\/\S+\? $/)
  expect(didYouMean('nothing like it', ['check'])).toBe('')
})
