/** `events`: pages, filters, and whole events. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileTree } from '../support/file-tree.ts'
import { log } from '../support/log-builder.ts'
import { reportIn } from '../support/report-in.ts'
import { runCli } from '../support/run-cli.ts'
import { runMain } from '../support/run-main.ts'
import { base } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

const five = () => {
  const built = log()
  for (const word of ['one', 'two', 'three', 'four', 'five']) built.turn((turn) => turn.user(word))
  return built
}

async function events(bytes: Buffer, ...more: readonly string[]) {
  const { stdout, stderr, exitCode } = await runMain(['events', tempFile(bytes), '--json', ...more])
  const { data } = reportIn(stdout)
  return { ...data, stderr, exitCode, seqs: data.events.map(({ seq }: { seq: number }) => seq) }
}

test('a whole event, as it is stored', async () => {
  const built = base()
  const { events: found } = await events(built.bytes(), '--seq', '1')
  expect(found).toEqual([built.events()[1]])
})

describe('without a filter: pages', () => {
  test('cut as DSH cuts them, from the newest to the oldest', async () => {
    const bytes = five().bytes()
    const all = (await events(bytes)).seqs
    const seen: number[] = []
    let before = all.length
    while (seen.length < all.length) {
      const page = await events(bytes, '--max-messages', '2', '--before', String(before))
      seen.unshift(...page.seqs)
      expect(page.firstSeq).toBe(page.seqs[0])
      if (!page.hasMore) break
      before = page.firstSeq
    }
    expect(seen).toEqual(all)
  })
})

describe('a filter', () => {
  const types = async (...more: readonly string[]) =>
    (await events(five().bytes(), ...more)).events.map(({ type }: { type: string }) => type)

  test('looks at the whole log', async () => {
    expect(await types('--type', 'user/message')).toHaveLength(5)
    expect(await types('--turn', '3')).toEqual(['turn/start', 'user/message', 'turn/end'])
    expect(await types('--class', 'current')).toEqual(Array(5).fill('user/message'))
    expect(await types('--text', 'THREE')).toEqual(['user/message'])
    expect(await types('--text', 'o', '--type', 'user/message', '--seq', '..8')).toHaveLength(2)
  })

  test('or at the page that is asked for', async () => {
    const page = await events(five().bytes(), '--type', 'user/message', '--max-messages', '2')
    expect(page.seqs).toHaveLength(2)
    expect(page.hasMore).toBe(true)
    const older = await events(five().bytes(), '--type', 'turn/end', '--before', String(page.firstSeq))
    expect(older.seqs.length).toBeGreaterThan(0)
    expect(older.seqs.every((seq: number) => seq < page.firstSeq)).toBe(true)
  })

  test.each(['events', 'classify'])('that nothing matches: %s says so', async (command) => {
    const path = tempFile(base().bytes())
    const { exitCode, stderr } = await runMain([command, path, '--type', 'user/mesage'])
    expect([exitCode, stderr]).toEqual([0, `resurface: no event of ${path} matches\n`])
  })
})

test('text: every event with all of its data', async () => {
  const long = log().turn((turn) => turn.user('x'.repeat(5000)))
  const { stdout } = await runMain(['events', tempFile(long.bytes())])
  expect(stdout).toContain('x'.repeat(5000))
})

describe('--all, and several logs', () => {
  test('every event, also before a place', async () => {
    const bytes = Array.from({ length: 60 }, (_, index) => `message ${index}`)
      .reduce((built, text) => built.turn((turn) => turn.user(text)), log())
      .bytes()
    expect((await events(bytes)).hasMore).toBe(true)
    expect((await events(bytes, '--all')).seqs).toEqual([...Array(180).keys()])
    expect((await events(bytes, '--all', '--before', '30')).seqs).toEqual([...Array(30).keys()])
    expect((await events(bytes, '--all', '--max-messages', '1')).hasMore).toBe(true)
  })

  test.each(['1', '3'])('each line names its log, with %s threads', async (jobs) => {
    const folder = fileTree({ 'a.jsonl': base(), 'b.jsonl': five(), 'c.jsonl': log() })
    const read = async (...args: string[]) => {
      const { stdout } = await runCli(['events', ...args, '--all', '--format', 'ndjson', '--jobs', jobs])
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    }
    const lines = await read(folder)
    const paths = ['a', 'b', 'c'].map((name) => join(folder, `${name}.jsonl`))
    const countOf = (path: string): number =>
      lines.filter(({ log, kind }) => log === path && kind === 'event').length
    expect(paths.map(countOf)).toEqual([base().nextSeq, five().nextSeq, 0])
    expect(lines.filter(({ kind }) => kind === 'summary').map((line) => line.log)).toEqual(paths)
    expect(lines.at(-1)).toMatchObject({ kind: 'total', reports: 3, unread: 0 })
    // One log is a table with the same columns.
    const alone = await read(paths[1] as string)
    expect(alone.slice(0, -1)).toEqual(lines.filter((line) => line.log === paths[1]))
  })
})
