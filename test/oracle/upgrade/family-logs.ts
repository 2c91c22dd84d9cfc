/**
 * For each family of refusals, what a writer of old logs did to get into it: a turn that goes into any log of format 0,
 * so that families can be mixed.
 */
import type { FamilyName } from '../../../src/core/repair/upgrade-families.ts'
import { type LogDraft, type Members, MODEL, SESSION, text, toolCall } from '../campaign/log-draft.ts'

export interface Trouble {
  readonly family: FamilyName
  readonly name: string
  /** Writes what is refused; a step of a turn is open. */
  readonly write: (draft: LogDraft) => void
  /** Only as the first thing of a log. */
  readonly first?: true
  /** Needs what a user has to allow. */
  readonly allowUnknown?: true
}

const APPEND = { surfaceOp: 'append' } as const
const USAGE = { inputTokens: 10, outputTokens: 20 }

function withUsage(draft: LogDraft, usage: Members, inStream?: Members): void {
  draft.answer({
    content: [text('counted')],
    chunks: [
      { type: 'text-delta', index: 0, text: 'counted' },
      ...(inStream === undefined ? [] : [{ type: 'usage', usage: inStream }]),
    ],
    usage,
  })
}

function called(draft: LogDraft, id: string, start: Members = {}): void {
  draft.answer({ content: [toolCall(id, 'bash', '{"a":1}')] })
  const call = draft.event('tool/call', {
    ...draft.place(),
    callId: id,
    name: 'bash',
    arguments: '{"a":1}',
    ...start,
  })
  draft.result(id, call)
}

export const TROUBLES: readonly Trouble[] = [
  {
    family: 'places',
    name: 'a call of another step',
    write: (draft) => called(draft, `call-${draft.next}`, { step: 7 }),
  },
  {
    family: 'places',
    name: 'a turn that leaves out a number',
    write: (draft) => {
      draft.endStep()
      draft.endTurn()
      draft.turn++
      draft.startTurn()
      draft.startStep()
      draft.user()
    },
  },
  {
    family: 'brackets',
    name: 'a step that ends with its turn',
    write: (draft) => {
      draft.user()
      draft.endTurn()
      draft.startTurn()
      draft.startStep()
    },
  },
  {
    family: 'brackets',
    name: 'a turn that starts in another',
    write: (draft) => {
      draft.endStep()
      draft.startTurn()
      draft.startStep()
      draft.user()
    },
  },
  {
    family: 'open-compactions',
    name: 'a compaction that a crash cut off',
    write: (draft) => {
      draft.event('compaction/start', { compactionId: `compaction-${draft.next}`, turn: draft.turn })
      draft.endStep()
      draft.endTurn({ kind: 'interrupted' })
      draft.startTurn()
      draft.startStep()
    },
  },
  {
    family: 'members',
    name: 'a member of a plugin in a user message',
    write: (draft) => {
      draft.event(
        'user/message',
        { ...draft.message('user', [text('hi')], { kind: 'user' }), origin: 'web' },
        APPEND,
      )
    },
  },
  {
    family: 'members',
    name: 'a member in a log-only event and in a block',
    write: (draft) => {
      draft.event('plan/mode', { active: true, since: 3 })
      draft.user([{ ...text('marked'), cache: 'long' }])
    },
  },
  {
    family: 'sources',
    name: 'a foreign source',
    write: (draft) => {
      draft.user([text('do it')], {
        kind: 'agent-teams-command',
        command: 'go',
        form: 'notice',
        summary: 'go',
      })
    },
  },
  {
    family: 'sources',
    name: 'a foreign source of a queued message',
    write: (draft) => {
      const message = { ...draft.message('user', [text('later')], { kind: 'schedule', id: 's' }) }
      draft.event('agent/inbox/spliced', { target: 'next-step', start: 0, inserted: [message] })
      draft.event('agent/inbox/spliced', { target: 'next-step', start: 0, removedCount: 1, inserted: [] })
    },
  },
  {
    family: 'sources',
    name: 'instructions without changes',
    write: (draft) => {
      draft.user([text('be kind')], { kind: 'agent-instructions', form: 'instructions' })
    },
  },
  {
    family: 'forms',
    name: 'a notice without a summary',
    write: (draft) => {
      draft.user([text('note')], { kind: 'plugin', plugin: 'notes', form: 'notice' })
    },
  },
  {
    family: 'forms',
    name: 'a form of no release',
    write: (draft) => {
      draft.user([text('note')], { kind: 'plugin', plugin: 'notes', form: 'banner', summary: 's' })
    },
  },
  {
    family: 'values',
    name: 'optional members that are null',
    write: (draft) => {
      draft.user([text('where')], { kind: 'user', clientTimeZone: null })
      draft.event('approval/asked', { id: 'a', toolName: 'bash', reason: null })
    },
  },
  {
    family: 'counts',
    name: 'token counts that are negative',
    write: (draft) => withUsage(draft, { ...USAGE, cacheReadTokens: -5 }),
  },
  {
    family: 'counts',
    name: 'token counts that are fractions, and the stream has the right ones',
    write: (draft) => withUsage(draft, { ...USAGE, inputTokens: 10.5 }, USAGE),
  },
  {
    family: 'counts',
    name: 'token counts that are texts',
    write: (draft) => withUsage(draft, { ...USAGE, outputTokens: '20' }),
  },
  {
    family: 'descriptors',
    name: 'a descriptor of version 2',
    write: (draft) => {
      draft.event('subagent/descriptor', {
        version: 2,
        mode: 'continuable',
        provider: 'basic',
        label: 'helper',
      })
    },
  },
  {
    family: 'queued-messages',
    name: 'a queued message without id and role',
    write: (draft) => {
      const message = { content: [text('queued')], source: { kind: 'user' } }
      draft.event('agent/inbox/spliced', { target: 'next-step', start: 0, inserted: [message] })
      draft.event('agent/inbox/spliced', { target: 'next-step', start: 0, removedCount: 1, inserted: [] })
      draft.user([text('queued')])
    },
  },
  {
    family: 'upload-marks',
    name: 'a mark of a later format',
    write: (draft) => {
      draft.event('session-log-deepseek/delivery-accepted', {
        sessionId: SESSION,
        sessionFormatVersion: 3,
        throughSeq: 1,
      })
    },
  },
  {
    family: 'unknown-events',
    name: 'an ignorable event of a plugin',
    write: (draft) => {
      draft.event('weather/seen', { sky: 'blue' }, { ignorable: true })
    },
  },
  {
    family: 'unknown-events',
    name: 'a required event of a plugin',
    allowUnknown: true,
    write: (draft) => {
      draft.event('weather/seen', { sky: 'grey' })
    },
  },
  {
    family: 'streams',
    name: 'an answer that cites the attempt before it too',
    write: (draft) => {
      const first = draft.next
      draft.attempt([{ type: 'text-delta', index: 0, text: 'no' }])
      draft.event('llm/retry', {
        retryId: `retry-${first}`,
        ...draft.place(),
        provider: MODEL.provider,
        mode: 'normal',
        policyKey: `policy-${first}`,
        retry: 1,
        maxRetries: 2,
        delayMs: 1,
        failure: { message: 'no', code: 'NO' },
      })
      const second = draft.next
      draft.attempt([{ type: 'text-delta', index: 0, text: 'yes' }])
      const message = draft.message('assistant', [text('yes')], { kind: 'model', ...MODEL })
      draft.event(
        'assistant/message',
        { ...draft.place(), message },
        { ...APPEND, sourceEventSeqs: [first, second] },
      )
    },
  },
  {
    family: 'streams',
    name: 'an answer that cites nothing though there is a stream',
    write: (draft) => {
      draft.attempt([{ type: 'text-delta', index: 0, text: 'cut' }])
      const message = draft.message('assistant', [text('whole')], { kind: 'model', ...MODEL })
      draft.event('assistant/message', { ...draft.place(), message }, APPEND)
    },
  },
  {
    family: 'repeated-calls',
    name: 'two calls of one id in one answer',
    write: (draft) => {
      const id = `call-${draft.next}`
      draft.answer({ content: [toolCall(id, 'bash', '{"a":1}'), toolCall(id, 'bash', '{"a":2}')] })
      const first = draft.call(id, 'bash', '{"a":1}')
      const second = draft.call(id, 'bash', '{"a":2}')
      draft.result(id, first)
      draft.result(id, second)
    },
  },
  {
    family: 'arguments',
    name: 'a call that starts with other arguments',
    write: (draft) => called(draft, `call-${draft.next}`, { arguments: '{"a": 1}' }),
  },
  {
    family: 'unstarted-calls',
    name: 'a result without a start',
    write: (draft) => {
      const id = `call-${draft.next}`
      const answer = draft.answer({ content: [toolCall(id)] })
      draft.result(id, answer)
    },
  },
  {
    family: 'tool-errors',
    name: 'an error on a result that is none',
    write: (draft) => {
      const id = `call-${draft.next}`
      draft.answer({ content: [toolCall(id)] })
      const call = draft.call(id)
      draft.result(id, call, { error: { name: 'ToolError', code: 'FAILED' } })
    },
  },
  {
    family: 'closer-ids',
    name: 'a closer with the id of format 0',
    write: (draft) => {
      const id = `call-${draft.next}`
      draft.answer({ content: [toolCall(id)] })
      notStarted(draft, id, `interrupted-tool-result-${id}-${draft.next}`)
    },
  },
  {
    family: 'closer-ids',
    name: 'a closer with an id of its own',
    write: (draft) => {
      const id = `call-${draft.next}`
      draft.answer({ content: [toolCall(id)] })
      notStarted(draft, id, `closer-${draft.next}`)
    },
  },
  {
    family: 'first-step',
    name: 'a message before the first step',
    first: true,
    write: (draft) => {
      draft.startTurn()
      draft.user([text('early')])
      draft.startStep()
      draft.user([text('not so early')])
      draft.endStep()
      draft.endTurn()
    },
  },
  {
    family: 'first-step',
    name: 'a message before the first turn',
    first: true,
    write: (draft) => {
      draft.user([text('very early')])
      draft.startTurn()
      draft.startStep()
      draft.endStep()
      draft.endTurn()
    },
  },
]

function notStarted(draft: LogDraft, callId: string, id: string): void {
  const words =
    'The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed.'
  const block = { type: 'tool-result', toolCallId: callId, content: [text(words)], isError: true }
  const message = { id, role: 'user', content: [block], source: { kind: 'tool', callId } }
  const error = { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' }
  draft.event('tool/result', { ...draft.place(), message, error }, APPEND)
}
