/** Our reading of a schema against a full validator, on good documents and on those with one thing changed. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import {
  anyOf,
  constant,
  count,
  flag,
  type JsonSchema,
  listOf,
  mapOf,
  number,
  oneOf,
  path,
  record,
  text,
  whole,
} from '../../../src/core/json/json-schema.ts'
import { isOf, mismatchIn } from '../../../src/core/json/mismatch.ts'
import { REPORT_DATA, type ReportKind } from '../../../src/report/schemas/report-data.ts'
import { SHARED_DEFINITIONS } from '../../../src/report/schemas/shared-definitions.ts'
import { CALLS } from '../../support/every-command.ts'
import { jsonMutants } from '../../support/json-mutants.ts'
import { reportIn } from '../../support/report-in.ts'
import { runMain } from '../../support/run-main.ts'
import { rich } from '../../support/sample-logs.ts'
import { tempDir, tempFile } from '../../support/temp-dir.ts'

const ajv = new Ajv2020({ allErrors: true, strictTypes: false })

/** Whether both say the same of the value, and of the place where it is wrong. */
function mustAgree(
  schema: JsonSchema,
  validate: ReturnType<Ajv2020['compile']>,
  value: unknown,
  what: string,
) {
  expect(isOf(schema, value), what).toBe(validate(value))
  const found = mismatchIn(schema, value)
  if (found === undefined) return
  const pointers = (validate.errors ?? []).map(({ keyword, instancePath, params }) =>
    keyword === 'required'
      ? `${instancePath}/${params.missingProperty.replace('~', '~0').replace('/', '~1')}`
      : instancePath,
  )
  expect(pointers, `${what}: ${found.problem}`).toContain(found.pointer)
  expect(found.problem, what).toMatch(/^expected .+, found .+/)
}

const EVERYTHING = record(
  {
    kind: constant('thing'),
    text,
    words: oneOf('a', 'b'),
    whole,
    count,
    number,
    flag,
    list: listOf(record({ seq: whole })),
    map: mapOf(listOf(text)),
    'a/b~c': text,
  },
  {
    path,
    shape: anyOf(
      record({ kind: constant('circle'), radius: number }, { note: text }),
      record({ kind: constant('square'), side: number }),
      constant('point'),
    ),
  },
)

const GOOD = {
  kind: 'thing',
  text: 'x',
  words: 'b',
  whole: -3,
  count: 3,
  number: 1.5,
  flag: false,
  list: [{ seq: 1 }, { seq: 2 }],
  map: { a: ['x'], toString: [] },
  'a/b~c': 'x',
  path: 'a.json',
  shape: { kind: 'circle', radius: 2, note: 'x' },
  later: 'readers ignore what they do not know',
}

test('a schema with everything', () => {
  const validate = ajv.compile(EVERYTHING)
  expect(isOf(EVERYTHING, GOOD)).toBe(true)
  const documents = [GOOD, { ...GOOD, shape: { kind: 'square', side: 1 } }, { ...GOOD, shape: 'point' }]
  for (const good of documents) {
    for (const { change, value } of jsonMutants(good)) mustAgree(EVERYTHING, validate, value, change)
  }
})

test.each<[value: unknown, pointer: string, problem: string]>([
  [[], '', 'expected an object, found a list'],
  [{ ...GOOD, text: null }, '/text', 'expected text, found null'],
  [{ ...GOOD, words: 'c' }, '/words', 'expected "a" or "b", found "c"'],
  [{ ...GOOD, whole: 1.5 }, '/whole', 'expected a whole number, found 1.5'],
  [{ ...GOOD, path: 'a\0b' }, '/path', 'expected a path, found "a\\u0000b"'],
  [{ ...GOOD, list: [{ seq: 1 }, {}] }, '/list/1/seq', 'expected a whole number, found nothing'],
  [{ ...GOOD, 'a/b~c': 1 }, '/a~1b~0c', 'expected text, found 1'],
  [{ ...GOOD, shape: { kind: 'circle' } }, '/shape/radius', 'expected a number, found nothing'],
  [{ ...GOOD, shape: 1 }, '/shape', 'expected an object or "point", found 1'],
])('%j', (value, pointer, problem) => {
  expect(mismatchIn(EVERYTHING, value)).toEqual({ pointer, problem })
})

describe('reports', () => {
  const log = rich().bytes()
  const calls = Object.values(CALLS).flatMap((callsOf) => callsOf('LOG', 'FOLDER'))

  test.each(calls.map((call) => [call.join(' '), call] as const))('%s', async (_name, call) => {
    const [path, folder] = [tempFile(log), tempDir()]
    const args = call.map((word) => word.replace('LOG', path).replace('FOLDER', folder))
    const isLive = args[0] === 'watch'
    const { stdout } = await runMain([...args, ...(isLive ? ['--format', 'ndjson'] : ['--json'])])
    if (isLive || stdout === '') return
    const { schema, data } = reportIn(stdout)
    const report: JsonSchema = REPORT_DATA[schema.replace(/^resurface\/(.*)@1$/, '$1') as ReportKind]
    const described = { ...report, $defs: SHARED_DEFINITIONS }
    const validate = ajv.compile(described)
    expect(isOf(described, data)).toBe(true)
    for (const { change, value } of jsonMutants(data)) mustAgree(described, validate, value, change)
  })
})
