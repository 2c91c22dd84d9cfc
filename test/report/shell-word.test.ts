/** Paths in suggested commands: a real shell reads back what was meant, and nothing acts. */
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shellWord } from '../../src/report/shell-word.ts'

test.each([
  ['session.jsonl', 'session.jsonl'],
  ['~/.dsh/sessions/--w--/s', '~/.dsh/sessions/--w--/s'],
  ['store.db#session-1', 'store.db#session-1'],
  ['-', '-'],
  ['--help', './--help'],
  ['a b', "'a b'"],
  ["it's", String.raw`'it'\''s'`],
  ['inj.db#x;touch PWN;', "'inj.db#x;touch PWN;'"],
  ['$(id)', "'$(id)'"],
])('%s: %s', (path, word) => {
  expect(shellWord(path)).toBe(word)
})

test('a shell makes one word of it', () => {
  const path = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'a\'"$`;&|* ~#-\\()é') })
  fc.assert(
    fc.property(path, (name) => {
      fc.pre(name !== '-' && !name.startsWith('~') && !name.startsWith('#'))
      const said = execFileSync('sh', ['-c', `printf %s ${shellWord(name)}`], { encoding: 'utf8' })
      expect(said).toBe(name.startsWith('-') ? `./${name}` : name)
    }),
    { numRuns: 100 },
  )
})
