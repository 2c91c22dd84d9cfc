/** The documented keys of `--json`, and that a saved report is the whole answer. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { rich } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

/** A log with findings of all kinds: a refused replacement, an unknown type, an open turn. */
function eventful() {
  return rich()
    .checkpoint(12, 12, { sources: [1] })
    .event('acme/x')
    .openTurn((turn) => turn.user('hi').openStep((step) => step.assistant('').call('z', 'bash')))
}

const CALLS: readonly (readonly [name: string, keys: readonly string[], args: readonly string[]])[] = [
  ['surface', ['nodes', 'replaceGeneration', 'replacements'], ['surface', 'LOG']],
  ['messages', ['messages'], ['surface', 'LOG', '--messages']],
  ['classify', ['counts', 'events'], ['classify', 'LOG']],
  ['crash-points', ['totals', 'points'], ['crash-points', 'LOG']],
  ['transcript', ['entries'], ['transcript', 'LOG']],
  ['events', ['events', 'hasMore', 'firstSeq'], ['events', 'LOG', '--max-messages', '2']],
  ['why', ['event', 'class', 'replacedBy', 'chain', 'replaced', 'sources', 'derived'], ['why', 'LOG', '4']],
  ['check', ['layers', 'counts'], ['check', 'LOG']],
  ['bisect', ['rule', 'checks', 'settles'], ['bisect', 'LOG', '--rule', 'turn/open']],
  ['repair', ['steps', 'closers', 'digests'], ['repair', 'LOG']],
  ['info', ['events', 'types', 'turns'], ['info', 'LOG']],
  ['report', ['check', 'info', 'surface', 'turns', 'entries', 'leftOut'], ['report', 'LOG']],
  ['explain', ['rules'], ['explain', 'order/seq-gap']],
]

describe.each(CALLS)('%s', (name, keys, args) => {
  test.each(['eventful', 'clean'])(`${args.join(' ')}: keys, a %s log`, async (kind) => {
    const path = tempFile((kind === 'clean' ? rich() : eventful()).bytes())
    const report = reportIn((await run(args, path, '--json')).stdout)
    expect(report.schema).toBe(`resurface/${name}@1`)
    expect(Array.isArray(report.findings)).toBe(true)
    for (const key of keys) expect(report.data, key).toHaveProperty(key)
    if (name === 'explain') return
    expect(report.subject.path).toBe(path)
    expect(['clean', 'findings', 'unsupported', 'incomplete', 'refused-by-newer']).toContain(report.verdict)
    const own = report.findings.filter(({ code }: { code: string }) => !code.startsWith('upgrade/'))
    if (kind === 'clean') expect(own).toEqual([])
    for (const finding of report.findings)
      for (const key of ['code', 'severity', 'layer', 'message', 'fingerprint'])
        expect(finding).toHaveProperty(key)
  })

  test.each(['text', 'markdown', 'json', 'ndjson', 'html'])(
    `${args.join(' ')}: a report next to the answer as %s`,
    async (format) => {
      const path = tempFile(eventful().bytes())
      const file = join(tempDir(), 'report')
      const direct = await run(args, path, '--format', format)
      const both = await run(args, path, '--format', 'json', '--report', `${format}=${file}`)
      expect(readFileSync(file, 'utf8')).toBe(direct.stdout)
      expect(both.stdout).toBe((await run(args, path, '--json')).stdout)
    },
  )
})

test('short forms and shapes of the rows', async () => {
  const path = tempFile(rich().bytes())
  const data = async (...args: string[]) => reportIn((await runMain([...args, '--json'])).stdout).data
  const { nodes, replacements } = await data('surface', path)
  expect(Object.keys(nodes[0]).slice(0, 3)).toEqual(['seq', 'type', 'op'])
  expect(Object.keys(replacements[0])).toEqual(['seq', 'start', 'end', 'shadowed'])
  const { counts, events } = await data('classify', path)
  expect(counts.current + counts.shadowed + counts.logOnly).toBe(events.length)
  expect(new Set(events.map((event: { class: string }) => event.class))).toEqual(
    new Set(['current', 'shadowed', 'log-only']),
  )
  const { layers } = await data('check', path)
  expect(Object.keys(layers)).toEqual(['bytes', 'order', 'meaning', 'compatibility'])
  const { digests } = await data('repair', path)
  for (const which of ['surface', 'transcript']) expect(digests[which].before).toBe(digests[which].after)
})

test('a finding that follows from another carries its fingerprint', async () => {
  const log = rich()
  const refused = log.nextSeq
  log.checkpoint(12, 12, { sources: [1] })
  log.user('x', { kind: 'user' }, { op: { op: 'replace', start: refused, end: refused }, sources: [refused] })
  const report = reportIn((await runMain(['check', tempFile(log.bytes()), '--json'])).stdout)
  const findings = report.findings.filter(({ code }: { code: string }) => code.startsWith('surface/'))
  expect(findings).toHaveLength(2)
  expect(findings[1].causedBy).toBe(findings[0].fingerprint)
})

test('every line of NDJSON is JSON with a kind, and the last one is the summary', async () => {
  const path = tempFile(eventful().bytes())
  for (const command of [
    'check',
    'classify',
    'transcript',
    'surface',
    'events',
    'repair',
    'info',
    'report',
    'diff',
  ]) {
    const more = command === 'diff' ? [tempFile(rich().bytes())] : []
    const { stdout } = await runMain([command, path, ...more, '--format', 'ndjson'])
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    for (const row of rows) expect(typeof row.kind).toBe('string')
    expect(rows.filter(({ kind }) => kind === 'summary')).toEqual([rows.at(-2)])
    const total = { kind: 'total', schema: rows.at(-2).schema, reports: 1, unread: 0 }
    expect(rows.filter(({ kind }) => kind === 'total')).toEqual([rows.at(-1)])
    expect(rows.at(-1)).toEqual(total)
  }
})

test('the same input gives the same bytes', async () => {
  const path = tempFile(eventful().bytes())
  for (const format of ['text', 'json', 'ndjson', 'markdown', 'html']) {
    const [first, second] = await Promise.all([0, 1].map(() => runMain(['check', path, '--format', format])))
    expect(first?.stdout).toBe(second?.stdout)
  }
})

function run(args: readonly string[], path: string, ...more: string[]) {
  return runMain([...args.map((argument) => (argument === 'LOG' ? path : argument)), ...more])
}
