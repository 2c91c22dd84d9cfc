/** Members of a header in a line that is no JSON any more, because it is torn or a part of it was overwritten. */
import { decodeHeader, HEADER_FIELDS } from '../event/decode-header.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'

const MEMBER = /"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+|true|false|null)\s*(?=[,}])/g
/** A header is one flat object: what comes after another opening brace is an event, or a piece of one. */
const FLAT = /^[^{]*\{?[^{]*/

/** The members that are whole and mean something. Nothing for a line that shows no sign of a header. */
export function headerMembers(line: string): JsonObject | undefined {
  const [flat = ''] = FLAT.exec(line) ?? []
  if (/"seq0?"\s*:/.test(flat)) return undefined
  const members: Record<string, JsonValue> = {}
  for (const [, name = '', text = ''] of flat.matchAll(MEMBER))
    if (HEADER_FIELDS.has(name)) members[name] = memberValue(text) ?? null
  const invalid = decodeHeader({ type: 'session', ...members }, {}).findings.flatMap(({ code, args }) =>
    code === 'header/invalid' ? [args.field] : [],
  )
  const { type, ...sound } = Object.fromEntries(
    Object.entries(members).filter(([name]) => !invalid.includes(name)),
  )
  return type === 'session' || Object.keys(sound).length >= FEWEST ? sound : undefined
}

/** So many members are no accident. */
const FEWEST = 2

function memberValue(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
