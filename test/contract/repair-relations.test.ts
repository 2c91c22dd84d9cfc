/** Relations of format 4 that the rest of the log tells: what is broken in a sound log comes back as it was. */
import { describe, expect, test } from 'vitest'
import { type FindingCode, ruleOf } from '../../src/core/findings/rules.ts'
import type { JsonObject, JsonValue } from '../../src/core/json/json-value.ts'
import { stringifyJson } from '../../src/core/json/stringify-json.ts'
import { readBack, wholeLog, written } from '../support/containers.ts'
import { type LaterLog, later, textBlock } from '../support/later-log.ts'
import { repairing } from '../support/repairing.ts'
import { runMain } from '../support/run-main.ts'

const SESSION = 'session-00000000-0000-4000-8000-000000000004'
const NOT_STARTED =
  'The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed.'

const place = { turn: 1, step: 1 }
const retry = (attempt: number): JsonObject => ({
  ...place,
  retryId: 'r',
  provider: 'p',
  mode: 'always',
  policyKey: 'k',
  retry: attempt,
  delayMs: 1,
  failure: { message: 'm', code: 'UNKNOWN' },
})
const started = (attempt: number): JsonObject => ({ ...place, retryId: 'r', retry: attempt })
const dispatch = { rootCallId: 'c1', parentCallId: 'c1', subCallId: 's1', name: 'read', arguments: { a: 1 } }
const child = { version: 1, childId: 'one', childCreatedAt: 1, mode: 'unknown' }
const title: JsonObject = { title: 'Hi', messageSeqs: [3], source: { kind: 'fallback' } }

/** Every kind of relation once: user message 3, retries from 5, answer 9, result 11. */
function sound(): LaterLog {
  return later()
    .turn((turn) =>
      turn.step((step) => {
        step.system().user('hi').request()
        step.event('llm/retry', retry(1)).event('llm/retry-started', started(1))
        step.event('llm/retry', retry(2)).event('llm/retry-started', started(2))
        step.assistant('', [{ id: 'c1' }, { id: 'c2' }]).call('c1')
        step.event('tool/ptc-dispatch-start', dispatch)
        step.event('tool/ptc-dispatch', { ...dispatch, isError: false, content: [] })
        step.result('c1')
        const message = { id: `interrupted-tool-result-c2-${step.nextSeq}`, isError: true }
        const error = { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' }
        step.result('c2', NOT_STARTED, { message, data: { error } })
      }),
    )
    .event('session/title', title)
    .event('subagent/catalog', child)
    .event('session-log-deepseek/delivery-accepted', {
      sessionId: SESSION,
      sessionFormatVersion: 4,
      throughSeq: 3,
    })
    .event('command/run', { commandId: 'k', name: 'compact', source: { kind: 'user' } })
    .event('compaction/start', { compactionId: 'x', sourceCommandId: 'k', turn: null })
    .event('compaction/summary', {
      compactionId: 'x',
      sourceCommandId: 'k',
      summary: [textBlock('s')],
      shadowedRange: { start: 3, end: 3 },
      shadowedSeqs: [3],
      shadowedTokenCount: 1,
      provider: 'p',
      model: 'm',
    })
    .event('compaction/end', { compactionId: 'x', sourceCommandId: 'k', turn: null })
    .event('command/done', { commandId: 'k', kind: 'success' })
}

type Row = JsonObject

const RULES: readonly (readonly [FindingCode, string, nth: number, change: (data: Row) => Row])[] = [
  ['relation/retry-provider', 'llm/retry', 0, (data) => ({ ...data, provider: 'q' })],
  ['relation/retry-provider', 'llm/retry', 1, (data) => ({ ...data, provider: 'q' })],
  ['relation/retry-step', 'llm/retry', 0, (data) => ({ ...data, step: 9 })],
  ['relation/retry-number', 'llm/retry', 1, (data) => ({ ...data, retry: 4 })],
  ['relation/retry-id', 'llm/retry', 1, (data) => ({ ...data, retryId: 's' })],
  ['relation/retry-not-scheduled', 'llm/retry-started', 0, (data) => ({ ...data, retry: 3 })],
  ['relation/retry-not-scheduled', 'llm/retry-started', 1, (data) => ({ ...data, retryId: 's' })],
  ['relation/dispatch-differs', 'tool/ptc-dispatch', 0, (data) => ({ ...data, name: 'x', arguments: {} })],
  ['relation/dispatch-not-started', 'tool/ptc-dispatch', 0, (data) => ({ ...data, subCallId: 's9' })],
  ['relation/result-not-started', 'tool/result', 1, (data) => withMessage(data, { id: 'm' })],
  [
    'relation/result-not-started',
    'tool/result',
    1,
    (data) => withMessage(data, { content: [textBlock('no')] }),
  ],
  ['relation/title-sources', 'session/title', 0, (data) => ({ ...data, messageSeqs: [11] })],
  ['relation/title-sources', 'session/title', 0, (data) => ({ ...data, messageSeqs: [3, 11] })],
  ['relation/title-author', 'session/title', 0, (data) => ({ ...data, messageSeqs: [] })],
  ['relation/catalog-mode', 'subagent/catalog', 0, (data) => ({ ...data, version: 0 })],
  ['relation/command-not-run', 'command/done', 0, (data) => ({ ...data, commandId: 'other' })],
  ['relation/compaction-turn', 'compaction/start', 0, (data) => ({ ...data, turn: 5 })],
  ['relation/compaction-turn', 'compaction/end', 0, (data) => ({ ...data, turn: 5 })],
  ['relation/compaction-not-started', 'compaction/summary', 0, (data) => ({ ...data, compactionId: 'y' })],
  ['relation/compaction-not-started', 'compaction/end', 0, ({ sourceCommandId: _, ...data }) => data],
]

function withMessage(data: Row, members: Row): Row {
  return { ...data, message: { ...(data.message as Row), ...members } }
}

/** Changes the data of the nth event of a type. */
function broken(type: string, nth: number, change: (data: Row) => Row): Buffer {
  let seen = 0
  const lines = rows(sound().bytes()).map((row) => {
    if (row.type !== type || seen++ !== nth) return row
    return { ...row, data: change(row.data as Row) }
  })
  return Buffer.from(lines.map((row) => `${stringifyJson(row)}\n`).join(''))
}

function rows(bytes: Buffer): readonly Row[] {
  return bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

async function codesIn(path: string): Promise<readonly JsonValue[]> {
  const { stdout } = await runMain(['check', path, '--json'])
  const { reports } = JSON.parse(stdout) as { reports: readonly { findings: readonly Row[] }[] }
  return (reports[0]?.findings ?? []).map(({ code }) => code as JsonValue)
}

async function stored(container: 'plain' | 'zstd', bytes: Buffer): Promise<string> {
  return written(container, await wholeLog(bytes))
}

test('the log that is broken is sound', async () => {
  const codes = await codesIn(await stored('plain', sound().bytes()))
  expect(codes.filter((code) => ruleOf(code as FindingCode).severity === 'error')).toEqual([])
})

describe.each(['plain', 'zstd'] as const)('in %s', (container) => {
  test.each(RULES)('%s of %s %i', async (code, type, nth, change) => {
    const path = await stored(container, broken(type, nth, change))
    expect(await codesIn(path)).toContain(code)
    const done = await repairing(path)
    if (done.kind === 'refused') throw new Error(String(done.data.refused))
    expect(new Set(done.data.steps.map(({ kind }) => kind))).toEqual(new Set(['mend-relations']))
    expect((await readBack(done.output)).events).toEqual(
      (await readBack(await stored('plain', sound().bytes()))).events,
    )
    // Every row as it was is in the quarantine.
    expect(done.pieces).toHaveLength(new Set(done.data.steps.flatMap(({ seqs }) => seqs ?? [])).size)
  })

  test.each([
    ['relation/command-not-run', ['command/done', { commandId: 'k', kind: 'success' }]],
    ['relation/catalog-repeated', ['subagent/catalog', child]],
    ['relation/delivery-session', ['session-log-deepseek/delivery-accepted', delivery('other')]],
    ['relation/dispatch-not-started', ['tool/ptc-dispatch', { ...dispatch, subCallId: 's7' }]],
  ] as const)('what belongs to nothing goes: %s', async (code, [type, data]) => {
    const log = code === 'relation/command-not-run' ? later() : sound()
    const before = log.bytes()
    const path = await stored(container, log.event(type, data as JsonObject).bytes())
    expect(await codesIn(path)).toContain(code)
    const done = await repairing(path)
    if (done.kind === 'refused') throw new Error(String(done.data.refused))
    expect(done.data.steps).toMatchObject([{ kind: 'drop-rows', finding: code, count: 1 }])
    expect((await readBack(done.output)).events).toEqual(
      (await readBack(await stored('plain', before))).events,
    )
    expect(done.pieces).toHaveLength(1)
  })
})

function delivery(sessionId: string): JsonObject {
  return { sessionId, sessionFormatVersion: 4, throughSeq: 3 }
}

test('a title of one of several messages is not guessed', async () => {
  const log = later().turn((turn) => turn.step((step) => step.system().user('one').user('two')))
  const path = await stored('plain', log.event('session/title', { ...title, messageSeqs: [0] }).bytes())
  expect(await repairing(path)).toMatchObject({ kind: 'refused', exitCode: 5 })
})
