/**
 * Logs that use everything the formats have: every type of event, every optional member, sources of every kind. One
 * subject a log, so that a change in one of them is cheap to ask about; a plain turn ends each, so that no change is a
 * damaged tail.
 */
import {
  LogDraft,
  type Member,
  type Members,
  MODEL,
  SESSION,
  text,
  toolCall,
  type Version,
} from './log-draft.ts'

interface Subject {
  readonly name: string
  readonly versions: readonly Version[]
  readonly write: (version: Version) => LogDraft
}

export interface RichLog {
  readonly name: string
  readonly version: Version
  readonly rows: readonly Members[]
}

const ALL: readonly Version[] = [0, 1, 2, 3]
const EARLY: readonly Version[] = [0, 1]
const PARENT = 'session-of-the-parent'
const USAGE = {
  inputTokens: 10,
  outputTokens: 20,
  totalTokens: 33,
  cacheReadTokens: 1,
  cacheWriteTokens: 2,
  reasoningTokens: 3,
}
const FAILURE = {
  message: 'too many requests',
  code: 'RATE_LIMITED',
  status: 429,
  providerRetryAfterMs: 1500,
  requestId: 'request-1',
}
const IMAGE = {
  type: 'image',
  attachment: {
    attachmentId: `sha256:${'a'.repeat(64)}`,
    mediaType: 'image/png',
    bytes: 1000,
    width: 20,
    height: 10,
    name: 'a.png',
    originalDimensions: { width: 40, height: 20 },
  },
}
const FILE = {
  type: 'file',
  attachment: { attachmentId: `sha256:${'b'.repeat(64)}`, name: 'b.txt', bytes: 12 },
}

export function richLogs(versions: readonly Version[]): readonly RichLog[] {
  return versions.flatMap((version) =>
    SUBJECTS.filter((subject) => subject.versions.includes(version)).map(({ name, write }) => {
      const draft = write(version)
      if (name !== 'a log that ends early') draft.plainTurn()
      return { name, version, rows: draft.rows }
    }),
  )
}

/** Turn and step are open; `more` members are those of the header. */
function inStep(version: Version, more: Members = {}, user = true): LogDraft {
  const draft = new LogDraft(version, more)
  draft.startTurn()
  draft.startStep()
  if (user) draft.user()
  return draft
}

function closed(draft: LogDraft): LogDraft {
  draft.endStep()
  draft.endTurn()
  return draft
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'a conversation',
    versions: ALL,
    write(version) {
      const draft = inStep(
        version,
        { cwd: '/home/somebody/project', parentSession: PARENT, origin: 'subagent', agentPreset: 'code' },
        false,
      )
      draft.user([text('look'), IMAGE, { type: 'reasoning', text: 'hm' }, ...(version < 2 ? [] : [FILE])], {
        kind: 'user',
        rpcId: 'rpc-1',
        clientTimeZone: 'Europe/Berlin',
      })
      draft.requestHeader(
        {
          config: {
            ...MODEL,
            reasoningEffort: 'high',
            temperature: 0.5,
            maxTokens: 1000,
            stop: ['end', 'stop'],
          },
          adapterDefaults: { reasoningEffort: true, maxTokens: true },
          system: 'be brief',
          tools: [
            { name: 'bash', description: 'runs a command', parameters: { type: 'object', properties: {} } },
            { name: 'read', description: '', parameters: {} },
          ],
        },
        'initial',
        { startsSeries: true },
      )
      draft.event('request/context', { ...MODEL, contextWindow: 64_000 })
      draft.answer({
        content: [
          { type: 'reasoning', text: 'think' },
          text('I look.'),
          toolCall('call-1'),
          toolCall('call-2', 'read', '{"a":1}'),
        ],
        chunks: [
          { type: 'block-start', index: 0, blockType: 'reasoning' },
          { type: 'reasoning-delta', index: 0, text: 'think' },
          { type: 'block-end', index: 0, block: { type: 'reasoning', text: 'think' } },
          { type: 'block-start', index: 1, blockType: 'text' },
          { type: 'text-delta', index: 1, text: 'I look.' },
          { type: 'block-end', index: 1, block: text('I look.') },
          { type: 'tool-call-delta', index: 2, id: 'call-1', name: 'bash', argumentsDelta: '{}' },
          { type: 'block-end', index: 2, block: toolCall('call-1') },
          { type: 'tool-call-delta', index: 3, id: 'call-2', name: 'read', argumentsDelta: '{"a":1}' },
          { type: 'block-end', index: 3, block: toolCall('call-2', 'read', '{"a":1}') },
          { type: 'usage', usage: USAGE },
          {
            type: 'finish',
            reason: { kind: 'tool-calls' },
            replayState: { response: { id: 'r' }, blocks: [{ a: 1 }] },
          },
        ],
        usage: USAGE,
        replayState: { response: { id: 'r' }, blocks: [{ a: 1 }] },
      })
      const first = draft.call('call-1')
      const second = draft.call('call-2', 'read', '{"a":1}')
      draft.result('call-1', first, { meta: { lines: 3, nested: { a: [1, null] } } }, false)
      draft.result('call-2', second, { error: { name: 'ToolError', code: 'FAILED' } }, true)
      return closed(draft)
    },
  },
  {
    name: 'how turns end',
    versions: ALL,
    write(version) {
      const draft = new LogDraft(version)
      const reasons: readonly Members[] = [
        { kind: 'blocked' },
        { kind: 'max-tokens' },
        { kind: 'interrupted' },
        { kind: 'aborted', reason: { kind: 'user' } },
        { kind: 'aborted', reason: { kind: 'hook', reason: 'no' } },
        { kind: 'error', error: FAILURE },
        { kind: 'of-a-plugin' },
      ]
      for (const reason of reasons) {
        draft.startTurn()
        draft.startStep()
        draft.user()
        if (reason.kind === 'interrupted') draft.answer({ content: [text('half')], interrupted: true })
        draft.endStep()
        draft.endTurn(reason)
      }
      return draft
    },
  },
  {
    name: 'attempts and retries',
    versions: ALL,
    write(version) {
      const draft = inStep(version)
      draft.requestHeader()
      const finish = (reason: Members): Members => ({ type: 'finish', reason })
      draft.attempt([
        { type: 'text-delta', index: 0, text: 'ha' },
        { type: 'text-delta', index: 0, text: 'lf' },
        finish({ kind: 'error', failure: FAILURE }),
      ])
      const retry = {
        retryId: 'retry-1',
        ...draft.place(),
        provider: MODEL.provider,
        mode: 'normal',
        policyKey: 'rate',
      }
      draft.event('llm/retry', { ...retry, retry: 1, maxRetries: 3, delayMs: 100.5, failure: FAILURE })
      draft.event('llm/retry-started', { retryId: 'retry-1', ...draft.place(), retry: 1 })
      draft.attempt([{ type: 'usage', usage: USAGE }, finish({ kind: 'aborted', failure: FAILURE })])
      draft.event('llm/retry', { ...retry, retry: 2, maxRetries: 3, delayMs: 0, failure: FAILURE })
      draft.event('llm/retry-started', { retryId: 'retry-1', ...draft.place(), retry: 2 })
      const always = { ...retry, retryId: 'retry-2', mode: 'always', policyKey: 'network' }
      draft.event('llm/retry', {
        ...always,
        retry: 1,
        delayMs: 10,
        failure: { message: 'no', code: 'NETWORK' },
      })
      draft.answer({
        content: [text('at last')],
        chunks: [{ type: 'text-delta', index: 0, text: 'at last' }, finish({ kind: 'max-tokens' })],
      })
      return closed(draft)
    },
  },
  {
    name: 'message sources',
    versions: ALL,
    write(version) {
      const draft = inStep(version)
      for (const source of sources(version)) draft.user([text('from elsewhere')], source)
      draft.answer({ content: [text('good')] })
      return closed(draft)
    },
  },
  {
    name: 'the inbox',
    versions: ALL,
    write(version) {
      const draft = new LogDraft(version)
      const queued = (words: string, source: Members): Member => ({
        id: `queued-${words}`,
        role: 'user',
        content: [text(words), IMAGE],
        source,
      })
      draft.event('agent/inbox/spliced', {
        target: 'next-turn',
        start: 0,
        removedCount: 0,
        inserted: [
          queued('one', { kind: 'user', rpcId: 'rpc-2' }),
          queued('two', { kind: 'plugin', plugin: 'cron' }),
        ],
      })
      draft.startTurn()
      draft.event('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 2, inserted: [] })
      draft.startStep()
      draft.user()
      draft.event('agent/inbox/spliced', {
        target: 'next-step',
        start: 0,
        inserted: [queued('three', { kind: 'goal', goalId: 'goal-1', revision: 1, round: 1 })],
      })
      draft.event('agent/inbox/spliced', {
        target: 'next-step',
        start: 0,
        removedCount: 1,
        inserted: [],
        outcome: 'canceled',
      })
      return closed(draft)
    },
  },
  {
    name: 'a compaction in a turn',
    versions: ALL,
    write(version) {
      const draft = inStep(version)
      const first = draft.next - 1
      const answer = draft.answer({ content: [text('much')] })
      draft.event('command/run', { commandId: 'command-1', name: 'compact', source: { kind: 'user' } })
      const owner = { compactionId: 'compaction-1', sourceCommandId: 'command-1' }
      draft.event('compaction/start', { ...owner, turn: draft.turn })
      const summary = draft.event('compaction/summary', {
        ...owner,
        summary: [text('they talked')],
        shadowedRange: { start: first, end: answer },
        shadowedSeqs: [first, answer],
        shadowedTokenCount: 100,
        ...MODEL,
        maxTokens: 500,
        usage: USAGE,
        rawOutput: [{ type: 'reasoning', text: 'short' }, text('they talked')],
        llmStreamCall: true,
      })
      draft.event(
        'user/message',
        draft.message('user', [text('they talked')], { kind: 'plugin', plugin: 'compact', ...owner }),
        { surfaceOp: draft.replacement(first, answer), sourceEventSeqs: [first, answer, summary] },
      )
      draft.event('compaction/end', { ...owner, turn: draft.turn })
      draft.event('command/done', {
        commandId: 'command-1',
        kind: 'success',
        text: 'ok',
        sourceEventSeq: summary,
      })
      return closed(draft)
    },
  },
  {
    name: 'compactions between turns, one of them failed',
    versions: ALL,
    write(version) {
      const draft = inStep(version)
      const first = draft.next - 1
      closed(draft)
      const owner = { compactionId: 'compaction-2' }
      draft.event('compaction/start', { ...owner, turn: null })
      draft.event('compaction/end', { ...owner, turn: null, error: 'no model' })
      const other = { compactionId: 'compaction-3' }
      draft.event('compaction/start', { ...other, turn: null })
      draft.event('compaction/summary', {
        ...other,
        summary: [text('hello')],
        shadowedRange: { start: first, end: first },
        shadowedSeqs: [first],
        shadowedTokenCount: 1,
        ...MODEL,
      })
      draft.event(
        'user/message',
        draft.message('user', [text('hello')], { kind: 'plugin', plugin: 'compact', ...other }),
        { surfaceOp: draft.replacement(first, first), sourceEventSeqs: [first] },
      )
      draft.event('compaction/end', { ...other, turn: null })
      return draft
    },
  },
  {
    name: 'a pruned result',
    versions: ALL,
    write(version) {
      const draft = inStep(version)
      draft.answer({ content: [toolCall('call-1')] })
      const call = draft.call('call-1')
      const result = draft.result('call-1', call)
      const message = draft.rows[result + 1]?.data as Members
      draft.event('compaction/prune', {
        shadowedRange: { start: result, end: result },
        shadowedSeqs: [result],
        shadowedTokenCount: 5,
      })
      draft.event('tool/result', message, {
        surfaceOp: draft.replacement(result, result),
        sourceEventSeqs: [result],
      })
      return closed(draft)
    },
  },
  {
    name: 'calls that a crash left open',
    versions: ALL,
    write(version) {
      const draft = inStep(version)
      draft.answer({ content: [toolCall('call-1'), toolCall('call-2')], chunks: [] })
      const call = draft.call('call-1')
      draft.result(
        'call-1',
        call,
        { error: { name: 'ToolInterruptedError', code: 'TOOL_OUTCOME_UNKNOWN' } },
        true,
      )
      const block = {
        type: 'tool-result',
        toolCallId: 'call-2',
        content: [
          text(
            'The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed.',
          ),
        ],
        isError: true,
      }
      draft.event(
        'tool/result',
        {
          ...draft.place(),
          message: {
            id: `interrupted-tool-result-call-2-${draft.next}`,
            role: 'user',
            content: [block],
            source: { kind: 'tool', callId: 'call-2' },
          },
          error: { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' },
        },
        { surfaceOp: 'append' },
      )
      draft.endStep()
      draft.endTurn({ kind: 'interrupted' })
      return draft
    },
  },
  {
    name: 'commands and titles',
    versions: ALL,
    write(version) {
      const draft = inStep(version)
      const user = draft.next - 1
      draft.event('command/run', {
        commandId: 'command-1',
        name: 'title',
        args: 'x',
        source: { kind: 'user' },
      })
      draft.event('command/done', { commandId: 'command-1', kind: 'error', text: 'no such title' })
      draft.event('session/title', { title: 'hello', messageSeqs: [user], source: { kind: 'fallback' } })
      const selected = JSON.stringify([{ seq: user, text: 'hello' }])
      const framed = `Generate the session title from this JSON array of human messages:\n${selected}`
      draft.event('session/title-llm-request', {
        titleProvider: 'dsh-session-title-llm',
        messageSeqs: [user],
        route: MODEL,
        system: 'make a title',
        messages: [
          draft.message('user', [text(framed)], { kind: 'plugin', plugin: 'dsh-session-title-llm' }),
        ],
        maxTokens: 64,
      })
      draft.event('session/title', {
        title: 'greeting',
        messageSeqs: [user],
        source: { kind: 'provider', provider: 'dsh-session-title-llm', model: MODEL },
      })
      draft.event('session/title', { title: 'mine', messageSeqs: [], source: { kind: 'user' } })
      return closed(draft)
    },
  },
  {
    name: 'a team',
    versions: ALL,
    write(version) {
      const draft = inStep(version)
      // Records of a team have version 1 wherever they can be read by the chain.
      const team = { version: 1, teamId: 'team-1' }
      const member = {
        id: 'member-1',
        name: 'Ada',
        description: 'reviews',
        provider: 'deepseek',
        context: 'fresh',
      }
      draft.event('team/member', { ...team, member: { ...member, phase: 'active' } })
      draft.event('team/member', {
        ...team,
        member: { ...member, context: 'fork', phase: 'failed', error: 'gone' },
      })
      draft.event('team/task', {
        ...team,
        task: {
          id: 'task-1',
          revision: 1,
          subject: 'review',
          description: 'all of it',
          status: 'in_progress',
          ownerId: 'member-1',
          blockedBy: ['task-0'],
          writeScopes: ['src'],
        },
      })
      draft.event('team/message/queued', {
        ...team,
        message: {
          id: 'team-message-1',
          senderId: 'member-1',
          senderName: 'Ada',
          targetId: 'member-2',
          delivery: 'wakeup',
          content: [text('hi'), IMAGE],
        },
      })
      draft.event('team/message/delivered', { ...team, messageId: 'team-message-1', targetId: 'member-2' })
      return closed(draft)
    },
  },
  {
    name: 'goals and schedules',
    versions: ALL,
    write(version) {
      const draft = inStep(version)
      const change = (operation: string, goal: Members): Members => ({
        kind: 'goal/change',
        version: 1,
        operation,
        goal: { id: 'goal-1', revision: 1, objective: 'finish', phase: 'active', maxGoalRounds: 5, ...goal },
        roundsStarted: 0,
        createdAt: 1,
        updatedAt: 2,
      })
      draft.event('goal/change', change('create', {}))
      draft.event(
        'goal/change',
        change('block', { revision: 2, phase: 'blocked', blockedReason: { code: 'C', message: 'm' } }),
      )
      draft.event('goal/change', {
        kind: 'goal/change',
        version: 1,
        operation: 'clear',
        cleared: { id: 'goal-1', revision: 2 },
        clearedAt: 3,
      })
      const at = '2026-08-01T10:00:00.000Z'
      const schedule = { id: 'schedule-1', prompt: 'look again', scheduledAt: at }
      draft.event('schedule/change', {
        version: 1,
        operation: 'create',
        schedule: { ...schedule, kind: 'after', afterSeconds: 60 },
      })
      draft.event('schedule/change', {
        version: 1,
        operation: 'create',
        schedule: { ...schedule, kind: 'at' },
      })
      draft.event('schedule/change', {
        version: 1,
        operation: 'create',
        schedule: { ...schedule, kind: 'every', everySeconds: 300 },
      })
      draft.event('schedule/change', { version: 1, operation: 'dispatch', id: 'schedule-1', acceptedAt: at })
      draft.event('schedule/change', { version: 1, operation: 'delete', id: 'schedule-1' })
      return closed(draft)
    },
  },
  {
    name: 'subagents',
    versions: ALL,
    write(version) {
      const draft = new LogDraft(version, { origin: 'subagent', parentSession: PARENT, delegationDepth: 1 })
      draft.event('subagent/descriptor', { version: 3, mode: 'one-shot', provider: 'basic', label: 'helper' })
      draft.event('subagent/descriptor', {
        version: 3,
        mode: 'continuable',
        provider: 'basic',
        label: 'helper',
        agentProvider: 'deepseek',
        agentModel: 'deepseek-chat',
        agentReasoningEffort: 'low',
        persona: 'kind',
        toolFilter: { allow: ['bash'], deny: ['read'] },
      })
      draft.event('subagent/model-selection-policy', {
        allowedModels: [MODEL, { provider: 'deepseek', model: 'other' }],
      })
      draft.event('model/selection', { ...MODEL, reasoningEffort: 'high' })
      draft.startTurn()
      draft.startStep()
      draft.user()
      return closed(draft)
    },
  },
  {
    name: 'modes, approvals, hooks and other plugins',
    versions: ALL,
    write(version) {
      const draft = inStep(version)
      draft.event('agent-preset/selected', { agentPreset: 'code' })
      draft.event('approval/asked', {
        id: 'approval-1',
        toolName: 'bash',
        callId: 'call-0',
        reason: 'writes',
      })
      draft.event('approval/decided', { id: 'approval-1', outcome: 'allowed-once' })
      draft.event('approval/policy', { policy: 'never', source: 'delegation' })
      draft.event('sandbox/mode', { mode: 'read-only', source: 'delegation' })
      draft.event('permission/preset', { preset: 'careful' })
      draft.event('plan/mode', { active: true })
      const hook = { turn: draft.turn, point: 'pre-tool', handlerId: 'hook-1' }
      draft.event('hook/invoked', { ...hook, dialect: 'codex', matcher: 'bash' })
      draft.event('hook/result', {
        ...hook,
        decision: 'allow',
        exitCode: -1,
        stderrSummary: '',
        durationMs: 1.5,
      })
      draft.event('feedback/record', { text: 'nice' })
      draft.event('todo/write', {
        todos: [
          { content: 'one', status: 'completed' },
          { content: 'two', status: 'pending' },
        ],
      })
      draft.event('session-log-deepseek/delivery-accepted', {
        sessionId: SESSION,
        throughSeq: 2,
        ...(version === 0 ? {} : { sessionFormatVersion: version }),
      })
      draft.event('web/deepseek-search-llm-request', {
        endpoint: 'https://example.org',
        apiVersion: '2023',
        body: {
          model: 'deepseek-chat',
          max_tokens: 100,
          messages: [{ role: 'user', content: [text('what')] }],
          tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }],
        },
      })
      return closed(draft)
    },
  },
  {
    name: 'dispatches and workflows',
    versions: ALL,
    write(version) {
      const draft = inStep(version)
      const dispatch = {
        rootCallId: 'root',
        parentCallId: 'root',
        subCallId: 'sub',
        name: 'bash',
        arguments: { a: 1 },
      }
      const name = version === 3 ? 'ptc' : 'code'
      draft.event(`tool/${name}-dispatch-start`, dispatch)
      draft.event(`tool/${name}-dispatch`, { ...dispatch, isError: false, content: [text('ok')] })
      draft.event(`tool/${name}-dispatch-start`, { ...dispatch, parentCallId: 'sub', subCallId: 'under' })
      const run = { runId: 'run-1' }
      draft.event('tool-workflow/run-start', { ...run, name: 'review' })
      draft.event('tool-workflow/agent-start', {
        ...run,
        seq: 1,
        label: 'one',
        phase: 'first',
        childId: 'child-1',
      })
      draft.event('tool-workflow/agent-end', { ...run, seq: 1, outcome: 'completed' })
      draft.event('tool-workflow/run-end', { ...run, stopReason: 'completed' })
      return closed(draft)
    },
  },
  {
    name: 'a branch',
    versions: ALL,
    write(version) {
      const header =
        version < 2 ? { parentSession: PARENT, seedLength: 8 } : { parentSession: PARENT, isSeeded: true }
      const draft = new LogDraft(version, header)
      draft.startTurn()
      draft.startStep()
      draft.user()
      draft.event('session-log-deepseek/delivery-accepted', {
        sessionId: PARENT,
        throughSeq: 1,
        ...(version === 0 ? {} : { sessionFormatVersion: version }),
      })
      draft.event('compaction/start', { compactionId: 'compaction-1', turn: draft.turn })
      draft.event('compaction/end', { compactionId: 'compaction-1', turn: draft.turn, error: 'no' })
      closed(draft)
      draft.event('session/end-seed', version < 2 ? {} : { inherited: true })
      return draft
    },
  },
  {
    name: 'a goal in the early form',
    versions: EARLY,
    write(version) {
      const draft = inStep(version)
      const state = {
        goal: { id: 'goal-1', revision: 1, objective: 'finish', phase: 'active', maxGoalRounds: 5 },
        roundsStarted: 0,
        createdAt: 1,
        updatedAt: 2,
      }
      draft.user([text(`<goal_state>${JSON.stringify(state)}</goal_state>`)], {
        kind: 'goal',
        goalId: 'goal-1',
        revision: 1,
        round: 0,
        change: { kind: 'goal/change', version: 1, operation: 'create', ...state },
      })
      return closed(draft)
    },
  },
  {
    name: 'packed rows',
    versions: EARLY,
    write(version) {
      const draft = inStep(version)
      const at = draft.next
      const place = draft.place()
      const rows: readonly (readonly [type: string, members: Members, count: number])[] = [
        ['reasoning-chunks', { ...place, index: 0, dt: [1, 2], texts: ['a', 'b', 'c'] }, 3],
        ['text-chunks', { ...place, index: 1, dt: [-1, 0], texts: ['d', 'e', 'f'] }, 3],
        [
          'tool-call-chunks',
          { ...place, index: 2, dt: [5], id: 'call-1', name: 'bash', args: ['{', '}'] },
          2,
        ],
        ['tool-call-chunks', { ...place, index: 3, dt: [], id: 'call-2', args: ['{}'] }, 1],
      ]
      let seq = at
      for (const [type, data, count] of rows) {
        draft.rows.push({ type, seq0: seq, time0: 1_760_000_001_000 + seq, data })
        seq += count
      }
      // The rows are fewer than their events: what follows is numbered by hand, as a log of its own would be.
      const events: readonly (readonly [type: string, data: Member, more?: Members])[] = [
        [
          'assistant/message',
          {
            ...place,
            message: {
              id: 'message-packed',
              role: 'assistant',
              content: [{ type: 'reasoning', text: 'abc' }, text('def')],
              source: { kind: 'model', ...MODEL },
            },
          },
          { surfaceOp: 'append', sourceEventSeqs: [[at, seq - 1]] },
        ],
        ['step/end', place],
        ['turn/end', { turn: 1, reason: { kind: 'completed' } }],
      ]
      for (const [type, data, more] of events)
        draft.rows.push({ type, seq: seq++, time: 1_760_000_002_000, data, ...more })
      const gap = seq - draft.next
      const end = draft.rows.length
      draft.plainTurn()
      for (const row of draft.rows.splice(end)) draft.rows.push(moved(row, gap))
      draft.plainTurn = () => {}
      return draft
    },
  },
  {
    name: 'the shapes before release 0.1.0',
    versions: [0],
    write(version) {
      const draft = new LogDraft(version)
      const user = { content: [text('old')], source: { kind: 'user' } }
      const append = { surfaceOp: 'append' }
      draft.turn = 1
      draft.event('turn/start', { turn: 1, trigger: { kind: 'user', more: 1 } })
      draft.startStep()
      const first = draft.event('user/message', user, append)
      draft.event('steering/message', { turn: 1, ...user }, append)
      draft.event(
        'steering/message',
        { turn: 1, message: draft.message('user', [text('x')], { kind: 'user' }) },
        append,
      )
      draft.event('request/header', { header: { config: MODEL, messagePrefix: [] }, reason: 'initial' })
      draft.event(
        'assistant/message',
        { ...draft.place(), content: [text('yes'), toolCall('call-1')], provenance: MODEL, usage: USAGE },
        append,
      )
      const call = draft.call('call-1')
      const result = { callId: 'call-1', content: [text('done')], isError: false }
      draft.event('tool/result', { ...draft.place(), ...result }, { ...append, sourceEventSeqs: [call] })
      const retry = { ...draft.place(), provider: MODEL.provider, mode: 'normal', policyKey: 'rate' }
      draft.event('llm/retry', { ...retry, retry: 1, maxRetries: 3, delayMs: 100, failure: FAILURE })
      draft.endStep()
      draft.endTurn({ kind: 'aborted' })
      draft.event('compact/start', { turn: null })
      const summary = draft.event('compact/summary', {
        summary: [text('old')],
        shadowedRange: { start: first, end: first },
        shadowedSeqs: [first],
        shadowedTokenCount: 1,
        ...MODEL,
      })
      draft.event(
        'user/message',
        { ...user, source: { kind: 'plugin', plugin: 'compact' } },
        { surfaceOp: draft.replacement(first, first), sourceEventSeqs: [first, summary] },
      )
      draft.event('compact/end', { turn: null })
      for (const reason of [
        { kind: 'disposed' },
        { kind: 'error', step: 1, failure: FAILURE },
        { kind: 'error', step: 1, message: 'no', code: 'NO' },
        { kind: 'error', step: 1, message: 'no' },
      ]) {
        draft.startTurn()
        draft.startStep()
        draft.endStep()
        draft.endTurn(reason)
      }
      return draft
    },
  },
  {
    name: 'events of later builds of format 2',
    versions: [2, 3],
    write(version) {
      const draft = inStep(version)
      draft.event('feedback/message-put', {
        sessionId: SESSION,
        item: {
          messageId: 'message-1',
          rating: 'positive',
          note: 'n',
          version: 'v',
          createdAt: 1,
          updatedAt: 2,
        },
      })
      draft.event('feedback/message-delete', { sessionId: SESSION, messageId: 'message-1' })
      draft.user([text('relayed')], { kind: 'agent-message', form: 'relay', senderSessionId: 'other' })
      if (version === 3) {
        draft.event('plugin/of-somebody', { any: 1 }, { ignorable: true })
        draft.event('deliverables/presented', {
          turn: 1,
          callId: 'c',
          files: [{ path: 'a', description: 'b' }],
        })
        draft.event('subagent/catalog', {
          version: 0,
          childId: 'c',
          childCreatedAt: 1,
          mode: 'one-shot',
          label: 'l',
        })
        draft.event('workspace/changes', { turn: 1 })
      }
      return closed(draft)
    },
  },
  {
    name: 'a log that ends early',
    versions: ALL,
    write(version) {
      const draft = inStep(version)
      draft.requestHeader()
      draft.answer({ content: [text('so'), toolCall('call-1')] })
      const call = draft.call('call-1')
      draft.result('call-1', call)
      return draft
    },
  },
]

/** The same row so many seqs later. */
function moved(row: Members, by: number): Members {
  const sources = row.sourceEventSeqs as readonly number[] | undefined
  return {
    ...row,
    seq: (row.seq as number) + by,
    ...(sources === undefined ? {} : { sourceEventSeqs: sources.map((seq) => seq + by) }),
  }
}

function sources(version: Version): readonly Members[] {
  const sender = { senderSessionId: 'session-2' }
  return [
    { kind: 'plugin', plugin: 'notes' },
    { kind: 'plugin', plugin: 'notes', form: 'instructions' },
    { kind: 'plugin', plugin: 'notes', form: 'catalog' },
    { kind: 'plugin', plugin: 'notes', form: 'snapshot', sections: [{ name: 'time', text: 'noon' }] },
    { kind: 'plugin', plugin: 'notes', form: 'notice', summary: 'look' },
    { kind: 'plugin', plugin: 'notes', form: 'relay' },
    { kind: 'plugin', plugin: 'notes', form: 'recall' },
    { kind: 'model', ...MODEL, replayState: { response: 1 } },
    { kind: 'tool', callId: 'call-9' },
    { kind: 'goal', goalId: 'goal-1', revision: 1, round: 1 },
    { kind: 'coordinator', form: 'relay', ...sender },
    { kind: 'subagent-report', form: 'relay', ...sender },
    { kind: 'subagent-settled', form: 'notice', summary: 'done', ...sender },
    { kind: 'team-message', teamId: 'team-1', messageId: 'm', senderId: 's', senderName: 'Ada' },
    { kind: 'skill-invocation', form: 'instructions', name: 'review' },
    { kind: 'skill-catalog', form: 'catalog', update: true, entries: [{ name: 'review', description: 'd' }] },
    {
      kind: 'agent-instructions',
      form: 'instructions',
      baseline: true,
      baselineIdentity: 'b',
      changes: [
        { action: 'set', scope: 'project', path: 'AGENTS.md', digest: 'd' },
        { action: 'remove', scope: 'user', path: 'x' },
      ],
    },
    {
      kind: 'session-reference',
      form: 'recall',
      version: 1,
      references: [
        {
          sessionId: 'session-3',
          label: 'other',
          capturedThroughSeq: 10,
          ...(version === 0 ? {} : { capturedFormatVersion: 1 }),
          compacted: false,
          originalMessages: 3,
          retainedMessages: 2,
          omittedMessages: 1,
          omittedBytes: 100,
          truncated: true,
          inputIndex: 0,
        },
        {
          sessionId: 'session-4',
          label: 'another',
          capturedThroughSeq: null,
          compacted: true,
          originalMessages: 1,
          retainedMessages: 1,
          omittedMessages: 0,
          omittedBytes: 0,
          truncated: false,
          inputIndex: 1,
        },
      ],
    },
    {
      kind: 'webhook',
      provider: 'github',
      source: 'repo',
      deliveryId: 'd',
      ruleId: 'r',
      form: 'notice',
      summary: 'push',
    },
  ]
}
