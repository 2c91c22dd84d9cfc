/** `events`: pages, filters, and whole events. */
import { describe, expect, test } from 'vitest'
import { log } from '../support/log-builder.ts'
import { reportIn } from '../support/report-in.ts'
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
