/** How a turn failed, in a few words; what the provider said is given next to them. */
import type { TurnFailure } from '../core/projections/turn-failure.ts'

const WORDS: Readonly<Record<string, string>> = {
  error: 'failed',
  blocked: 'was blocked',
  'max-tokens': 'reached the limit of tokens',
}

export function failureText({
  reason,
  code,
  status,
  turn,
}: Omit<TurnFailure, 'text'> & { turn?: number | undefined }): string {
  const details = [status, code].filter((detail) => detail !== undefined).join(' ')
  const name = turn === undefined ? 'the turn' : `turn ${turn}`
  return `${name} ${WORDS[reason] ?? `ended: ${reason}`}${details === '' ? '' : ` (${details})`}`
}
