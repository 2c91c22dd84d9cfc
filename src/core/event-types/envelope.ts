/** What is around the data of events: the header of a log, the envelope of an event, packed rows (format.md §2.2 to §2.4). */
import {
  ANYTHING,
  COUNT,
  early,
  FLAG,
  ID,
  NAME,
  type ObjectKind,
  object,
  optional,
  orEmpty,
  PATH,
  requiredSince,
  SEQ,
  seqs,
  TIME,
  TIME_STAMP,
  textThat,
  upTo,
  wordOrObject,
  words,
  wordsAndOthers,
  YES,
} from './kinds.ts'
import type { FaultName } from './member-faults.ts'
import { PACKED, PLACE } from './values.ts'

/** Absolute on POSIX or on Windows: a log travels between systems. */
function absolutePath(path: string): FaultName | undefined {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path) ? undefined : 'absolute'
}

export const HEADER: ObjectKind = object({
  type: words('session'),
  version: COUNT,
  id: ID,
  createdAt: TIME,
  delegationDepth: COUNT,
  cwd: optional(textThat(PATH, absolutePath)),
  parentSession: optional(orEmpty(ID)),
  seedLength: upTo(1, COUNT),
  isSeeded: requiredSince(2, FLAG),
  origin: optional(words('subagent')),
  agentPreset: optional(orEmpty(NAME)),
  // Retired, and still recognised.
  sandboxMode: early(wordsAndOthers()),
  approvalPolicy: early(wordsAndOthers()),
})

const ENDS = {
  start: upTo(2, SEQ),
  end: upTo(2, SEQ),
  startSeq: requiredSince(3, SEQ),
  endSeq: requiredSince(3, SEQ),
}

/** An event without its type and data, which the catalogue gives. */
export const ENVELOPE: ObjectKind = object({
  type: wordsAndOthers(),
  seq: COUNT,
  time: TIME_STAMP,
  data: ANYTHING,
  surfaceOp: optional(wordOrObject(words('append'), object({ op: words('replace'), ...ENDS }))),
  sourceEventSeqs: optional(seqs({ mayBeEmpty: true, grows: true })),
  ignorable: optional(YES),
})

/** Rows of formats 0 and 1 that stand for a run of streamed deltas: the data of each. */
export const PACKED_ROWS: Readonly<Record<string, ObjectKind>> = Object.fromEntries(
  Object.entries(PACKED).map(([type, members]) => [type, object({ ...PLACE, ...members })]),
)

export const PACKED_ENVELOPE: ObjectKind = object({
  type: wordsAndOthers(),
  seq0: COUNT,
  time0: TIME_STAMP,
  data: ANYTHING,
})
