/** Several logs on several threads: the same answers, notes and exit codes in the same order. */
import { once } from 'node:events'
import { realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { wholeLog, written } from '../support/containers.ts'
import { fileTree } from '../support/file-tree.ts'
import { log } from '../support/log-builder.ts'
import { BIN, runCli } from '../support/run-cli.ts'
import { base, crashed, rich } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

/** Logs of every container and state, one with a wrong name, and names that stand for nothing. */
async function inputs(): Promise<string[]> {
  const folder = fileTree({
    'a-clean.jsonl': base(),
    'b-crashed.jsonl': crashed(),
    'c-damaged.jsonl': base().drop(5),
    'd-rich.jsonl': rich(),
    'e-empty.jsonl': '',
    'f-unsupported.jsonl': base().event('acme/x'),
    'g-other.jsonl': 'no log at all\n',
  })
  writeFileSync(join(folder, 'h-packed.jsonl'), gzipSync(log().bytes()))
  const whole = await wholeLog(rich().bytes())
  return [
    folder,
    await written('zstd', whole),
    join(folder, 'missing.jsonl'),
    await written('SQLite 17', whole),
    folder,
  ]
}

describe.each(['check', 'info'])('%s', (command) => {
  test.each(['text', 'json', 'ndjson', 'html'])('as %s', async (format) => {
    const args = [command, ...(await inputs()), '--format', format]
    const alone = await runCli([...args, '--jobs', '1'])
    expect(alone.stdout).not.toBe('')
    for (const jobs of ['2', '99']) expect(await runCli([...args, '--jobs', jobs])).toEqual(alone)
  })
})

test('a thread answers', async () => {
  const path = tempFile(base().bytes())
  const entry = join(dirname(BIN), '../dist/cli/log-worker.js')
  const worker = new Worker(entry, { workerData: { argv: ['check', path, path] } })
  worker.postMessage({ name: path, path, remarks: [] })
  const [{ outcomes, opened }] = await once(worker, 'message')
  await worker.terminate()
  expect(outcomes.outcomes).toMatchObject([{ exitCode: 0 }])
  expect(opened).toEqual([realpathSync(path)])
})

test('standard input is read where it is', async () => {
  const [folder = ''] = await inputs()
  const input = base().bytes()
  const alone = await runCli(['check', '-', folder, '--jobs', '1'], { input })
  expect(alone.stdout).toContain('-: intact')
  expect(await runCli(['check', '-', folder, '--jobs', '3'], { input })).toEqual(alone)
})

test('settings hold in every thread', async () => {
  const [folder = ''] = await inputs()
  const args = ['check', folder, '--fail-on', 'warning', '--severity', 'turn/open=off', '--profile', 'plugin']
  const env = { RESURFACE_FAIL_ON: 'never' }
  const alone = await runCli([...args, '--jobs', '1'], { env })
  expect(await runCli([...args, '--jobs', '4'], { env })).toEqual(alone)
})

test('no output may replace a log that another thread has read', async () => {
  const [folder = ''] = await inputs()
  for (const name of ['a-clean.jsonl', 'd-rich.jsonl', 'f-unsupported.jsonl']) {
    const { exitCode } = await runCli(['check', folder, '--jobs', '3', '-o', join(folder, name)])
    expect(exitCode).toBe(2)
  }
})

test.each(['0', '-1', 'two'])('%s is no number of threads', async (jobs) => {
  expect((await runCli(['check', 'log.jsonl', '--jobs', jobs])).exitCode).toBe(2)
})
