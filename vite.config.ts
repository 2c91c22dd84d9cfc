/** Bundles the program into a few files, because Node takes a millisecond to find and load each of many small ones. */
import { defineConfig } from 'vite'

export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    // The declarations are there already.
    emptyOutDir: false,
    rolldownOptions: {
      input: {
        'cli/main': 'src/cli/main.ts',
        'cli/log-worker': 'src/cli/log-worker.ts',
        index: 'src/index.ts',
      },
      // What looks for package.json and docs stands two folders deep, as in src.
      output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name].js' },
    },
  },
})
