/**
 * Where resurface says more than the real DSH code, on purpose: logs that DSH opens, with the error codes that
 * resurface gives for them, and why it keeps them. Every other error on a log that DSH opens is a bug of resurface.
 */
export interface Difference {
  readonly codes: readonly string[]
  readonly reason: string
}

export const deliberateDifferences: Readonly<Record<string, Difference>> = {
  'derived/msg-asst-empty-content.jsonl': {
    codes: ['pair/call-missing', 'pair/surface-result-alone'],
    reason:
      'the announcing message is empty, so the model is sent a result without its call; providers refuse that',
  },
  'derived/repair-result-without-call.jsonl': {
    codes: ['pair/call-missing', 'pair/surface-result-alone'],
    reason: 'the model is sent a result without its call',
  },
  'derived/seq-gap-tail.jsonl': {
    codes: ['order/rows-dropped'],
    reason: 'DSH drops valid events after the gap silently; losing something silently is an error',
  },
  'derived/surf-user-replaces-tool-result.jsonl': {
    codes: ['pair/surface-call-alone'],
    reason: 'the replacement takes a result away and leaves its call on the surface',
  },
}

/** Logs whose stored text, not whose events, the strict session refuses; decoding has mended it. */
export const decodedLogs: readonly string[] = ['derived/phys-neg-zero.jsonl']

const DROPPED = {
  codes: ['order/rows-dropped'],
  reason: 'DSH drops valid events after the break silently',
} satisfies Difference

/** The same for formats 1 to 4; `opens` where the verdict itself differs. */
export const laterFormatDifferences: Readonly<Record<string, Difference & { readonly opens?: boolean }>> = {
  'derived-v2/seq-gap-tail.v2.jsonl': DROPPED,
  'derived-v4/row-garbage-tail-then-unknown-required.v4.jsonl': DROPPED,
  'derived-v4/row-garbage-tail.v4.jsonl': DROPPED,
  'derived-v4/row-seq-gap-tail.v4.jsonl': DROPPED,
  'derived-v4/surf-user-over-result.v4.jsonl': {
    codes: ['pair/surface-call-alone', 'pair/surface-interrupted'],
    reason: 'the replacement takes a result away from between its call and the next result',
  },
}
