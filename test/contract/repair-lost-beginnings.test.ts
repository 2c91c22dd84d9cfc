/**
 * A lost event that another one needs: the run of a command, the attempt before a retry, the request that is retried, the
 * message that a title is made from, halves of a compaction. What the log says of it is put back, so that what needs it
 * keeps its place.
 */
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/json/json-value.ts'
import { readBack } from '../support/containers.ts'
import { imageBlock, type LaterLog, type LaterVersion, later, textBlock } from '../support/later-log.ts'
import { mended } from '../support/repairing.ts'
import { tempFile } from '../support/temp-dir.ts'

const RETRY = { retryId: 'r', turn: 1, step: 1, provider: 'p', mode: 'normal', policyKey: 'k', maxRetries: 3 }
const FAILURE = { message: 'too many', code: 'RATE_LIMITED' }

interface Lost {
  readonly name: string
  readonly versions?: readonly LaterVersion[]
  readonly write: (built: LaterLog, version: LaterVersion) => unknown
  /** The line that is lost: the last one of the type, the first one, or a marked one. */
  readonly type: string
  /** How many lines are lost from there on; one without it. */
  readonly count?: number
  /** What is in its place; nothing where no event has to be. */
  readonly put?: JsonObject
  /** Data of the event of another type that has to be as they were. */
  readonly keeps?: string
}

const oneTurn = (built: LaterLog, version: LaterVersion, more: (step: LaterLog) => unknown = () => {}) =>
  built.turn((turn) =>
    turn.step((step) => {
      if (version >= 3) step.system()
      more(step.user('go on').request())
      step.tool('c1')
    }),
  )

const surface = (version: LaterVersion): number[] => (version >= 3 ? [3, 5, 7] : [2, 4, 6])

const LOST: readonly Lost[] = [
  {
    name: 'the run of a command',
    write: (built, version) =>
      oneTurn(built, version)
        .event('command/run', { commandId: 'm', name: 'model', source: { kind: 'user' } })
        .event('command/done', { commandId: 'm', kind: 'success', text: 'ok' }),
    type: 'command/run',
    put: { commandId: 'm', name: 'unknown', source: { kind: 'user' } },
    keeps: 'command/done',
  },
  {
    name: 'the run of a command that compacted',
    write: (built, version) =>
      oneTurn(built, version)
        .event('command/run', { commandId: 'm', name: 'compact', source: { kind: 'user' } })
        .event('compaction/start', { compactionId: 'x', sourceCommandId: 'm', turn: null })
        .event('compaction/end', { compactionId: 'x', sourceCommandId: 'm', turn: null, error: 'no' })
        .event('command/done', { commandId: 'm', kind: 'error' }),
    type: 'command/run',
    put: { commandId: 'm', name: 'compact', source: { kind: 'user' } },
    keeps: 'command/done',
  },
  {
    name: 'the attempt that a retry starts',
    write: (built, version) =>
      oneTurn(built, version, (step) =>
        step
          .event('assistant/attempt', {
            ...step.place(),
            stream: [
              {
                type: 'chunk',
                time: 1,
                chunk: { type: 'finish', reason: { kind: 'error', failure: FAILURE } },
              },
            ],
          })
          .event('llm/retry', { ...RETRY, retry: 1, delayMs: 5, failure: FAILURE })
          .event('llm/retry-started', { retryId: 'r', turn: 1, step: 1, retry: 1 })
          .event('llm/retry', { ...RETRY, retry: 2, delayMs: 5, failure: FAILURE }),
      ),
    type: 'llm/retry-started',
  },
  {
    name: 'the first attempt of a retry, which the second tells',
    write: (built, version) =>
      oneTurn(built, version, (step) =>
        step
          .event('llm/retry', { ...RETRY, retry: 1, delayMs: 5, failure: FAILURE, first: true })
          .event('llm/retry-started', { retryId: 'r', turn: 1, step: 1, retry: 1 })
          .event('llm/retry', { ...RETRY, retry: 2, delayMs: 5, failure: FAILURE }),
      ),
    type: 'first',
    put: { ...RETRY, retry: 1, delayMs: 0 },
    keeps: 'llm/retry-started',
  },
  {
    name: 'the request that is retried',
    write: (built, version) =>
      oneTurn(built, version, (step) =>
        step.event('llm/retry', { ...RETRY, retry: 1, delayMs: 5, failure: FAILURE }),
      ),
    type: 'request/header',
    put: { header: { config: { provider: 'p', model: 'm' } }, reason: 'initial' },
    keeps: 'llm/retry',
  },
  {
    name: 'the message that a title is made from',
    write: (built, version) => {
      const source = { kind: 'fallback' }
      return oneTurn(built, version).event('session/title', {
        title: 't',
        messageSeqs: [version >= 3 ? 3 : 2],
        source,
      })
    },
    type: 'user/message',
    put: { role: 'user', source: { kind: 'user' } },
    keeps: 'session/title',
  },
  {
    name: 'the summary of a compaction',
    write: (built, version) => oneTurn(built, version).compaction('x', surface(version)),
    type: 'compaction/summary',
    put: { compactionId: 'x', shadowedTokenCount: 0, provider: 'p', model: 'm' },
    keeps: 'compaction/end',
  },
  {
    name: 'the checkpoint of a compaction',
    write: (built, version) => oneTurn(built, version).compaction('x', surface(version)),
    type: 'user/message',
    put: { role: 'user' },
    keeps: 'compaction/end',
  },
  {
    name: 'the only message of a compaction',
    versions: [3, 4],
    write: (built, version) => oneTurn(built, version).compaction('x', [3]),
    type: 'first user/message',
    put: { role: 'user' },
    keeps: 'compaction/summary',
  },
  {
    name: 'the rewrite of a pruned result that a compaction hides: the result is hidden in its place',
    write: (built, version) => {
      const nodes = surface(version)
      const result = nodes[2] as number
      oneTurn(built, version).turn((turn) =>
        turn.step((step) => {
          step.event('compaction/prune', {
            shadowedRange: { start: result, end: result },
            shadowedSeqs: [result],
            shadowedTokenCount: 1,
          })
          step.event('rewrite', {})
          step.edit(step.nextSeq - 1, (row) => rewritten(built, row, result, version))
          step.user('more').assistant('done')
        }),
      )
      return built.compaction('x', [...nodes.slice(0, 2), built.nextSeq - 5])
    },
    type: 'tool/result',
    keeps: 'compaction/end',
  },
  {
    name: 'the start and the result of a call, of which a rewrite of the result is left',
    write: (built, version) => {
      const result = surface(version)[2] as number
      return oneTurn(built, version).turn((turn) =>
        turn.step((step) => {
          step.event('rewrite', {})
          step.edit(step.nextSeq - 1, (row) => rewritten(built, row, result, version))
          step.user('more').assistant('done')
        }),
      )
    },
    type: 'tool/call',
    count: 2,
  },
  {
    name: 'a prune and its rewrite, of which a rewrite is left',
    write: (built, version) => {
      const result = surface(version)[2] as number
      oneTurn(built, version).turn((turn) =>
        turn.step((step) => {
          step.user('more').assistant('done')
          step.event('compaction/prune', {
            shadowedRange: { start: result, end: result },
            shadowedSeqs: [result],
            shadowedTokenCount: 1,
          })
          step.event('rewrite', {})
          step.edit(step.nextSeq - 1, (row) => rewritten(built, row, result, version))
          step.event('rewrite', {})
          step.edit(step.nextSeq - 1, (row) => rewritten(built, row, step.nextSeq - 2, version))
        }),
      )
    },
    type: 'compaction/prune',
    count: 2,
  },
  {
    name: 'the image of one message of two that are offloaded',
    versions: [3, 4],
    write: (built, version) => {
      oneTurn(built, version).turn((turn) =>
        turn.step((step) =>
          step
            .content([imageBlock()])
            .content([imageBlock('b')])
            .assistant('seen'),
        ),
      )
      const seqs = [built.nextSeq - 5, built.nextSeq - 4]
      return built.event('image/offload', { targets: seqs.map((seq) => ({ seq, imageIndexes: [0] })) })
    },
    type: 'user/message',
  },
  {
    name: 'the request header of an added tool, whose text stays',
    versions: [4],
    write: (built, version) =>
      oneTurn(built, version, (step) => {
        step.request([{ name: 'read', description: 'reads', parameters: {} }])
        const headerSeq = step.nextSeq - 1
        step.developer([textBlock('a tool'), { type: 'tool-addition', toolName: 'read' }], { headerSeq })
      }),
    type: 'request/header',
  },
  {
    name: 'anything before a mark of what was delivered through the event before it',
    write: (built, version) => {
      oneTurn(built, version)
      const throughSeq = built.nextSeq - 1
      const sessionId = 'session-00000000-0000-4000-8000-000000000004'
      return built.event('session-log-deepseek/delivery-accepted', {
        sessionId,
        sessionFormatVersion: version,
        throughSeq,
      })
    },
    type: 'user/message',
  },
]

/** The result with other content. */
function rewritten(built: LaterLog, row: JsonObject, result: number, version: LaterVersion): JsonObject {
  const { data } = JSON.parse(built.text().split('\n')[result + 1] as string)
  const pruned = [textBlock('[pruned]')]
  if (version === 4) data.message.content = pruned
  else data.message.content[0].content = pruned
  return { ...row, type: 'tool/result', data, surfaceOp: built.replace(result), sourceEventSeqs: [result] }
}

const CASES = LOST.flatMap((lost) =>
  (lost.versions ?? [2, 3, 4]).map((version) => [lost.name, version, lost] as const),
)

describe('a log that lost', () => {
  test.each(CASES)('%s, format %i', async (_name, version, { write, type, count = 1, put, keeps }) => {
    const built = later(version)
    write(built, version)
    built.turn((turn) => turn.step((step) => step.user('and now?').assistant('that is all')))
    const lines = built.text().trimEnd().split('\n')
    const { place, line } = lostIn(lines, type)
    const whole = lines.toSpliced(place, count)
    const { output, exitCode, pieces } = await mended(tempFile(`${whole.join('\n')}\n`))
    expect(exitCode).toBe(0)
    expect(pieces.filter(({ why }) => why !== 'changed')).toEqual([])
    const { events } = await readBack(output)
    const times = new Set(events.map(({ time }) => time))
    expect(whole.slice(1).filter((kept) => !times.has(JSON.parse(kept).time))).toEqual([])
    if (put !== undefined) expect(events[place - 1]).toMatchObject({ type: line.type, data: put })
    if (keeps !== undefined) {
      const stored = lines.map((kept) => JSON.parse(kept)).findLast((row) => row.type === keeps)
      expect(events.find(({ time }) => time === stored.time)?.data).toEqual(stored.data)
    }
  })
})

interface LostLine {
  readonly place: number
  readonly line: JsonObject
}

/** The first line that is marked so, or the last one of the type before the turn that ends each log. */
function lostIn(lines: string[], type: string): LostLine {
  const rows: JsonObject[] = lines.map((line) => JSON.parse(line))
  const marked = rows.findIndex((row) => (row.data as JsonObject | undefined)?.[type] === true)
  const [first, ofFirst] = type.split(' ')
  const place =
    marked !== -1
      ? marked
      : first === 'first'
        ? rows.findIndex((row) => row.type === ofFirst)
        : rows.slice(0, -5).findLastIndex((row) => row.type === type)
  return { place, line: rows[place] as JsonObject }
}
