/** Real processes with files open, as `lsof` lists them. */
import { spawn, spawnSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { listedWriters } from '../../../src/storage/rewrite/listed-writers.ts'
import { tempFile } from '../../support/temp-dir.ts'
import { describeUnlessMissing } from '../../support/unless-missing.ts'

const missing = spawnSync('lsof', ['-v']).error === undefined ? undefined : 'lsof is not installed'

/** A process that has the file open as the flags say. */
async function holder(path: string, flags: string): Promise<number | undefined> {
  const script = `require('node:fs').openSync(process.argv[1], process.argv[2]); process.stdout.write('open'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script, path, flags], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return child.pid
}

describeUnlessMissing(missing, 'who writes a file', () => {
  test.each(['a', 'r+'])('opened with %s', async (flags) => {
    const path = tempFile('x')
    const pid = await holder(path, flags)
    expect(await listedWriters(path)).toEqual([String(pid)])
  })

  test('a reader does not', async () => {
    const path = tempFile('x')
    await holder(path, 'r')
    expect(await listedWriters(path)).toEqual([])
  })

  test('nobody, and no file', async () => {
    const path = tempFile('x')
    expect(await listedWriters(path)).toEqual([])
    expect(await listedWriters(`${path}-none`)).toEqual([])
  })
})
