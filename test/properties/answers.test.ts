/** Whatever a log holds: JSON fits its schema, and no format prints a character that acts instead of showing something. */
import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonValue } from '../../src/core/json/json-value.ts'
import { FORMATS } from '../../src/report/renderers/render.ts'
import { ALL } from '../corpus/all-cases.ts'
import { writeCase } from '../corpus/write-case.ts'
import { part } from '../support/effort.ts'
import { CALLS, everyCall } from '../support/every-command.ts'
import { jsonMutants } from '../support/json-mutants.ts'
import { answerMustFit, linesMustFit } from '../support/report-validators.ts'
import { runMain } from '../support/run-main.ts'
import { rich } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

/** Commands that look at a log and write nothing. */
const LOOKING = [
  'info',
  'surface',
  'transcript',
  'classify',
  'check',
  'diff',
  'repair',
  'why',
  'crash-points',
]

async function mustFitSchemas(calls: readonly (readonly string[])[], what: string): Promise<void> {
  for (const args of calls) {
    const lines = await runMain([...args, '--format', 'ndjson'])
    expect(lines.exitCode, `${what}: ${args.join(' ')}: ${lines.stderr}`).not.toBe(70)
    if (lines.stdout !== '') linesMustFit(lines.stdout, `${what}: ${args.join(' ')}`)
    if (args[0] === 'watch') continue
    const { stdout } = await runMain([...args, '--json'])
    if (stdout !== '') answerMustFit(stdout, `${what}: ${args.join(' ')}`)
  }
}

/** Of every command, without those that choose their own format. */
const calls = (log: string): readonly (readonly string[])[] =>
  everyCall(log, tempDir()).filter((args) => !args.includes('--json'))

const looking = (log: string): readonly (readonly string[])[] =>
  LOOKING.flatMap((name) => CALLS[name]?.(log, tempDir()) ?? [])

describe('JSON fits its schema', () => {
  test.each(part(ALL, 12))('$name', async (wanted) => {
    const { named } = await writeCase(wanted, tempDir())
    await mustFitSchemas(calls(named), wanted.name)
  })

  const [header = '', ...rows] = rich().text().trimEnd().split('\n')

  const headers = [...jsonMutants(JSON.parse(header))].filter(({ value }) => isJsonObject(value))
  test.each(part(headers, 7))('header with $change', async ({ change, value }) => {
    const log = tempFile([JSON.stringify(value), ...rows, ''].join('\n'))
    await mustFitSchemas(looking(log), change)
  })

  test.each(part([...rows.keys()]))('line %i, each number another', async (index) => {
    const mutants = [...jsonMutants(JSON.parse(rows[index] ?? ''))]
    for (const { change, value } of part(
      mutants.filter(({ change }) => /is (?:1\.5|1e\+300|-1)$/.test(change)),
    )) {
      const log = tempFile([header, ...rows.with(index, JSON.stringify(value)), ''].join('\n'))
      await mustFitSchemas(looking(log), change)
    }
  })
})

const ACTING = /[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u
const HOSTILE = '\u202e\x1b[31m\x07\u2028\u2066\r\n\t\ud800'

/** Words that decide what a row is; without them nothing of a log is shown. */
const KEPT = new Set(['type', 'role', 'kind', 'surfaceOp', 'op'])

function hostile(value: JsonValue, key = ''): JsonValue {
  if (typeof value === 'string') return KEPT.has(key) ? value : `${value}${HOSTILE}`
  if (Array.isArray(value)) return value.map((item: JsonValue) => hostile(item, key))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => [
      [name, hostile(member ?? null, name)],
      [`${name}${HOSTILE}`, 'a key'],
    ]),
  )
}

describe('no character acts on a terminal or a page', () => {
  const rows = rich().text().trimEnd().split('\n')
  const LOGS: Readonly<Record<string, readonly string[]>> = {
    'every text and key': rows.map((line) => JSON.stringify(hostile(JSON.parse(line)))),
    'every type': [
      ...rows,
      ...[HOSTILE, `tool/${HOSTILE}`].map((type, index) =>
        JSON.stringify({ type, seq: rows.length - 1 + index, time: 1, data: {}, ignorable: true }),
      ),
    ],
    'the header': [JSON.stringify(hostile(JSON.parse(rows[0] ?? ''))), ...rows.slice(1)],
    'no JSON': [...rows, `{"type":"${HOSTILE}`, HOSTILE],
  }
  // A tool, a model and a title are keys or cells of answers.
  const named = rows.map((line) =>
    line
      .replaceAll('"bash"', JSON.stringify(`bash${HOSTILE}`))
      .replaceAll('"m"', JSON.stringify(`m${HOSTILE}`)),
  )

  test.each(Object.entries({ ...LOGS, 'names of tools and models': named }))('%s', async (_what, lines) => {
    const log = tempFile(`${lines.join('\n')}\n`)
    for (const args of calls(log)) {
      for (const format of FORMATS) {
        const { stdout, stderr, exitCode } = await runMain([...args, '--format', format])
        const what = `${args.join(' ')} --format ${format}`
        expect(exitCode, what).not.toBe(70)
        expect(ACTING.exec(stdout)?.[0] ?? '', what).toBe('')
        expect(ACTING.exec(stderr)?.[0] ?? '', what).toBe('')
      }
    }
  })
})
