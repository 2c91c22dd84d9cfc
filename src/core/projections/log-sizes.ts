/** What takes the bytes of a log, as a shape: `load/sizes` measures it, and `log` what `convert` would write. */
import { listOf, logNumber, oneOf, record, type Static, text, whole } from '../json/json-schema.ts'

export const SIZES = record({
  bytes: { ...whole, description: 'of all records as lines of text, with their line feeds' },
  header: whole,
  events: { ...whole, description: 'bytes of the records that the events come from' },
  deltas: {
    ...record({ events: whole, bytes: whole, inAnswers: whole }),
    description: 'what was streamed: as events of its own, and bytes of it inside of answers',
  },
  types: listOf(record({ type: text, events: whole, bytes: whole })),
  tools: listOf(record({ tool: text, calls: whole, callBytes: whole, results: whole, resultBytes: whole })),
  images: {
    ...record({ count: whole, bytes: whole, attachmentBytes: whole }),
    description: 'blocks of images, their bytes in the log, and the bytes of the files that they name',
  },
  repeated: {
    ...record({
      count: whole,
      bytes: whole,
      largest: listOf(record({ seq: whole, type: text, count: whole, bytes: whole })),
    }),
    description:
      'texts of 100 characters or more that are stored more than once, and the bytes of all but the first of each; for one: its bytes, and where it is first',
  },
  records: {
    ...listOf(record({ seq: whole, line: whole, type: text, bytes: whole })),
    description: 'the largest ones, by their first events',
  },
  turns: {
    ...listOf(record({ seq: whole, lastSeq: whole, events: whole, bytes: whole }, { turn: logNumber })),
    description: 'largest first; what lies between turns has no number',
  },
  turnsLeftOut: whole,
  compactions: {
    ...listOf(record({ seq: whole, messages: whole, removed: whole, added: whole })),
    description:
      'in log order: the messages that left the surface and the bytes of their events, which stay in the log; the bytes of the event in their place',
  },
  compactionsLeftOut: { ...whole, description: 'earlier ones that are not in the list' },
  conversions: {
    ...listOf(
      record(
        { to: oneOf('jsonl', 'zstd'), rows: oneOf('as-is', 'packed') },
        { bytes: whole, reason: { ...text, description: 'why it could not be measured' } },
      ),
    ),
    description: 'what convert --to --rows would write',
  },
})

type Sizes = Static<typeof SIZES>

/** What a conversion would take. */
export type ConversionSize = Sizes['conversions'][number]

export type LogSizes = Omit<Sizes, 'conversions'>

/** One item of one of its lists. */
export type SizeOf<List extends 'types' | 'tools' | 'records' | 'turns' | 'compactions'> =
  LogSizes[List][number]
