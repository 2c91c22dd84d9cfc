/** Without the native module databases cannot be read, and everything else goes on. */
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fileTree } from '../../support/file-tree.ts'
import { runMain } from '../../support/run-main.ts'
import { base } from '../../support/sample-logs.ts'
import { tempDir, tempFile } from '../../support/temp-dir.ts'

vi.mock('../../../src/storage/sqlite/load-native.ts', async (original) => {
  const { loadNative } = await original<typeof import('../../../src/storage/sqlite/load-native.ts')>()
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  return { loadNative: () => loadNative(() => Promise.reject(missing)) }
})

const DATABASE = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4080)])
const SENTENCE = /^resurface: .*better-sqlite3.*not installed\n.*npm install better-sqlite3/

test.each([['check'], ['surface'], ['info'], ['repair']])(
  '%s of a database says what is missing',
  async (command) => {
    const { exitCode, stdout, stderr } = await runMain([command, tempFile(DATABASE, 'sessions.db')])
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toMatch(SENTENCE)
  },
)

test.each([['check'], ['surface'], ['info'], ['repair'], ['ls']])(
  '%s of a plain log works',
  async (command) => {
    const { exitCode, stderr } = await runMain([command, tempFile(base().bytes())])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  },
)

test.each(['check', 'info', 'ls'])(
  '%s of a folder reads the logs and mentions the database',
  async (command) => {
    const root = fileTree({ 'a/sessions.db': DATABASE, 'b/session.jsonl': base() })
    const { exitCode, stdout, stderr } = await runMain([command, root, '--json'])
    expect(exitCode).toBe(3)
    expect(stderr).toContain('better-sqlite3')
    expect(stdout).toContain(join(root, 'b/session.jsonl'))
  },
)

test('a log cannot be converted into a database, and nothing is left behind', async () => {
  const output = join(tempDir(), 'sessions.db')
  const { exitCode, stderr } = await runMain(['convert', tempFile(base().bytes()), '-o', output])
  expect(exitCode).toBe(3)
  expect(stderr).toMatch(SENTENCE)
})
