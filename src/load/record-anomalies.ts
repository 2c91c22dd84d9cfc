/**
 * Finds the records worth a closer look. A writer of DSH writes what `JSON.stringify` gives, so a record that reads
 * back to the same text hides nothing; only the others, and those with escaped surrogates, are scanned.
 */

import { type Anomaly, jsonAnomalies } from '../core/event/json-anomalies.ts'
import type { JsonValue } from '../core/event/json-value.ts'

export function recordAnomalies(text: string, value: JsonValue): readonly Anomaly[] {
  return isPlain(text, value) ? [] : jsonAnomalies(text)
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/

function isPlain(text: string, value: JsonValue): boolean {
  try {
    return JSON.stringify(value) === text && !SURROGATE_ESCAPE.test(text)
  } catch {
    // It nests deeper than the call stack allows.
    return false
  }
}
