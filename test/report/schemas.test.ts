/** The published JSON Schemas against what the commands print; no member is printed that they do not list. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/commands/index.ts'
import { lineSchemaOf, SCHEMAS, schemaOf } from '../../src/report/published-schemas.ts'
import { type Report, reportSetOf } from '../../src/report/report.ts'
import { linesMustFit, mustFit, openValidator, reportValidator } from '../support/report-validators.ts'
import { runMain } from '../support/run-main.ts'
import { rich } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'
import { clashing } from '../support/two-writers.ts'
import { checkReport, finding, hostileReport, reportSet } from './saved-checks.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')
const LOGS = readdirSync(EXAMPLES)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => join(EXAMPLES, name))

const ON_ONE_LOG: readonly (readonly string[])[] = [
  ['bisect', '--rule', 'turn/open'],
  ['bisect', '--exec', 'test $(wc -c < {}) -lt 900'],
  ['check'],
  ['classify'],
  ['crash-points'],
  ['events', '--max-messages', '2'],
  ['info'],
  ['info', '--sizes'],
  ['ls'],
  ['surface', '--messages'],
  ['repair'],
  ['report'],
  ['surface'],
  ['surface', '--digest'],
  ['transcript'],
  ['transcript', '--digest'],
  ['why', '4'],
]

async function printed(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runMain(args)
  expect(stdout, stderr).not.toBe('')
  return stdout
}

test('every command has a schema', () => {
  const commands = COMMANDS.map(({ name }) => name)
  // The messages are an answer of surface.
  const kinds = [...commands, 'messages'].map((name) => `resurface/${name}@1`)
  expect(SCHEMAS.toSorted()).toEqual(kinds.toSorted())
  expect(schemaOf('resurface/check@2')).toBeUndefined()
  expect(lineSchemaOf('toString')).toBeUndefined()
})

/** Paths of logs, and contents of others. No log has no event to ask about, and no digest. */
function logsFor(call: readonly string[]): Readonly<Record<string, string | Buffer>> {
  const isSilent = call[0] === 'why' || call[0] === 'bisect' || call.includes('--digest')
  return {
    ...Object.fromEntries(LOGS.map((path) => [path, path])),
    'a rich log': rich().bytes(),
    ...(!isSilent && { 'no log': Buffer.from('{"a":1}\n') }),
  }
}

describe.each(ON_ONE_LOG)('%s %s %s', (command, ...more) => {
  const schema = `resurface/${more.includes('--messages') ? 'messages' : command}@1`

  test.each(Object.entries(logsFor([command as string, ...more])))('%s', async (_name, log) => {
    const path = typeof log === 'string' ? log : tempFile(log)
    const call = [command as string, path, ...more]
    mustFit(reportValidator(schema), JSON.parse(await printed(...call, '--json')))
    linesMustFit(await printed(...call, '--format', 'ndjson'))
  })
})

describe('watch, which prints lines alone', () => {
  test.each(Object.entries(logsFor(['watch'])))('%s', async (_name, log) => {
    const path = typeof log === 'string' ? log : tempFile(log)
    const call = ['watch', path, '--idle', '0', '--format', 'ndjson']
    linesMustFit(await printed(...call))
    const findings = await printed(...call, '--findings')
    linesMustFit(findings)
    const [summary, total] = findings
      .trimEnd()
      .split('\n')
      .slice(-2)
      .map((line) => JSON.parse(line))
    expect(summary).toMatchObject({ kind: 'summary', schema: 'resurface/watch@1' })
    expect(total).toEqual({ kind: 'total', schema: 'resurface/watch@1', reports: 1, unread: 0 })
  })
})

test.each(['check', 'info'])('%s of several logs', async (command) => {
  const schema = `resurface/${command}@1`
  mustFit(reportValidator(schema), JSON.parse(await printed(command, ...LOGS, '--json')))
  linesMustFit(await printed(command, ...LOGS, '--format', 'ndjson'))
})

test('explain and convert', async () => {
  mustFit(reportValidator('resurface/explain@1'), JSON.parse(await printed('explain', '--json')))
  linesMustFit(await printed('explain', '--format', 'ndjson'))
  const example = ['explain', 'bytes/corrupt-frame', '--example', join(tempDir(), 'example'), '--json']
  mustFit(reportValidator('resurface/explain@1'), JSON.parse(await printed(...example)))
  const written = join(tempDir(), 'copy.jsonl')
  const call = [
    'convert',
    LOGS.find((path) => path.endsWith('compacted.jsonl')) as string,
    '-o',
    written,
    '--json',
  ]
  mustFit(reportValidator('resurface/convert@1'), JSON.parse(await printed(...call)))
})

test('a log that was made small', async () => {
  const log = LOGS.find((path) => path.endsWith('crashed.jsonl')) as string
  const call = ['minimize', log, '--rule', 'turn/open', '-o', join(tempDir(), 'small.jsonl'), '--json']
  mustFit(reportValidator('resurface/minimize@1'), JSON.parse(await printed(...call)))
  linesMustFit(await printed(...call.slice(0, -2), join(tempDir(), 'small.jsonl'), '--format', 'ndjson'))
})

test('diff of two logs, and of two moments of one', async () => {
  const [damaged, compacted] = ['damaged', 'compacted'].map((name) => join(EXAMPLES, `${name}.jsonl`))
  const changed = tempFile(
    rich()
      .edit(1, (row) => ({ ...row, data: { content: ['a\nb'] } }))
      .bytes(),
  )
  const calls = [
    [damaged, compacted],
    [compacted, compacted],
    [tempFile(rich().bytes()), changed],
    [compacted, '--from', '12', '--to', '40'],
  ]
  for (const call of calls as string[][]) {
    mustFit(reportValidator('resurface/diff@1'), JSON.parse(await printed('diff', ...call, '--json')))
    linesMustFit(await printed('diff', ...call, '--format', 'ndjson'))
  }
})

test('a copy without content', async () => {
  for (const format of ['json', 'ndjson']) {
    const log = LOGS.find((path) => path.endsWith('crashed.jsonl')) as string
    const call = ['anonymize', log, '-o', join(tempDir(), 'shared.jsonl'), '--keep', 'header.cwd']
    const set = await printed(...call, '--format', format)
    if (format === 'ndjson') linesMustFit(set)
    else mustFit(reportValidator('resurface/anonymize@1'), JSON.parse(set))
  }
})

test('a repair that was written', async () => {
  const log = LOGS.find((path) => path.endsWith('crashed.jsonl')) as string
  const call = ['repair', log, '-o', join(tempDir(), 'repaired.jsonl'), '--json']
  mustFit(reportValidator('resurface/repair@1'), JSON.parse(await printed(...call)))
})

test('a repair in place, and its undoing', async () => {
  const log = tempFile(Buffer.concat([clashing(), Buffer.from('{"ty')]))
  const done = JSON.parse(await printed('repair', log, '--in-place', '--json'))
  mustFit(reportValidator('resurface/repair@1'), done)
  for (const member of ['output', 'backup', 'quarantine', 'branches'])
    expect(done.reports[0].data).toHaveProperty(member)
  mustFit(reportValidator('resurface/undo@1'), JSON.parse(await printed('undo', log, '--json')))
})

test('hostile findings and inputs that could not be read', () => {
  const set = reportSet(
    [hostileReport(), checkReport([finding('a/b', { related: [1], causedBy: 'x', row: 1 })])],
    {
      unread: [{ path: 'x', message: 'cannot read x' }],
    },
  )
  mustFit(reportValidator('resurface/check@1'), JSON.parse(JSON.stringify(set)))
})

test.each([
  ['another schema', { schema: 'resurface/info@1' }],
  ['no findings', { findings: undefined }],
  ['a severity that does not exist', { findings: [{ ...finding('a/b'), severity: 'fatal' }] }],
  ['a finding without a fingerprint', { findings: [{ ...finding('a/b'), fingerprint: undefined }] }],
  ['data without counts', { data: { events: 1 } }],
])('what is refused: %s', (_name, change) => {
  const validate = openValidator('resurface/check@1')
  const changed = reportSetOf({ ...checkReport([]), ...change } as Report<'check'>)
  expect(validate(JSON.parse(JSON.stringify(changed)))).toBe(false)
  const later = { ...reportSetOf(checkReport([])), later: 'readers ignore what they do not know' }
  expect(validate(later)).toBe(true)
})
