/** What must hold for each command. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/commands/index.ts'
import { CALLS } from '../support/every-command.ts'
import { log } from '../support/log-builder.ts'
import { runMain } from '../support/run-main.ts'
import { base } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

test('there is a call of every command', () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted())
})

const LOGS: Readonly<Record<string, () => string>> = {
  healthy: () => tempFile(base().bytes()),
  damaged: () => tempFile(base().drop(5).bytes()),
  newer: () => tempFile(log().header({ version: 99 }).bytes()),
  text: () => tempFile('dear diary\n'),
  missing: () => join(tempDir(), 'none.jsonl'),
}

describe.each(Object.entries(CALLS))('%s', (name, callsOf) => {
  test.each(Object.entries(LOGS))('its help names the exit code for a %s log', async (_, logOf) => {
    const { stdout: help } = await runMain([name, '--help'])
    const [, codes = ''] = help.split('Exit codes:')
    for (const args of callsOf(logOf(), tempDir())) {
      const { exitCode } = await runMain(args)
      expect(codes, args.join(' ')).toMatch(new RegExp(`^  ${exitCode} `, 'm'))
    }
  })

  test.each([1, 20, 40, 80, 200])('its help fits %i columns', async (columns) => {
    const { stdout } = await runMain([name, '--help'], { terminal: columns })
    expect(stdout.split('\n').filter((line) => line.length > columns)).toEqual([])
  })
})
