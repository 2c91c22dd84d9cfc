/** Whether the parent of a fork is in the store where the fork lies. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isInStoreOf } from '../../../src/load/inputs/parent-session.ts'
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

test.each<[parent: string, found: boolean]>([
  ['--w--/parent/session.jsonl', true],
  ['--w--/parent/session.v4.jsonl.zstd', true],
  ['--other--/parent/session.jsonl.zstd', true],
  ['_no-cwd/parent/session.jsonl', true],
  ['--w--/parent.jsonl', true],
  ['--other--/parent.jsonl.zstd', true],
  ['--w--/parent/session.lock', false],
  ['--w--/parent2/session.jsonl', false],
  ['elsewhere/parent/session.jsonl', false],
])('a store with %s: %s', async (file, found) => {
  const root = store(CHILD, file)
  expect(await isInStoreOf(join(root, CHILD), 'parent')).toBe(found)
})

test('an id that needs escapes', async () => {
  const root = store(CHILD, '--w--/a~002Fb/session.jsonl')
  expect(await isInStoreOf(join(root, CHILD), 'a/b')).toBe(true)
})

test('a log of the flat layout', async () => {
  const root = store('--w--/child.jsonl', '--v--/parent/session.jsonl')
  expect(await isInStoreOf(join(root, '--w--/child.jsonl'), 'parent')).toBe(true)
  expect(await isInStoreOf(join(root, '--w--/child.jsonl'), 'gone')).toBe(false)
})

test.each(['log.jsonl', 'child/session.jsonl', 'w/child/session.jsonl'])(
  '%s lies in no store',
  async (file) => {
    const root = store(file)
    expect(storeRootOf(join(root, file))).toBeUndefined()
    expect(await isInStoreOf(join(root, file), 'parent')).toBeUndefined()
  },
)

test('nothing is said of a store that cannot be listed, nor of a parent without a name', async () => {
  const root = store(CHILD)
  expect(await isInStoreOf(join(root, 'gone', CHILD), 'parent')).toBeUndefined()
  expect(await isInStoreOf(join(root, CHILD), '')).toBeUndefined()
  expect(await isInStoreOf(join(root, CHILD), 'x'.repeat(300))).toBeUndefined()
})

const unbound = process.getuid?.() === 0 ? 'no permissions bind root' : undefined

testUnlessMissing(unbound, 'nothing is said of a project that cannot be looked into', async () => {
  const root = store(CHILD, '--locked--/parent/session.jsonl')
  chmodSync(join(root, '--locked--'), 0o000)
  try {
    expect(await isInStoreOf(join(root, CHILD), 'parent')).toBeUndefined()
  } finally {
    chmodSync(join(root, '--locked--'), 0o700)
  }
})
