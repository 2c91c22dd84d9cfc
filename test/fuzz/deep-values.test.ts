/**
 * Values that nest deeper than a call stack, in the place of each member of each event: every command answers, and no
 * answer is a bug.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json/json-value.ts'
import { part } from '../support/effort.ts'
import { CALLS } from '../support/every-command.ts'
import { runMain } from '../support/run-main.ts'
import { tempDir } from '../support/temp-dir.ts'
import { SEED_LOGS } from './seed-logs.ts'

const LEVELS = 12_000
const DEEP = `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`
/** Stands for the deep value until the row is text. */
const MARK = 'a value that is deeper than any stack'
/** Members of members of the data: deeper ones are read by the same code. */
const MOST_LEVELS = 3

const MUST_NOT = /RangeError|Maximum call stack|internal error/

// All of them take minutes: a repair tries many choices.
test.each(deepLogs().map(({ name, lines }) => [name, lines] as const))(
  '%s',
  { timeout: 900_000 },
  async (_name, lines) => {
    const path = join(tempDir(), 'session.jsonl')
    writeFileSync(path, `${lines.join('\n')}\n`)
    const calls = Object.entries(CALLS)
      .filter(([command]) => command !== 'watch')
      .flatMap(([, callsOf]) => callsOf(path, tempDir()))
    const bugs: string[] = []
    for (const args of [
      ...calls,
      ['check', path, '--target', 'format-4'],
      ['repair', path, '--target', 'format-4'],
    ]) {
      const { exitCode, stderr } = await runMain(args)
      if (exitCode === 70 || MUST_NOT.test(stderr)) bugs.push(`${args.join(' ')}\n${stderr.slice(0, 1000)}`)
    }
    expect(bugs).toEqual([])
  },
)

/** Of each format one log with all its kinds of events, once for each member that is deep. */
function deepLogs(): readonly { readonly name: string; readonly lines: readonly string[] }[] {
  const byFormat = new Map<string, Map<string, string>>()
  const headers = new Map<string, string>()
  for (const { lines } of SEED_LOGS) {
    const rows = lines.map(parsed)
    const header = rows[0]
    if (header?.type !== 'session') continue
    const format = `format ${String(header.version)}`
    headers.set(format, headers.get(format) ?? (lines[0] as string))
    const known = byFormat.get(format) ?? new Map<string, string>()
    byFormat.set(format, known)
    for (const row of rows.slice(1)) if (row !== undefined) addDeep(row, known)
  }
  return [...byFormat]
    .filter(([format]) => /^format [0-4]$/.test(format))
    .map(([name, rows]) => ({ name, lines: [headers.get(name) as string, ...part([...rows.values()], 60)] }))
}

function addDeep(row: JsonObject, known: Map<string, string>): void {
  for (const path of pathsIn(row, MOST_LEVELS)) {
    const key = `${String(row.type)} ${path.map((step) => (typeof step === 'number' ? '*' : step)).join('.')}`
    if (known.has(key)) continue
    const changed = structuredClone(row) as JsonObject
    const [last] = path.slice(-1)
    let holder: Record<string | number, JsonValue> = changed as Record<string, JsonValue>
    for (const step of path.slice(0, -1)) holder = holder[step] as unknown as Record<string, JsonValue>
    holder[last as string] = MARK
    const seq = 'seq' in changed && changed.seq !== MARK ? { ...changed, seq: known.size } : changed
    known.set(key, JSON.stringify(seq).replace(`"${MARK}"`, DEEP))
  }
}

function pathsIn(value: JsonValue, levels: number): readonly (readonly (string | number)[])[] {
  if (levels < 0) return []
  const members: readonly [string | number, JsonValue][] = Array.isArray(value)
    ? value.slice(0, 1).map((item, index) => [index, item] as [number, JsonValue])
    : isJsonObject(value)
      ? (Object.entries(value) as [string, JsonValue][])
      : []
  return members.flatMap(([key, inner]) => [
    [key],
    ...pathsIn(inner, levels - 1).map((path) => [key, ...path]),
  ])
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as JsonValue
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
