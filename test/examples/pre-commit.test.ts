/**
 * The hook for pre-commit: well formed, and run as pre-commit runs it: those of the staged files whose names fit, as
 * arguments of the entry. Where pre-commit is installed, it judges the file itself.
 */
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import type { FileContent } from '../support/file-tree.ts'
import { gitRepository } from '../support/git-repository.ts'
import { commandFolder, PACKAGE } from '../support/installed-command.ts'
import { readYaml } from '../support/read-yaml.ts'
import { base, rich } from '../support/sample-logs.ts'
import { testUnlessMissing } from '../support/unless-missing.ts'

interface Hook {
  readonly entry: string
  readonly files: string
}

interface Config {
  readonly repos: readonly { readonly repo: string; readonly hooks: readonly Hook[] }[]
}

const { path, value } = readYaml('examples/pre-commit/.pre-commit-config.yaml')
const [source, ...others] = (value as Config).repos
const hook = source?.hooks[0] as Hook

test('it is one local hook, which installs the present version', () => {
  expect(Object.keys(value as object)).toEqual(['repos'])
  expect([source?.repo, source?.hooks.length, others.length]).toEqual(['local', 1, 0])
  expect(hook).toEqual({
    id: 'resurface',
    name: expect.any(String),
    language: 'node',
    additional_dependencies: [PACKAGE],
    entry: expect.stringMatching(/^resurface check\b/),
    files: expect.any(String),
    require_serial: true,
  })
})

const missing =
  spawnSync('pre-commit', ['--version']).status === 0 ? undefined : 'pre-commit is not installed'

testUnlessMissing(missing, 'pre-commit finds it valid', async () => {
  await execa('pre-commit', ['validate-config', path])
})

/** What a commit of these files comes to, and which of them were looked at. */
async function commit(files: Readonly<Record<string, FileContent>>) {
  const repository = gitRepository({ 'README.md': 'x' })
  repository.add(files)
  const staged = repository.git('diff', '--staged', '--name-only', '--diff-filter=ACMRTUXB')
  const pattern = new RegExp(hook.files)
  const fitting = staged.filter((name) => pattern.test(name))
  if (fitting.length === 0) return { fitting, exitCode: 0, stdout: '' }
  const PATH = [commandFolder(), dirname(process.execPath), process.env.PATH].join(':')
  const options = { cwd: repository.root, env: { PATH }, extendEnv: false, reject: false } as const
  const { exitCode, stdout } = await execa('bash', ['-c', `${hook.entry} "$@"`, 'hook', ...fitting], options)
  return { fitting, exitCode, stdout }
}

const good = 'sessions/good.jsonl'
const bad = 'sessions/deep/a b.jsonl'

test('a commit of a good log passes', async () => {
  const { fitting, exitCode } = await commit({ [good]: rich(), 'data/other.json': '{}' })
  expect({ fitting, exitCode }).toEqual({ fitting: [good], exitCode: 0 })
})

test('a commit of a bad log is stopped, with the reason', async () => {
  const { exitCode, stdout } = await commit({ [good]: rich(), [bad]: base().drop(5) })
  expect(exitCode).toBe(1)
  expect(stdout).toContain(`${bad}: 1 error`)
  expect(stdout).toContain('error order/seq-gap')
})

test('a commit without a log is none of its business', async () => {
  const { fitting } = await commit({ 'src/sessions/log.jsonl': 'x', 'sessions/readme.md': 'x' })
  expect(fitting).toEqual([])
})
