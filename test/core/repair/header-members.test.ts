/** What can be read of a header whose line is no JSON any more. */
import { describe, expect, test } from 'vitest'
import { headerMembers } from '../../../src/core/repair/header-members.ts'

const HEADER = {
  type: 'session',
  version: 4,
  id: 'session-1',
  createdAt: 1_790_000_000_000,
  cwd: '/w "x"',
  isSeeded: false,
  delegationDepth: 0,
}
const LINE = JSON.stringify(HEADER)

test('the members before a tear at any byte, and nothing else', () => {
  let most = 0
  for (let end = 1; end < LINE.length; end++) {
    const members = headerMembers(LINE.slice(0, end))
    if (members === undefined) continue
    const { type: _type, ...whole } = HEADER
    const names = Object.keys(whole).slice(0, Object.keys(members).length)
    expect(members).toEqual(
      Object.fromEntries(names.map((name) => [name, whole[name as keyof typeof whole]])),
    )
    expect(names.length).toBeGreaterThanOrEqual(most)
    most = names.length
  }
  expect(most).toBe(5)
})

test('the members after a tear at any byte', () => {
  for (let start = 1; start < LINE.length; start++) {
    const members = headerMembers(LINE.slice(start)) ?? {}
    expect(HEADER).toMatchObject(members)
  }
  expect(headerMembers(LINE.slice(LINE.indexOf('"id"')))).toMatchObject({ id: 'session-1', cwd: '/w "x"' })
})

describe('what is no header', () => {
  test.each([
    ['a torn event', '{"type":"user/message","seq":3,"time":4,"data":{"id":"u3"'],
    ['a torn event with the members of a header in it', '{"seq":1,"id":"a","cwd":"/w","version":0,'],
    ['a packed row', '{"type":"chunks","seq0":1,"version":0,"cwd":"/w",'],
    ['text', 'hello'],
    ['one member that may be anything', '"id":"a",'],
  ])('%s', (_name, line) => {
    expect(headerMembers(line)).toBeUndefined()
  })
})

test('an event on the same line is not asked', () => {
  const event = '{"type":"user/message","seq":0,"time":4,"data":{"cwd":"/elsewhere","id":"u0"}}'
  expect(headerMembers(`{"type":"session","version":0,"id":"a","crea${event}`)).toEqual({
    version: 0,
    id: 'a',
  })
})

test('members that no reader takes are not told', () => {
  expect(headerMembers('{"type":"session","version":0,"id":"","createdAt":-1,"cwd":"w",')).toEqual({
    version: 0,
  })
})
