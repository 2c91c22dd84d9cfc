/** `anonymize`: what it writes, what it says of it, and when it refuses. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ReportData } from '../../src/report/report.ts'
import { writeFrame } from '../../src/storage/zstd/frame-writer.ts'
import { anonymized } from '../support/anonymizing.ts'
import { wholeLog, written } from '../support/containers.ts'
import { log } from '../support/log-builder.ts'
import { reportIn } from '../support/report-in.ts'
import { type MainResult, runMain } from '../support/run-main.ts'
import { base, crashed, rich } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const nextTo = (path: string, name = 'shared.jsonl'): string => join(dirname(path), name)

function dataOf({ stdout, stderr }: MainResult): ReportData<'anonymize'> {
  expect(stdout, stderr).not.toBe('')
  return reportIn(stdout).data
}

function refusedWith(result: MainResult, exitCode: number, output: string, said: RegExp): void {
  expect(result).toMatchObject({ exitCode, stdout: '' })
  expect(result.stderr).toMatch(said)
  expect(existsSync(output)).toBe(false)
}

test('a copy with the lines of the log, each as long as it was', async () => {
  const path = tempFile(rich().bytes())
  const output = nextTo(path)
  const { exitCode, stderr } = await anonymized(path, output)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const lengths = (file: string): number[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => Buffer.byteLength(line))
  expect(lengths(output)).toEqual(lengths(path))
  expect(readFileSync(output, 'utf8')).not.toMatch(/long output|größer|session-0|please/)
  expect(readdirSync(dirname(path)).toSorted()).toEqual(['log.jsonl', 'shared.jsonl'])
})

test('the same log gives the same copy', async () => {
  const path = tempFile(rich().bytes())
  await anonymized(path, nextTo(path, 'a.jsonl'))
  await anonymized(path, nextTo(path, 'b.jsonl'))
  expect(readFileSync(nextTo(path, 'b.jsonl')).equals(readFileSync(nextTo(path, 'a.jsonl')))).toBe(true)
})

test('a copy of a copy is the copy', async () => {
  const path = tempFile(crashed().bytes())
  await anonymized(path, nextTo(path, 'once.jsonl'))
  await anonymized(nextTo(path, 'once.jsonl'), nextTo(path, 'twice.jsonl'))
  expect(readFileSync(nextTo(path, 'twice.jsonl'), 'utf8')).toBe(
    readFileSync(nextTo(path, 'once.jsonl'), 'utf8'),
  )
})

test('the report counts, and quotes nothing of the log', async () => {
  const built = crashed().event('acme/secret', { password: 'hunter2' })
  const path = tempFile(built.bytes())
  const result = await anonymized(path, nextTo(path))
  const { fields, same, keep, container, events } = dataOf(result)
  expect({ container, events, keep }).toEqual({ container: 'jsonl', events: built.nextSeq, keep: [] })
  expect(same.findings).toBeGreaterThan(0)
  expect(fields.find(({ what }) => what === 'event types')).toEqual({
    what: 'event types',
    replaced: 1,
    kept: built.nextSeq,
  })
  expect(result.stdout).not.toMatch(/acme|secret|password|hunter2|session-0/)
  const shown = await runMain(['anonymize', path, '-o', nextTo(path, 'again.jsonl')], { terminal: 100 })
  expect(shown.stdout).toContain('members that the format knows')
  expect(shown.stdout).not.toMatch(/acme|secret|password|hunter2|session-0/)
})

describe('--keep', () => {
  test('leaves what it names, wherever the same text is', async () => {
    const path = tempFile(base().header({ cwd: '/srv/app' }).bytes())
    const result = await anonymized(path, nextTo(path), '--keep', 'tool/call.name', '--keep', 'header.cwd')
    expect(dataOf(result).keep).toEqual([
      { path: 'tool/call.name', kept: 1 },
      { path: 'header.cwd', kept: 1 },
    ])
    const rows = readFileSync(nextTo(path), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows[0].cwd).toBe('/srv/app')
    const answer = rows.find(({ type }) => type === 'assistant/message')
    expect(answer.data.message.content[0].name).toBe('bash')
    expect(answer.data.message.source.model).not.toBe('m')
  })

  test('says that it is a risk, and when there is nothing to keep', async () => {
    const path = tempFile(base().bytes())
    const call = [
      'anonymize',
      path,
      '-o',
      nextTo(path),
      '--keep',
      'tool/call.nmae',
      '--keep',
      'tool/call.name',
    ]
    const { stdout } = await runMain(call)
    expect(stdout).toContain('before you share')
    expect(stdout).toMatch(/tool\/call\.nmae +none/)
  })

  test.each(['name', 'header..cwd', '', 'tool/call.'])('%j is no path', async (keep) => {
    const path = tempFile(base().bytes())
    refusedWith(await anonymized(path, nextTo(path), '--keep', keep), 2, nextTo(path), /is no path/)
  })
})

test('the plugin that asks for titles keeps its name, which releases compare', async () => {
  const source = { kind: 'plugin', plugin: 'dsh-session-title-llm' }
  const message = { id: 'm', role: 'user', source, content: [{ type: 'text', text: 'a title' }] }
  const request = { titleProvider: 'p', messageSeqs: [1], system: 's', messages: [message], maxTokens: 9 }
  const route = { provider: 'p', model: 'm' }
  const path = tempFile(
    base()
      .event('session/title-llm-request', { ...request, route })
      .bytes(),
  )
  expect((await anonymized(path, nextTo(path))).exitCode).toBe(0)
  expect(readFileSync(nextTo(path), 'utf8')).toContain(source.plugin)
})

describe('containers', () => {
  test('a compressed log, as it is and as text', async () => {
    const [header = '', ...rows] = base().text().trimEnd().split('\n')
    const frames = await Promise.all(
      [header, rows.join('\n')].map((text) => writeFrame(Buffer.from(`${text}\n`))),
    )
    const path = tempFile(Buffer.concat(frames), 'log.jsonl.zstd')
    expect(dataOf(await anonymized(path, nextTo(path, 'shared.jsonl.zstd'))).container).toBe('zstd')
    expect(dataOf(await anonymized(path, nextTo(path))).container).toBe('jsonl')
    const checked = await runMain(['check', nextTo(path, 'shared.jsonl.zstd'), '--json'])
    expect(reportIn(checked.stdout)).toMatchObject({
      verdict: 'refused-by-newer',
      findings: [{ code: 'upgrade/before-first-step' }],
    })
    expect(readFileSync(nextTo(path), 'utf8').split('\n')).toHaveLength(rows.length + 2)
  })

  test.each(['SQLite 14', 'SQLite 17'] as const)(
    'a session of a database becomes text: %s',
    async (schema) => {
      const path = await written(schema, await wholeLog(rich().bytes()))
      expect(dataOf(await anonymized(path, nextTo(path))).container).toBe('jsonl')
      expect((await runMain(['check', nextTo(path), '-q'])).exitCode).toBe(0)
    },
  )

  test('gzip, and standard input', async () => {
    const path = tempFile(gzipSync(base().bytes()), 'log.jsonl.gz')
    await anonymized(path, nextTo(path, 'a.jsonl'))
    const piped = await runMain(['anonymize', '-', '-o', nextTo(path, 'b.jsonl')], { input: base().bytes() })
    expect(piped.exitCode).toBe(0)
    expect(readFileSync(nextTo(path, 'b.jsonl'), 'utf8')).toBe(readFileSync(nextTo(path, 'a.jsonl'), 'utf8'))
  })

  test.each(['shared.db', 'shared.jsonl.zstd'])('a plain log is not written as %s', async (name) => {
    const path = tempFile(base().bytes())
    refusedWith(await anonymized(path, nextTo(path, name)), 2, nextTo(path, name), /convert/)
  })
})

describe('refused', () => {
  test('without -o', async () => {
    const { exitCode, stderr } = await runMain(['anonymize', tempFile(base().bytes())])
    expect({ exitCode, said: stderr.includes('needs -o') }).toEqual({ exitCode: 2, said: true })
  })

  test('what exists is not written over, least of all the log', async () => {
    const path = tempFile(base().bytes())
    writeFileSync(nextTo(path), 'mine')
    for (const output of [path, nextTo(path), tempDir()])
      expect((await anonymized(path, output)).exitCode).toBe(2)
    expect(readFileSync(nextTo(path), 'utf8')).toBe('mine')
    expect(readFileSync(path).equals(base().bytes())).toBe(true)
  })

  test.each([
    ['an empty file', '', 3],
    ['no log', 'hello\n', 3],
  ])('%s', async (_name, content, code) => {
    const path = tempFile(content)
    refusedWith(await anonymized(path, nextTo(path)), code, nextTo(path), /not a session log/)
  })

  test('a file that is not there', async () => {
    const output = join(tempDir(), 'shared.jsonl')
    refusedWith(await anonymized(join(dirname(output), 'none.jsonl'), output), 3, output, /none\.jsonl/)
  })

  test('a record over the limit', async () => {
    const path = tempFile(
      base()
        .event('todo/write', { todos: 'x'.repeat(9000) })
        .bytes(),
    )
    refusedWith(await anonymized(path, nextTo(path), '--max-record', '8K'), 5, nextTo(path), /--max-record/)
  })

  test('a case that would be another one: half a character is all that two arguments differ in', async () => {
    const differing = base()
      .edit(5, (row) => ({ ...row, data: { ...(row.data as object), arguments: '"\ud800"' } }))
      .edit(4, (row) => JSON.parse(JSON.stringify(row).replace('"{}"', '"\\"\\ud801\\""')))
    const path = tempFile(differing.bytes())
    expect((await runMain(['check', path])).stdout).toContain('pair/arguments-differ')
    refusedWith(
      await anonymized(path, nextTo(path)),
      5,
      nextTo(path),
      /findings would lack: .*pair\/arguments-differ.* seq 5/,
    )
    expect(readdirSync(dirname(path))).toEqual(['log.jsonl'])
  })
})

test('a log that tries to draw on the terminal', async () => {
  const evil = '\x1b[2J\u202eevil\x9b31m\u2028\ud800'
  const built = log()
    .header({ id: evil, [evil]: evil })
    .turn((turn) => turn.user(evil).step((step) => step.assistant(evil)))
  const path = tempFile(built.event(evil, { [evil]: evil }, { ignorable: true }).bytes())
  const { exitCode, stdout } = await runMain(['anonymize', path, '-o', nextTo(path), '--keep', 'header.id'])
  expect(exitCode).toBe(0)
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u)
})
