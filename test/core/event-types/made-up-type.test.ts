/** A type that no build writes gets one row in the catalogue, and every consumer knows it. */
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { eventRefusals } from '../../../src/core/compatibility/event-refusals.ts'
import { contentWithoutReferences } from '../../../src/core/diff/event-content.ts'
import type { SessionEvent } from '../../../src/core/event/session-event.ts'
import { messagePartsIn } from '../../../src/core/event-types/message-parts.ts'
import { renaming, renumberRow } from '../../../src/core/repair/renumber-row.ts'
import { anonymized, textOf } from '../../support/anonymizing.ts'
import { log } from '../../support/log-builder.ts'
import { reportIn } from '../../support/report-in.ts'
import { runMain } from '../../support/run-main.ts'
import { tempDir, tempFile } from '../../support/temp-dir.ts'

/** The one row: a name, a text, an earlier event, a count and a queued message. */
vi.mock(import('../../../src/core/event-types/event-types.ts'), async (original) => {
  const { EVENT_TYPES } = await original()
  const { COUNT, ID, list, message, object, optional, SEQ, TEXT, words } = await import(
    '../../../src/core/event-types/kinds.ts'
  )
  const data = object({
    id: ID,
    note: TEXT,
    state: words('weighed', 'measured'),
    aboutSeq: optional(SEQ),
    grams: COUNT,
    waiting: list(message('user')),
  })
  return { EVENT_TYPES: { ...EVENT_TYPES, 'made-up/weighed': { from: 0, data } } }
})

const message = {
  id: 'm9',
  role: 'user',
  source: { kind: 'user' },
  content: [{ type: 'text', text: 'hello' }],
}
const data = { id: 'w1', note: 'heavy stone', state: 'weighed', aboutSeq: 2, grams: 7, waiting: [message] }

const written = (payload: object = data) =>
  log()
    .turn((turn) => turn.step((step) => step.user('a')))
    .event('made-up/weighed', payload as never)

async function checked(payload?: object) {
  const path = tempFile(written(payload).bytes())
  const { stdout } = await runMain(['check', path, '--json'])
  return reportIn(stdout) as {
    readonly findings: readonly { readonly code: string }[]
    readonly data: {
      readonly compatibility: readonly { readonly release: string; readonly opens: boolean }[]
    }
  }
}

test('check knows the type', async () => {
  const codes = (await checked()).findings.map(({ code }) => code)
  expect(codes).not.toContain('vocabulary/unknown-type')
})

test('check says what later releases mind about its members', async () => {
  const found: string[] = []
  const event = { type: 'made-up/weighed', seq: 9, data: { ...data, grams: -1, more: 1, state: 'lost' } }
  eventRefusals(event, 0, ({ path, problem }) => found.push(`${problem} ${path}`))
  expect(found.toSorted()).toEqual(['unexpected data.more', 'value data.grams', 'value data.state'])
  const { compatibility } = (await checked({ ...data, more: 1 })).data
  expect(compatibility.find(({ release }) => release === 'format-2')?.opens).toBe(false)
  expect((await checked()).data.compatibility.find(({ release }) => release === 'format-2')?.opens).toBe(true)
})

test('anonymize keeps its words, members and structure, and no text', async () => {
  const path = tempFile(written().bytes())
  const output = join(tempDir(), 'neutral.jsonl')
  expect((await anonymized(path, output)).exitCode).toBe(0)
  const text = await textOf(output)
  const row = text.split('\n').find((line) => line.includes('made-up/weighed')) ?? ''
  expect(row).toContain('"state":"weighed"')
  expect(row).toContain('"aboutSeq":2')
  expect(row).toContain('"note":"xxxxx xxxxx"')
  expect(row).not.toContain('hello')
})

test('diff leaves out what it names, and repair renames it', () => {
  const event = { type: 'made-up/weighed', seq: 7, time: 1, data } as unknown as SessionEvent
  const { aboutSeq: _, ...rest } = data
  expect(contentWithoutReferences(event)?.data).toEqual(rest)
  const moved = renumberRow(event as never, 8, renaming({ of: (seq) => seq + 1 }))
  expect(moved.data).toEqual({ ...data, aboutSeq: 3 })
  const alone = renumberRow(event as never, 6, renaming({ of: () => undefined }))
  expect(alone.data).toEqual(rest)
})

test('the commands diff and repair follow it through a whole log', async () => {
  const heavy = tempFile(written().bytes())
  const light = tempFile(written({ ...data, note: 'light stone' }).bytes())
  const { stdout } = await runMain(['diff', heavy, light])
  expect(stdout).toContain('made-up/weighed')
  expect(stdout).toContain('note')

  const built = log().turn((turn) => turn.step((step) => step.assistant('').call('a', 'bash')))
  const bytes = built.event('made-up/weighed', { ...data, aboutSeq: built.nextSeq - 1 } as never).bytes()
  const output = join(tempDir(), 'repaired.jsonl')
  await runMain(['repair', tempFile(bytes), '-o', output])
  const rows = (await textOf(output))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const weighed = rows.find(({ type }) => type === 'made-up/weighed')
  expect(rows.some(({ type }) => type === 'tool/result')).toBe(true)
  expect(rows.find(({ seq }) => seq === weighed.data.aboutSeq).type).toBe('turn/end')
  expect(weighed.data).toEqual({ ...data, aboutSeq: weighed.seq - 1 })
})

test('its messages are found', () => {
  const { messages, blocks } = messagePartsIn('made-up/weighed', data)
  expect(messages).toEqual([message])
  expect(blocks).toEqual(message.content)
})
