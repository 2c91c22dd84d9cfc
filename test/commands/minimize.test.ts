/** `minimize` through the command line: what it writes, what it says, and what it refuses. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CONTAINERS, type ContainerName, wholeLog, written } from '../support/containers.ts'
import { log } from '../support/log-builder.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain, type World } from '../support/run-main.ts'
import { base, torn, twoTurns } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

async function minimize(path: string, code: string, more: readonly string[] = [], world: World = {}) {
  const output = join(tempDir(), 'small.jsonl')
  const result = await runMain(['minimize', path, '--rule', code, '-o', output, '--json', ...more], world)
  const text = existsSync(output) ? readFileSync(output, 'utf8') : ''
  const rows = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  const report = result.stdout === '' ? undefined : reportIn(result.stdout)
  return { ...result, output, rows, data: report?.data, findings: report?.findings }
}

/** Three turns, in the last of which a replacement starts at an event that is not on the surface. */
function misplaced() {
  return twoTurns().turn((turn) => turn.user('sum up').checkpoint(3, 10, { sources: [10] }))
}

test('turns, events and values go; what is left is renumbered, and has the finding and no other', async () => {
  const { exitCode, rows, data, findings } = await minimize(
    tempFile(misplaced().bytes()),
    'surface/start-not-found',
  )
  expect(exitCode).toBe(0)
  expect(rows.map(({ type }) => type)).toEqual(['session', 'user/message'])
  expect(rows[1]).toMatchObject({ seq: 0, surfaceOp: { op: 'replace' } })
  expect(rows[0]).not.toHaveProperty('cwd')
  expect(findings.map(({ code }: { code: string }) => code)).toEqual(['surface/start-not-found'])
  expect(data).toMatchObject({ isComplete: true, records: { before: 20, after: 2 } })
})

test('a call without its result keeps the step that closes on it', async () => {
  const path = tempFile(
    twoTurns()
      .turn((turn) => turn.user('go').step((step) => step.request().assistant('hm').call('c9', 'bash')))
      .turn((turn) => turn.user('and?'))
      .bytes(),
  )
  const { rows } = await minimize(path, 'pair/result-missing')
  expect(rows.map(({ type }) => type)).toEqual([
    'session',
    'turn/start',
    'step/start',
    'assistant/message',
    'step/end',
    'turn/end',
  ])
  expect(rows.slice(1).map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4])
  expect(rows[1].data.turn).toBe(1)
})

test('numbers that are out of order stay so while the rest moves up', async () => {
  const path = tempFile(twoTurns().drop(11).bytes())
  const { rows } = await minimize(path, 'order/seq-gap')
  const seqs = rows.slice(1).map(({ seq }) => seq)
  expect(seqs).toEqual([0, 2])
})

test('what is wrong with bytes is kept as bytes', async () => {
  const built = base()
  const line = built.lines()[4] as Buffer
  const path = tempFile(
    built
      .turn((turn) => turn.user('more'))
      .raw(
        Buffer.from(
          String(line)
            .replace(/"seq":\d+/, '"seq":12')
            .replace('"time"', '"time":1,"time"'),
        ),
      )
      .turn()
      .bytes(),
  )
  const { exitCode, output } = await minimize(path, 'bytes/duplicate-member')
  expect(exitCode).toBe(0)
  expect(readFileSync(output, 'utf8')).toMatch(/\n.*"time":1,"time".*\n/)
})

test('a torn tail stays torn', async () => {
  const { output, data } = await minimize(tempFile(torn()), 'bytes/torn-tail')
  expect(data.records.after).toBe(2)
  expect(readFileSync(output, 'utf8')).toMatch(/\n[^\n]$/)
})

test.each(Object.keys(CONTAINERS) as ContainerName[])(
  '%s: the same small log in plain JSONL',
  async (name) => {
    const log = misplaced().bytes()
    const { output } = await minimize(await written(name, await wholeLog(log)), 'surface/start-not-found')
    const plain = await minimize(tempFile(log), 'surface/start-not-found')
    expect(readFileSync(output, 'utf8')).toBe(readFileSync(plain.output, 'utf8'))
  },
)

test('on standard input', async () => {
  const { exitCode, rows } = await minimize('-', 'surface/start-not-found', [], {
    input: misplaced().bytes(),
  })
  expect({ exitCode, rows: rows.length }).toEqual({ exitCode: 0, rows: 2 })
})

describe('--time', () => {
  test('the best so far is written, and it is said that the time was up', async () => {
    const path = tempFile(misplaced().bytes())
    // Anyone who asks for the time is a second late again.
    const { exitCode, data, rows } = await minimize(path, 'surface/start-not-found', ['--time', '11'], {
      watching: 80,
    })
    expect(exitCode).toBe(0)
    expect(data.isComplete).toBe(false)
    expect(data.checks).toBeLessThan(7)
    expect(rows.length).toBeLessThan(20)
    const text = await runMain(
      [
        'minimize',
        path,
        '--rule',
        'surface/start-not-found',
        '-o',
        join(tempDir(), 'x.jsonl'),
        '--time',
        '1',
      ],
      { watching: 80 },
    )
    expect(text.stdout).toContain('--time')
  })

  test('progress says how many were tried, on a terminal only', async () => {
    const path = tempFile(misplaced().bytes())
    const { stderr } = await minimize(path, 'surface/start-not-found', [], { watching: 120 })
    expect(stderr).toMatch(/searching {2}\d+ attempts/)
    expect((await minimize(path, 'surface/start-not-found')).stderr).toBe('')
  })
})

describe('a policy changes nothing about what was asked for by name', () => {
  test.each(['off', 'info'])('%s', async (severity) => {
    const path = tempFile(misplaced().bytes())
    const config = tempFile(JSON.stringify({ rules: { 'surface/start-not-found': severity } }), 'r.json')
    const { exitCode } = await minimize(path, 'surface/start-not-found', [], {
      env: { RESURFACE_CONFIG: config },
    })
    expect(exitCode).toBe(0)
  })
})

describe('refused, and nothing is written', () => {
  test.each<[what: string, exitCode: number, args: (log: string) => readonly string[], said: RegExp]>([
    ['no -o', 2, (log) => [log, '--rule', 'turn/open'], /needs -o/],
    ['no rule', 2, (log) => [log, '-o', 'OUT'], /--rule CODE/],
    ['rule and command', 2, (log) => [log, '--rule', 'turn/open', '--exec', 'x {}', '-o', 'OUT'], /one of/],
    ['another container', 2, (log) => [log, '--rule', 'turn/open', '-o', 'OUT.db'], /plain JSONL/],
    ['a rule that is none', 2, (log) => [log, '--rule', 'turn/opne', '-o', 'OUT'], /turn\/open/],
    ['not raised', 2, (log) => [log, '--rule', 'turn/open', '-o', 'OUT'], /does not raise turn\/open/],
    ['over the log', 2, (log) => [log, '--rule', 'surface/start-not-found', '-o', log], /belongs to the log/],
    ['no log', 3, () => [tempFile('{"a":1}\n'), '--rule', 'turn/open', '-o', 'OUT'], /not a session log/],
    ['no file', 3, () => ['/none/x.jsonl', '--rule', 'turn/open', '-o', 'OUT'], /no such file/],
    ['a time of nothing', 2, (log) => [log, '--rule', 'turn/open', '-o', 'OUT', '--time', '0'], /--time/],
  ])('%s', async (_what, exitCode, args, said) => {
    const folder = tempDir()
    const path = tempFile(misplaced().bytes())
    const before = readFileSync(path)
    const call = args(path).map((arg) => arg.replace(/^OUT/, join(folder, 'out')))
    const result = await runMain(['minimize', ...call])
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: '' })
    expect(result.stderr).toMatch(said)
    expect(readdirSync(folder)).toEqual([])
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test.each([
    ['a container that is called otherwise', 'bytes/container-name', 'log.jsonl.zstd'],
    ['the wrong generation', 'store/generation-mismatch', 'session.v3.jsonl'],
  ])('%s: a plain log cannot have it', async (_what, code, name) => {
    const { exitCode, stderr, rows } = await minimize(tempFile(base().bytes(), name), code)
    expect({ exitCode, rows }).toEqual({ exitCode: 5, rows: [] })
    expect(stderr).toContain(code)
  })
})

test('a log that raises nothing else with fewer events, but would raise something new, stays larger', async () => {
  // Without its turn the todo list would be outside of one.
  const path = tempFile(
    log()
      .openTurn((turn) => turn.event('todo/write', { todos: [] }, { extra: 1 }))
      .event('turn/end', { turn: 1, reason: { kind: 'completed' } })
      .bytes(),
  )
  const { rows, findings } = await minimize(path, 'envelope/invalid')
  expect(rows.map(({ type }) => type)).toEqual(['session', 'turn/start', 'todo/write', 'turn/end'])
  expect(new Set(findings.map(({ code }: { code: string }) => code))).toEqual(new Set(['envelope/invalid']))
  expect(rows.some((row) => 'extra' in row)).toBe(true)
})
