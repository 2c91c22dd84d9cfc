/** `bisect --rule`: which event it names, how it found it, and what it says when there is none. */

import { describe, expect, test } from 'vitest'
import { CONTAINERS, type ContainerName, wholeLog, written } from '../support/containers.ts'
import { log } from '../support/log-builder.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain, type World } from '../support/run-main.ts'
import { base, crashed, torn, twoTurns } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

async function bisect(path: string, code: string, world: World = {}) {
  const result = await runMain(['bisect', path, '--rule', code, '--json'], world)
  const report = result.stdout === '' ? undefined : reportIn(result.stdout)
  return { ...result, data: report?.data, findings: report?.findings }
}

/** A call without a result in the second of three turns: seq 13 announces it, 15 closes its step. */
function unanswered() {
  return base()
    .turn((turn) => turn.user('go').step((step) => step.request().assistant('').call('c9', 'bash')))
    .turn((turn) => turn.user('and?').step((step) => step.assistant('well')))
}

describe('where a rule begins to be raised', () => {
  test('at the place of the finding, when it is there at once', async () => {
    const path = tempFile(
      twoTurns()
        .turn((turn) => turn.user('sum up').checkpoint(3, 10, { sources: [10] }))
        .bytes(),
    )
    const { exitCode, data, findings } = await bisect(path, 'surface/start-not-found')
    expect(exitCode).toBe(1)
    expect(data).toEqual({
      rule: 'surface/start-not-found',
      settles: false,
      checks: 3,
      method: 'place',
      first: { line: 19, type: 'user/message', seq: 17, time: 1_700_000_000_017 },
      lasts: true,
    })
    expect(findings).toMatchObject([{ code: 'surface/start-not-found', seq: 17, line: 19 }])
  })

  test('where a later event makes it so: the end of the step, not the call', async () => {
    const { data, findings } = await bisect(tempFile(unanswered().bytes()), 'pair/result-missing')
    expect(data).toMatchObject({
      method: 'halving',
      first: { line: 17, type: 'step/end', seq: 15, turn: 2, step: 1 },
      lasts: true,
      // A clash of two writers can take it back: the result may be in the branch that continues.
      settles: true,
    })
    expect(findings).toMatchObject([{ seq: 13, line: 15 }])
  })

  test('a gap in the seqs is one when a turn end follows; until then it is a crash tail', async () => {
    const path = tempFile(twoTurns().drop(11).bytes())
    expect((await bisect(path, 'order/seq-gap')).data.first).toMatchObject({ seq: 14, type: 'turn/end' })
  })

  test('what was open before and settled does not count: the turn that is open at the end', async () => {
    const { data } = await bisect(tempFile(crashed().bytes()), 'turn/open')
    expect(data).toMatchObject({ first: { seq: 9, type: 'turn/start', turn: 2 }, settles: true, lasts: true })
  })

  test('the header', async () => {
    const path = tempFile(base().header({ cwd: 'relative' }).bytes())
    expect((await bisect(path, 'header/invalid')).data.first).toMatchObject({ line: 1, type: 'session' })
  })

  test('a record that cannot be read has a line and nothing else', async () => {
    const path = tempFile(base().raw('%%%').turn().bytes())
    const { data, findings } = await bisect(path, 'bytes/bad-line')
    expect(data.first).toMatchObject({ type: 'turn/end' })
    expect(findings).toMatchObject([{ line: 11 }])
    const tail = await bisect(tempFile(base().raw('%%%').bytes()), 'bytes/bad-tail-line')
    expect(tail.data.first).toEqual({ line: 11 })
  })

  test('a torn tail', async () => {
    const { data } = await bisect(tempFile(torn()), 'bytes/torn-tail')
    expect(data).toMatchObject({ first: { line: 16 }, method: 'place' })
  })

  test('nothing at all', async () => {
    const { data, exitCode } = await bisect(tempFile(''), 'bytes/empty-file')
    expect({ exitCode, first: data.first }).toEqual({ exitCode: 1, first: { line: 1 } })
  })

  test('what only plugin authors are told', async () => {
    const path = tempFile(base().event('acme/x', {}, { ignorable: true }).bytes())
    expect((await bisect(path, 'plugin/ignorable-type')).data.first).toMatchObject({ seq: 9 })
  })

  test('a packed row: the seq of its last event', async () => {
    const built = log().turn((turn) =>
      turn.user('hi').step((step) => step.packed(['a', 'b', 'c']).assistant('abc', { sources: [] })),
    )
    const path = tempFile(built.edit(6, (row) => ({ ...row, extra: 1 })).bytes())
    expect((await bisect(path, 'envelope/invalid')).data.first).toMatchObject({ line: 6, seq: 6 })
  })
})

test.each(Object.keys(CONTAINERS) as ContainerName[])('%s: the same event', async (name) => {
  const { data } = await bisect(
    await written(name, await wholeLog(unanswered().bytes())),
    'pair/result-missing',
  )
  expect(data.first).toMatchObject({ line: 17, seq: 15, type: 'step/end' })
})

test('standard input', async () => {
  const input = unanswered().bytes()
  const { data } = await bisect('-', 'pair/result-missing', { input })
  expect(data.first).toMatchObject({ seq: 15 })
  expect((await runMain(['bisect', '-', '--rule', 'pair/result-missing'], { input })).stdout).not.toContain(
    'why',
  )
})

describe('nothing to find', () => {
  test('the rule is not raised', async () => {
    const { exitCode, data, findings } = await bisect(tempFile(base().bytes()), 'order/seq-gap')
    expect({ exitCode, data, findings }).toEqual({
      exitCode: 0,
      data: { rule: 'order/seq-gap', settles: false, checks: 1 },
      findings: [],
    })
  })

  test('not everything could be checked', async () => {
    const path = tempFile(base().header({ version: 99 }).bytes())
    expect(await bisect(path, 'turn/nested')).toMatchObject({ exitCode: 4, data: { checks: 1 } })
    const long = await runMain([
      'bisect',
      tempFile(base().bytes()),
      '--rule',
      'turn/nested',
      '--max-record',
      '200',
    ])
    expect(long.exitCode).toBe(4)
    expect(long.stderr).toContain('not checked fully')
  })

  test('it was for a while, which is no news', async () => {
    const { exitCode, data } = await bisect(tempFile(base().bytes()), 'turn/open')
    expect({ exitCode, settles: data.settles, first: data.first }).toEqual({ exitCode: 0, settles: true })
  })
})

test('a policy changes nothing about what was asked for by name', async () => {
  const config = tempFile(JSON.stringify({ rules: { 'pair/result-missing': 'off' } }), 'resurface.json')
  const world = { env: { RESURFACE_CONFIG: config } }
  expect((await bisect(tempFile(unanswered().bytes()), 'pair/result-missing', world)).exitCode).toBe(1)
})

describe('what cannot be searched', () => {
  test.each<[what: string, exitCode: number, args: () => readonly string[], said: RegExp]>([
    ['no rule', 2, () => [tempFile(base().bytes())], /--rule CODE and --exec/],
    [
      'half a rule',
      2,
      () => [tempFile(base().bytes()), '--rule', 'seq-gap'],
      /Did you mean order\/seq-gap\?/,
    ],
    ['a typo', 2, () => [tempFile(base().bytes()), '--rule', 'turn/opne'], /Did you mean turn\/open/],
    ['no rule at all', 2, () => [tempFile(base().bytes()), '--rule', 'x'], /resurface explain/],
    ['no file', 3, () => ['/none/x.jsonl', '--rule', 'turn/open'], /no such file/],
    ['no log', 3, () => [tempFile('{"a":1}\n'), '--rule', 'turn/open'], /not a session log/],
    ['an empty file', 3, () => [tempFile(''), '--rule', 'turn/open'], /not a session log/],
    ['an empty folder', 3, () => [tempDir(), '--rule', 'turn/open'], /no session log/],
    [
      'a finding about the place',
      5,
      () => [tempFile(base().bytes(), 'session.v3.jsonl'), '--rule', 'store/generation-mismatch'],
      /none of its events/,
    ],
  ])('%s', async (_what, exitCode, args, said) => {
    const result = await runMain(['bisect', ...args()])
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: '' })
    expect(result.stderr).toMatch(said)
  })
})

test('a person is told where, how it was found, and where to look next', async () => {
  const path = tempFile(unanswered().bytes())
  const { stdout } = await runMain(['bisect', path, '--rule', 'pair/result-missing'])
  expect(stdout).toContain('pair/result-missing is raised from seq 15 (step/end) on')
  expect(stdout).toContain(`resurface why ${path} 15`)
  expect(stdout).toContain(`resurface surface ${path} --at 14`)
  expect(stdout).toContain('line 15, seq 13: tool call c9 (bash) has no result')
})
