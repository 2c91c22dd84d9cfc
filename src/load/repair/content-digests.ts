/**
 * What a log says, as hashes: roles and content of the messages on the surface, and of all that a human was shown. Ids,
 * sources and members that no reader knows are left out: they may change while every word stays.
 */
import { createHash, type Hash } from 'node:crypto'
import { messageOf } from '../../core/event/session-event.ts'
import { canonicalJson, exactJson } from '../../core/json/canonical-json.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { keptMessages } from '../../core/projections/surface-view.ts'
import { ignoreDeltas } from '../../core/replay/delta-run.ts'
import type { Reducer } from '../../core/replay/reducer.ts'
import { SpooledItems } from '../../storage/spooled-items.ts'
import type { LogDigests } from '../sessions/log-digests.ts'

export function contentDigests(): Reducer<LogDigests> {
  const messages = keptMessages(new SpooledItems<JsonObject>(exactJson))
  const shown = createHash('sha256')
  return {
    onDeltas: ignoreDeltas,
    on(step) {
      messages.on(step)
      const { event, effect } = step
      const message = effect.kind === 'append' ? messageOf(event) : undefined
      if (message !== undefined) add(shown, message)
    },
    finish(end) {
      const sent = createHash('sha256')
      for (const { message } of messages.finish(end)) add(sent, message)
      return { surface: sent.digest('hex'), transcript: shown.digest('hex') }
    },
  }
}

function add(hash: Hash, { role, content }: JsonObject): void {
  hash.update(`${canonicalJson({ role: role ?? null, content: contentOf(content) })}\n`)
}

function contentOf(content: JsonValue | undefined): JsonValue {
  return Array.isArray(content) ? content.map(blockOf) : (content ?? null)
}

function blockOf(block: JsonValue): JsonValue {
  if (!isJsonObject(block)) return block
  const { type, text, name, arguments: args, content, isError, attachment } = block
  switch (type) {
    case 'text':
    case 'reasoning':
      return { type, text: text ?? null }
    case 'tool-call':
      return { type, name: name ?? null, arguments: args ?? null }
    case 'tool-result':
      return { type, content: contentOf(content), isError: isError ?? false }
    case 'image':
    case 'file':
      return { type, attachmentId: isJsonObject(attachment) ? (attachment.attachmentId ?? null) : null }
    default:
      return block
  }
}
