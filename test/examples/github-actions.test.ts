/**
 * The action and the workflow that uses it: well formed, and the steps of the action run in a repository as a runner runs
 * them. Only what GitHub itself provides (other `uses`) is not.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { type FileContent, fileTree } from '../support/file-tree.ts'
import { gitRepository, type Repository } from '../support/git-repository.ts'
import { registryFolder } from '../support/installed-command.ts'
import { log } from '../support/log-builder.ts'
import { readYaml } from '../support/read-yaml.ts'
import { base, rich } from '../support/sample-logs.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dirname, '../..')

interface Step {
  readonly id?: string
  readonly name?: string
  readonly if?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

const { value, head } = readYaml('examples/github-actions/session-logs.yml')
const workflow = value as Workflow
const jobs = Object.values(workflow.jobs)
const steps = jobs.flatMap((job) => job.steps)
const action = readYaml('action.yml').value as Action
const using = steps.find(({ uses }) => uses?.includes('/resurface@'))

const astray = (object: object, known: readonly string[]): readonly string[] =>
  Object.keys(object).filter((key) => !known.includes(key))

describe('their form', () => {
  test('every key is one that GitHub knows', () => {
    expect(astray(workflow, ['name', 'on', 'permissions', 'jobs'])).toEqual([])
    expect(astray(workflow.on, ['push', 'pull_request', 'schedule', 'workflow_dispatch'])).toEqual([])
    for (const job of jobs)
      expect(astray(job, ['name', 'runs-on', 'timeout-minutes', 'env', 'steps'])).toEqual([])
    for (const step of steps)
      expect(astray(step, ['id', 'name', 'if', 'uses', 'with', 'run', 'env'])).toEqual([])
    expect(astray(action, ['name', 'description', 'inputs', 'outputs', 'runs'])).toEqual([])
    for (const input of Object.values(action.inputs))
      expect(Object.keys(input).toSorted()).toEqual(['default', 'description'])
    expect(action.runs.using).toBe('composite')
    for (const step of action.runs.steps) {
      expect(astray(step, ['id', 'name', 'shell', 'env', 'run'])).toEqual([])
      expect(step.shell).toBe('bash')
    }
  })

  test('a step runs something or uses something, at a version', () => {
    for (const step of steps) {
      expect([step.run, step.uses].filter((part) => part !== undefined)).toHaveLength(1)
      if (step.uses !== undefined)
        expect(step.uses).toMatch(/^[\w-]+\/[\w-]+(?:\/[\w-]+)*@v\d+(?:\.\d+\.\d+)?$/)
    }
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(using?.uses).toMatch(new RegExp(`@v${version}$`))
  })

  test('the workflow may do what it does and no more: read, and upload what it has written', () => {
    expect(workflow.permissions).toEqual({ contents: 'read', 'security-events': 'write' })
    const upload = steps.find(({ uses }) => uses?.includes('upload-sarif'))
    expect(upload?.if).toContain('!cancelled()')
    expect(upload?.with?.sarif_file).toBe(`\${{ steps.${using?.id}.outputs.sarif }}`)
    expect(Object.keys(action.outputs)).toEqual(['sarif'])
  })

  test('the workflow gives inputs that there are, and no script has an expression in it', () => {
    expect(astray(using?.with ?? {}, Object.keys(action.inputs))).toEqual([])
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{')
  })
})

interface JobRun {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  readonly summary: string
  // biome-ignore lint/suspicious/noExplicitAny: a document with a schema of its own.
  readonly sarif: any
}

/** Runs the steps of the action, up to the first that fails, as a runner of GitHub does. */
async function runJob({ root }: Repository, inputs: Step['with'] = using?.with): Promise<JobRun> {
  const runner = fileTree({ 'summary.md': '', output: '' })
  const known: Readonly<Record<string, string>> = {
    'runner.temp': runner,
    'github.action_path': ROOT,
    ...Object.fromEntries(
      Object.entries(action.inputs).map(([name, input]) => [`inputs.${name}`, input.default]),
    ),
    ...Object.fromEntries(Object.entries(inputs ?? {}).map(([name, given]) => [`inputs.${name}`, given])),
  }
  const evaluated = (text: string): string =>
    text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => {
      if (known[name] === undefined) throw new Error(`nothing is known of ${name}`)
      return known[name]
    })
  const env = {
    PATH: [registryFolder(), dirname(process.execPath), process.env.PATH].join(':'),
    HOME: runner,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(runner, 'summary.md'),
    GITHUB_OUTPUT: join(runner, 'output'),
    RUNNER_TEMP: runner,
  }
  let stdout = ''
  let stderr = ''
  let exitCode = 0
  for (const { run = '', env: own = {} } of action.runs.steps) {
    if (exitCode !== 0) continue
    const script = join(runner, 'step.sh')
    writeFileSync(script, run)
    const given = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, evaluated(text)]))
    const options = { cwd: root, env: { ...env, ...given }, extendEnv: false, reject: false } as const
    // As GitHub calls its bash.
    const step = await execa('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], options)
    stdout += `${step.stdout}\n`
    stderr += `${step.stderr}\n`
    exitCode = step.exitCode ?? 255
  }
  const [, sarif = ''] = /^sarif=(.*)$/m.exec(readFileSync(env.GITHUB_OUTPUT, 'utf8')) ?? []
  return {
    exitCode,
    stdout,
    stderr,
    summary: readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8'),
    sarif: existsSync(sarif) ? JSON.parse(readFileSync(sarif, 'utf8')) : undefined,
  }
}

/** Runs the command that the head of the file tells to begin with. */
async function begin({ root }: Repository): Promise<void> {
  const command = head.find((line) => line.startsWith('npx ')) as string
  const PATH = [registryFolder(), dirname(process.execPath), process.env.PATH].join(':')
  await execa('bash', ['-e', '-c', command], { cwd: root, env: { PATH, HOME: tempDir() }, extendEnv: false })
}

async function begun(files: Readonly<Record<string, FileContent>>): Promise<Repository> {
  const repository = gitRepository(files)
  await begin(repository)
  repository.add({})
  return repository
}

const resultsOf = ({ sarif }: JobRun): readonly string[] =>
  sarif.runs[0].results.map(
    // biome-ignore lint/suspicious/noExplicitAny: see JobRun.
    ({ ruleId, locations }: any) => `${ruleId} ${locations[0].physicalLocation.artifactLocation.uri}`,
  )

const errorsOf = ({ stdout }: JobRun): readonly string[] => stdout.match(/^::error .*$/gm) ?? []

const good = { 'sessions/good.jsonl': rich(), 'notes.txt': 'no log' }
const damaged = base().drop(5)
const other = log()
  .header({ id: 'other' })
  .turn((turn) => turn.user('hi'))
  .event('turn/end', { turn: 9 })

describe('what it does', () => {
  test('passes where all is well', async () => {
    const run = await runJob(await begun(good))
    expect(run.exitCode).toBe(0)
    expect(errorsOf(run)).toEqual([])
    expect(run.stdout).toContain('1 log checked: 0 errors')
    expect(run.sarif.version).toBe('2.1.0')
    expect(resultsOf(run)).toEqual([])
    expect(run.summary).toContain('sessions/good.jsonl: nothing but')
  })

  test('fails for a new log that is bad, and says where it is', async () => {
    const repository = await begun(good)
    repository.add({ 'sessions/2/bad.jsonl': damaged })
    const run = await runJob(repository)
    expect(run.exitCode).toBe(1)
    expect(errorsOf(run)[0]).toMatch(/^::error file=sessions\/2\/bad\.jsonl,line=\d+,title=order\/seq-gap::/)
    expect(resultsOf(run)).toContain('order/seq-gap sessions/2/bad.jsonl')
    expect(run.summary).toContain('sessions/2/bad.jsonl')
    expect(run.summary).toContain('sessions/good.jsonl: nothing but')
  })

  test('passes with what was wrong from the beginning, and fails for what is new next to it', async () => {
    const repository = await begun({ ...good, 'sessions/bad.jsonl': damaged })
    const before = await runJob(repository)
    expect([before.exitCode, errorsOf(before), resultsOf(before)]).toEqual([0, [], []])
    repository.add({ 'sessions/other.jsonl': other.drop(1) })
    const after = await runJob(repository)
    expect(after.exitCode).toBe(1)
    expect(errorsOf(after).length).toBeGreaterThan(0)
    for (const line of errorsOf(after)) expect(line).toContain('file=sessions/other.jsonl,')
    for (const result of resultsOf(after)) expect(result).toMatch(/ sessions\/other\.jsonl$/)
  })

  test('a file that is no log hides nothing', async () => {
    const repository = await begun(good)
    repository.add({ 'sessions/bad.jsonl': damaged, 'sessions/diary.jsonl': 'dear diary\n' })
    const run = await runJob(repository)
    expect(run.exitCode).toBe(1)
    expect(errorsOf(run).join('\n')).toContain('file=sessions/bad.jsonl,')
    expect(errorsOf(run).join('\n')).toContain('sessions/diary.jsonl')
  })

  test('fails without the baseline, and says how to write one', async () => {
    const run = await runJob(gitRepository(good))
    expect(run.exitCode).toBe(2)
    expect(run.stderr).toContain('Write one with --update-baseline.')
    expect(run.sarif).toBeUndefined()
  })

  test('several paths, a target and a severity are given on', async () => {
    const stranded = readFileSync(join(ROOT, 'examples/stranded.jsonl'))
    const repository = gitRepository({ 'a b/one.jsonl': stranded, 'two.jsonl': rich() })
    const paths = 'a b/one.jsonl\ntwo.jsonl\n'
    const strict = await runJob(repository, { paths, target: 'format-3' })
    expect(strict.exitCode).toBe(1)
    expect(strict.stdout).toContain('::error file=a b/one.jsonl,')
    expect((await runJob(repository, { paths })).exitCode).toBe(0)
    expect((await runJob(repository, { paths, target: 'format-3', 'fail-on': 'never' })).exitCode).toBe(0)
  })

  test('what an input holds is no command', async () => {
    const repository = gitRepository(good)
    const run = await runJob(repository, { paths: 'sessions/good.jsonl"; touch made; "\n$(touch made)' })
    expect(run.exitCode).toBe(3)
    expect(existsSync(join(repository.root, 'made'))).toBe(false)
  })
})
