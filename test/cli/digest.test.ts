/** `surface --digest` and `transcript --digest`: locks that hold in every container, and break when a word changes. */

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CONTAINERS, type ContainerName, wholeLog, written } from '../support/containers.ts'
import { log, type Row } from '../support/log-builder.ts'
import { backwards, sorted } from '../support/member-order.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { base, rich } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

const COMPACTED = join(import.meta.dirname, '../../examples/compacted.jsonl')
const COMMANDS = ['surface', 'transcript'] as const

async function digest(command: string, path: string, ...more: string[]): Promise<string> {
  const { stdout, exitCode } = await runMain([command, path, '--digest', ...more])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^[0-9a-f]{64}\n$/)
  return stdout.trimEnd()
}

/** A lock in somebody's repository must not break with a release: these change with a major version only. */
test.each([
  ['surface', '4064a9b614829cfd83cedbe912ec3e3f28adc6c1f769ddce2c453b81d60ca785'],
  ['transcript', '23b47ddbec6fbfe078260985ee12d004de58acae6dc94ce9b0230ed3a380a934'],
])('the %s digest of an example is fixed', async (command, expected) => {
  expect(await digest(command, COMPACTED)).toBe(expected)
})

test('the surface digest can be made of what messages prints', async () => {
  const { stdout } = await runMain(['surface', COMPACTED, '--messages', '--json'])
  const hash = createHash('sha256')
  for (const { message } of reportIn(stdout).data.messages)
    hash.update(`${JSON.stringify(sorted(message))}\n`)
  expect(await digest('surface', COMPACTED)).toBe(hash.digest('hex'))
})

describe.each(COMMANDS)('%s', (command) => {
  test('is the same in every container', async () => {
    const whole = await wholeLog(rich().bytes())
    const digests = new Set<string>()
    for (const name of Object.keys(CONTAINERS)) {
      digests.add(await digest(command, await written(name as ContainerName, whole)))
    }
    expect(digests.size).toBe(1)
  })

  test('does not depend on the order of members', async () => {
    const turned = base()
      .lines()
      .map((line) => JSON.stringify(backwards(JSON.parse(line.toString()))))
    expect(await digest(command, tempFile(`${turned.join('\n')}\n`))).toBe(
      await digest(command, tempFile(base().bytes())),
    )
  })

  test('does not depend on the seqs', async () => {
    const moved = log().event('todo/write')
    for (const { seq, sourceEventSeqs: cited, ...row } of base().events()) {
      const sources = (cited as readonly number[] | undefined)?.map((source) => source + 1)
      moved.row({ ...row, seq: seq + 1, ...(sources && { sourceEventSeqs: sources }) } as Row)
    }
    expect(await digest(command, tempFile(moved.bytes()))).toBe(
      await digest(command, tempFile(base().bytes())),
    )
  })

  test('changes with what is shown', async () => {
    const changed = base().edit(1, (row) => {
      const data = row.data as { content: { text: string }[] }
      ;(data.content[0] as { text: string }).text = 'list files!'
      return row
    })
    expect(await digest(command, tempFile(changed.bytes()))).not.toBe(
      await digest(command, tempFile(base().bytes())),
    )
  })

  test('is a member of the JSON', async () => {
    const { stdout } = await runMain([command, COMPACTED, '--digest', '--json'])
    const text = `${await digest(command, COMPACTED)}\n`
    expect(`${reportIn(stdout).data.digest}\n`).toBe(text)
  })

  test('has the exit code of the command', async () => {
    const path = tempFile(base().drop(5).bytes())
    expect(await runMain([command, path, '--digest'])).toMatchObject({ exitCode: 0 })
    expect(await runMain([command, path, '--digest', '--fail-on', 'error'])).toMatchObject({ exitCode: 1 })
    expect((await runMain([command, path, '--digest'])).stdout).toMatch(/^[0-9a-f]{64}\n$/)
  })

  test.each([
    ['no log', '{"a":1}\n'],
    ['an empty file', ''],
  ])('%s has none', async (_name, content) => {
    expect(await runMain([command, tempFile(content), '--digest'])).toMatchObject({ exitCode: 3, stdout: '' })
  })
})

test('an earlier moment has a digest of its own', async () => {
  const path = tempFile(rich().bytes())
  const first = await digest('surface', path, '--at', '8')
  expect(first).toBe(await digest('surface', tempFile(base().bytes())))
  expect(first).not.toBe(await digest('surface', path))
})

test('--messages and --digest are two answers', async () => {
  const { exitCode, stderr } = await runMain(['surface', COMPACTED, '--messages', '--digest'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('choose one')
})
