/** What a terminal gets of a transcript, and that a pipe, a file and JSON get all of it. */
import { expect, test } from 'vitest'
import { log } from '../support/log-builder.ts'
import { runMain } from '../support/run-main.ts'
import { tempFile } from '../support/temp-dir.ts'

const OUTPUT = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n')

function path(): string {
  const built = log()
    .turn((turn) =>
      turn.user('first').step((step) => step.assistant('').call('c1', 'bash').result('c1', OUTPUT)),
    )
    .compaction(1, 5)
    .turn((turn) =>
      turn.user('second').step((step) => step.assistant('').call('c2', 'bash').result('c2', OUTPUT)),
    )
  return tempFile(built.bytes())
}

const NO_COLOUR = { NO_COLOR: '1' }

async function shown(args: readonly string[], terminal?: number): Promise<string> {
  const run = await runMain(args, { ...(terminal !== undefined && { terminal }), env: NO_COLOUR })
  expect(run.exitCode).toBe(0)
  return run.stdout
}

test('outputs of tools are shortened on a terminal alone, and not with --full', async () => {
  const log = path()
  const short = await shown(['transcript', log, '--no-pager'], 80)
  expect(short).toContain('line 5\n')
  expect(short).not.toContain('line 6\n')
  expect(short.match(/34 more lines/g)).toHaveLength(2)
  for (const whole of [
    await shown(['transcript', log, '--no-pager', '--full'], 80),
    await shown(['transcript', log]),
    await shown(['transcript', log, '--markdown']),
  ]) {
    expect(whole.match(/line 39/g)).toHaveLength(2)
    expect(whole).not.toContain('--full')
  }
  const json = JSON.parse(await shown(['transcript', log, '--json'])) as {
    reports: { data: { entries: { kind: string; text?: string; replacedBy?: number }[] } }[]
  }
  const results = json.reports[0]?.data.entries.filter(({ kind }) => kind === 'tool')
  expect(results?.map(({ text }) => text)).toEqual([OUTPUT, OUTPUT])
})

test('turns have headings, and what the model no longer sees is marked', async () => {
  const log = path()
  const lines = (await shown(['transcript', log, '--no-pager'], 200)).split('\n')
  expect(lines.filter((line) => line.startsWith('── turn '))).toHaveLength(2)
  const marked = lines.filter((line) => line.includes('no longer sees'))
  expect(marked.map((line) => line.split(' ', 1)[0])).toEqual(['user', 'assistant', 'tool'])
  const piped = await shown(['transcript', log])
  expect(piped).not.toContain('── turn')
  const { reports } = JSON.parse(await shown(['transcript', log, '--json'])) as {
    reports: { data: { entries: { seq: number; replacedBy?: number }[] } }[]
  }
  const replaced = reports[0]?.data.entries.filter(({ replacedBy }) => replacedBy !== undefined)
  expect(replaced).toHaveLength(3)
  expect(new Set(replaced?.map(({ replacedBy }) => replacedBy)).size).toBe(1)
})
