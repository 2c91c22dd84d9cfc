/** SARIF: valid by its own schema, no finding dropped, locations that mean the same on another machine. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv, type ValidateFunction } from 'ajv'
import { describe, expect, test } from 'vitest'
import { RULES } from '../../src/core/findings/rules.ts'
import { renderSarif } from '../../src/report/renderers/sarif.ts'
import type { Report, ReportSet } from '../../src/report/report.ts'
import {
  asReportSet,
  checkReport,
  finding,
  HOSTILE,
  hostileReport,
  reportSet,
  ruleCount,
} from './saved-checks.ts'

const validate = sarifValidator()

// biome-ignore lint/suspicious/noExplicitAny: a document that the schema has approved of.
function sarif(set: Report<'check'> | ReportSet<'check'>): any {
  const document = JSON.parse([...renderSarif(asReportSet(set), '1.2.3')].join(''))
  validate(document)
  expect(validate.errors ?? []).toEqual([])
  return document.runs[0]
}

const resultOf = (one: Parameters<typeof finding>[1], subject: Parameters<typeof checkReport>[1] = {}) =>
  sarif(checkReport([finding('order/seq-repeated', one)], subject)).results[0]

test('the schema that is compared with refuses what is wrong', () => {
  expect(validate({ version: '2.1.0', runs: [{ tool: {} }] })).toBe(false)
  expect(validate({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, results: [{}] }] })).toBe(
    false,
  )
})

test('the driver names every rule of the registry, whatever was found', () => {
  const { driver } = sarif(checkReport([])).tool
  expect([driver.name, driver.version]).toEqual(['resurface', '1.2.3'])
  expect(driver.rules.map(({ id }: { id: string }) => id)).toEqual(Object.keys(RULES))
  const { title, why, fix } = RULES['turn/open']
  expect(driver.rules.find(({ id }: { id: string }) => id === 'turn/open')).toMatchObject({
    shortDescription: { text: title },
    fullDescription: { text: why },
    help: { text: fix },
    defaultConfiguration: { level: 'warning' },
  })
})

test('a result: rule, level, place, identity, and what belongs to it', () => {
  const report = checkReport([
    finding('order/seq-repeated', { related: [3, 5], causedBy: 'abc', byteLength: 90 }),
  ])
  const { results, tool } = sarif(report)
  expect(tool.driver.rules[results[0].ruleIndex].id).toBe('order/seq-repeated')
  expect(results).toMatchObject([
    {
      ruleId: 'order/seq-repeated',
      level: 'error',
      message: { text: 'expected seq 10, found 8' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'logs/session.jsonl', index: 0 },
            region: { startLine: 11, byteOffset: 1566, byteLength: 90 },
          },
          logicalLocations: [{ name: 'seq 8', fullyQualifiedName: 's/seq 8', kind: 'event' }],
        },
      ],
      partialFingerprints: { 'resurface/v1': '2d2d4dd9f31b2001' },
      properties: { layer: 'order', causedBy: 'abc' },
    },
  ])
  expect(results[0].relatedLocations.map((one: { message: object }) => one.message)).toEqual([
    { text: 'event 3' },
    { text: 'event 5' },
  ])
})

test.each([
  ['error', 'error'],
  ['warning', 'warning'],
  ['info', 'note'],
] as const)('%s is the level %s', (severity, level) => {
  expect(resultOf({ severity }).level).toBe(level)
})

describe('places', () => {
  const place = (one: Parameters<typeof finding>[1], subject: Parameters<typeof checkReport>[1]) => {
    const { physicalLocation, logicalLocations } = resultOf(one, subject).locations[0]
    return {
      uri: physicalLocation.artifactLocation.uri,
      region: physicalLocation.region,
      names: logicalLocations.map(({ name }: { name: string }) => name),
    }
  }

  test.each([
    ['logs/a.jsonl', 'logs/a.jsonl'],
    ['./logs/a.jsonl', 'logs/a.jsonl'],
    ['../a.jsonl', '../a.jsonl'],
    ['/data/a b.jsonl', 'file:///data/a%20b.jsonl'],
    ['C:\\logs\\a b.jsonl', 'file:///C%3A/logs/a%20b.jsonl'],
    ['a:b/c#d?e%f.jsonl', 'a%3Ab/c%23d%3Fe%25f.jsonl'],
    ['größe/\ud800.jsonl', 'gr%C3%B6%C3%9Fe/%EF%BF%BD.jsonl'],
    ['-', '-'],
  ])('%j is named %s', (path, uri) => {
    expect(place({}, { path }).uri).toBe(uri)
  })

  test('a compressed log is a file of bytes: its lines are those of what was unpacked', () => {
    expect(place({ frame: 2 }, { path: 'a.zstd', container: 'zstd' })).toEqual({
      uri: 'a.zstd',
      region: { byteOffset: 1566 },
      names: ['seq 8', 'frame 2', 'line 11'],
    })
    expect(place({}, { path: 'a.gz', container: 'gzip' }).region).toBeUndefined()
  })

  test('the sessions of a database are in one file', () => {
    const session = (id: string) =>
      checkReport([{ ...finding('turn/open'), row: 4 }], {
        path: `store.db#${id}`,
        sessionId: id,
        container: 'sqlite',
      })
    const { artifacts, results, properties } = sarif(reportSet([session('one'), session('two')]))
    expect(artifacts).toEqual([{ location: { uri: 'store.db' } }])
    const names = results.map(
      (result: { locations: { logicalLocations: object[] }[] }) => result.locations[0]?.logicalLocations[1],
    )
    expect(names).toMatchObject([{ fullyQualifiedName: 'one/row 4' }, { fullyQualifiedName: 'two/row 4' }])
    expect(properties.logs.map(({ path }: { path: string }) => path)).toEqual([
      'store.db#one',
      'store.db#two',
    ])
  })

  test('a finding about the whole log has a file and no region', () => {
    const report = checkReport([
      { code: 'bytes/empty-file', severity: 'error', layer: 'bytes', message: 'empty', fingerprint: 'f' },
    ])
    expect(sarif(report).results[0].locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: 'logs/session.jsonl', index: 0 } } },
    ])
  })
})

test('several logs are one run, and no finding is dropped', () => {
  const many = Array.from({ length: 50 }, (_, seq) => finding('turn/open', { seq }))
  const run = sarif(
    reportSet([checkReport(many), checkReport([], { path: 'b' }), checkReport(many, { path: 'c' })]),
  )
  expect(run.results).toHaveLength(100)
  expect(run.artifacts).toHaveLength(3)
  expect(run.properties.logs.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
    'findings',
    'clean',
    'findings',
  ])
  expect(run.invocations).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [] }])
})

test('a code from another version keeps its result', () => {
  const { results } = sarif(checkReport([finding('later/rule')]))
  expect(results).toHaveLength(1)
  expect(results[0]).not.toHaveProperty('ruleIndex')
})

test('what was not checked, not read or not listed is said', () => {
  const partial = checkReport([finding('bytes/line-too-long', { severity: 'warning' })])
  const [invocation] = sarif(partial).invocations
  expect(invocation.executionSuccessful).toBe(false)
  expect(invocation.toolExecutionNotifications).toMatchObject([
    { associatedRule: { id: 'bytes/line-too-long' } },
  ])

  const unread = sarif(reportSet([checkReport([])], { unread: [{ path: 'x', message: 'cannot read x' }] }))
  expect(unread.invocations[0]).toMatchObject({
    executionSuccessful: false,
    toolExecutionNotifications: [{ level: 'error', message: { text: 'cannot read x' } }],
  })

  const flooded = checkReport([finding('turn/open')])
  const rules = [ruleCount('turn/open', 'error', 1001)]
  const [flood] = sarif({ ...flooded, data: { ...flooded.data, rules } }).invocations
  expect(flood.executionSuccessful).toBe(true)
  expect(flood.toolExecutionNotifications[0].message.text).toContain('1,000 more findings')
})

test('hostile text is shown, and neither links nor asks for arguments', () => {
  const run = sarif(hostileReport())
  expect(run.results).toHaveLength(2)
  const { text } = run.results[0].message
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
  expect(text).toContain('\\x1b[2J')
  expect(text).toContain('{{0}}')
  expect(text).toContain('[a\\](http')
  expect(HOSTILE).toContain('[a](http')
})

function sarifValidator(): ValidateFunction {
  const require = createRequire(import.meta.url)
  const path = require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
  // The names of the schema and of its dialect, draft 4, lead to the network. What it says reads the same in draft 7.
  const { $schema, id, ...schema } = JSON.parse(readFileSync(path, 'utf8'))
  const uri = /^(?:[a-z][a-z0-9+.-]*:)?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?#[\]-]|%[0-9A-F]{2})*$/i
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    unicodeRegExp: false,
    formats: { 'uri-reference': uri, uri, 'date-time': /^\d{4}-\d{2}-\d{2}T/ },
  })
  return ajv.compile(schema)
}
