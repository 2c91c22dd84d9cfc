/** Other severities, a baseline, and where settings come from. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runMain } from '../support/run-main.ts'
import { base } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const message = { id: 'u9', role: 'user', source: { kind: 'user' }, content: [] }
const unmarked = (seq: number) =>
  `${JSON.stringify({ type: 'user/message', seq, time: 1_700_000_000_100, data: { ...message, id: `u${seq}` } })}\n`

/** A log with a message that has no surface marker. */
const broken = () => tempFile(base().text() + unmarked(9))

describe('--rule', () => {
  test('takes a rule for less, and off leaves it out', async () => {
    const path = broken()
    expect((await runMain(['check', path])).exitCode).toBe(1)
    expect((await runMain(['check', path, '--rule', 'surface/op-missing=warning'])).exitCode).toBe(0)
    const off = JSON.parse(
      (await runMain(['check', path, '--rule', 'surface/op-missing=off', '--json'])).stdout,
    )
    expect(off.findings).toEqual([])
    expect(off.data.opens, 'what DSH does no setting can change').toBe(false)
  })

  test.each([['nonsense=off'], ['surface/op-missing=loud'], ['surface/op-missing']])(
    'refuses %s',
    async (rule) => {
      expect((await runMain(['check', broken(), '--rule', rule])).exitCode).toBe(2)
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
    expect(JSON.parse(known.stdout).data.known).toBe(1)

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
