/** Every exit code of every command (design: "Command line"). */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/commands/index.ts'
import { log } from '../support/log-builder.ts'
import { runMain } from '../support/run-main.ts'
import { base } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const LOGS = {
  clean: () => base().bytes(),
  interrupted: () =>
    log()
      .openTurn((turn) => turn.user('hi'))
      .bytes(),
  damaged: () => base().drop(5).bytes(),
  unsupported: () => base().event('acme/x').bytes(),
  newer: () => log().header({ version: 99 }).bytes(),
  long: () =>
    base()
      .event('plan/mode', { note: 'x'.repeat(3000) })
      .bytes(),
  empty: () => Buffer.alloc(0),
  text: () => Buffer.from('dear diary\n'),
}

type LogName = keyof typeof LOGS

const pathOf = (name: LogName): string => tempFile(LOGS[name]())

/** Commands that read one log, with what they need next to it. */
const READING: readonly (readonly [command: string, ...more: string[]])[] = [
  ['info'],
  ['surface'],
  ['surface', '--at', '4'],
  ['surface', '--messages'],
  ['transcript'],
  ['events'],
  ['classify'],
  ['crash-points'],
  ['why', '1'],
  ['check'],
  ['report'],
  ['watch', '--idle', '0'],
]

const call = ([command, ...more]: readonly string[], path: string): string[] => [
  command as string,
  path,
  ...more,
]

describe.each(READING)('%s %s %s', (...command) => {
  const isCheck = command[0] === 'check'

  test.each<[log: LogName, judged: number, hint: RegExp]>([
    ['clean', 0, /^$|newer releases of DSH refuse it: resurface check \S+/],
    ['interrupted', command.includes('4') ? 2 : 0, /0 errors and \d warnings?|ends at seq/],
    ['damaged', 1, /\d+ errors? and \d+ warnings?: resurface check \S+/],
    ['unsupported', 4, /\d warnings?: resurface check \S+/],
  ])('%s: check %i', async (name, judged, hint) => {
    const path = pathOf(name)
    const { exitCode, stderr } = await runMain(call(command, path))
    // What only looks has succeeded when it could answer, and says what check would.
    expect(exitCode).toBe(isCheck || judged === 2 ? judged : 0)
    if (!isCheck) expect(stderr).toMatch(hint)
    const asked = await runMain([...call(command, path), '--fail-on', 'error'])
    expect(asked.exitCode).toBe(judged)
  })

  test('a missing file: 3', async () => {
    const { exitCode, stdout, stderr } = await runMain(call(command, join(tempDir(), 'none.jsonl')))
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toMatch(/^resurface: .*none\.jsonl/)
  })

  test('an unknown option: 2', async () => {
    const { exitCode, stdout } = await runMain([...call(command, pathOf('clean')), '--colour'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  })

  test('a record over --max-record: check 4', async () => {
    const limited = [...call(command, pathOf('long')), '--max-record', '2K']
    const { exitCode, stderr } = await runMain(limited)
    expect(exitCode).toBe(isCheck ? 4 : 0)
    if (!isCheck) expect(stderr).toContain('resurface check')
    expect((await runMain([...limited, '--fail-on', 'error'])).exitCode).toBe(4)
  })

  test('--fail-on never and warning', async () => {
    const never = await runMain([...call(command, pathOf('damaged')), '--fail-on', 'never'])
    expect(never.exitCode).toBe(0)
    if (command.includes('4')) return
    const strict = await runMain([...call(command, pathOf('interrupted')), '--fail-on', 'warning'])
    expect(strict.exitCode).toBe(1)
  })
})

test.each<[command: string, log: LogName, exitCode: number]>([
  ['check', 'newer', 4],
  ['check', 'empty', 3],
  ['check', 'text', 3],
  ['info', 'newer', 0],
  ['info', 'empty', 3],
  ['transcript', 'newer', 0],
  ['transcript', 'text', 3],
])('%s of a log that is %s: %i', async (command, name, exitCode) => {
  expect((await runMain([command, pathOf(name)])).exitCode).toBe(exitCode)
})

test.each<[args: readonly string[], exitCode: number]>([
  [['why', 'LOG', '99'], 2],
  [['why', 'LOG', 'x'], 2],
  [['why', 'LOG', '-1'], 2],
  [['why', 'LOG'], 2],
  [['surface', 'LOG', '--at', '99'], 2],
  [['surface', 'LOG', '--at', '1.5'], 2],
  [['events', 'LOG', '--max-messages', '0'], 2],
  [['events', 'LOG', '--before', 'x'], 2],
  [['classify', 'LOG', '--class', 'hidden'], 2],
  [['classify', 'LOG', '--seq', '5-6'], 2],
  [['check', 'LOG', '--format', 'xml'], 2],
  [['check', 'LOG', '--fail-on', 'sometimes'], 2],
  [['check', 'LOG', '--max-record', 'huge'], 2],
  [['check'], 2],
  [['info', 'LOG', 'LOG'], 0],
  [['surface', 'LOG', 'LOG'], 2],
  [['explain'], 0],
  [['explain', 'order/seq-gap'], 0],
  [['explain', 'pair'], 0],
  [['explain', 'order/none'], 2],
  [['check', 'LOG', '-o', 'NOWHERE/report.txt'], 3],
])('%j: %i', async (args, exitCode) => {
  const path = pathOf('clean')
  const nowhere = join(tempDir(), 'nowhere')
  const called = args.map((argument) => argument.replace('LOG', path).replace('NOWHERE', nowhere))
  expect((await runMain(called)).exitCode).toBe(exitCode)
})

describe('repair', () => {
  test.each<[log: LogName, plan: number, write: number]>([
    ['clean', 0, 0],
    ['interrupted', 1, 0],
    ['damaged', 1, 0],
    ['unsupported', 5, 5],
    ['newer', 5, 5],
    ['empty', 3, 3],
    ['text', 3, 3],
  ])('%s: plan %i, write %i', async (name, plan, write) => {
    const path = pathOf(name)
    const output = join(tempDir(), 'repaired.jsonl')
    expect((await runMain(['repair', path])).exitCode).toBe(plan)
    expect((await runMain(['repair', path, '-o', output])).exitCode).toBe(write)
    // Nothing to repair is nothing to write.
    expect(existsSync(output)).toBe(write === 0 && plan !== 0)
    expect(readFileSync(path).equals(LOGS[name]())).toBe(true)
  })

  test('a log whose end was not read is not repaired: 5', async () => {
    expect((await runMain(['repair', pathOf('long'), '--max-record', '2K'])).exitCode).toBe(5)
  })

  test('onto the log itself: 2', async () => {
    const path = pathOf('interrupted')
    expect((await runMain(['repair', path, '-o', path])).exitCode).toBe(2)
    expect(readFileSync(path).equals(LOGS.interrupted())).toBe(true)
  })

  test('into a folder that does not exist: 3', async () => {
    const output = join(tempDir(), 'none', 'x.jsonl')
    expect((await runMain(['repair', pathOf('interrupted'), '-o', output])).exitCode).toBe(3)
  })

  test('what is cut off goes to quarantine', async () => {
    const torn = base().torn('{"type":"tur')
    const output = join(tempDir(), 'repaired.jsonl')
    const { exitCode } = await runMain(['repair', tempFile(torn.bytes()), '-o', output])
    expect(exitCode).toBe(0)
    expect(readFileSync(output).equals(base().bytes())).toBe(true)
    const quarantine = JSON.parse(readFileSync(`${output}.quarantine`, 'utf8'))
    expect(quarantine).toMatchObject({ why: 'bytes/torn-tail', line: 11, text: '{"type":"tur' })
  })
})

describe('--report', () => {
  test.each<[log: LogName, exitCode: number]>([
    ['clean', 0],
    ['damaged', 1],
    ['unsupported', 4],
    ['empty', 3],
  ])('does not change the exit code for a log that is %s: %i', async (name, exitCode) => {
    const file = join(tempDir(), 'report.json')
    const result = await runMain(['check', pathOf(name), '--report', `json=${file}`])
    expect(result.exitCode).toBe(exitCode)
    expect(existsSync(file)).toBe(true)
  })

  test.each([
    ['json', 'FORMAT=FILE'],
    ['json=', 'FORMAT=FILE'],
    ['=x', 'FORMAT=FILE'],
    ['', 'FORMAT=FILE'],
    ['yaml=x', 'json'],
  ])('%j: 2, and nothing is read', async (report, said) => {
    const { exitCode, stdout, stderr } = await runMain(['check', pathOf('clean'), '--report', report])
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(said)
  })

  test('two reports for one file: 2', async () => {
    const file = join(tempDir(), 'x')
    for (const other of [
      ['--report', `sarif=${file}`],
      ['-o', file],
    ]) {
      const { exitCode } = await runMain(['check', pathOf('clean'), '--report', `json=${file}`, ...other])
      expect(exitCode).toBe(2)
    }
    expect(existsSync(file)).toBe(false)
  })

  test('a log that would be replaced: 2', async () => {
    const path = pathOf('clean')
    const before = readFileSync(path)
    const { exitCode } = await runMain(['check', path, '--report', `json=${path}`])
    expect(exitCode).toBe(2)
    expect(readFileSync(path)).toEqual(before)
  })
})

test('a report that cannot be written: 3, and why', async () => {
  const { exitCode, stderr } = await runMain(['check', pathOf('clean'), '-o', join(tempDir(), 'none', 'x')])
  expect(exitCode).toBe(3)
  expect(stderr).toMatch(/^resurface: cannot write .*x: there is no such folder\n$/)
})

test('a link to nothing next to good logs: 0, or 3 when it is called like a log', async () => {
  const folder = tempDir()
  writeFileSync(join(folder, 'a.jsonl'), readFileSync(pathOf('clean')))
  symlinkSync('nowhere', join(folder, 'notes'))
  expect((await runMain(['check', folder])).exitCode).toBe(0)
  symlinkSync('nowhere', join(folder, 'b.jsonl'))
  const { exitCode, stderr } = await runMain(['check', folder])
  expect(exitCode).toBe(3)
  expect(stderr).toContain('b.jsonl: there is no such file')
})

describe('no report replaces what a reader would find records in', () => {
  const text = () => base().text()
  const header = () => text().slice(0, text().indexOf('\n') + 1)
  test.each<[what: string, content: () => string | Buffer, name?: string]>([
    ['a log', text],
    [
      'a header with its members in another order',
      () => header().replace(/^\{"type":"session",/, '{"x":1,"type":"session",'),
    ],
    ['a log after a byte order mark', () => `\ufeff${text()}`],
    ['a log without its header', () => text().slice(header().length)],
    ['a log after garbage', () => `garbage\n${text()}`],
    ['a log after NULs', () => Buffer.concat([Buffer.alloc(3_000_000), Buffer.from(text())])],
    ['a quarantine', () => '{"why":"torn","text":"x"}\n', 'log.jsonl.quarantine'],
  ])('%s: 2', async (_what, content, name = 'out.txt') => {
    const path = tempFile(content(), name)
    const before = readFileSync(path)
    expect((await runMain(['check', pathOf('clean'), '-o', path])).exitCode).toBe(2)
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('an earlier answer may be replaced, in every format', async () => {
    for (const format of ['text', 'json', 'ndjson', 'markdown', 'html']) {
      const path = join(tempDir(), 'answer')
      const args = ['classify', pathOf('clean'), '--format', format, '-o', path]
      expect((await runMain(args)).exitCode).toBe(0)
      expect((await runMain(args)).exitCode).toBe(0)
    }
  })
})

describe('several inputs: the worst of 3, 1, 4, 0, and every one is reported', () => {
  test.each<[logs: LogName[], exitCode: number]>([
    [['clean', 'clean'], 0],
    [['clean', 'unsupported'], 4],
    [['unsupported', 'damaged', 'clean'], 1],
    [['empty', 'damaged', 'unsupported', 'clean'], 3],
  ])('%j: %i', async (names, exitCode) => {
    const result = await runMain(['check', ...names.map(pathOf), '--json'])
    expect(result.exitCode).toBe(exitCode)
    expect(JSON.parse(result.stdout).reports).toHaveLength(names.length)
  })

  test('an input that is not there does not hide the others', async () => {
    const result = await runMain([
      'check',
      pathOf('clean'),
      join(tempDir(), 'none.jsonl'),
      pathOf('damaged'),
      '--json',
    ])
    expect(result.exitCode).toBe(3)
    expect(JSON.parse(result.stdout).reports).toHaveLength(2)
    expect(result.stderr).toMatch(/none\.jsonl/)
  })

  test('a folder with a bad file among good ones', async () => {
    const folder = tempDir()
    const names: LogName[] = ['clean', 'damaged', 'interrupted', 'text']
    for (const name of names) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'session.jsonl'), LOGS[name]())
    }
    const { exitCode, stdout } = await runMain(['check', folder, '--json'])
    const { reports } = JSON.parse(stdout) as { reports: { verdict: string; subject: { path: string } }[] }
    expect(exitCode).toBe(1)
    expect(reports.map(({ subject }) => subject.path)).toEqual(
      names.toSorted().map((name) => join(folder, name, 'session.jsonl')),
    )
    expect(reports.map(({ verdict }) => verdict)).toEqual([
      'refused-by-newer',
      'findings',
      'findings',
      'findings',
    ])
  })

  test('a folder without logs: 3', async () => {
    expect((await runMain(['check', tempDir()])).exitCode).toBe(3)
  })
})

test('help shows the exit codes and the examples first, for every command', async () => {
  for (const { name } of COMMANDS) {
    const { exitCode, stdout, stderr } = await runMain([name, '--help'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout.startsWith('Examples:\n')).toBe(true)
    for (const code of [0, 2, 70]) expect(stdout).toMatch(new RegExp(`^ +${code} `, 'm'))
  }
})
