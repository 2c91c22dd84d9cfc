/** Completions: the words that may come next, and real shells that ask for them. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { candidatesFor } from '../../src/commands/completion/words.ts'
import { COMMANDS } from '../../src/commands/index.ts'
import { RULES } from '../../src/core/findings/rules.ts'
import { FORMATS } from '../../src/report/renderers/render.ts'
import { BIN, runCli } from '../support/run-cli.ts'
import { tempDir } from '../support/temp-dir.ts'
import { testUnlessMissing } from '../support/unless-missing.ts'

/** A home with a store of two sessions. */
function home(): string {
  const folder = tempDir()
  for (const id of ['session-1a', 'session-2b', 'other session'])
    mkdirSync(join(folder, '.dsh/sessions/--w--', id), { recursive: true })
  return folder
}

async function words(...typed: string[]): Promise<string[]> {
  const { words: found, files } = await candidatesFor(typed, join(home(), '.dsh/sessions'))
  return [...found.map(({ word }) => word), ...(files ? [':files'] : [])]
}

const codes = Object.keys(RULES)

describe('words that may come next', () => {
  test('commands', async () => {
    expect(await words('')).toEqual([...COMMANDS.map(({ name }) => name), 'help'])
    expect(await words('ch')).toEqual(['check'])
    expect(await words('help', 'tr')).toEqual(['transcript'])
    expect(await words('--v')).toEqual(['--version'])
  })

  test('flags of the command and of all commands', async () => {
    expect(await words('check', '--p')).toEqual(['--profile'])
    expect(await words('check', '--fo')).toEqual(['--format'])
    expect(await words('undo', '--profile')).toEqual([])
  })

  test('values of an option', async () => {
    expect(await words('check', '--format', '')).toEqual([...FORMATS])
    expect(await words('check', '--format', '=', 's')).toEqual(['sarif'])
    expect(await words('check', '--format', '=')).toContain('sarif')
    expect(await words('check', '--fail-on', 'w')).toEqual(['warning'])
    expect(await words('check', '--baseline', '')).toEqual([':files'])
    expect(await words('check', 'log.jsonl', '-o', '')).toEqual([':files'])
    expect(await words('events', '--max-messages', '')).toEqual([])
  })

  test('kinds of reports', async () => {
    expect(await words('schema', 'ch')).toEqual(['check'])
  })

  test('codes of rules', async () => {
    expect(await words('explain', '')).toEqual(codes)
    expect(await words('check', '--severity', '')).toEqual(codes.map((code) => `${code}=`))
  })

  test('sessions of the store, and files', async () => {
    expect(await words('check', '')).toEqual(['session-1a', 'session-2b', ':files'])
    expect(await words('why', 'session-2')).toEqual(['session-2b', ':files'])
    expect((await candidatesFor(['check', ''], '/no/such/store')).words).toEqual([])
  })

  test('none where nothing is known', async () => {
    expect(await words('chek', '')).toEqual([])
  })
})

test('no shell of that name', async () => {
  const { exitCode, stderr } = await runCli(['completion', 'tcsh'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('bash, zsh, fish')
})

/** What a shell offers for `line`, in a folder with one file. */
const SHELLS: Readonly<Record<string, (line: string) => string>> = {
  bash: (line) => `
    eval "$(resurface completion bash)"
    COMP_WORDS=(${line})
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    compopt() { :; }
    _resurface
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (line) => `
    compdef() { :; }
    _files() { print -rl -- *; }
    _describe() { local -a given; given=("\${(@P)4}"); print -rl -- "\${(@)given%%:*}"; }
    eval "$(resurface completion zsh)"
    words=(${line}); CURRENT=$#words
    _resurface`,
  fish: (line) => `
    resurface completion fish | source
    complete -C '${line}' | string replace -r '\\t.*' ''`,
}

describe.each(Object.entries(SHELLS))('%s', (shell, script) => {
  const missing = spawnSync(shell, ['--version']).status === 0 ? undefined : `${shell} is not here`

  testUnlessMissing(missing, 'offers what the program answers', () => {
    const folder = tempDir()
    const cwd = tempDir()
    const program = join(folder, 'resurface')
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
    chmodSync(program, 0o755)
    writeFileSync(join(cwd, 'session-of-mine.jsonl'), '')
    const HOME = home()
    const offered = (line: string): string[] => {
      const env = { PATH: `${folder}:${process.env.PATH}`, HOME, TERM: 'dumb' }
      const { stdout, stderr } = spawnSync(shell, ['-c', script(line)], { cwd, env, encoding: 'utf8' })
      expect(stderr).toBe('')
      return stdout
        .split('\n')
        .filter((word) => word !== '')
        .toSorted()
    }
    expect(offered('resurface chec')).toEqual(['check'])
    expect(offered('resurface check --fo')).toEqual(['--format'])
    expect(offered('resurface check --format s')).toEqual(['sarif'])
    expect(offered('resurface explain order/seq-g')).toEqual(['order/seq-gap'])
    expect(offered('resurface check session-')).toEqual(['session-1a', 'session-2b', 'session-of-mine.jsonl'])
  })
})
