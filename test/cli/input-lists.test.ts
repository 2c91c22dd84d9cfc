/** Which logs a command on several is about: lists of names, patterns that leave out, and nothing at all. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isExcluded } from '../../src/load/inputs/input-list.ts'
import { resolveInputs } from '../../src/load/inputs/resolve-inputs.ts'
import { ToolError } from '../../src/storage/tool-error.ts'
import { runMain } from '../support/run-main.ts'
import { base } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

function folder(): { root: string; paths: string[] } {
  const root = tempDir()
  const paths = ['a.jsonl', 'b.jsonl', 'old/c.jsonl', 'old/d.jsonl'].map((name) => join(root, name))
  mkdirSync(join(root, 'old'))
  for (const path of paths) writeFileSync(path, base().bytes())
  return { root, paths }
}

async function subjects(args: readonly string[], world = {}): Promise<string[]> {
  const { stdout, stderr, exitCode } = await runMain([...args, '--format', 'ndjson'], world)
  expect(exitCode, stderr).toBe(0)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).subject?.path)
    .filter((path) => path !== undefined)
}

describe('--files-from', () => {
  test.each(['check', 'info', 'transcript'])(
    '%s reads names, one a line, beside the named',
    async (command) => {
      const { paths } = folder()
      const list = tempFile(`${paths[1]}\n\n${paths[2]}\r\n`, 'list')
      expect(await subjects([command, paths[0] as string, '--files-from', list])).toEqual(paths.slice(0, 3))
    },
  )

  test('from standard input, NUL after each', async () => {
    const { paths } = folder()
    const world = { input: paths.map((path) => `${path}\0`).join('') }
    expect(await subjects(['check', '--files-from', '-', '-0'], world)).toEqual(paths)
  })

  test.each([
    ['check', ''],
    ['info', ''],
    ['events', ''],
    ['check', '\nno-such-log'],
  ])('%s: a list with NUL characters is refused in words', async (command, more) => {
    const list = tempFile(`a\0b\nc${more}\n`, 'list')
    const { exitCode, stdout, stderr } = await runMain([command, '--files-from', list])
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toMatch(/NUL characters\nWith -0/)
  })

  test('a name with a NUL, wherever it comes from, names no log', async () => {
    await expect(resolveInputs(['a\0b'], '/no/store')).rejects.toThrow(ToolError)
    const config = tempFile(JSON.stringify({ baseline: 'a\0b' }), 'resurface.json')
    const { exitCode, stderr } = await runMain(['check', tempFile(base().bytes())], {
      env: { RESURFACE_CONFIG: config },
    })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('NUL')
  })

  test.each<[args: string[], exitCode: number]>([
    [['check'], 2],
    [['check', '--files-from', 'EMPTY'], 2],
    [['check', '--files-from', 'EMPTY', '--allow-empty'], 0],
    [['check', '--files-from', 'NONE'], 3],
    [['check', '-', '--files-from', '-'], 2],
    [['check', 'FOLDER'], 3],
    [['check', 'FOLDER', '--allow-empty'], 0],
    [['check', 'FULL', '--exclude', '*.jsonl'], 3],
    [['check', 'FULL', '--exclude', '*.jsonl', '--allow-empty'], 0],
  ])('%j: %i', async (args, exitCode) => {
    const places = {
      EMPTY: tempFile('', 'list'),
      FOLDER: tempDir(),
      FULL: folder().root,
      NONE: '/no/such/list',
    }
    const words = args.map((word) => places[word as keyof typeof places] ?? word)
    expect((await runMain(words)).exitCode).toBe(exitCode)
  })
})

describe('--exclude', () => {
  test.each<[pattern: string, left: number[]]>([
    ['old', [0, 1]],
    ['*.jsonl', []],
    ['b.*', [0, 2, 3]],
    ['old/c.jsonl', [0, 1, 3]],
    ['**/c.jsonl', [0, 1, 3]],
    ['?.json', [0, 1, 2, 3]],
    ['OLD', [0, 1, 2, 3]],
  ])('%s', (pattern, left) => {
    const paths = ['s/a.jsonl', 's/b.jsonl', 's/old/c.jsonl', 's/old/d.jsonl']
    const kept = paths.filter((path) => !isExcluded(path, [pattern]))
    expect(kept).toEqual(left.map((index) => paths[index]))
  })

  test('on the command line and in the configuration', async () => {
    const { root, paths } = folder()
    const config = tempFile(JSON.stringify({ exclude: ['old'] }), 'resurface.json')
    const env = { RESURFACE_CONFIG: config }
    expect(await subjects(['check', root, '--exclude', 'b.jsonl'], { env })).toEqual([paths[0]])
  })

  test('a pattern that is no list is refused', async () => {
    const env = { RESURFACE_CONFIG: tempFile(JSON.stringify({ exclude: 'old' }), 'resurface.json') }
    expect((await runMain(['check', tempDir()], { env })).exitCode).toBe(2)
  })
})

test('--stdin-name is what standard input is called', async () => {
  const { stdout } = await runMain(['check', '-', '--stdin-name', 'upload.jsonl'], { input: base().bytes() })
  expect(stdout).toContain('upload.jsonl')
})

test('transcript of several logs says which is which', async () => {
  const { root, paths } = folder()
  const { stdout, exitCode } = await runMain(['transcript', root])
  expect(exitCode).toBe(0)
  for (const path of paths) expect(stdout).toContain(path)
})
