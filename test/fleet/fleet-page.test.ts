/**
 * docs/fleet.md is run from top to bottom: shell by a shell, SQL by the real DuckDB (`npm run fleet:install`), on a store
 * whose answers are known.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { lineSchemaOf } from '../../src/report/published-schemas.ts'
import { ALL } from '../corpus/all-cases.ts'
import { writeCase } from '../corpus/write-case.ts'
import { log } from '../support/log-builder.ts'
import { BIN, runCli } from '../support/run-cli.ts'
import { tempDir } from '../support/temp-dir.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { DAMAGED, modelOf, PERIOD, sessionIdOf, smallLog, TOOLS, toolOf, writeFleet } from './small-logs.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/fleet.md'), 'utf8')
const SESSIONS = 200
const NUMBERS = [...Array(SESSIONS).keys()]

/** Headings with SQL that only prepares. */
const WITHOUT_ANSWER = ['From sessions to tables', 'The tables']

interface Block {
  readonly title: string
  readonly language: 'sh' | 'sql'
  readonly text: string
}

/** What is to be run, with the headings that it is under. Slurm and Spark are not here. */
function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = []
  let title = ''
  for (const [, heading, language, text] of page.matchAll(/^#+ (.*)$|^```(sh|sql)\n([\s\S]*?)^```$/gm)) {
    if (heading !== undefined) title = heading
    else blocks.push({ title, language: language as Block['language'], text: text ?? '' })
  }
  return blocks
}

/** The store of DSH of a user, and a fork of session 0 in it. */
function makeHome(): string {
  const home = tempDir()
  const store = join(home, '.dsh/sessions')
  writeFleet(SESSIONS, store)
  const [header = '', ...rows] = smallLog(0).toString().split('\n')
  const forked = { ...JSON.parse(header), id: FORK, parentSession: sessionIdOf(0), seedLength: INHERITED }
  const folder = join(store, '--w-project-0--', FORK)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'session.jsonl'), [JSON.stringify(forked), ...rows].join('\n'))
  return home
}

const FORK = 'session-00000000-0000-4000-8000-fffffffffff0'
/** Events of the first turn. */
const INHERITED = 14

/** Programs of a page find the built `resurface` in their path. */
async function shellIn(home: string) {
  const bin = tempDir()
  writeFileSync(join(bin, 'resurface'), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`, {
    mode: 0o755,
  })
  const env = { HOME: home, PATH: `${bin}${delimiter}${process.env.PATH}` }
  return (script: string) =>
    execa('bash', ['-euo', 'pipefail', '-c', script], { cwd: home, env, extendEnv: false, stdin: 'ignore' })
}

/** Numbers of any size are texts in the answers of DuckDB; none here is large. */
async function answered(sql: string, cwd: string): Promise<readonly object[]> {
  const { stdout } = await execa(process.execPath, [RUN_SQL], { cwd, input: sql })
  return JSON.parse(stdout, (_, value) => (/^\d+$/.test(value) ? Number(value) : value))
}

const RUN_SQL = join(import.meta.dirname, 'run-sql.mjs')

async function missing(): Promise<string | undefined> {
  if (!existsSync(join(import.meta.dirname, 'node_modules/@duckdb')))
    return 'DuckDB is not installed: npm run fleet:install'
  const parallel = await execa('parallel', ['--version'], { reject: false })
  return parallel.failed ? 'GNU parallel is not installed' : undefined
}

const EACH = SESSIONS / PERIOD
const INTACT = SESSIONS + 1 - 2 * EACH

/** What the recipes answer, by their headings: every twentieth session is open, one is damaged … and the fork is clean. */
const ANSWERS: Readonly<Record<string, readonly object[]>> = {
  'The health of a store': [
    { verdict: 'clean', sessions: SESSIONS + 1 - 5 * EACH, errors: 0, warnings: 0 },
    { verdict: 'findings', sessions: 3 * EACH, errors: 3 * EACH, warnings: 2 * EACH },
    { verdict: 'refused-by-newer', sessions: EACH, errors: 0, warnings: EACH },
    { verdict: 'unsupported', sessions: EACH, errors: 0, warnings: EACH },
  ],
  'What is wrong most often': [
    ['bytes/torn-tail', 'warning'],
    ['order/seq-gap', 'error'],
    ['turn/open', 'warning'],
    ['upgrade/before-first-step', 'warning'],
    ['vocabulary/unknown-type', 'warning'],
  ].map(([code, severity]) => ({ code, severity, findings: EACH, sessions: EACH })),
  'Sessions that are not closed': [
    { health: 'open', sessions: EACH, latest: '2023-11-19 22:13:20.021' },
    { health: 'torn', sessions: EACH, latest: '2023-11-23 22:13:20.019' },
  ],
  'Tokens by model and day': tokens(),
  'Tools that fail': TOOLS.map((name) => {
    const uses = NUMBERS.map(toolOf).filter((tool) => tool.name === name)
    return { tool: name, results: uses.length, failed: uses.filter(({ fails }) => fails).length }
  }),
  'What each release opens': ['0.1.0', '0.1.1', '0.1.2', 'format-2', 'format-3', 'format-4'].map(
    (release) => {
      const opened = release >= 'format-3' ? INTACT - EACH : INTACT
      return { release, opened, refused: SESSIONS + 1 - opened }
    },
  ),
  'Sessions that a release refuses': [
    'order/seq-gap',
    'upgrade/before-first-step',
    'upgrade/row-damaged',
  ].map((code) => ({ code, sessions: EACH })),
  'Copies to Parquet': [{ sessions: SESSIONS + 1, findings: 7 * EACH, events: 20 * SESSIONS + 4 * EACH }],
  'Whether all parts are there': [{ parts: 4, logs: SESSIONS + 1, unread: 0 }],
  'The same counts as of one process': [
    { verdict: 'clean', sessions: SESSIONS + 1 - 5 * EACH },
    { verdict: 'findings', sessions: 3 * EACH },
    { verdict: 'refused-by-newer', sessions: EACH },
    { verdict: 'unsupported', sessions: EACH },
  ],
}

/** Every answer of a session counts, but the one that is lost in a damaged log; of the fork only its own. */
function tokens(): readonly object[] {
  const sums = new Map<
    string,
    { model: string; day: string; input: number; output: number; cacheRead: number }
  >()
  const add = (number: number, answers: number): void => {
    const model = modelOf(number)
    const day = `2023-11-${14 + (number % 10)}`
    const sum = sums.get(day + model) ?? { model, day, input: 0, output: 0, cacheRead: 0 }
    sums.set(day + model, sum)
    sum.input += answers * (100 + (number % 10))
    sum.output += answers * 10
    sum.cacheRead += answers * 5
  }
  for (const number of NUMBERS) add(number, number % PERIOD === DAMAGED ? 1 : 2)
  add(0, 1)
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

describeUnlessMissing(await missing(), 'docs/fleet.md', () => {
  test('gives the answers that are known', { timeout: 600_000 }, async () => {
    const home = makeHome()
    const shell = await shellIn(home)
    const answers: Record<string, readonly object[]> = {}
    for (const { title, language, text } of blocksOf(PAGE)) {
      if (language === 'sh') await shell(text)
      else answers[title] = await answered(text, home)
    }
    expect(answers).toMatchObject(ANSWERS)
    expect(Object.keys(answers).filter((title) => ANSWERS[title] === undefined)).toEqual(WITHOUT_ANSWER)
  })

  test('the views lose no row, whatever the logs hold', { timeout: 600_000 }, async () => {
    const folder = tempDir()
    const store = join(folder, 'store')
    for (const [index, each] of ALL.entries()) await writeCase(each, join(store, String(index)))
    const half = log().turn((turn) => turn.user('half of a pair: \ud83d'))
    writeFileSync(join(store, 'half.jsonl'), half.bytes())
    const files = { sessions: ['ls'], checks: ['check'], events: ['events', '--all'], infos: ['info'] }
    const lines: Record<string, number> = {}
    for (const [name, args] of Object.entries(files)) {
      const path = join(folder, `${name}.ndjson`)
      await runCli([...args, store, '--format', 'ndjson', '-o', path])
      for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
        const table = `${name} ${JSON.parse(line).kind}`
        lines[table] = (lines[table] ?? 0) + 1
      }
    }
    const [views = ''] = blocksOf(PAGE).flatMap(({ title, text }) => (title === 'The tables' ? [text] : []))
    const counts = ['sessions', 'findings', 'verdicts', 'events'].map(
      (view) => `(SELECT count(*) FROM ${view}) AS ${view}`,
    )
    expect(await answered(`${views}\nSELECT ${counts.join(', ')};`, folder)).toEqual([
      {
        sessions: lines['sessions session'],
        findings: lines['checks finding'],
        verdicts: lines['checks summary'],
        events: lines['events event'],
      },
    ])
    expect(lines['events event']).toBeGreaterThan(1000)
  })
})

/** Columns of the tables that the page has, by the words before them. */
function tablesOf(page: string): Readonly<Record<string, readonly string[]>> {
  const tables: Record<string, readonly string[]> = {}
  for (const [, name = '', rows = ''] of page.matchAll(/^\*\*(\w+)\*\*: .*\n\n((?:\|.*\n)+)/gm)) {
    const names = rows.split('\n').flatMap((row) => row.split('|')[1]?.match(/(?<=`)\w+(?=`)/g) ?? [])
    tables[name] = names
  }
  return tables
}

/** Members of the lines of a kind, as the published schema has them. */
function membersOf(command: string, kind: string): readonly string[] {
  const { anyOf = [], $defs = {} } = lineSchemaOf(`resurface/${command}@1`) as Schema
  const flat = (schema: Schema): Schema[] => {
    const named = schema.$ref === undefined ? schema : ($defs[schema.$ref.split('/').at(-1) ?? ''] as Schema)
    return [named, ...(named.allOf ?? []).flatMap(flat)]
  }
  const properties = anyOf
    .map((line) => Object.assign({}, ...flat(line).map((part) => part.properties ?? {})))
    .find((members) => members.kind?.const === kind)
  return Object.keys(properties ?? {}).filter((member) => member !== 'kind')
}

interface Schema {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly properties?: Readonly<Record<string, { readonly const?: string }>>
}

test('the columns on the page are those of the schemas', () => {
  const tables = tablesOf(PAGE)
  expect(tables.Sessions?.toSorted()).toEqual(
    membersOf('ls', 'session')
      .filter((name) => name !== 'log')
      .toSorted(),
  )
  expect(tables.Findings?.toSorted()).toEqual(membersOf('check', 'finding').toSorted())
  expect(tables.Events?.toSorted()).toEqual(membersOf('events', 'event').toSorted())
})

test('the views take every column', () => {
  const taken = (view: string): readonly string[] => {
    const [, columns = ''] =
      new RegExp(`CREATE VIEW ${view} AS[\\s\\S]*?columns = \\{([\\s\\S]*?)\\}\\)`).exec(PAGE) ?? []
    return [...columns.matchAll(/(\w+): '/g)].map(([, name = '']) => name).filter((name) => name !== 'kind')
  }
  const tables = tablesOf(PAGE)
  for (const [view, table] of [
    ['sessions', 'Sessions'],
    ['findings', 'Findings'],
    ['events', 'Events'],
  ] as const)
    expect(taken(view).toSorted()).toEqual(tables[table]?.toSorted())
})
