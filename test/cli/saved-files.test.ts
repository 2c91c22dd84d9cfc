/** Files of ours that are read back: whatever they hold, the answer is no bug, and it names the place that is wrong. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jsonMutants } from '../support/json-mutants.ts'
import { type MainResult, runMain, type World } from '../support/run-main.ts'
import { base, crashed } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

interface SavedFile {
  /** Writes a good one. */
  readonly write: (log: string, path: string) => Promise<void>
  readonly use: (log: string, path: string) => readonly [args: readonly string[], world?: World]
  /** Exit code of a file that is not what it should be. */
  readonly malformed: number
  /** Exit codes of a file that is, also when what it says does not suit. */
  readonly others: readonly number[]
}

const KINDS: Readonly<Record<string, SavedFile>> = {
  'a plan': {
    write: async (log, path) => void (await runMain(['repair', log, '--plan', path])),
    use: (log, path) => [['repair', log, '--apply', path]],
    malformed: 3,
    others: [1, 5],
  },
  'a plan that names its log': {
    write: async (log, path) =>
      void (await runMain(['repair', log, '--truncate-after', 'turn:1', '--plan', path])),
    use: (_log, path) => [['repair', '--apply', path]],
    malformed: 3,
    others: [1, 3, 5],
  },
  'a baseline': {
    write: async (log, path) => void (await runMain(['check', log, '--baseline', path, '--update-baseline'])),
    use: (log, path) => [['check', log, '--baseline', path]],
    malformed: 2,
    others: [0],
  },
  'a configuration': {
    write: async (_log, path) => {
      const baseline = tempFile('{"schema":"resurface/baseline@1","findings":[]}', 'known.json')
      const rules = { 'turn/open': 'info', 'order/seq-gap': 'off' }
      writeFileSync(path, JSON.stringify({ failOn: 'error', rules, baseline }))
    },
    use: (log, path) => [['check', log], { env: { RESURFACE_CONFIG: path } }],
    malformed: 2,
    others: [0, 2],
  },
}

describe.each(Object.entries(KINDS))('%s', (_name, { write, use, malformed, others }) => {
  async function run(content: string | ((good: string) => string)): Promise<MainResult> {
    const log = tempFile(crashed().bytes())
    const path = join(tempDir(), 'saved.json')
    await write(log, path)
    writeFileSync(path, typeof content === 'string' ? content : content(readFileSync(path, 'utf8')))
    return runMain(...use(log, path))
  }

  test('is read back', async () => {
    const { exitCode, stderr } = await run((good) => good)
    expect(stderr).not.toContain('saved.json')
    expect(others).toContain(exitCode)
  })

  test('with any one member removed or of another type', async () => {
    const log = tempFile(crashed().bytes())
    const path = join(tempDir(), 'saved.json')
    await write(log, path)
    const good: unknown = JSON.parse(readFileSync(path, 'utf8'))
    let refused = 0
    for (const { change, value } of jsonMutants(good)) {
      writeFileSync(path, JSON.stringify(value))
      const { exitCode, stderr } = await runMain(...use(log, path))
      expect([malformed, ...others], `${change}: ${stderr}`).toContain(exitCode)
      expect(stderr, change).not.toMatch(/^\s+at |undefined|\[object/m)
      if (exitCode === malformed)
        expect(stderr, change).toMatch(/saved\.json|cannot read (?:the baseline|text)/)
      if (exitCode === malformed) refused++
    }
    expect(refused).toBeGreaterThan(10)
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a log', base().text()],
    ['bytes', '\xff\x00'],
    ['nested far too deeply', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ])('that holds %s', async (_what, content) => {
    const { exitCode, stderr } = await run(content)
    expect(exitCode, stderr).toBe(malformed)
    expect(stderr).toContain('saved.json')
  })
})

test('the place is named', async () => {
  const log = tempFile(crashed().bytes())
  const plan = join(tempDir(), 'plan.json')
  await runMain(['repair', log, '--plan', plan])
  const saved = JSON.parse(readFileSync(plan, 'utf8'))
  saved.steps[0].kind = 7
  writeFileSync(plan, JSON.stringify(saved))
  const { stderr } = await runMain(['repair', log, '--apply', plan])
  expect(stderr).toContain('is not a repair plan: /steps/0/kind: expected text, found 7')

  const baseline = tempFile('{"schema":"resurface/baseline@1","findings":[{"code":"a/b"}]}')
  const known = await runMain(['check', log, '--baseline', baseline])
  expect(known.stderr).toContain('is not a baseline: /findings/0/fingerprint: expected text, found nothing')
})
