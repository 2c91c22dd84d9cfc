/** Commands and titles: what is done was run, and what is cited exists and is of the right kind. */
import { blocksOf, messageOf } from '../../event/session-event.ts'
import type { FindingSink } from '../../findings/finding.ts'
import { isCount, isJsonObject, isName, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { MemberEdit } from '../../json/member-edit.ts'
import { eachEvent, type Reducer, type ReplayStep } from '../../replay/reducer.ts'
import { raiseInto, toldData } from '../raise.ts'

const COMMANDS: ReadonlySet<string> = new Set(['command/run', 'command/done'])

export function commandRelations(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  const runs = new Set<JsonValue | undefined>()
  /** Runs that nothing says to be done. */
  const open = new Set<JsonValue | undefined>()
  const commandEvents = new Set<number>()

  function onRun(step: ReplayStep, { commandId }: JsonObject): void {
    if (!isName(commandId)) raise(step, 'relation/command-id-missing', {})
    else if (runs.has(commandId)) raise(step, 'relation/command-repeated', { commandId })
    else {
      runs.add(commandId)
      open.add(commandId)
    }
  }

  function onDone(step: ReplayStep, data: JsonObject): void {
    const { commandId, sourceEventSeq: source } = data
    if (!runs.has(commandId)) {
      const [waiting] = open
      const told = open.size === 1 ? toldData({ commandId: waiting }) : undefined
      raise(step, 'relation/command-not-run', { commandId }, undefined, told)
    }
    open.delete(commandId)
    if (source === undefined) return
    const told = toldData({ sourceEventSeq: undefined })
    const wrong = (why: 'not-earlier' | 'no-success' | 'command'): unknown =>
      raise(step, 'relation/command-source', { why, source }, undefined, told)
    if (!isCount(source) || source >= step.event.seq) wrong('not-earlier')
    else if (data.kind !== 'success') wrong('no-success')
    else if (commandEvents.has(source)) wrong('command')
  }

  return eachEvent((step) => {
    const { type, data, seq } = step.event
    if (type !== 'command/run' && type !== 'command/done') return
    if (isJsonObject(data)) {
      if (type === 'command/run') onRun(step, data)
      else onDone(step, data)
    }
    commandEvents.add(seq)
  }, COMMANDS)
}

const TITLES: ReadonlySet<string> = new Set(['user/message', 'session/title', 'session/title-llm-request'])

export function titleRelations(report: FindingSink): Reducer<void> {
  const raise = raiseInto(report)
  const human = new Set<JsonValue>()

  function onTitle(step: ReplayStep, data: JsonObject): void {
    const seqs = data.messageSeqs
    const byUser = isJsonObject(data.source) && data.source.kind === 'user'
    const told = byUser ? toldData({ messageSeqs: [] }) : toldSources(seqs)
    if (!citesHuman(seqs)) raise(step, 'relation/title-sources', { seqs }, undefined, told)
    else if ((seqs.length === 0) !== byUser)
      raise(step, 'relation/title-author', { isByUser: byUser }, undefined, told)
  }

  function onRequest(step: ReplayStep, data: JsonObject): void {
    const seqs = data.messageSeqs
    if (!citesHuman(seqs) || seqs.length === 0)
      raise(step, 'relation/title-sources', { seqs }, undefined, toldSources(seqs))
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
    if (!sound) raise(step, 'relation/title-request', {})
  }

  /** What is right in a list of sources, or the only message that there is to cite. */
  function toldSources(seqs: JsonValue | undefined): readonly MemberEdit[] | undefined {
    const right = new Set((Array.isArray(seqs) ? seqs : []).filter((seq) => human.has(seq)))
    const sources = right.size > 0 ? right : human
    return right.size > 0 || human.size === 1 ? toldData({ messageSeqs: [...sources] }) : undefined
  }

  function citesHuman(seqs: JsonValue | undefined): seqs is readonly JsonValue[] {
    return Array.isArray(seqs) && new Set(seqs).size === seqs.length && seqs.every((seq) => human.has(seq))
  }

  return eachEvent((step) => {
    const { type, data, seq } = step.event
    if (type === 'user/message') {
      const source = messageOf(step.event)?.source
      if (isJsonObject(source) && source.kind === 'user') human.add(seq)
      return
    }
    if (type !== 'session/title' && type !== 'session/title-llm-request') return
    if (!isJsonObject(data)) return
    if (type === 'session/title') onTitle(step, data)
    else onRequest(step, data)
  }, TITLES)
}
