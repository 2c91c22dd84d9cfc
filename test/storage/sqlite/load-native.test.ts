import { expect, test } from 'vitest'
import { loadNative } from '../../../src/storage/sqlite/load-native.ts'
import { ToolError } from '../../../src/storage/tool-error.ts'

test('the module is loaded', async () => {
  const native = await loadNative()
  const db = new native(':memory:')
  expect(db.prepare('SELECT 1').pluck().get()).toBe(1)
  db.close()
})

test('a module that is not installed is an input error with a remedy', async () => {
  const missing = Object.assign(new Error("Cannot find package 'better-sqlite3'"), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
  const failure = await loadNative(() => Promise.reject(missing)).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ToolError)
  expect(failure).toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('not installed'),
    hint: expect.stringContaining('npm install better-sqlite3'),
  })
})

test('so is one whose binary does not fit this Node', async () => {
  class Unloadable {
    constructor() {
      throw new Error('was compiled against a different Node.js version\nusing NODE_MODULE_VERSION 1')
    }
  }
  const module = { default: Unloadable as never }
  await expect(loadNative(() => Promise.resolve(module))).rejects.toMatchObject({
    exitCode: 3,
    message:
      'the optional package better-sqlite3 cannot be loaded: was compiled against a different Node.js version',
  })
})
