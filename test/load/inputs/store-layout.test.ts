/** The names that DSH gives to directories and generations (format.md §1.2, §1.3). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SessionHeader } from '../../../src/core/event/session-event.ts'
import {
  decodeSegment,
  encodeSegment,
  expectedLocation,
  generationOf,
  isLeftover,
  isProjectDirectory,
  projectKey,
} from '../../../src/load/inputs/store-layout.ts'

describe('a session id as a directory name', () => {
  test.each([
    ['session-1', 'session-1'],
    ['A.b_c-9', 'A.b_c-9'],
    ['a b', 'a~0020b'],
    ['a/b', 'a~002Fb'],
    ['a~b', 'a~007Eb'],
    ['~0041', '~007E0041'],
    ['ü', '~00FC'],
    ['🚀', '~D83D~DE80'],
    ['\ud83d', '~D83D'],
    ['\u0000', '~0000'],
    ['.', '~002E'],
    ['..', '~002E~002E'],
    ['...', '...'],
    ['.hidden', '.hidden'],
  ])('%j is %s', (id, name) => {
    expect(encodeSegment(id)).toBe(name)
    expect(decodeSegment(name)).toBe(id)
  })

  test('can always be read back, and never leaves its folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (id) => {
        const name = encodeSegment(id)
        expect(decodeSegment(name)).toBe(id)
        expect(name).toMatch(/^[A-Za-z0-9._~-]+$/)
        expect(['.', '..']).not.toContain(name)
      }),
    )
  })
})

describe('a working directory as a project directory', () => {
  test.each([
    ['/workspace/demo', '--workspace-demo--'],
    ['/', '--root--'],
    ['///', '--root--'],
    ['/w', '--w--'],
    ['C:\\Users\\me', '--C-Users-me--'],
    ['\\\\host\\share', '--host-share--'],
    ['/a//b', '--a-b--'],
    ['/a/', '--a---'],
    ['/-a', '--a--'],
    ['/größe', '--gr~00F6~00DFe--'],
    ['/a b', '--a~0020b--'],
    ['/a~b', '--a~007Eb--'],
    ['/.', '--.--'],
  ])('%s is %s', (cwd, name) => {
    expect(projectKey(cwd)).toBe(name)
    expect(isProjectDirectory(name)).toBe(true)
  })

  test('is cut to 251 characters inside its dashes', () => {
    expect(projectKey(`/${'a'.repeat(251)}`)).toBe(`--${'a'.repeat(251)}--`)
    expect(projectKey(`/${'a'.repeat(252)}`)).toBe(`--${'a'.repeat(251)}--`)
    expect(projectKey(`/${'a'.repeat(249)}ü`)).toBe(`--${'a'.repeat(249)}~0--`)
  })
})

test.each([
  ['session.jsonl', { version: 0, compressed: false }],
  ['session.jsonl.zstd', { version: 0, compressed: true }],
  ['session.v1.jsonl', { version: 1, compressed: false }],
  ['session.v4.jsonl.zstd', { version: 4, compressed: true }],
  ['session.v12.jsonl', { version: 12, compressed: false }],
  ['session.v0.jsonl', undefined],
  ['session.v04.jsonl', undefined],
  ['session.V4.jsonl', undefined],
  ['Session.jsonl', undefined],
  ['session.jsonl.gz', undefined],
  ['session.jsonl.zst', undefined],
  ['session.v4.jsonl.0123456789ab.tmp', undefined],
  ['my-session.jsonl', undefined],
])('%s as a generation', (name, generation) => {
  expect(generationOf(name)).toEqual(generation)
})

test.each([
  ['session.jsonl.0123456789ab.tmp', true],
  ['session.v4.jsonl.zstd.abcdefabcdef.tmp', true],
  ['session.jsonl.0123456789AB.tmp', false],
  ['session.jsonl.0123456789a.tmp', false],
  ['session.tmp', false],
])('%s as a leftover: %s', (name, leftover) => {
  expect(isLeftover(name)).toBe(leftover)
})

test.each([
  ['_no-cwd', true],
  ['--w--', true],
  ['----', false],
  ['-w-', false],
  ['w', false],
])('%s as a project directory: %s', (name, project) => {
  expect(isProjectDirectory(name)).toBe(project)
})

describe('the place of a log', () => {
  const header: SessionHeader = { type: 'session', version: 0, id: 'a/b', createdAt: 1, cwd: '/w x' }

  test('follows from id and working directory', () => {
    const place = expectedLocation('/store/--w--/other/session.jsonl', header)
    expect(place).toEqual({ expected: '--w~0020x--/a~002Fb', found: '--w--/other' })
  })

  test.each([
    ['/somewhere/session.jsonl', header],
    ['/store/--w--/other/notes.jsonl', header],
    ['/store/--w--/other/session.jsonl', { ...header, id: '' }],
  ])('means nothing for %s', (path, of) => {
    expect(expectedLocation(path, of)).toBeUndefined()
  })
})
