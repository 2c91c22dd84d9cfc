/** Whether the parent of a fork is in the store where the fork lies. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { circleOfParents, logInStoreOf } from '../../../src/load/inputs/parent-session.ts'
import { storeRootOf } from '../../../src/load/inputs/store-layout.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testUnlessMissing } from '../../support/unless-missing.ts'

function store(...files: readonly string[]): string {
  const root = tempDir()
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '')
  }
  return root
}

const CHILD = '--w--/child/session.jsonl'

test.each<[parent: string, isThere: boolean]>([
  ['--w--/parent/session.jsonl', true],
  ['--w--/parent/session.v4.jsonl.zstd', true],
  ['--other--/parent/session.jsonl.zstd', true],
  ['_no-cwd/parent/session.jsonl', true],
  ['--w--/parent.jsonl', true],
  ['--other--/parent.jsonl.zstd', true],
  ['--w--/parent/session.lock', false],
  ['--w--/parent2/session.jsonl', false],
  ['elsewhere/parent/session.jsonl', false],
])('a store with %s: %s', async (file, isThere) => {
  const root = store(CHILD, file)
  expect(await logInStoreOf(join(root, CHILD), 'parent')).toBe(isThere && join(root, file))
})

test('an id that needs escapes', async () => {
  const root = store(CHILD, '--w--/a~002Fb/session.jsonl')
  expect(await logInStoreOf(join(root, CHILD), 'a/b')).toBe(join(root, '--w--/a~002Fb/session.jsonl'))
})

test('a log of the flat layout', async () => {
  const root = store('--w--/child.jsonl', '--v--/parent/session.jsonl')
  expect(await logInStoreOf(join(root, '--w--/child.jsonl'), 'parent')).toBe(
    join(root, '--v--/parent/session.jsonl'),
  )
  expect(await logInStoreOf(join(root, '--w--/child.jsonl'), 'gone')).toBe(false)
})

test.each(['log.jsonl', 'child/session.jsonl', 'w/child/session.jsonl'])(
  '%s lies in no store',
  async (file) => {
    const root = store(file)
    expect(storeRootOf(join(root, file))).toBeUndefined()
    expect(await logInStoreOf(join(root, file), 'parent')).toBeUndefined()
  },
)

test('nothing is said of a store that cannot be listed, nor of a parent without a name', async () => {
  const root = store(CHILD)
  expect(await logInStoreOf(join(root, 'gone', CHILD), 'parent')).toBeUndefined()
  expect(await logInStoreOf(join(root, CHILD), '')).toBeUndefined()
  expect(await logInStoreOf(join(root, CHILD), 'x'.repeat(300))).toBeUndefined()
})

const unbound = process.getuid?.() === 0 ? 'no permissions bind root' : undefined

testUnlessMissing(unbound, 'nothing is said of a project that cannot be looked into', async () => {
  const root = store(CHILD, '--locked--/parent/session.jsonl')
  chmodSync(join(root, '--locked--'), 0o000)
  try {
    expect(await logInStoreOf(join(root, CHILD), 'parent')).toBeUndefined()
  } finally {
    chmodSync(join(root, '--locked--'), 0o700)
  }
})

test('of several generations the newest', async () => {
  const folder = '--w--/parent'
  const root = store(
    CHILD,
    `${folder}/session.jsonl`,
    `${folder}/session.v10.jsonl`,
    `${folder}/session.v4.jsonl`,
  )
  expect(await logInStoreOf(join(root, CHILD), 'parent')).toBe(join(root, folder, 'session.v10.jsonl'))
})

test.each<[parents: Record<string, string>, circle: readonly string[] | undefined]>([
  [{ a: 'a' }, ['a', 'a']],
  [{ a: 'b', b: 'a' }, ['a', 'b', 'a']],
  [{ a: 'b', b: 'c', c: 'b' }, ['b', 'c', 'b']],
  [{ a: 'b', b: 'c' }, undefined],
  [{ a: 'constructor' }, undefined],
  [
    Object.fromEntries(Array.from({ length: 500 }, (_, n) => [n === 0 ? 'a' : `${n}`, `${n + 1}`])),
    undefined,
  ],
])('a circle of parents (%#)', async (parents, circle) => {
  const parentOf = (id: string) => (Object.hasOwn(parents, id) ? parents[id] : undefined)
  expect(await circleOfParents('a', parents.a as string, parentOf)).toEqual(circle)
})
