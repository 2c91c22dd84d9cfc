import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { isFull } from './support/effort.ts'

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isFull ? [] : ['test/**/*.full.test.ts'])],
    setupFiles: ['test/support/fixed-seed.ts'],
    // Many tests start processes, on machines that may have other things to do: none is a question of time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: '100%',
  },
})
