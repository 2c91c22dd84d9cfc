/**
 * Finds the records worth a closer look. Almost every record is plain; the others are read back, for a writer of DSH
 * writes what `JSON.stringify` gives, and a record that gives the same text hides nothing.
 */
import { type Anomaly, jsonAnomalies } from '../../core/json/json-anomalies.ts'
import type { JsonValue } from '../../core/json/json-value.ts'
import type { RecordContent } from '../../storage/record-source.ts'
import type { ParsedValue } from './parse-record.ts'

const NONE: readonly Anomaly[] = []

/** @param parsed - what `content` is read as. */
export function recordAnomalies(
  content: RecordContent,
  { value, isPlain }: Pick<ParsedValue, 'value' | 'isPlain'>,
): readonly Anomaly[] {
  // A row that a container has decoded has no text of its own.
  if (isPlain || content.kind !== 'bytes') return NONE
  const text = content.bytes.toString('utf8')
  return readsBack(text, value) ? NONE : jsonAnomalies(text)
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/

function readsBack(text: string, value: JsonValue): boolean {
  try {
    return JSON.stringify(value) === text && !SURROGATE_ESCAPE.test(text)
  } catch {
    // It nests deeper than the call stack allows.
    return false
  }
}
