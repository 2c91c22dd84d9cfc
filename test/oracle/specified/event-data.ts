/** The data of every type of event that the release knows, by the words of the specification. */
import type { Random } from '../random.ts'
import { anything, block, blocks, callId, more, number, type Row, userSource, word } from './spellings.ts'

/** Where the log has got to. */
export interface Place {
  readonly turn: number
  readonly step: number
  readonly nextSeq: number
  readonly fresh: () => string
}

type DataOf = (random: Random, place: Place) => unknown

const at = (random: Random, { turn, step }: Place): Row => ({
  turn: number(random, turn),
  step: number(random, step),
})
const failure: Row = { message: 'no', code: 'UNKNOWN', status: 500 }

/** Eligible for the surface. */
export const MESSAGES: Readonly<Record<string, DataOf>> = {
  'user/message': (random, place) => ({
    id: place.fresh(),
    role: 'user',
    content: blocks(random),
    source: userSource(random),
    ...more(random),
  }),
  'assistant/message': (random, place) => ({
    ...at(random, place),
    message: {
      id: place.fresh(),
      role: 'assistant',
      content: random.chance(0.5)
        ? [
            { type: 'text', text: 'calling' },
            ...calls(random),
            ...(random.chance(0.1) ? [block(random)] : []),
          ]
        : blocks(random),
      source: {
        kind: 'model',
        provider: 'p',
        model: 'm',
        ...(random.chance(0.2) && { replayState: anything(random) }),
      },
      ...more(random),
    },
    ...(random.chance(0.3) && { usage: anything(random) }),
    ...(random.chance(0.1) && { interrupted: random.pick<unknown>([true, false, null]) }),
    ...more(random),
  }),
  'tool/result': (random, place) => {
    const id = callId(random)
    const result = {
      type: 'tool-result',
      toolCallId: id,
      content: blocks(random),
      ...(random.chance(0.3) && { isError: random.pick<unknown>([true, false, null, 'yes']) }),
      ...more(random),
    }
    return {
      ...at(random, place),
      message: {
        id: place.fresh(),
        role: 'user',
        source: { kind: 'tool', callId: id, ...more(random) },
        content: [result],
        ...more(random),
      },
      ...(random.chance(0.2) && { error: anything(random) }),
      ...(random.chance(0.2) && { meta: anything(random) }),
    }
  },
}

function calls(random: Random): readonly unknown[] {
  return Array.from({ length: random.whole(0, 3) }, () => ({
    type: 'tool-call',
    id: random.chance(0.95) ? callId(random) : random.pick<unknown>(['', 3, null, undefined, {}]),
    name: random.pick<unknown>(['bash', 'read', '', null]),
    arguments: random.pick<unknown>(['{}', 'not json', null]),
  }))
}

/** What the loader reads of events that make no message: turns, steps, calls, chunks, the request header. */
export const STRUCTURE: Readonly<Record<string, DataOf>> = {
  'turn/start': (random, place) => ({
    turn: number(random, place.turn),
    ...(random.chance(0.1) && { trigger: { kind: 'user' } }),
  }),
  'turn/end': (random, place) => ({
    turn: number(random, place.turn),
    reason: random.pick<unknown>([
      { kind: 'completed' },
      { kind: 'interrupted' },
      { kind: 'aborted', reason: { kind: 'user' } },
      { kind: 'error', error: failure },
      { kind: 'newer' },
      'completed',
      null,
    ]),
  }),
  'step/start': at,
  'step/end': at,
  'tool/call': (random, place) => ({
    ...at(random, place),
    callId: random.chance(0.95) ? callId(random) : random.pick<unknown>(['', 3, null, undefined]),
    name: 'bash',
    arguments: random.pick<unknown>(['{}', '', 'not json', {}, null]),
  }),
  'assistant/chunk': (random, place) => ({
    ...at(random, place),
    chunk: random.pick<unknown>([
      { type: 'text-delta', index: 0, text: word(random) },
      { type: 'reasoning-delta', index: 0, text: word(random) },
      { type: 'tool-call-delta', index: 1, id: callId(random), argumentsDelta: '{' },
      { type: 'block-start', index: 0, blockType: 'text' },
      { type: 'block-end', index: 0, block: block(random) },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
      { type: 'finish', reason: { kind: 'stop' } },
      { type: 'newer' },
      null,
      anything(random),
    ]),
  }),
  'request/header': (random) => ({
    header: {
      config: {
        provider: 'p',
        model: 'm',
        ...(random.chance(0.3) && { reasoningEffort: 'high', maxTokens: 5 }),
        ...more(random),
      },
      ...(random.chance(0.3) && { adapterDefaults: {} }),
      ...(random.chance(0.3) && { system: random.pick<unknown>(['s', '', null, []]) }),
      ...(random.chance(0.3) && { tools: random.pick<unknown>([[], null, [{ name: 'bash' }], 'none']) }),
    },
    reason: random.pick<unknown>(['initial', 'resume', 'change', 'newer', null, undefined, 7]),
  }),
  'session/end-seed': (random) => random.pick<unknown>([{}, {}, { inherited: true }, null, []]),
}

/** Whose data nobody looks at. */
export const OTHER_TYPES: readonly string[] = [
  'agent-preset/selected',
  'agent/inbox/spliced',
  'approval/asked',
  'approval/decided',
  'approval/policy',
  'command/done',
  'command/run',
  'compaction/end',
  'compaction/prune',
  'compaction/start',
  'compaction/summary',
  'feedback/record',
  'goal/change',
  'hook/invoked',
  'hook/result',
  'llm/retry',
  'llm/retry-started',
  'permission/preset',
  'plan/mode',
  'request/context',
  'sandbox/mode',
  'schedule/change',
  'session/title',
  'session/title-llm-request',
  'subagent/descriptor',
  'team/member',
  'team/message/delivered',
  'team/message/queued',
  'team/task',
  'todo/write',
  'tool-workflow/agent-end',
  'tool-workflow/agent-start',
  'tool-workflow/run-end',
  'tool-workflow/run-start',
  'tool/code-dispatch',
  'tool/code-dispatch-start',
  'web/deepseek-search-llm-request',
]
