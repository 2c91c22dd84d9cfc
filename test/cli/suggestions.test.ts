/** What is said of a command line that means nothing: exit 2, nothing on standard output, and what was probably meant. */
import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/commands/index.ts'
import { runMain } from '../support/run-main.ts'
import { base } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

const logFile = (): string => tempFile(base().bytes())

test.each<[args: readonly string[], meant: string]>([
  [['verify', 'LOG'], 'resurface check LOG'],
  [['fsck', 'LOG', '--json'], 'resurface check LOG --json'],
  [['fix', 'LOG', '--in-place'], 'resurface repair LOG --in-place'],
  [['show', 'LOG'], 'resurface transcript LOG'],
  [['log', 'LOG'], 'resurface transcript LOG'],
  [['grep', 'a word', 'LOG'], "resurface find 'a word' LOG"],
  [['messages', 'LOG'], 'resurface surface --messages LOG'],
  [['history', 'LOG'], 'resurface events LOG'],
  [['LOG'], 'resurface check LOG'],
  [['LOG', 'surface', '--at', '4'], 'resurface surface LOG --at 4'],
  [['chekc', 'LOG'], 'Did you mean check?'],
  [['check', 'LOG', '--format', 'jsn'], 'Did you mean json?'],
  [['check', 'LOG', '--fail-on', 'eror'], 'Did you mean error?'],
  [['explain', 'pair/result-mising'], 'Did you mean pair/result-missing?'],
  [['check', 'LOG', '--severity', 'turn/opne=off'], 'Did you mean turn/open?'],
  [['why', '4', 'LOG'], 'resurface why LOG 4'],
  [['diff', 'LOG'], 'resurface diff LOG --from 100'],
  [['--json', 'check', 'LOG'], 'options come after the command\nSee: resurface check --help'],
  [['-q', 'check', 'LOG'], 'See: resurface check --help'],
  [['--format', 'json', 'check', 'LOG'], 'See: resurface check --help'],
  [['-v'], 'resurface -V'],
  [['--fix'], 'resurface repair'],
  [['--fix', 'LOG'], 'resurface repair LOG'],
  [['check', 'LOG', '--fix'], 'resurface repair LOG'],
  [['check'], '- for standard input'],
  [['find', 'LOG'], 'the text comes before the log\nDid you mean: resurface find TEXT LOG'],
  [['check', 'LOG', '--limit', '-1'], 'a whole number from 0'],
  [['check', 'LOG', '--json', '--format', 'sarif'], "'--json' cannot be used with option '--format"],
  [['check', 'LOG', '--all', '--limit', '3'], "'--all' cannot be used with option '--limit"],
  [['find', 'x', 'LOG', '--limit', '3', '--all'], "'--all' cannot be used with option '--limit"],
  [['transcript', 'LOG', '--markdown', '--json'], "'--markdown' cannot be used with option '--json"],
  [['check', 'LOG', '-0'], '-0 is about the names of --files-from'],
  [['help', 'glosary'], 'Did you mean glossary?'],
  [['help', 'nothing-like-it'], 'resurface help'],
  [['undo'], 'resurface undo --help'],
  [['check', 'LOG', '--limit', 'x'], 'resurface check --help'],
  [['why', 'LOG', 'two words'], "resurface find 'two words' LOG"],
  [['why', 'hello', 'LOG'], 'resurface find hello LOG'],
  [['find', 'LOG', 'two words'], "resurface find 'two words' LOG"],
  [['check', 'LOG', '--report', 'pdf=x'], 'sarif'],
  [['check', 'LOG', '--report', 'sraif=x'], 'Did you mean sarif?'],
  [['check', 'LOG', '--report', 'sarif=-'], '--format sarif'],
])('%j', async (args, meant) => {
  const path = logFile()
  const { exitCode, stdout, stderr } = await runMain(args.map((word) => word.replace('LOG', path)))
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(meant.replace('LOG', path))
})

test.each([[['help', 'glossary']], [['--help']], [['check', '--help']]])(
  '%j is legible however few columns the environment names',
  async (args) => {
    const narrow = await runMain(args, { env: { COLUMNS: '1' } })
    expect(narrow).toEqual(await runMain(args, { env: { COLUMNS: '20' } }))
  },
)

test('no command is taken for a word of another tool', async () => {
  for (const { name } of COMMANDS) expect((await runMain([name, '--help'])).exitCode, name).toBe(0)
})

test.each<[name: string, has: readonly string[], lacks: readonly string[]]>([
  ['explain', ['--json'], ['--max-record', '--fail-on', '--dialect', '--limit', '--no-pager']],
  ['check', ['--fail-on', '--limit', '--max-record', '--severity'], ['--no-pager']],
  ['transcript', ['--no-pager', '--max-record'], ['--limit']],
  ['convert', ['--max-record'], ['--fail-on', '--baseline', '--limit']],
])('%s --help names the options that do something', async (name, has, lacks) => {
  const { stdout } = await runMain([name, '--help'])
  for (const option of has) expect(stdout).toContain(option)
  // The exit codes at the end name --fail-on.
  const [options = ''] = stdout.split('Exit codes:')
  for (const option of lacks) expect(options).not.toContain(option)
})

test('an option that would do nothing is refused, but those for how an answer looks are taken everywhere', async () => {
  expect((await runMain(['explain', '--max-record', '1K'])).exitCode).toBe(2)
  for (const option of ['--no-pager', '--no-color', '--color'])
    expect((await runMain(['explain', 'turn/open', option])).exitCode, option).toBe(0)
})

test('help options explains the common ones', async () => {
  const { exitCode, stdout } = await runMain(['help', 'options'])
  expect(exitCode).toBe(0)
  for (const option of ['--format', '--color', '--limit', '--fail-on', '--baseline', '--max-record'])
    expect(stdout).toMatch(new RegExp(`^  (?:-\\w, )?${option} `, 'm'))
})

test('--color alone, --no-color and -o -', async () => {
  const terminal = { terminal: 80 }
  const path = logFile()
  expect((await runMain(['check', '--color', path])).stdout).toContain('\u001b[')
  expect((await runMain(['check', path, '--no-color'], terminal)).stdout).not.toContain('\u001b[')
  const plain = await runMain(['check', path])
  expect(await runMain(['check', path, '-o', '-'])).toEqual(plain)
})
