import { defineConfig } from 'vitest/config'

/**
 * The tests that judge events and the surface. What reads, prints or writes says little about them, and the replay of
 * two hundred thousand events would run once per mutant.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/core/**/*.test.ts', 'test/corpus/**/*.test.ts'],
    exclude: ['test/core/replay/replay.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    testTimeout: 30_000,
  },
})
