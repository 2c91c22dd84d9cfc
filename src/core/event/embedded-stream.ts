/** The stream records inside an answer of format 2 and later (format.md §4.1 AssistantStreamRecord, §11 C10). */
import { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts'

const RUNS: Readonly<Record<string, string>> = {
  'text-chunks': 'texts',
  'reasoning-chunks': 'texts',
  'tool-call-chunks': 'args',
}

/** What is wrong with an embedded stream; `undefined` for a sound one. */
export function streamProblem(stream: readonly JsonValue[]): string | undefined {
  for (const [index, record] of stream.entries()) {
    const problem = isJsonObject(record) ? recordProblem(record) : 'it is no object'
    if (problem !== undefined) return `stream record ${index}: ${problem}`
  }
  return undefined
}

function recordProblem(record: JsonObject): string | undefined {
  if (record.type === 'chunk') {
    if (Object.keys(record).length !== 3) return 'it needs exactly type, time and chunk'
    if (!Number.isSafeInteger(record.time)) return 'time is no whole number'
    return isJsonObject(record.chunk) && typeof record.chunk.type === 'string'
      ? undefined
      : 'chunk has no type'
  }
  const payload =
    typeof record.type === 'string' && Object.hasOwn(RUNS, record.type) ? RUNS[record.type] : undefined
  if (payload === undefined) return 'its type is unknown'
  const members = ['type', 'time0', 'index', 'dt', payload]
  if (payload === 'args') members.push('id')
  if (payload === 'args' && Object.hasOwn(record, 'name')) members.push('name')
  if (
    Object.keys(record).length !== members.length ||
    members.some((member) => !Object.hasOwn(record, member))
  ) {
    return `it needs exactly ${members.join(', ')}`
  }
  const texts = record[payload]
  const gaps = record.dt
  if (typeof record.index !== 'number') return 'index is no number'
  if (!Array.isArray(texts) || texts.length === 0 || texts.some((text) => typeof text !== 'string')) {
    return `${payload} is no list of strings`
  }
  if (!Array.isArray(gaps) || gaps.length !== texts.length - 1) return 'dt does not fit the number of members'
  let time = record.time0
  if (!Number.isSafeInteger(time)) return 'time0 is no whole number'
  for (const gap of gaps) {
    time = (time as number) + (gap as number)
    if (!Number.isSafeInteger(gap) || !Number.isSafeInteger(time)) return 'a time is no whole number'
  }
  return undefined
}
