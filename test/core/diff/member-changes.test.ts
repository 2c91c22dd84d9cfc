/** Which members differ: paths, both values, lines; nothing left out in silence. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineChanges } from '../../../src/core/diff/line-changes.ts'
import { type MemberChange, memberChanges } from '../../../src/core/diff/member-changes.ts'
import { sameJson } from '../../../src/core/json/json-value.ts'

test.each<[a: object, b: object, members: MemberChange[]]>([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, [{ path: 'a', a: '1', b: '2' }]],
  [{ a: '1' }, { a: 1 }, [{ path: 'a', a: '"1"', b: '1' }]],
  [{ a: 0 }, { a: -0 }, [{ path: 'a', a: '0', b: '-0' }]],
  [{ a: [0] }, { a: [-0] }, [{ path: 'a', a: '[0]', b: '[-0]' }]],
  [{ a: null }, {}, [{ path: 'a', a: 'null' }]],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
  [
    { d: { m: [{ t: 'x' }, { t: 'y' }] } },
    { d: { m: [{ t: 'x' }, { t: 'z' }] } },
    [{ path: 'd.m[1].t', a: '"y"', b: '"z"' }],
  ],
  [{ m: [{ t: 1 }] }, { m: [{ t: 1 }, { t: 2 }] }, [{ path: 'm[1]', b: '{"t":2}' }]],
  [{ seqs: [1, 2, 3] }, { seqs: [1, 3] }, [{ path: 'seqs', a: '[1,2,3]', b: '[1,3]' }]],
  [
    { 'a b': 1, '': 2 },
    {},
    [
      { path: '["a b"]', a: '1' },
      { path: '[""]', a: '2' },
    ],
  ],
  [{ a: {} }, { a: [] }, [{ path: 'a', a: '{}', b: '[]' }]],
  [JSON.parse('{"__proto__":1}'), {}, [{ path: '__proto__', a: '1' }]],
  [{ toString: 1 }, {}, [{ path: 'toString', a: '1' }]],
  [{ a: 'one\ntwo' }, { a: 'one\n2' }, [{ path: 'a', lines: ['@@ -1,2 +1,2 @@', ' one', '-two', '+2'] }]],
])('%j → %j', (a, b, members) => {
  expect(memberChanges(a, b)).toEqual({ members, isCut: false })
})

test('nothing exactly when nothing differs', () => {
  const object = fc.dictionary(
    fc.string({ maxLength: 3 }),
    fc.jsonValue({ maxDepth: 3, noUnicodeString: false }),
  )
  fc.assert(
    fc.property(object, object, (a, b) => {
      expect(memberChanges(a, structuredClone(a)).members).toEqual([])
      const isSame = sameJson(a, b) && JSON.stringify(a).includes('-0') === JSON.stringify(b).includes('-0')
      if (!isSame) expect(memberChanges(a, b).members.length).toBeGreaterThan(0)
    }),
  )
})

test('a long value is cut around the place where it differs', () => {
  const [before, after] = ['x'.repeat(5000), 'y'.repeat(5000)]
  const [member] = memberChanges({ a: `${before}1${after}` }, { a: `${before}2${after}` }).members
  expect(member?.a).toMatch(/^…x{30}1y+…$/)
  expect(member?.b).toMatch(/^…x{30}2y+…$/)
  expect(member?.a?.length).toBeLessThan(130)
})

test('more than twenty members are said to be more', () => {
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`m${index}`, index]))
  expect(memberChanges(many, {}).isCut).toBe(true)
  expect(memberChanges(many, {}).members).toHaveLength(20)
  expect(memberChanges({ ...many, m20: undefined }, {}).isCut).toBe(false)
})

test('a value that nests without end is one value', () => {
  const deep = (leaf: number): object => JSON.parse(`${'{"a":'.repeat(20_000)}${leaf}${'}'.repeat(20_000)}`)
  const { members } = memberChanges(deep(1), deep(2))
  expect(members).toHaveLength(1)
  expect(members[0]?.path.length).toBeLessThan(100)
  expect(members[0]?.a).toMatch(/1}/)
  expect(members[0]?.b).toMatch(/2}/)
})

describe('lines', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '-x', '+y', '@@ z', ' w'), { maxLength: 30 })

  test('are a patch: from the first text they make the second', () => {
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const diff = lineChanges(a.join('\n'), b.join('\n'), 1000, 100)
        expect(diff.hidden).toBeUndefined()
        expect(patched(a.join('\n'), diff.lines)).toBe(b.join('\n'))
      }),
    )
  })

  test('have three lines of context, and one hunk for what is near', () => {
    const a = [...'abcdefghijklmnopqrstuvwxyz']
    const b = a.map((line) => (['e', 'l', 'z'].includes(line) ? line.toUpperCase() : line))
    expect(lineChanges(a.join('\n'), b.join('\n'), 100, 100).lines).toEqual([
      '@@ -2,14 +2,14 @@',
      ...[' b', ' c', ' d', '-e', '+E', ' f', ' g', ' h', ' i', ' j', ' k', '-l', '+L', ' m', ' n', ' o'],
      '@@ -23,4 +23,4 @@',
      ...[' w', ' x', ' y', '-z', '+Z'],
    ])
  })

  test('are bounded in number and length', () => {
    const diff = lineChanges('', Array.from({ length: 100 }, () => 'x'.repeat(1000)).join('\n'), 10, 50)
    expect(diff.lines).toHaveLength(10)
    expect(diff.hidden).toBe(92)
    expect(diff.lines[3]).toBe(`+${'x'.repeat(49)}…`)
  })
})

/** Applies a unified diff, strictly. */
function patched(text: string, diff: readonly string[]): string {
  const source = text.split('\n')
  const result: string[] = []
  let at = 0
  let [wantA, wantB] = [0, 0]
  for (const line of diff) {
    const head = wantA + wantB === 0 ? /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(line) : null
    if (head !== null) {
      const [startA = 0, countA = 0, startB = 0, countB = 0] = head.slice(1).map(Number)
      for (const end = countA === 0 ? startA : startA - 1; at < end; at++) result.push(source[at] as string)
      expect(result.length).toBe(countB === 0 ? startB : startB - 1)
      wantA = countA
      wantB = countB
      continue
    }
    if (line[0] !== '+') {
      expect(source[at]).toBe(line.slice(1))
      at++
      wantA--
    }
    if (line[0] !== '-') {
      result.push(line.slice(1))
      wantB--
    }
  }
  expect([wantA, wantB]).toEqual([0, 0])
  return [...result, ...source.slice(at)].join('\n')
}
