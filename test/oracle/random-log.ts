/**
 * Random logs that keep every rule: what DSH writes in a session of format 0, and what it accepts without writing
 * it. The same {@link Random} gives the same log.
 */
import type { DraftLog, Row } from './draft-log.ts'
import { LogWriter } from './log-writer.ts'
import { packRows } from './pack-rows.ts'
import type { Random } from './random.ts'
import { compact, rewriteWithAssistant } from './random-compaction.ts'
import { assistantMessage, type Call, randomText, resultMessage, userMessage } from './random-messages.ts'
import { noise } from './random-noise.ts'

const MOST_TURNS = 5

export interface LogWish {
  /** End the log in the middle of something. */
  readonly crash?: boolean
  /** Never end it in the middle of something. */
  readonly whole?: boolean
}

export function randomLog(random: Random, wish: LogWish = {}): DraftLog {
  const writer = new LogWriter(random)
  const header = randomHeader(random)
  for (let turn = 1, last = random.whole(1, MOST_TURNS); turn <= last; turn++) {
    between(writer)
    if (header.seedLength === undefined && header.parentSession !== undefined && random.chance(0.3)) {
      header.seedLength = writer.nextSeq
      writer.log('session/end-seed', {})
    }
    randomTurn(writer, turn)
  }
  between(writer)
  const crash = wish.crash ?? (wish.whole !== true && random.chance(0.35))
  const events = crash ? cutInsideTurn(writer.events, random) : writer.events
  const share = random.pick([0, 0, 0.5, 1])
  return { header, rows: packRows(events, share, random), lineEnd: '\n', tail: '' }
}

function randomHeader(random: Random): Row {
  const cwd = random.pick([undefined, '/srv/demo', '/srv/a b/ü:x', '/', '/srv/~x/../y'])
  return {
    type: 'session',
    version: 0,
    id: random.pick(['session-1', 'a/b', '..', 'ü✓', 'c0ffee00-0000-4000-8000-000000000000']),
    createdAt: random.whole(0, 2_000_000_000_000),
    ...(cwd !== undefined && { cwd }),
    ...(random.chance(0.3) && { parentSession: 'parent-1' }),
    ...(random.chance(0.1) && { origin: 'subagent' }),
    delegationDepth: random.whole(0, 2),
    ...(random.chance(0.1) && { agentPreset: 'default' }),
  }
}

/** A crash: the log stops after any event of a turn. */
function cutInsideTurn(events: readonly Row[], random: Random): readonly Row[] {
  const start = events.findIndex(({ type }) => type === 'turn/start')
  return events.slice(0, random.whole(start + 1, events.length))
}

function between(writer: LogWriter): void {
  const { random } = writer
  while (random.chance(0.4)) noise(writer)
  if (random.chance(0.25)) compact(writer, null)
  if (random.chance(0.15)) writer.log('session/end-seed', {})
}

function randomTurn(writer: LogWriter, turn: number): void {
  const { random } = writer
  if (random.chance(0.5)) {
    const inserted = [userMessage(writer)]
    writer.log('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted })
  }
  writer.log('turn/start', { turn })
  if (random.chance(0.3)) {
    writer.log('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 1, inserted: [] })
  }
  const early = random.chance(0.4)
  if (early) writer.append('user/message', userMessage(writer))
  for (let step = 1, last = random.whole(1, 3); step <= last; step++) {
    writer.log('step/start', { turn, step })
    if (!early && step === 1) writer.append('user/message', userMessage(writer))
    while (random.chance(0.2)) writer.append('user/message', userMessage(writer), someSources(writer))
    randomStep(writer, turn, step)
    // A crash of a live step, or an abort, leaves it open; DSH opens such logs as well.
    if (!random.chance(0.05)) writer.log('step/end', { turn, step })
    if (random.chance(0.2)) compact(writer, turn)
    if (random.chance(0.1)) rewriteWithAssistant(writer, turn, step)
  }
  writer.log('turn/end', { turn, reason: endReason(random) })
}

/** Any earlier events are legal sources of an append. */
function someSources(writer: LogWriter): readonly number[] | undefined {
  const { random, nextSeq } = writer
  if (random.chance(0.7)) return undefined
  return [...new Set([random.whole(0, nextSeq - 1), random.whole(0, nextSeq - 1)])]
}

function endReason(random: Random): Row {
  return random.pick<Row>([
    { kind: 'completed' },
    { kind: 'completed' },
    { kind: 'blocked' },
    { kind: 'max-tokens' },
    { kind: 'interrupted' },
    { kind: 'aborted', reason: { kind: 'user' } },
    { kind: 'error', error: { message: 'no', code: 'UNKNOWN', status: 500 } },
    { kind: 'a-newer-reason', because: [] },
  ])
}

function randomStep(writer: LogWriter, turn: number, step: number): void {
  const { random } = writer
  if (random.chance(0.5)) {
    const config = { provider: 'deepseek', model: 'deepseek-chat', reasoningEffort: 'high', maxTokens: 100 }
    const adapterDefaults = random.pick([undefined, {}, { maxTokens: true }, { reasoningEffort: true }])
    const header = { config, system: 'You are.', tools: [], ...(adapterDefaults && { adapterDefaults }) }
    writer.log('request/header', { header, reason: random.pick(['initial', 'resume', 'change']) })
    writer.log('request/context', { provider: 'deepseek', model: 'deepseek-chat' })
  }
  const calls = randomCalls(writer)
  let chunks = attempt(writer, turn, step, calls)
  while (random.chance(0.15)) {
    retry(writer, turn, step)
    chunks = attempt(writer, turn, step, calls)
  }
  if (random.chance(0.1)) return
  const sources = random.pick([chunks, chunks, undefined, []])
  const interrupted = random.chance(0.05)
  const message = assistantMessage(writer, calls)
  writer.append(
    'assistant/message',
    { turn, step, message, ...(interrupted && { interrupted: true }) },
    sources,
  )
  answer(writer, turn, step, calls)
}

function randomCalls(writer: LogWriter): readonly Call[] {
  const { random } = writer
  return Array.from({ length: random.pick([0, 0, 1, 1, 2, 3]) }, () => ({
    // Ids may come back, in the same message too: DSH keeps one pending call per id.
    id: random.chance(0.08) ? 'call-again' : writer.fresh('call'),
    name: random.pick(['bash', 'read', '', 'プラグイン']),
    arguments: random.pick(['{}', '{"path":"/srv/demo/a"}', 'not json', '']),
  }))
}

/** One streamed attempt; returns the seqs of its chunks. */
function attempt(writer: LogWriter, turn: number, step: number, calls: readonly Call[]): number[] {
  const { random } = writer
  const seqs: number[] = []
  const chunk = (value: Row): void => {
    if (random.chance(0.04)) noise(writer)
    seqs.push(writer.log('assistant/chunk', { turn, step, chunk: value }))
  }
  const deltas = (make: (text: string) => Row): void => {
    for (let count = random.whole(0, 5); count > 0; count--) chunk(make(randomText(random)))
  }
  chunk({ type: 'block-start', index: 0, blockType: 'text' })
  deltas((text) => ({ type: 'reasoning-delta', index: 0, text }))
  deltas((text) => ({ type: 'text-delta', index: 1, text }))
  for (const [index, { id, name }] of calls.entries()) {
    const named = random.chance(0.5)
    deltas((argumentsDelta) => ({
      type: 'tool-call-delta',
      index: index + 2,
      id,
      ...(named && { name }),
      argumentsDelta,
    }))
  }
  if (random.chance(0.8)) chunk({ type: 'finish', reason: { kind: 'stop' } })
  return seqs
}

function retry(writer: LogWriter, turn: number, step: number): void {
  const retryId = writer.fresh('retry')
  const failure = { message: 'overloaded', code: 'UNKNOWN' }
  const policy = {
    provider: 'deepseek',
    mode: 'normal',
    policyKey: 'key',
    retry: 1,
    maxRetries: 3,
    delayMs: 5,
  }
  writer.log('llm/retry', { retryId, turn, step, ...policy, failure })
  writer.log('llm/retry-started', { retryId, turn, step, retry: 1 })
}

/** Calls run one by one or in parallel; some never start, some never end, and a result may come without a call. */
function answer(writer: LogWriter, turn: number, step: number, calls: readonly Call[]): void {
  const { random } = writer
  const parallel = random.chance(0.5)
  const results: (() => void)[] = []
  for (const call of calls) {
    if (random.chance(0.06)) continue
    const { id: callId, name, arguments: text } = call
    const seq = writer.log('tool/call', { turn, step, callId, name, arguments: text })
    if (random.chance(0.06)) continue
    const result = (): void => {
      if (random.chance(0.1)) noise(writer)
      writer.append('tool/result', { turn, step, message: resultMessage(writer, callId), ...extra(random) }, [
        seq,
      ])
    }
    if (parallel) results.push(result)
    else result()
  }
  for (const result of random.chance(0.7) ? results : random.shuffled(results)) result()
}

function extra(random: Random): Row {
  return random.pick<Row>([
    {},
    {},
    { meta: { exitCode: 0 } },
    { error: { name: 'AbortError', code: 'ABORTED' } },
  ])
}
