/** The one place where a finding becomes a sentence. Evidence from the log is cut: a sentence is not a dump. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { Finding } from './finding.ts'
import { ruleOf } from './rules.ts'

const LONGEST_EVIDENCE = 120

export function describe(finding: Finding): string {
  return ruleOf(finding.code).message(shortened(finding.args))
}

function shortened(args: JsonObject): JsonObject {
  const out: Record<string, JsonValue | undefined> = {}
  for (const [key, value] of Object.entries(args)) out[key] = shortenedValue(value)
  return out
}

function shortenedValue(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'string' && value.length > LONGEST_EVIDENCE)
    return `${value.slice(0, LONGEST_EVIDENCE)}…`
  if (isJsonObject(value)) return '{…}'
  return value
}
