/** Other severities, a baseline, and where settings come from. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { base } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const message = { id: 'u9', role: 'user', source: { kind: 'user' }, content: [] }
const unmarked = (seq: number) =>
  `${JSON.stringify({ type: 'user/message', seq, time: 1_700_000_000_100, data: { ...message, id: `u${seq}` } })}\n`

/** A log with a message that has no surface marker. */
const broken = () => tempFile(base().text() + unmarked(9))

describe('--severity', () => {
  test('takes a rule for less, and off leaves it out', async () => {
    const path = broken()
    expect((await runMain(['check', path])).exitCode).toBe(1)
    expect((await runMain(['check', path, '--severity', 'surface/op-missing=warning'])).exitCode).toBe(0)
    const off = reportIn(
      (await runMain(['check', path, '--severity', 'surface/op-missing=off', '--json'])).stdout,
    )
    expect(off.findings).toMatchObject([{ code: 'upgrade/before-first-step' }])
    expect(off.data.opens, 'what DSH does no setting can change').toBe(false)
  })

  test.each([['nonsense=off'], ['surface/op-missing=loud'], ['surface/op-missing']])(
    'refuses %s',
    async (rule) => {
      expect((await runMain(['check', broken(), '--severity', rule])).exitCode).toBe(2)
    },
  )
})

describe('--baseline', () => {
  test('is written, leaves known findings out, and lets new ones fail', async () => {
    const baseline = join(tempDir(), 'baseline.json')
    const path = broken()
    const written = await runMain(['check', path, '--baseline', baseline, '--update-baseline'])
    expect(written.exitCode).toBe(0)
    const known = await runMain(['check', path, '--baseline', baseline, '--json'])
    expect(known.exitCode).toBe(0)
    expect(reportIn(known.stdout)).toMatchObject({ verdict: 'left-out', data: { known: 2, opens: false } })

    const log = readFileSync(path, 'utf8')
    writeFileSync(path, log + unmarked(10))
    expect((await runMain(['check', path, '--baseline', baseline])).exitCode).toBe(1)
  })

  test.each(['missing', 'garbage'])('refuses a %s file', async (kind) => {
    const baseline = kind === 'garbage' ? tempFile('{}', 'b.json') : join(tempDir(), 'b.json')
    expect((await runMain(['check', broken(), '--baseline', baseline])).exitCode).toBe(2)
  })
})

test('an option wins over the environment, which wins over the configuration', async () => {
  const path = broken()
  const config = tempFile(
    JSON.stringify({ failOn: 'never', rules: { 'surface/op-missing': 'error' } }),
    'c.json',
  )
  const env = { RESURFACE_CONFIG: config }
  expect((await runMain(['check', path], { env })).exitCode).toBe(0)
  expect((await runMain(['check', path], { env: { ...env, RESURFACE_FAIL_ON: 'error' } })).exitCode).toBe(1)
  const never = { ...env, RESURFACE_FAIL_ON: 'error' }
  expect((await runMain(['check', path, '--fail-on', 'never'], { env: never })).exitCode).toBe(0)
})

describe('the configuration', () => {
  const config = (value: unknown) => tempFile(JSON.stringify(value), 'resurface.json')
  const run = (path: string) => runMain(['check', broken()], { env: { RESURFACE_CONFIG: path } })

  test.each<[value: unknown, said: RegExp]>([
    [
      { failon: 'never' },
      /unknown key "failon"\nDid you mean failOn\? The keys are failOn, rules, baseline, exclude\./,
    ],
    [{ colour: true }, /unknown key "colour"\nThe keys are/],
    [
      { rules: { 'surface/op-mising': 'off' } },
      /no rule "surface\/op-mising"\nDid you mean surface\/op-missing\?/,
    ],
    [{ rules: { 'surface/op-missing': 'loud' } }, /SEVERITY is one of/],
    [{ rules: [] }, /rules must be an object/],
    [{ failOn: 'sometimes' }, /"sometimes" is no severity/],
    [{ baseline: 1 }, /baseline must be a path/],
    [[], /not a JSON object/],
  ])('%j is a usage error that says what was meant', async (value, said) => {
    const path = config(value)
    const { exitCode, stderr } = await run(path)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(path)
    expect(stderr).toMatch(said)
  })

  test('garbage and a missing file are named', async () => {
    for (const path of [tempFile('{', 'resurface.json'), join(tempDir(), 'none.json')]) {
      const { exitCode, stderr } = await run(path)
      expect([exitCode, stderr.includes(path)]).toEqual([2, true])
    }
  })

  test('is looked for in the folders above, and its baseline lies next to it', async () => {
    const path = broken()
    const root = tempDir()
    const cwd = join(root, 'a', 'b')
    mkdirSync(cwd, { recursive: true })
    writeFileSync(join(root, 'resurface.json'), JSON.stringify({ baseline: 'known.json' }))
    const { stderr } = await runMain(['check', path, '--update-baseline'], { cwd })
    expect(stderr).toContain(join(root, 'known.json'))
    expect((await runMain(['check', path], { cwd })).exitCode).toBe(0)
    writeFileSync(join(cwd, 'resurface.json'), JSON.stringify({ failOn: 'warning' }))
    expect((await runMain(['check', path], { cwd })).exitCode).toBe(1)
  })
})
