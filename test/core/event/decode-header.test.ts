/** The header line (format.md §2.2), in the order in which the shipped reader looks. */
import { expect, test } from 'vitest'
import { decodeHeader } from '../../../src/core/event/decode-header.ts'
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value.ts'

const good: JsonObject = { type: 'session', version: 0, id: 's', createdAt: 1, delegationDepth: 0 }

function judged(value: JsonValue): [code: string, field: unknown][] {
  return decodeHeader(value, {}).findings.map(({ code, args }) => [
    code,
    'field' in args ? args.field : undefined,
  ])
}

const without = (field: string): JsonObject =>
  Object.fromEntries(Object.entries(good).filter(([key]) => key !== field))

test.each<[name: string, header: JsonObject]>([
  ['the required fields', good],
  ['an absolute path', { ...good, cwd: '/w' }],
  ['a Windows path', { ...good, cwd: 'C:\\w' }],
  ['a network path', { ...good, cwd: '\\\\server\\w' }],
  ['a fork', { ...good, parentSession: 'p', seedLength: 3 }],
  ['a parent without a seed', { ...good, parentSession: 'p' }],
  ['a subagent', { ...good, origin: 'subagent', delegationDepth: 1, agentPreset: 'a' }],
])('accepts %s', (_name, header) => {
  expect(judged(header)).toEqual([])
  expect(decodeHeader(header, {}).header).toEqual(header)
})

test.each<[code: string, field: string, header: JsonObject]>([
  ['header/invalid', 'type', { ...good, type: 'sessions' }],
  ['header/invalid', 'version', { ...good, version: '0' }],
  ['header/invalid', 'version', without('version')],
  ['header/invalid', 'id', without('id')],
  ['header/invalid', 'id', { ...good, id: '' }],
  ['header/invalid', 'id', { ...good, id: 7 }],
  ['header/invalid', 'createdAt', without('createdAt')],
  ['header/invalid', 'createdAt', { ...good, createdAt: 1.5 }],
  ['header/invalid', 'createdAt', { ...good, createdAt: -1 }],
  ['header/invalid', 'createdAt', { ...good, createdAt: -0 }],
  ['header/invalid', 'createdAt', { ...good, createdAt: '2026-01-01' }],
  ['header/invalid', 'delegationDepth', { ...good, delegationDepth: -0 }],
  ['header/invalid', 'cwd', { ...good, cwd: 'relative' }],
  ['header/invalid', 'cwd', { ...good, cwd: null }],
  ['header/invalid', 'parentSession', { ...good, parentSession: 1 }],
  ['header/invalid', 'seedLength', { ...good, seedLength: -1 }],
  ['header/invalid', 'origin', { ...good, origin: 'fork' }],
  ['header/invalid', 'agentPreset', { ...good, agentPreset: null }],
  ['header/retired', 'sandboxMode', { ...good, sandboxMode: 'read-only' }],
  ['header/retired', 'approvalPolicy', { ...good, approvalPolicy: 'ask' }],
  ['header/unknown', 'isSeeded', { ...good, isSeeded: true }],
  ['header/unknown', 'x', { ...good, x: 1 }],
])('%s: %s in %j', (code, field, header) => {
  expect(judged(header)).toEqual([[code, field]])
})

test('a header without delegation depth is older than every release', () => {
  expect(judged(without('delegationDepth')).map(([code]) => code)).toEqual(['format/prehistoric'])
})

test('every wrong field is named at once', () => {
  const header = { ...good, id: 1, createdAt: 'x', cwd: 'y', sandboxMode: 'z', extra: 1 }
  expect(judged(header).map(([, field]) => field)).toEqual(['sandboxMode', 'id', 'createdAt', 'cwd', 'extra'])
})

test.each<[code: string, version: number]>([
  ['format/newer', 5],
  ['format/newer', 99],
  ['format/older', -1],
])('%s for version %d, whatever else is wrong', (code, version) => {
  const { header, findings } = decodeHeader({ version, id: 'new', isSeeded: 'maybe', sandboxMode: 1 }, {})
  expect(findings.map((finding) => finding.code)).toEqual([code])
  expect(header).toMatchObject({ version, id: 'new' })
})

test.each<[value: JsonValue]>([[42], ['x'], [[]], [null], [{}], [{ type: 'turn/start', seq: 0 }]])(
  'header/missing for %j',
  (value) => {
    const { header, findings } = decodeHeader(value, {})
    expect(header).toBeUndefined()
    expect(findings.map(({ code }) => code)).toEqual(['header/missing'])
  },
)

test('fields that cannot be read are left out of the header', () => {
  const { header } = decodeHeader({ ...good, id: 3, cwd: 'relative', seedLength: 'x' }, {})
  expect(header).toEqual({ type: 'session', version: 0, id: '', createdAt: 1, delegationDepth: 0 })
})
