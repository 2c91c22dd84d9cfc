/** A long answer on a real terminal goes through a pager, and nowhere else does it. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runOnTerminal, TERMINALS } from '../support/pseudo-terminal.ts'
import { BIN, runCli } from '../support/run-cli.ts'
import { crashed } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'

const TERM = { TERM: 'xterm', NO_COLOR: '1' }
const tools = TERMINALS.filter(({ exists }) => exists())

/** A program that keeps what it is given and says how it was called. */
function pager(): { readonly command: string; readonly kept: string } {
  const folder = tempDir()
  const command = join(folder, 'pager')
  const kept = join(folder, 'kept')
  writeFileSync(command, `#!/bin/sh\necho "paged $* $LESS"\ncat > '${kept}'\n`)
  chmodSync(command, 0o755)
  return { command, kept }
}

describeUnlessMissing(
  tools.length === 0 ? 'neither script nor python3 is here' : undefined,
  'a terminal',
  () => {
    const [tool] = tools

    async function shown(
      args: string,
      env: Readonly<Record<string, string>>,
    ): Promise<[number | undefined, string]> {
      if (tool === undefined) throw new Error('no terminal')
      const run = runOnTerminal(tool, `'${process.execPath}' '${BIN}' ${args}`, { ...TERM, ...env })
      return [await run.over, run.shown()]
    }

    test('the pager gets the answer, with its arguments, and the verdict stays', async () => {
      const { command, kept } = pager()
      const path = tempFile(crashed().text())
      const [exitCode, text] = await shown(`transcript '${path}' --fail-on warning`, {
        PAGER: `${command} -x 4`,
      })
      expect(exitCode).toBe(1)
      expect(text).toContain('paged -x 4 FRX')
      expect(text).not.toContain('list files')
      expect(readFileSync(kept, 'utf8')).toContain('user #1\n  list files\n')
    })

    test('the name for this program wins, and what the user has set for less stays', async () => {
      const { command } = pager()
      const path = tempFile(crashed().text())
      const env = { PAGER: 'false', RESURFACE_PAGER: command, LESS: 'S' }
      expect((await shown(`surface '${path}'`, env))[1]).toContain('paged  S')
    })

    test.each<[what: string, args: string, pagers: Readonly<Record<string, string>>]>([
      ['--no-pager', '--no-pager', {}],
      ['a dumb terminal', '', { TERM: 'dumb' }],
      ['another format', '--json', {}],
      ['a pager that is not there', '', { RESURFACE_PAGER: '/no/such/pager -R' }],
      ['cat', '', { RESURFACE_PAGER: 'cat' }],
      ['an empty name', '', { RESURFACE_PAGER: '' }],
    ])('none with %s', async (_what, args, pagers) => {
      const { command, kept } = pager()
      const path = tempFile(crashed().text())
      const [exitCode, text] = await shown(`transcript '${path}' ${args}`, { PAGER: command, ...pagers })
      expect(exitCode).toBe(0)
      expect(text).toContain('list files')
      expect(existsSync(kept)).toBe(false)
    })

    test('one that is closed early is no error', async () => {
      const path = tempFile(crashed().text())
      const [exitCode, text] = await shown(`transcript '${path}'`, { PAGER: 'head -n 1' })
      expect(exitCode).toBe(0)
      expect(text).toContain('turn 1')
      expect(text).not.toContain('list files')
    })
  },
)

test('none in a pipe', async () => {
  const { command, kept } = pager()
  const { stdout } = await runCli(['transcript', tempFile(crashed().text())], { env: { PAGER: command } })
  expect(stdout).toContain('list files')
  expect(existsSync(kept)).toBe(false)
})
