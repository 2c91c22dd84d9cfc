/** `anonymize --only secrets` and `--redact`: what is written and shown, what the user can name, and what is refused. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ReportData } from '../../src/report/report.ts'
import { CONTAINERS, type ContainerName, wholeLog, written } from '../support/containers.ts'
import { listing } from '../support/listing.ts'
import { log } from '../support/log-builder.ts'
import { MADE_SECRETS } from '../support/made-secrets.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { rich } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

const { secret: TOKEN = '' } = MADE_SECRETS['GitHub token'] ?? {}
const MAIL = 'mallory@mail.example.org'

function secretLog() {
  return log()
    .header({ cwd: '/home/mallory/work' })
    .turn((turn) =>
      turn.user(`my token is ${TOKEN}`).step((step) => {
        const first = step.nextSeq
        step.chunk('you are ').packed(['mallory@', 'mail.exam', 'ple.org', ' then'])
        const sources = Array.from({ length: step.nextSeq - first }, (_, at) => first + at)
        step.assistant(`you are ${MAIL} then`, { sources })
        step
          .call('c1', 'bash', JSON.stringify({ command: `export A=1\n${TOKEN}` }))
          .result('c1', 'orange-lemon-42')
      }),
    )
}

async function copyOf(path: string, ...flags: readonly string[]) {
  const output = join(dirname(path), 'shared.jsonl')
  const result = await runMain(['anonymize', path, '--only', 'secrets', '-o', output, '--json', ...flags])
  return { ...result, output, copy: existsSync(output) ? readFileSync(output, 'utf8') : '' }
}

test('a copy in which only the secrets are others', async () => {
  const path = tempFile(secretLog().bytes())
  const { exitCode, stderr, stdout, copy } = await copyOf(path)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const expected = secretLog()
    .text()
    .replaceAll(TOKEN, '[redacted:github-token:1]')
    .replaceAll(MAIL, '[redacted:mail-address:1]')
    .replace('/home/mallory', '/home/[redacted:home-folder:1]')
    .replace('"mallory@","mail.exam","ple.org"', '"[redacted:mail-address:1]","",""')
  expect(copy).toBe(expected)
  expect(stdout).not.toMatch(/mallory|ghp_/)
  const { secrets = [], base64 }: ReportData<'anonymize'> = reportIn(stdout).data
  expect(base64).toEqual({ runs: 0, characters: 0 })
  expect(secrets.map(({ kind, count }) => [kind, count])).toEqual([
    ['home-folder', 1],
    ['github-token', 3],
    ['mail-address', 2],
  ])
  expect(secrets[1]?.places).toEqual([
    { line: 3, seq: 1, member: 'data.content[0].text' },
    { line: 7, seq: 8, member: 'data.message.content[1].arguments' },
    { line: 8, seq: 9, member: 'data.arguments' },
  ])
})

test('a secret that is the name of a member is not in the table either', async () => {
  const args = JSON.stringify({ [TOKEN]: 1 })
  const path = tempFile(
    log()
      .event('acme/x', { [TOKEN]: args }, { ignorable: true })
      .bytes(),
  )
  const { stdout } = await copyOf(path)
  expect(stdout).not.toContain(TOKEN)
  expect(reportIn(stdout).data.secrets[0]).toMatchObject({
    count: 2,
    places: [{ member: 'data.[redacted:github-token:1]' }, { member: 'data.[redacted:github-token:1]' }],
  })
})

test.each(Object.keys(CONTAINERS) as ContainerName[])('a log in a container: %s', async (name) => {
  const path = await written(name, await wholeLog(secretLog().bytes()))
  const output = join(dirname(path), name.startsWith('zstd') ? 'shared.jsonl.zstd' : 'shared.jsonl')
  const { exitCode, stderr } = await runMain(['anonymize', path, '--only', 'secrets', '-o', output])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const { stdout } = await runMain(['events', output, '--seq', '0..', '--json'])
  expect(stdout).not.toMatch(/mallory|ghp_/)
  expect(stdout).toContain('[redacted:github-token:1]')
  const shown = await runMain(['events', path, '--seq', '0..', '--json', '--redact'])
  expect(reportIn(shown.stdout).data).toEqual(reportIn(stdout).data)
})

describe('--redact', () => {
  test.each([
    ['transcript'],
    ['transcript', '--markdown'],
    ['events'],
    ['events', '--type', 'assistant/chunk', '--json'],
    ['report'],
    ['report', '--json'],
    ['surface', '--messages'],
    ['find', 'redacted', '--tool-output'],
  ])('%s %s', async (command, ...flags) => {
    const path = tempFile(secretLog().bytes())
    const before = listing(dirname(path))
    const isFind = command === 'find'
    const args = isFind ? [command, flags[0] as string, path, ...flags.slice(1)] : [command, path, ...flags]
    const { exitCode, stdout } = await runMain([...args, '--redact'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('[redacted:')
    expect(stdout).not.toMatch(/mallory|ghp_/)
    expect(listing(dirname(path))).toEqual(before)
    const plain = await runMain(args)
    if (!isFind) expect(plain.stdout).toMatch(/mallory|ghp_/)
  })

  test('why, and a note of what was replaced', async () => {
    const { stdout, stderr } = await runMain(['why', tempFile(secretLog().bytes()), '1', '--redact'])
    expect(stdout).not.toMatch(/ghp_/)
    expect(stderr).toMatch(/secrets replaced: .*1 github-token.*; what no rule recognises stays/)
  })

  test('a log without secrets is shown as it is', async () => {
    const path = tempFile(rich().bytes())
    const [plain, redacted] = await Promise.all([
      runMain(['events', path, '--json']),
      runMain(['events', path, '--json', '--redact']),
    ])
    expect(redacted.stdout).toBe(plain.stdout)
    expect(redacted.stderr).toContain('no secret was recognised')
  })
})

describe('secrets that the user names', () => {
  const named = (lines: string): string => tempFile(lines, 'my.env')

  test('values of variables, and of files', async () => {
    const path = tempFile(secretLog().bytes())
    const flags = ['--secrets-from', named('# mine\nexport FRUIT="orange-lemon-42"\nDEBUG=1\n\nyou are\n')]
    const { exitCode, copy, stdout } = await copyOf(path, ...flags)
    expect(exitCode).toBe(0)
    expect(copy).toContain('"text":"[redacted:FRUIT:1]"')
    expect(copy).toContain('[redacted:named-value:1] [redacted:mail-address:1] then')
    expect(stdout).not.toContain('lemon')
    const { stdout: shown } = await runMain(['transcript', path, '--secrets-env', 'FRUIT'], {
      env: { FRUIT: 'orange-lemon-42' },
    })
    expect(shown).toContain('[redacted:FRUIT:1]')
    expect(shown).not.toMatch(/lemon|ghp_/)
  })

  test('is said to stay where it is a number or a word of the format', async () => {
    const path = tempFile(secretLog().bytes())
    const [, first = ''] = secretLog().text().split('\n')
    const { time } = JSON.parse(first)
    for (const value of [String(time), 'turn/start']) {
      const { stderr } = await runMain(['events', path, '--secrets-env', 'VALUE'], { env: { VALUE: value } })
      expect(stderr).toContain('the value of VALUE stays where it is a number or a word of the format')
    }
  })

  test.each([
    [() => ['--secrets-env', 'NO_SUCH_NAME'], /no environment variable NO_SUCH_NAME/],
    [() => ['--secrets-from', '/no/such/file'], /cannot read \/no\/such\/file/],
    [() => ['--secrets-from', named('ab\n')], /line 1 of .* is shorter than 4 characters/],
    [() => ['--secrets-from', named('# nothing\n')], /names no secret/],
    [() => ['--keep', 'header.cwd'], /choose one of --only secrets and --keep/],
  ])('%s', async (flags, said) => {
    const { stderr, exitCode, copy } = await copyOf(tempFile(secretLog().bytes()), ...flags())
    expect(stderr).toMatch(said)
    expect([2, 3]).toContain(exitCode)
    expect(copy).toBe('')
  })

  test('a value that cannot be replaced: the copy is not written, and its place is said', async () => {
    const path = tempFile(log().event('acme/x', { pin: 31_415_926 }, { ignorable: true }).bytes())
    const { exitCode, stderr } = await copyOf(path, '--secrets-from', named('31415926\n'))
    expect(exitCode).toBe(5)
    expect(stderr).toMatch(/would still have a secret \(named-value\) in line 2, seq 0\n/)
    expect(stderr).not.toContain('31415926')
    expect(readdirSync(dirname(path))).toEqual(['log.jsonl'])
  })

  test('they need --only secrets', async () => {
    const path = tempFile(rich().bytes())
    const { exitCode, stderr } = await runMain([
      'anonymize',
      path,
      '-o',
      `${path}.x`,
      '--secrets-env',
      'HOME',
    ])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('need --only secrets')
  })
})

test('base64 is left alone, and said', async () => {
  const image = `data:image/png;base64,${Buffer.from('x'.repeat(300)).toString('base64')}`
  const path = tempFile(
    log()
      .turn((turn) => turn.user(`${image} ${TOKEN}`))
      .bytes(),
  )
  const { stdout, copy } = await copyOf(path)
  expect(reportIn(stdout).data.base64).toEqual({ runs: 1, characters: 400 })
  expect(copy).toContain(image)
})

test('bytes that are no UTF-8 stay what they are', async () => {
  const line = Buffer.from(
    `{"type":"acme/x","seq":0,"time":1,"data":"\xff ${MAIL}","ignorable":true}`,
    'latin1',
  )
  const path = tempFile(Buffer.concat([log().bytes(), line, Buffer.from('\n')]))
  writeFileSync(path, readFileSync(path))
  const { output } = await copyOf(path)
  expect(readFileSync(output, 'latin1')).toContain('"\xff [redacted:mail-address:1]"')
})
