/** Random messages and small texts: every source kind and block that format 0 knows, and some that it does not. */
import type { Row } from './draft-log.ts'
import type { LogWriter } from './log-writer.ts'
import type { Random } from './random.ts'

const WORDS = [
  'read',
  'the file',
  '',
  'naïve ✓',
  '漢字',
  '👩‍💻',
  'line\nbreak\r',
  '\u2028\u2029',
  '\ud800',
  '\u0000\u001b[31m',
  '"quoted" \\ back',
  'turn/end',
  '{"type":"turn/end"}',
  '\u202egnp',
]

export function randomText(random: Random): string {
  return Array.from({ length: random.whole(0, 4) }, () => random.pick(WORDS)).join(' ')
}

export function textBlock(random: Random): Row {
  return { type: 'text', text: randomText(random) }
}

export function userMessage(writer: LogWriter): Row {
  const { random } = writer
  return {
    id: writer.fresh('message'),
    role: 'user',
    content: Array.from({ length: random.whole(0, 3) }, () => userBlock(random)),
    source: userSource(random),
    ...(random.chance(0.1) && { note: { deep: [[{ nested: null }]] } }),
  }
}

function userBlock(random: Random): Row {
  const kind = random.whole(0, 5)
  if (kind === 0) {
    const attachment = {
      attachmentId: `sha256:${'ab'.repeat(32)}`,
      mediaType: 'image/png',
      bytes: 12,
      width: 3,
    }
    return { type: 'image', attachment: { ...attachment, height: 4 } }
  }
  if (kind === 1) return { type: 'something-newer', payload: [1, -1, 1e21, 0.5, true, null] }
  return textBlock(random)
}

function userSource(random: Random): Row {
  return random.pick<Row>([
    { kind: 'user' },
    { kind: 'user', rpcId: 'rpc-1', clientTimeZone: 'Europe/Berlin' },
    { kind: 'plugin', plugin: '@deepseek-ai/dsh-system-prompt', form: 'snapshot' },
    { kind: 'goal', goalId: 'goal-1', revision: 2, round: 1 },
    { kind: 'agent-instructions', form: 'instructions', changes: [] },
    { kind: 'skill-invocation', name: 'review', form: 'instructions' },
    { kind: 'subagent-settled', form: 'notice', summary: 'done', senderSessionId: 'child' },
    { kind: 'a-kind-from-a-plugin', anything: [] },
  ])
}

export interface Call {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export function assistantMessage(writer: LogWriter, calls: readonly Call[]): Row {
  const { random } = writer
  const before: Row[] = []
  if (random.chance(0.3)) before.push({ type: 'reasoning', text: randomText(random) })
  if (random.chance(0.7)) before.push(textBlock(random))
  return {
    id: writer.fresh('message'),
    role: 'assistant',
    content: [...before, ...calls.map((call) => ({ type: 'tool-call', ...call }))],
    source: {
      kind: 'model',
      provider: 'deepseek',
      model: 'deepseek-chat',
      ...(random.chance(0.2) && { replayState: { response: null } }),
    },
  }
}

export function resultMessage(writer: LogWriter, callId: string): Row {
  const { random } = writer
  const block = { type: 'tool-result', toolCallId: callId, content: [textBlock(random)] }
  return {
    id: writer.fresh('message'),
    role: 'user',
    source: { kind: 'tool', callId },
    content: [{ ...block, ...(random.chance(0.5) && { isError: random.chance(0.3) }) }],
  }
}
