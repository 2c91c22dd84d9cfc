/** Why did it stop: the error that ended a turn is what transcript, report, info and ls say of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/json/json-value.ts'
import { log } from '../support/log-builder.ts'
import { runMain } from '../support/run-main.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const REFUSED: JsonObject = {
  kind: 'error',
  error: { message: '400 content \u202efilter', code: 'INVALID_REQUEST', status: 400 },
}

function failing(reason: JsonObject): string {
  return tempFile(
    log()
      .turn((turn) => turn.user('hi'), reason)
      .bytes(),
  )
}

async function answer(...args: readonly string[]) {
  return JSON.parse((await runMain([...args, '--json'])).stdout).reports[0].data
}

test('the transcript has it where it happened', async () => {
  const path = failing(REFUSED)
  const { entries } = await answer('transcript', path)
  expect(entries.at(-1)).toMatchObject({
    kind: 'failure',
    seq: 2,
    turn: 1,
    reason: 'error',
    text: '400 content \u202efilter',
    code: 'INVALID_REQUEST',
    status: 400,
  })
  const { stdout } = await runMain(['transcript', path])
  expect(stdout).toContain('turn 1 failed (400 INVALID_REQUEST) #2\n  400 content \\u202efilter\n')
})

test('info, ls and the page of report say it', async () => {
  const path = failing(REFUSED)
  expect((await answer('info', path)).failure).toMatchObject({ seq: 2, reason: 'error', status: 400 })
  expect((await runMain(['info', path])).stdout).toMatch(
    /last turn +the turn failed \(400 INVALID_REQUEST\): 400/,
  )
  expect((await answer('ls', path)).sessions[0].failure).toBe('400 content \u202efilter')
  expect((await runMain(['ls', path])).stdout).toContain('failed: 400 content')
  const page = join(tempDir(), 'page.html')
  await runMain(['report', path, '-o', page])
  expect(readFileSync(page, 'utf8')).toContain('turn 1 failed (400 INVALID_REQUEST)')
})

test.each<[reason: JsonObject, words: string]>([
  [{ kind: 'max-tokens' }, 'turn 1 reached the limit of tokens #2\n'],
  [{ kind: 'blocked' }, 'turn 1 was blocked #2\n'],
  [{ kind: 'error' }, 'turn 1 failed #2\n'],
  [{ kind: 'error', error: { message: 7, code: [], status: 'x' } }, 'turn 1 failed #2\n'],
])('%j', async (reason, words) => {
  expect((await runMain(['transcript', failing(reason)])).stdout).toContain(words)
})

test.each<JsonObject>([
  { kind: 'completed' },
  { kind: 'interrupted' },
  { kind: 'aborted', reason: { kind: 'user' } },
  { kind: 'newer' },
])('near miss: %j', async (reason) => {
  const path = failing(reason)
  expect((await answer('transcript', path)).entries.map(({ kind }: { kind: string }) => kind)).toEqual([
    'user',
  ])
  expect((await answer('info', path)).failure).toBeUndefined()
  expect((await answer('ls', path)).sessions[0].failure).toBeUndefined()
})

test('a later turn that went well is what info and ls are about', async () => {
  const built = log()
    .turn((turn) => turn.user('hi'), REFUSED)
    .turn((turn) => turn.user('again').step((step) => step.assistant('yes')))
  const path = tempFile(built.bytes())
  expect((await answer('info', path)).failure).toBeUndefined()
  expect((await answer('ls', path)).sessions[0].failure).toBeUndefined()
  expect((await answer('transcript', path)).entries.map(({ kind }: { kind: string }) => kind)).toContain(
    'failure',
  )
})
