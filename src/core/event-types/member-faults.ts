/**
 * What readers have against a member of an event, by name, and in words that follow its path. Nothing else of the
 * catalogue holds words of ours.
 */
import type { JsonValue } from '../json/json-value.ts'

const FAULTS = {
  text: 'must be a text',
  empty: 'must not be empty',
  name: 'must be a text that is not empty',
  flag: 'must be true or false',
  yes: 'must be true',
  word: 'must be %',
  number: 'must be %',
  lossless: 'holds a number that JSON cannot give back',
  seq: 'must be a seq%',
  'earlier-seq': 'must be an earlier seq',
  'earlier-event': 'must name an earlier event',
  seqs: 'must be a list of seqs',
  'seq-twice': 'names seq % twice',
  range: 'must be the first and the last of %',
  list: 'must be a list',
  most: 'must hold only %',
  object: 'must be an object',
  unexpected: 'is a member that the format does not have',
  missing: 'is missing',
  message: 'must be a message',
  source: 'must be a source of kind %',
  result: 'must be exactly one tool-result block of the call that the source names',
  'unknown-source': 'is of kind %, which is unknown in this format',
  'unknown-block': 'is of type %, which is unknown in this format',
  goal: 'must name the goal of its change',
  'goal-state': 'must be the state of its change',
  blanks: 'must not begin or end with blanks',
  instant: 'must be a time as YYYY-MM-DDTHH:MM:SS.mmmZ',
  absolute: 'must be an absolute path',
  'of-blocked': 'is missing: the phase is blocked',
  'needs-blocked': 'needs the phase blocked',
  'of-stream-call': 'is missing: llmStreamCall needs it',
  'of-normal': 'is missing: the mode is normal',
  'needs-normal': 'needs the mode normal',
  'over-most': 'is more than maxRetries',
  'allow-or-deny': 'needs allow or deny',
  'of-pair': 'is missing: they come in pairs',
  'listed-twice': 'is listed twice',
  'of-checkpoint': 'belongs to the checkpoint of a compaction',
  'names-compaction': 'is missing: the checkpoint names its compaction',
  'of-form': 'is missing: the form is %',
  'needs-form': 'needs the form %',
  'not-retained': 'must be what was not retained',
  'left-out': 'must say whether anything was left out',
  position: 'must be its position in the list',
  'named-twice': 'is named twice',
  'later-format': 'is a later format',
  'in-config': 'needs the same member in config',
} as const

export type FaultName = keyof typeof FAULTS

interface Bounds {
  readonly whole: boolean
  readonly least?: number
  readonly most?: number
}

/** What is wrong with a member, and the words, numbers or names that belong to it. */
export interface Fault {
  readonly name: FaultName
  readonly part?:
    | string
    | number
    | readonly string[]
    | { readonly kind?: Bounds; readonly found: JsonValue | undefined }
}

/** The words of a fault, with what they speak of where `%` is. */
export function memberFault({ name, part }: Fault): string {
  return FAULTS[name].replace('%', () => partText(part))
}

function partText(part: Fault['part']): string {
  if (typeof part !== 'object') return String(part)
  if (!('found' in part)) return oneOf(part)
  const { kind, found } = part
  const wanted = kind === undefined ? '' : numberText(kind)
  if (typeof found !== 'number') return wanted
  return `${wanted}, not ${Object.is(found, -0) ? '-0' : found}`
}

function oneOf(words: readonly string[]): string {
  return words.length <= 1 ? (words[0] ?? 'nothing') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function numberText({ whole, least, most }: Bounds): string {
  const what = whole ? 'a whole number' : 'a number'
  if (least !== undefined && least === most) return String(least)
  if (least !== undefined && most !== undefined) return `${what} from ${least} to ${most}`
  if (least === undefined) return what
  return least === Number.MIN_VALUE ? `${what} above 0` : `${what} from ${least} on`
}
