/** `find`: where a text was said, what became of the message, and how a search over many sessions ends. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { CONTAINERS, type ContainerName, wholeLog, written } from '../support/containers.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { base, crashed, rich } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

async function find(...args: readonly string[]) {
  const result = await runMain(['find', ...args, '--json'])
  const data = result.stdout === '' ? undefined : reportIn(result.stdout).data
  return { ...result, data, hits: data?.hits }
}

describe('what became of a message', () => {
  test('it is on the surface', async () => {
    const { exitCode, hits } = await find('list files', tempFile(base().bytes()))
    expect(exitCode).toBe(0)
    expect(hits).toMatchObject([{ seq: 1, turn: 1, kind: 'user', class: 'current', excerpt: 'list files' }])
  })

  test('a compaction took it away, and the summary is found, too', async () => {
    const log = base().compaction(1, 6, 'they asked to list files')
    const { hits } = await find('list files', tempFile(log.bytes()))
    const checkpoint = log.surface[0]
    expect(hits).toMatchObject([
      { seq: 1, class: 'shadowed', replacedBy: checkpoint, replacement: 'compaction' },
      { seq: checkpoint, kind: 'compaction', class: 'current' },
    ])
  })

  test('a rewrite took the place of one message', async () => {
    const { hits } = await find('^b$', '--regex', '--tool-output', tempFile(rich().bytes()))
    expect(hits[0]).toMatchObject({ kind: 'tool', class: 'shadowed', replacement: 'rewrite' })
  })

  test('the model never saw what ended a turn', async () => {
    const log = base().openTurn((turn) => turn.user('more'))
    log.event('turn/end', {
      turn: 2,
      reason: { kind: 'error', error: { message: 'content filter', code: 'X' } },
    })
    const { hits } = await find('content filter', tempFile(log.bytes()))
    expect(hits).toMatchObject([{ kind: 'error', turn: 2, class: 'log-only' }])
  })
})

describe('what is looked for', () => {
  let path: string

  beforeEach(() => {
    path = tempFile(crashed().bytes())
  })

  test('arguments of calls are searched, what tools gave back only when asked', async () => {
    expect((await find('bash', path)).hits.map((hit: { kind: string }) => hit.kind)).toEqual(['call', 'call'])
    const without = await find('a.txt', path)
    expect(without.exitCode).toBe(1)
    expect(without.stderr).toContain('what tools gave back was not searched (--tool-output)')
    expect((await find('nowhere', path, '--tool-output')).stderr).not.toContain('--tool-output')
    expect((await find('a.txt', path, '--tool-output')).hits).toMatchObject([{ kind: 'tool' }])
  })

  test('a text is taken as it is, an expression as one', async () => {
    expect((await find('l.st', path)).exitCode).toBe(1)
    expect((await find('l.st', path, '--regex')).hits).toHaveLength(1)
    expect((await find('LIST', path)).exitCode).toBe(1)
    expect((await find('LIST', path, '-i')).hits).toHaveLength(1)
  })

  test.each([
    [['a(', '--regex'], 'Invalid regular expression'],
    [[''], 'nothing to look for'],
  ])('%j is an error of usage', async (args, message) => {
    const { exitCode, stderr } = await find(...args, path)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })

  test('an excerpt has the place in it, and no half of a character', async () => {
    const long = `${'🚀'.repeat(300)}needle${'🚀'.repeat(300)}`
    const log = base().turn((turn) => turn.user(long))
    const { hits } = await find('needle', tempFile(log.bytes()))
    expect(hits[0].excerpt).toMatch(/^…🚀+needle🚀+…$/u)
    expect(hits[0].excerpt.isWellFormed()).toBe(true)
    expect(hits[0].excerpt.length).toBeLessThan(200)
  })
})

describe('many sessions', () => {
  function store(): string {
    const folder = tempDir()
    for (const [name, log] of [
      ['a', base()],
      ['b', crashed()],
    ] as const) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'session.jsonl'), log.header({ id: name }).bytes())
    }
    return folder
  }

  test('every hit names its session, and the end says how many were searched', async () => {
    const { data, hits, stderr } = await find('list files', store())
    expect(hits.map((hit: { session: string }) => hit.session).toSorted()).toEqual(['a', 'b'])
    expect(data).toMatchObject({ sessions: 2, sessionsWithHits: 2, more: false })
    expect(stderr).toContain('2 hits in 2 of 2 sessions')
  })

  test('it ends at the limit, and says so', async () => {
    const { hits, data, stderr } = await find('list files', store(), '--limit', '1')
    expect(hits).toHaveLength(1)
    expect(data.more).toBe(true)
    expect(stderr).toContain('--all')
    expect((await find('list files', store(), '--all')).hits).toHaveLength(2)
  })

  test('a file that is no log hides nothing and is exit 3', async () => {
    const folder = store()
    writeFileSync(join(folder, 'a', 'session.jsonl'), 'no log at all\n')
    const { hits, exitCode } = await find('list files', folder)
    expect(hits).toHaveLength(1)
    expect(exitCode).toBe(3)
  })

  test('rows come as they are found', async () => {
    const { stdout } = await runMain(['find', 'list files', store(), '--format', 'ndjson'])
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.map(({ kind }) => kind)).toEqual(['user', 'user', 'summary', 'total'])
  })
})

test.each(Object.keys(CONTAINERS) as ContainerName[])('the answer is the same in %s', async (container) => {
  const { hits } = await find('one', await written(container, await wholeLog(rich().bytes())))
  const plain = await find('one', tempFile(rich().bytes()))
  const bare = (all: readonly object[]) => all.map((hit) => ({ ...hit, path: '' }))
  expect(bare(hits)).toEqual(bare(plain.hits))
})
