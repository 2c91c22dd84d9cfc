/** What a member of each kind may hold: what a writer would write, what is odd and allowed, and what is neither. */
import type { Random } from '../random.ts'

export type Row = Record<string, unknown>

/** Any JSON, for what the specification does not look at. */
export function anything(random: Random, depth = 2): unknown {
  if (depth > 0 && random.chance(0.25)) {
    const count = random.whole(0, 3)
    if (random.chance(0.5)) return Array.from({ length: count }, () => anything(random, depth - 1))
    return Object.fromEntries(
      Array.from({ length: count }, () => [word(random), anything(random, depth - 1)]),
    )
  }
  return random.pick<unknown>([null, true, false, 0, 1, -1, 2.5, 1e21, -0, '', 'x', word(random)])
}

const WORDS = [
  'a',
  'text',
  '漢字',
  '👩‍💻',
  '\u2028',
  '\ud800',
  '\u0000',
  '\u202e',
  ' ',
  'turn/end',
  '{"type":"turn/end","seq":0}',
  '__proto__',
  'toString',
  'seq',
]

export function word(random: Random): string {
  return random.pick(WORDS)
}

/** A number of a turn or step: the loader takes any. */
export function number(random: Random, usual: number): unknown {
  return random.chance(0.9)
    ? usual
    : random.pick<unknown>([0, 1, 2, -1, 1.5, '1', '', null, true, {}, [], -0, 1e300])
}

export function time(random: Random, usual: number): number {
  return random.chance(0.95) ? usual : random.pick([0, -5, -0, 9_007_199_254_740_991, -9_007_199_254_740_991])
}

/** A name that several events share, so that calls and results meet. */
export function callId(random: Random): string {
  return random.pick(['call-1', 'call-2', 'call-3', 'call-4', 'ü', '0', 'constructor', ' '])
}

export function block(random: Random): unknown {
  return random.pick<unknown>([
    { type: 'text', text: word(random) },
    { type: 'text', text: word(random) },
    { type: 'reasoning', text: word(random) },
    { type: 'image', attachment: { attachmentId: 'sha256:00', mediaType: 'image/png', bytes: 0 } },
    { type: 'tool-call', id: callId(random), name: 'bash', arguments: '{}' },
    { type: 'tool-result', toolCallId: callId(random), content: [] },
    { type: 'newer', payload: anything(random) },
    {},
    null,
    'text',
    7,
    [],
  ])
}

export function blocks(random: Random): readonly unknown[] {
  return Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, () => block(random))
}

export function userSource(random: Random): Row {
  return random.pick<Row>([
    { kind: 'user' },
    { kind: 'user' },
    { kind: 'user', rpcId: 'r', clientTimeZone: 'UTC' },
    { kind: 'plugin', plugin: 'p', form: random.pick(['snapshot', 'notice', 'newer', undefined]) },
    { kind: 'plugin' },
    { kind: 'compact-checkpoint' },
    { kind: 'plugin', plugin: 'compact', compactionId: 'c1' },
    { kind: 'goal', goalId: 'g', revision: 1, round: 1 },
    { kind: 'session-reference', form: 'recall', version: 1, references: anything(random) },
    { kind: 'model', provider: '', model: 3 },
    { kind: 'tool', callId: callId(random) },
    { kind: word(random) === '' ? 'k' : 'a kind' },
  ])
}

/** Members that no reader knows, now and then. */
export function more(random: Random): Row {
  return random.chance(0.08) ? { extra: anything(random), '': 1 } : {}
}
