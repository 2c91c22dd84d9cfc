/** A log that tries to draw on the terminal, and one with a very long line. */
import { describe, expect, test } from 'vitest'
import { log } from '../support/log-builder.ts'
import { runMain } from '../support/run-main.ts'
import { tempFile } from '../support/temp-dir.ts'

const EVIL = '\x1b[2J\x1b]0;title\x07 \u202eevil\u202c \x9b31m \x7f \u2028 \ud800'
const DANGEROUS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u

function evilLog(): Buffer {
  return log()
    .header({ id: EVIL, cwd: `/${EVIL}`, [EVIL]: EVIL, agentPreset: EVIL })
    .turn((turn) =>
      turn
        .user(EVIL)
        .user(EVIL, { kind: EVIL })
        .step((step) => step.assistant(EVIL).call(EVIL, EVIL, EVIL).result(EVIL, EVIL)),
    )
    .event(EVIL, { [EVIL]: EVIL })
    .event('session/title', { title: EVIL })
    .event('request/header', { header: { config: { provider: EVIL, model: EVIL } }, reason: EVIL })
    .row({ [EVIL]: EVIL, type: EVIL, seq: 11, time: 0, data: EVIL, surfaceOp: EVIL })
    .openTurn((turn) => turn.openStep((step) => step.chunk(EVIL).assistant('').call(EVIL, EVIL)))
    .bytes()
}

/** Of the commands that show a limited list of findings, all of it. */
const ALL = ['--limit', '0']

const COMMANDS = [
  ['info', ...ALL],
  ['surface', ...ALL],
  ['surface', '--messages', ...ALL],
  ['transcript'],
  ['events'],
  ['classify'],
  ['crash-points'],
  ['why', '1'],
  ['why', '8'],
  ['check', ...ALL],
  ['bisect', '--rule', 'turn/open', ...ALL],
  ['repair'],
  ['report', ...ALL],
]

describe.each(COMMANDS)('%s %s', (command, ...more) => {
  const call = (path: string): string[] => [command as string, path, ...more]

  test.each([
    ['text', undefined],
    ['text', 60],
    ['markdown', undefined],
    ['html', undefined],
    ['json', undefined],
    ['ndjson', undefined],
  ])('shows nothing dangerous as %s, width %s', async (format, terminal) => {
    const world = terminal === undefined ? {} : { terminal, env: { NO_COLOR: '1' } }
    const path = tempFile(evilLog(), 'evil\u202e\x1b[2J.jsonl')
    const { stdout, stderr, exitCode } = await runMain([...call(path), '--format', format], world)
    expect(exitCode).not.toBe(70)
    expect(stdout.replaceAll('\n', '')).not.toMatch(DANGEROUS)
    expect(stderr.replaceAll('\n', '')).not.toMatch(DANGEROUS)
    const isSeen = command === 'classify' || command === 'repair' ? /x1b|u001b/ : /u202e/
    expect(stdout).toMatch(isSeen)
  })
})

describe('diff', () => {
  test.each([
    ['text', undefined],
    ['text', 60],
    ['markdown', undefined],
  ])('shows nothing dangerous as %s, width %s', async (format, terminal) => {
    const world = terminal === undefined ? {} : { terminal, env: { NO_COLOR: '1' } }
    const a = tempFile(evilLog(), 'evil\u202e\x1b[2J.jsonl')
    const other = evilLog()
      .toString()
      .replaceAll('evil', `\\n${EVIL.slice(1, 4)}devil`)
    const calls = [
      [a, tempFile(other)],
      [a, '--from', '2'],
    ]
    for (const call of calls) {
      const { stdout, stderr, exitCode } = await runMain(
        ['diff', ...call, '--format', format, '--all'],
        world,
      )
      expect(exitCode).toBe(1)
      expect(`${stdout}${stderr}`.replaceAll('\n', '')).not.toMatch(DANGEROUS)
      expect(stdout).toContain('x1b')
    }
  })
})

describe.each([['--entries'], ['--findings']])('watch %s', (what) => {
  test.each([
    ['text', undefined],
    ['text', 60],
    ['ndjson', undefined],
  ])('shows nothing dangerous as %s, width %s', async (format, terminal) => {
    const world = terminal === undefined ? {} : { terminal, env: { NO_COLOR: '1' } }
    const path = tempFile(evilLog(), 'evil\u202e\x1b[2J.jsonl')
    const { stdout, stderr } = await runMain(['watch', path, what, '--format', format, '--idle', '0'], world)
    expect(stdout.replaceAll('\n', '')).not.toMatch(DANGEROUS)
    expect(stderr.replaceAll('\n', '')).not.toMatch(DANGEROUS)
    expect(stdout).toContain('u202e')
  })
})

test.each([undefined, null, '', 7, { a: 1 }])('a message whose role is %j', async (role) => {
  const message = { id: 'a1', role, content: [{ type: 'text', text: 'hello' }] }
  const built = log().row({
    type: 'assistant/message',
    seq: 0,
    time: 0,
    data: { message },
    surfaceOp: 'append',
  })
  for (const format of ['text', 'markdown']) {
    const path = tempFile(built.bytes())
    const { stdout } = await runMain(['surface', path, '--messages', '--format', format])
    expect(stdout).toMatch(/^(?:### )?seq 0, no role$/m)
  }
})

test('a missing file with a dangerous name', async () => {
  const { stderr, exitCode } = await runMain(['check', `none-${EVIL}.jsonl`.replace('\0', '')])
  expect(exitCode).toBe(3)
  expect(stderr.replaceAll('\n', '')).not.toMatch(DANGEROUS)
})

describe('a line of ten megabytes', () => {
  const megabytes = log()
    .turn((turn) => turn.user('漢 é 🚀 \x1b '.repeat(600_000)))
    .bytes()

  test.each<[command: string, terminal?: number | undefined, ...more: string[]]>([
    ['check', 80],
    ['surface', 80],
    ['events'],
    ['transcript'],
    ['surface', undefined, '--messages'],
    ['report'],
  ])('%s, width %s %s', async (command, terminal, ...more) => {
    const world = terminal === undefined ? {} : { terminal, env: { NO_COLOR: '1' } }
    const { exitCode, stdout } = await runMain([command, tempFile(megabytes), ...more], world)
    expect(exitCode).toBe(0)
    expect(stdout.replaceAll('\n', '')).not.toMatch(DANGEROUS)
  })

  test('diff', async () => {
    const path = tempFile(megabytes)
    const other = tempFile(megabytes.toString().replaceAll('漢 é', '漢 e\\n'))
    const { exitCode, stdout } = await runMain(['diff', path, other], {
      terminal: 80,
      env: { NO_COLOR: '1' },
    })
    expect(exitCode).toBe(1)
    expect(stdout.length).toBeLessThan(50_000)
    expect(stdout.replaceAll('\n', '')).not.toMatch(DANGEROUS)
  })
})
