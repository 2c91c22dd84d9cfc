/** Help, typing errors, standard input, colour. */

import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/commands/index.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain, type World } from '../support/run-main.ts'
import { base } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

test('no arguments: help with every command', async () => {
  const { exitCode, stdout } = await runMain([])
  expect(exitCode).toBe(2)
  for (const { name, summary } of COMMANDS) {
    expect(stdout).toContain(`  ${name} `)
    expect(stdout).toContain(summary)
  }
})

test.each([[['--help']], [['help']], [['help', 'check']], [['--version']]])(
  '%j: 0, nothing on stderr',
  async (args) => {
    const { exitCode, stdout, stderr } = await runMain(args)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).not.toBe('')
  },
)

test.each<[args: string[], meant: RegExp]>([
  [['chek', 'x'], /check/],
  [['trancsript', 'x'], /transcript/],
  [['check', 'x', '--jsno'], /--json/],
  [['classify', 'x', '--clas', 'current'], /--class/],
])('%j: did you mean', async (args, meant) => {
  const { exitCode, stdout, stderr } = await runMain(args)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(/did you mean/i)
  expect(stderr).toMatch(meant)
})

test.each([20, 60, 200])(
  'errors fit a terminal of %i columns, and commands stay whole where they fit',
  async (columns) => {
    const path = tempFile(base().bytes())
    const { stderr } = await runMain(['why', path, 'hello'], { watching: columns })
    const wide = stderr.split('\n').filter((line) => line.length > columns)
    expect(wide).toEqual([])
    const command = `resurface find hello ${path}`
    expect(stderr.split('\n').some((line) => line.endsWith(command))).toBe(command.length <= columns)
  },
)

describe('- is standard input', () => {
  test.each(['info', 'surface', 'transcript', 'events', 'classify', 'why', 'check', 'repair', 'report'])(
    '%s',
    async (name) => {
      const more = name === 'why' ? ['1'] : name === 'report' ? ['--format', 'text'] : []
      const path = tempFile(base().bytes())
      const piped = await runMain([name, '-', ...more], { input: base().bytes() })
      const direct = await runMain([name, path, ...more])
      expect(piped.exitCode).toBe(0)
      // As the subject of the answer, and in the commands that it proposes.
      const named = piped.stdout.replaceAll('-:', 'LOG:').replaceAll('repair - ', 'repair LOG ')
      expect(named).toBe(direct.stdout.replaceAll(path, 'LOG'))
    },
  )

  test('nothing comes: an empty file', async () => {
    expect((await runMain(['check', '-'], { input: '' })).exitCode).toBe(3)
  })

  test('on a terminal it prints the help', async () => {
    const { exitCode, stdout } = await runMain(['check', '-'], { typing: true })
    expect(exitCode).toBe(2)
    expect(stdout).toMatch(/usage/i)
  })
})

describe('colour: --color over NO_COLOR over FORCE_COLOR over the terminal', () => {
  const terminal: World = { terminal: 80 }
  test.each<[coloured: boolean, args: string[], world: World]>([
    [false, [], {}],
    [true, [], terminal],
    [false, [], { ...terminal, env: { TERM: 'dumb' } }],
    [false, [], { ...terminal, env: { NO_COLOR: '1' } }],
    [true, [], { ...terminal, env: { NO_COLOR: '' } }],
    [true, [], { env: { FORCE_COLOR: '1' } }],
    [true, [], { env: { FORCE_COLOR: 'true' } }],
    [false, [], { ...terminal, env: { FORCE_COLOR: '0' } }],
    [false, [], { env: { FORCE_COLOR: '' } }],
    [false, [], { env: { NO_COLOR: '1', FORCE_COLOR: '3' } }],
    [true, ['--color', 'always'], { env: { NO_COLOR: '1' } }],
    [true, ['--color', 'always'], {}],
    [false, ['--color', 'never'], { ...terminal, env: { FORCE_COLOR: '3' } }],
    [true, ['--color', 'auto'], terminal],
  ])('%s for %j in %j', async (coloured, args, world) => {
    const path = tempFile(base().drop(5).bytes())
    const { stdout } = await runMain(['check', path, ...args], world)
    expect(stdout.includes('\x1b[')).toBe(coloured)
  })

  test.each(['json', 'ndjson', 'markdown'])('%s is never coloured', async (format) => {
    const path = tempFile(base().drop(5).bytes())
    const { stdout } = await runMain(['check', path, '--format', format, '--color', 'always'], terminal)
    expect(stdout).not.toContain('\x1b')
  })

  test('help is not coloured', async () => {
    expect((await runMain(['--help'], { ...terminal, env: { FORCE_COLOR: '3' } })).stdout).not.toContain(
      '\x1b',
    )
  })
})

test('--quiet prints nothing and keeps the code', async () => {
  const path = tempFile(base().drop(5).bytes())
  const { exitCode, stdout } = await runMain(['check', path, '--quiet'])
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
})

test.each([
  ['info'],
  ['transcript'],
  ['surface'],
  ['events'],
  ['find', 'nobody wrote this'],
  ['find', 'list'],
  ['ls'],
])(
  '--quiet of %s says nothing on standard error either, but for what could not be read',
  async (...words) => {
    const path = tempFile(base().drop(5).bytes())
    const { exitCode } = await runMain([...words, path])
    expect(await runMain([...words, path, '-q'])).toMatchObject({ exitCode, stdout: '', stderr: '' })
    const missing = `${path}.missing`
    if (words[0] === 'transcript' || words[0] === 'surface') return
    const { stdout, stderr, ...others } = await runMain([...words, path, missing, '-q'])
    expect({ stdout, exitCode: others.exitCode }).toEqual({ stdout: '', exitCode: 3 })
    expect(stderr).toMatch(/^resurface: cannot read .*\.missing.*\n$/)
  },
)

test('what --target takes is said in full', async () => {
  const path = tempFile(base().bytes())
  const { exitCode, stderr } = await runMain(['check', path, '--target', '9'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain(
    'format-4; also a release of DSH (0.1.7, 0.2.x), the number of a format (4), or latest.',
  )
  for (const named of ['format-4', '4', '0.1.7', '0.2.x', 'latest'])
    expect((await runMain(['check', path, '--target', named])).exitCode).toBeLessThan(2)
})

test('classify filters by class, type, range and turn', async () => {
  const path = tempFile(base().bytes())
  const seqs = async (...options: string[]): Promise<number[]> => {
    const { stdout } = await runMain(['classify', path, '--json', ...options])
    return reportIn(stdout).data.events.map(({ seq }: { seq: number }) => seq)
  }
  expect(await seqs('--class', 'current')).toEqual([1, 4, 6])
  expect(await seqs('--type', 'turn/start, turn/end')).toEqual([0, 8])
  expect(await seqs('--seq', '2..4')).toEqual([2, 3, 4])
  expect(await seqs('--seq', '7..')).toEqual([7, 8])
  expect(await seqs('--seq', '..1')).toEqual([0, 1])
  expect(await seqs('--seq', '5')).toEqual([5])
  expect(await seqs('--turn', '2')).toEqual([])
})

test('--limit bounds the findings of a rule that are shown, and --all lifts the bound', async () => {
  const log = base()
  for (let count = 0; count < 9; count++) log.event('acme/x')
  const findings = ['--severity', 'upgrade/before-first-step=off']
  const path = tempFile(log.bytes())
  const shown = async (...options: string[]): Promise<number> =>
    (await runMain(['check', path, ...findings, ...options])).stdout.match(/line \d+, seq \d+/g)?.length ?? 0
  expect(await shown()).toBe(5)
  expect(await shown('--limit', '2')).toBe(2)
  expect(await shown('--limit', '0')).toBe(9)
  expect(await shown('--all')).toBe(9)
  expect((await runMain(['check', path])).stdout).toContain('… and 4 more (--all shows')
  expect((await runMain(['help', 'options'])).stdout).toMatch(/--all +short for --limit 0/)
})

test('an empty name is a typing error', async () => {
  expect(await runMain(['check', ''])).toMatchObject({ exitCode: 2, stdout: '' })
})
