/** Commands and titles: what is done was run, and what is cited exists and is of the right kind. */

import { blocksOf, messageOf } from '../../event/session-event.ts'
import type { FindingSink } from '../../findings/finding.ts'
import { isCount, isJsonObject, isName, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Reducer, ReplayStep } from '../../replay/reducer.ts'
import { relationSink } from './relation.ts'

export function commandRelations(report: FindingSink): Reducer<void> {
  const broken = relationSink(report, 'relation/command')
  const runs = new Set<JsonValue | undefined>()
  const commandEvents = new Set<number>()

  function onRun(step: ReplayStep, { commandId }: JsonObject): void {
    if (!isName(commandId)) broken(step, 'it needs a commandId')
    else if (runs.has(commandId)) broken(step, `command ${commandId} was run before`)
    else runs.add(commandId)
  }

  function onDone(step: ReplayStep, data: JsonObject): void {
    const { commandId, sourceEventSeq: source } = data
    if (!runs.has(commandId)) broken(step, 'no command/run of this id stands before it')
    if (source === undefined) return
    if (!isCount(source) || source >= step.event.seq) broken(step, 'sourceEventSeq is not an earlier event')
    else if (data.kind !== 'success') broken(step, 'only a successful command has a source event')
    else if (commandEvents.has(source)) broken(step, 'the source event is itself a command event')
  }

  return {
    on(step) {
      const { type, data, seq } = step.event
      if (type !== 'command/run' && type !== 'command/done') return
      if (!isJsonObject(data)) broken(step, 'data must be an object')
      else if (type === 'command/run') onRun(step, data)
      else onDone(step, data)
      commandEvents.add(seq)
    },
    finish() {},
  }
}

export function titleRelations(report: FindingSink): Reducer<void> {
  const broken = relationSink(report, 'relation/title')
  const human = new Set<JsonValue>()

  function onTitle(step: ReplayStep, data: JsonObject): void {
    const seqs = data.messageSeqs
    const byUser = isJsonObject(data.source) && data.source.kind === 'user'
    if (!citesHuman(seqs)) broken(step, 'messageSeqs must name distinct earlier messages of the user')
    else if ((seqs.length === 0) !== byUser)
      broken(step, 'messageSeqs are empty exactly for a title of the user')
  }

  function onRequest(step: ReplayStep, data: JsonObject): void {
    const seqs = data.messageSeqs
    if (!citesHuman(seqs) || seqs.length === 0)
      broken(step, 'messageSeqs must name earlier messages of the user')
    const messages = Array.isArray(data.messages) ? data.messages : []
    const [message] = messages
    const source = isJsonObject(message) && isJsonObject(message.source) ? message.source : {}
    const blocks = isJsonObject(message) ? blocksOf(message) : []
    const sound =
      messages.length === 1 &&
      isJsonObject(message) &&
      message.role === 'user' &&
      source.kind === 'dsh-session-title-llm' &&
      blocks.length === 1 &&
      blocks[0]?.type === 'text'
    if (!sound) broken(step, 'it needs exactly one user message of the title provider with one text')
  }

  function citesHuman(seqs: JsonValue | undefined): seqs is readonly JsonValue[] {
    return Array.isArray(seqs) && new Set(seqs).size === seqs.length && seqs.every((seq) => human.has(seq))
  }

  return {
    on(step) {
      const { type, data, seq } = step.event
      if (type === 'user/message') {
        const source = messageOf(step.event)?.source
        if (isJsonObject(source) && source.kind === 'user') human.add(seq)
        return
      }
      if (type !== 'session/title' && type !== 'session/title-llm-request') return
      if (!isJsonObject(data)) broken(step, 'data must be an object')
      else if (type === 'session/title') onTitle(step, data)
      else onRequest(step, data)
    },
    finish() {},
  }
}
