/**
 * A log as a source of records in which marks stand for its secrets. What reads it, a command that shows the log or one
 * that copies it, need not know: records keep their places, and a record without secrets is handed on as it is.
 */
import type { JsonValue } from '../../core/json/json-value.ts'
import type { KnownSecret } from '../../core/redact/known-secret.ts'
import { KnownSecrets } from '../../core/redact/known-secrets.ts'
import { type OnMark, redactedRow, redactedText } from '../../core/redact/redact-row.ts'
import { type Edit, editsByPiece } from '../../core/redact/redact-text.ts'
import type { RecordSource, StoredItem, StoredRecord } from '../../storage/record-source.ts'
import { type Base64Left, findSecrets } from './find-secrets.ts'
import { type ReadRecord, readRecord, readRecords, textOf } from './read-records.ts'
import { StreamedTexts } from './streamed-texts.ts'
import type { TokenRules } from './token-rules.ts'

/** What is looked for besides what a log itself shows. */
export interface RedactionOptions {
  readonly rules: TokenRules
  /** Secrets that the user named. */
  readonly named: readonly KnownSecret[]
}

export interface RedactedLog {
  readonly source: RecordSource
  readonly known: KnownSecrets
  readonly base64: Base64Left
  /** Those that were set so far. */
  readonly marks: ReadonlySet<string>
  /** Kinds of secrets that the user named and that stay so far: where they are numbers, or words of the format. */
  readonly left: ReadonlySet<string>
  /** The text with marks, for what is said about the log, such as its path. */
  readonly redact: (text: string) => string
}

/** Is told of every mark that is set, whenever the source is read. */
export type OnPlacedMark = (record: ReadRecord, ...mark: Parameters<OnMark>) => void

/** Reads the log once, and a log with loose deltas a second time. */
export async function redactedLog(
  source: RecordSource,
  { rules, named }: RedactionOptions,
  names: readonly string[] = [],
  onMark: OnPlacedMark = () => {},
): Promise<RedactedLog> {
  const known = new KnownSecrets()
  for (const secret of named) known.add(secret)
  const { base64, hasDeltas } = await findSecrets(source, rules, known, names)
  const deltas = hasDeltas && !known.isEmpty ? await deltaEdits(source, known) : new Map<number, Deltas>()
  const inBytes = known.inBytes()
  const marks = new Set<string>()
  const left = new Set<string>()
  const own = new KnownSecrets()
  for (const secret of named) own.add(secret)
  const tell: OnPlacedMark = (record, secret, member) => {
    marks.add(secret.mark)
    onMark(record, secret, member)
  }
  const rewrite = (record: StoredRecord): StoredRecord =>
    redactedRecord(record, { known, inBytes, deltas, own, left, onMark: tell })
  return {
    source: {
      async *items(fromLine?: number): AsyncIterable<readonly StoredItem[]> {
        for await (const batch of source.items(fromLine))
          yield batch.map((item) => (item.kind === 'record' ? rewrite(item) : item))
      },
    },
    known,
    base64,
    marks,
    left,
    redact: (text) => redactedText(text, known, () => {}),
  }
}

type Deltas = (readonly Edit[])[]

/** The edits of rows that are parts of a streamed text with secrets, by their line. */
async function deltaEdits(source: RecordSource, known: KnownSecrets): Promise<ReadonlyMap<number, Deltas>> {
  const edits = new Map<number, Deltas>()
  const streams = new StreamedTexts((texts, places) => {
    for (const [at, list] of editsByPiece(texts, known).entries()) {
      const { line, index } = places[at] as (typeof places)[number]
      if (list.length === 0) continue
      const row = edits.get(line) ?? []
      row[index] = list
      edits.set(line, row)
    }
  })
  for await (const record of readRecords(source)) streams.take(record)
  streams.end()
  return edits
}

interface Rewriting {
  readonly known: KnownSecrets
  readonly inBytes: KnownSecrets
  readonly deltas: ReadonlyMap<number, Deltas>
  /** Secrets that the user named. */
  readonly own: KnownSecrets
  readonly left: Set<string>
  readonly onMark: OnPlacedMark
}

function redactedRecord(record: StoredRecord, rewriting: Rewriting): StoredRecord {
  const { known, inBytes, deltas, own, left, onMark } = rewriting
  const asText = known.isEmpty ? undefined : textOf(record)
  if (asText === undefined) return record
  const knownAs = asText.encoding === 'utf8' ? known : inBytes
  // Most records have no secret, and need not be taken apart to see it; a secret may be split over an embedded stream.
  const mayChange =
    deltas.has(record.line) || asText.text.includes('"stream"') || knownAs.mayHave(asText.text)
  if (!mayChange) return record
  const read = readRecord(record, asText) as ReadRecord
  const { text, row, encoding, line } = read
  const tell: OnMark = (...mark) => onMark(read, ...mark)
  const redacted =
    row === undefined
      ? redactedText(text, knownAs, tell)
      : redactedRow(text, row, known, tell, deltas.get(line))
  if (!own.isEmpty) for (const { secret } of own.hitsIn(redacted)) left.add(secret.kind)
  if (redacted === text) return record
  return {
    ...record,
    content:
      record.content.kind === 'value'
        ? { kind: 'value', value: JSON.parse(redacted) as JsonValue }
        : { kind: 'bytes', bytes: Buffer.from(redacted, encoding) },
  }
}
