/**
 * Finds the records worth a closer look. A writer of DSH writes what `JSON.stringify` gives, so a record that reads
 * back to a text of the same length hides nothing; only the others, and those with escaped surrogates or very long numbers, are scanned.
 */

import { type Anomaly, jsonAnomalies } from '../core/event/json-anomalies.ts'
import type { JsonValue } from '../core/event/json-value.ts'

export function recordAnomalies(text: string, value: JsonValue): readonly Anomaly[] {
  return isPlain(text, value) ? [] : jsonAnomalies(text)
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/
/** A whole number of so many digits may come back as another one of the same length. */
const LONG_NUMBER = /\d{16}/

function isPlain(text: string, value: JsonValue): boolean {
  try {
    return (
      JSON.stringify(value).length === text.length && !SURROGATE_ESCAPE.test(text) && !LONG_NUMBER.test(text)
    )
  } catch {
    // It nests deeper than the call stack allows.
    return false
  }
}
