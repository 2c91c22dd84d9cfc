/**
 * The rules that later events can settle: a log may raise one and the same log, gone on, may not. What is open, cut off
 * or waiting at the end of a log is of this kind, and so is what a later event explains in another way.
 */
import type { FindingCode } from './rules.ts'

export const SETTLED_LATER: ReadonlySet<FindingCode> = new Set<FindingCode>([
  // Open at the end.
  'turn/open',
  'pair/result-pending',
  'pair/unclosable',
  'compaction/unfinished',
  'inbox/stalled',
  // A crash tail, until a turn end follows and makes it damage; and bytes that only a later line shows to be a log.
  'order/tail-break',
  'order/rows-dropped',
  'bytes/bad-tail-line',
  'bytes/not-a-log',
  // The header promises more than is there yet.
  'fork/seed-too-long',
  'fork/descriptor-inherited',
  'seed/marker-missing',
  'relation/delivery',
  // What the model sees at the end, which the next compaction may put right.
  'pair/surface-call-alone',
  'pair/surface-result-alone',
  'pair/surface-interrupted',
  'relation/compaction',
  // Explained otherwise: the call comes after its result, the messages are a history appended again, a marker follows.
  'pair/call-missing',
  'message/id-repeated',
  'surface/unmarked-log',
])
