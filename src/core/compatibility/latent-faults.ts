/**
 * What is wrong with an event though the readers of its own format take it: members, message sources and content that
 * no migration knows. Such a log is healthy today, and the whole of it is refused by the next format. Plugin authors
 * want to hear of it early; the table of releases counts it.
 */

import { blocksOf, messageOf, type SessionEvent } from '../event/session-event.ts'
import { isJsonObject, type JsonObject } from '../json/json-value.ts'
import { isCompactCheckpointSource } from '../surface/surface-predicates.ts'
import {
  BLOCK_MEMBERS,
  CHECKPOINT_MEMBERS,
  CONTEXT_FORMS,
  LATER_MESSAGE_MEMBERS,
  LATER_PAYLOAD_MEMBERS,
  MESSAGE_MEMBERS,
  PAYLOAD_MEMBERS,
  SOURCE_MEMBERS,
} from './frozen-members.ts'
import { LATER_SOURCES } from './release-lines.ts'

export type LatentFault =
  /** A member that the fixed list of what it stands in does not name. */
  | { readonly kind: 'member'; readonly of: string; readonly member: string }
  /** A message source that is not on the fixed list. */
  | { readonly kind: 'source'; readonly source: string }
  /** Form and members of a plugin source that do not go together. */
  | { readonly kind: 'form'; readonly problem: string }
  /** A content block that is not on the fixed list. */
  | { readonly kind: 'content'; readonly block: string }

type Visit = (fault: LatentFault) => void

/** @param version - format of the log; formats from 2 on allow more. */
export function latentFaults(event: SessionEvent, version: number, visit: Visit): void {
  const { type, data } = event
  if (!isJsonObject(data)) return
  const allowed = (version < 2 ? EARLY : LATER).get(type)
  if (allowed !== undefined) strange(data, allowed, type, visit)
  const message = messageOf(event)
  if (message !== undefined) messageFaults(message, version, message !== data, visit)
  const list =
    type === 'agent/inbox/spliced'
      ? data.inserted
      : type === 'session/title-llm-request'
        ? data.messages
        : undefined
  for (const waiting of Array.isArray(list) ? list : []) {
    if (isJsonObject(waiting)) messageFaults(waiting, version, true, visit)
  }
}

const EARLY = memberSets([PAYLOAD_MEMBERS])
const LATER = memberSets([PAYLOAD_MEMBERS, LATER_PAYLOAD_MEMBERS])

function memberSets(tables: readonly (typeof PAYLOAD_MEMBERS)[]): ReadonlyMap<string, ReadonlySet<string>> {
  const sets = new Map<string, Set<string>>()
  for (const [type, members] of tables.flatMap((table) => Object.entries(table)))
    sets.set(type, new Set([...(sets.get(type) ?? []), ...members]))
  return sets
}

function strange(object: JsonObject, allowed: ReadonlySet<string>, of: string, visit: Visit): void {
  for (const member in object) {
    // The migration to format 4 gives members that it does not know a name of this kind.
    if (!allowed.has(member) && !member.startsWith('plugin:')) visit({ kind: 'member', of, member })
  }
}

const MESSAGE = new Set(MESSAGE_MEMBERS)
const LATER_MESSAGE = new Set([...MESSAGE_MEMBERS, ...LATER_MESSAGE_MEMBERS])

/** @param wrapped - the message is not the payload itself, whose members are judged already. */
function messageFaults(message: JsonObject, version: number, wrapped: boolean, visit: Visit): void {
  if (wrapped) strange(message, version >= 4 ? LATER_MESSAGE : MESSAGE, 'a message', visit)
  if (isJsonObject(message.source)) sourceFaults(message.source, version, visit)
  for (const block of blocksOf(message)) blockFaults(block, 1, visit)
}

const SOURCES = new Map(
  Object.entries(SOURCE_MEMBERS).map(([kind, members]) => [kind, new Set(['kind', ...members])]),
)
const CHECKPOINT = new Set([...(SOURCES.get('plugin') ?? []), ...CHECKPOINT_MEMBERS])

function sourceFaults(source: JsonObject, version: number, visit: Visit): void {
  const { kind } = source
  if (typeof kind !== 'string') return
  const isKnown =
    SOURCES.has(kind) || (version >= 4 && (LATER_SOURCES.has(kind) || kind.startsWith('plugin:')))
  if (!isKnown) visit({ kind: 'source', source: kind })
  // A goal source of early builds carries the change itself, and is split on migration.
  if (kind === 'goal' && source.change !== undefined) return
  const allowed = kind === 'plugin' && isCompactCheckpointSource(source) ? CHECKPOINT : SOURCES.get(kind)
  if (allowed !== undefined) strange(source, allowed, `a ${kind} source`, visit)
  if (kind === 'plugin') formFaults(source, visit)
}

function formFaults({ form, sections, summary }: JsonObject, visit: Visit): void {
  const fault = (problem: string): void => visit({ kind: 'form', problem })
  if (form !== undefined && !(typeof form === 'string' && CONTEXT_FORMS.has(form))) fault('unknown form')
  else if (summary !== undefined && form !== 'notice') fault('a summary without the form notice')
  else if (summary === undefined && form === 'notice') fault('the form notice without a summary')
  else if (sections !== undefined && form !== 'snapshot') fault('sections without the form snapshot')
  else if (sections === undefined && form === 'snapshot') fault('the form snapshot without sections')
}

const BLOCKS = new Map(
  Object.entries(BLOCK_MEMBERS).map(([type, members]) => [type, new Set(['type', ...members])]),
)

/** Results nest content once; what nests deeper is no content that a harness writes. */
const DEEPEST = 3

function blockFaults(block: JsonObject, depth: number, visit: Visit): void {
  const { type, content } = block
  if (typeof type !== 'string') return
  const allowed = BLOCKS.get(type)
  if (allowed !== undefined) strange(block, allowed, `a ${type} block`, visit)
  // Changes of tools are content of developer messages alone, which no migration meets.
  else if (type !== 'tool-addition' && type !== 'tool-removal') visit({ kind: 'content', block: type })
  if (depth >= DEEPEST || !Array.isArray(content)) return
  for (const nested of content) if (isJsonObject(nested)) blockFaults(nested, depth + 1, visit)
}
