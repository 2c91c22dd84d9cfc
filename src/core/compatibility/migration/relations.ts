/**
 * The relations between the events of a migrated log, which the releases of formats 2 and 3 enforce on what a migration
 * has made (format.md §11 C12). Strict where the readers of the log's own format only follow; after a refusal it goes on
 * from what the log says, so that one fault is not reported at every later event.
 */
import { interruptedResultId, NOT_STARTED } from '../../event-types/closers.ts'
import {
  isJsonObject,
  itemsIn,
  type JsonObject,
  type JsonValue,
  objectIn,
  objectsIn,
  sameJson,
  wordOf,
} from '../../json/json-value.ts'
import { SurfaceOrder } from '../../surface/surface-order.ts'
import { CompactionRelations } from './compaction-relations.ts'
import type { FaultIn, MigratedEvent, RefusalReport, TargetFormat } from './refusal.ts'
import { RetryRelations } from './retry-relations.ts'

interface Announced {
  readonly name: JsonValue | undefined
  readonly arguments: JsonValue | undefined
  isStarted: boolean
}

interface Dispatch {
  readonly data: JsonObject
  isSettled: boolean
}

const DISPATCHES: ReadonlySet<string> = new Set([
  ...['tool/code-dispatch-start', 'tool/code-dispatch', 'tool/ptc-dispatch-start', 'tool/ptc-dispatch'],
])
const SURFACE: ReadonlySet<string> = new Set([
  ...['user/message', 'assistant/message', 'tool/result', 'system/message'],
])
/** Format of the logs that the first of these releases makes. */
const SECOND: readonly TargetFormat[] = [2]
export interface RelationContext {
  readonly sessionId: string
  readonly hasParent: boolean
  /** Seq of the event among those of the migrated log of format 2; another than its own once chunks were folded. */
  readonly migratedSeq: number
  readonly isInherited: boolean
}

export class Relations {
  readonly #report: RefusalReport
  #turn: JsonValue | undefined
  #step: JsonValue | undefined
  #nextTurn = 1
  #nextStep = 1
  #provider: JsonValue | undefined
  readonly #compactions: CompactionRelations
  readonly #retries: RetryRelations
  readonly #surface = new SurfaceOrder()
  readonly #calls = new Map<JsonValue | undefined, Announced>()
  readonly #commands = new Set<JsonValue | undefined>()
  readonly #commandEvents = new Set<number>()
  readonly #messages = new Map<number, 'human' | 'other'>()
  readonly #roots = new Map<JsonValue | undefined, JsonValue | undefined>()
  readonly #dispatches = new Map<JsonValue | undefined, Dispatch>()

  constructor(report: RefusalReport) {
    this.#report = report
    this.#compactions = new CompactionRelations(report, this)
    this.#retries = new RetryRelations(report, this)
  }

  get turn(): JsonValue | undefined {
    return this.#turn
  }

  get step(): JsonValue | undefined {
    return this.#step
  }

  /** The step that is open, or the one before the next. */
  get lastStep(): JsonValue {
    return this.#step ?? this.#nextStep - 1
  }

  take(event: MigratedEvent, context: RelationContext) {
    const { type, seq } = event
    const data = objectIn(event.data)
    if (SURFACE.has(type)) this.#onSurface(event)
    if (DISPATCHES.has(type)) return this.#onDispatch(event, data)
    switch (type) {
      case 'turn/start':
        return this.#onTurnStart(event, data)
      case 'turn/end':
        return this.#onTurnEnd(event, data)
      case 'step/start':
        return this.#onStepStart(event, data)
      case 'step/end':
        this.#inStep(event, data)
        this.#leaves(event)
        this.#calls.clear()
        this.#step = undefined
        this.#nextStep++
        return
      case 'assistant/attempt':
      case 'system/message':
        this.#inStep(event, data)
        return
      case 'assistant/message':
        return this.#onAnswer(event, data)
      case 'tool/call':
        return this.#onCall(event, data)
      case 'tool/result':
        return this.#onResult(event, data, context)
      case 'request/header':
        this.#inTurn(event)
        this.#provider = objectIn(objectIn(data.header).config).provider
        return
      case 'request/context':
        this.#inTurn(event)
        return
      case 'llm/retry':
        return this.#retries.schedule(event, data, this.#provider)
      case 'llm/retry-started':
        return this.#retries.start(event, data)
      case 'session/title':
      case 'session/title-llm-request':
        return this.#onTitle(event, data)
      case 'command/run':
        this.#commandEvents.add(seq)
        if (this.#commands.has(data.commandId)) this.#report(event, 'command', 'repeated')
        this.#commands.add(data.commandId)
        return
      case 'command/done':
        return this.#onDone(event, data)
      case 'session-log-deepseek/delivery-accepted':
        if (data.sessionFormatVersion !== 2 || data.sessionId === context.sessionId) return
        if (!(context.hasParent && context.isInherited)) this.#report(event, 'upload-mark', 'session')
        return
      case 'compaction/start':
        return this.#compactions.start(event, data)
      case 'compaction/summary':
        this.#compactions.summarize(event, data)
        return this.#shadows(event, data)
      case 'compaction/end':
        return this.#compactions.end(event, data)
      case 'compaction/prune':
        return this.#shadows(event, data)
      case 'user/message':
        return this.#onUser(event, data)
      case 'session/end-seed':
        return this.#compactions.endSeed()
    }
  }

  /** To be called at the end of the log. */
  finish(): void {
    this.#compactions.finish()
  }

  // Turns and steps -----------------------------------------------------------------------------------------------------

  #onTurnStart(event: MigratedEvent, { turn }: JsonObject): void {
    this.#compactions.crosses(event)
    if (this.#turn !== undefined) this.#report(event, 'turn', 'nested')
    else if (turn !== this.#nextTurn) this.#report(event, 'turn', 'number', { part: this.#nextTurn })
    this.#turn = turn
    this.#step = undefined
    this.#calls.clear()
    this.#nextStep = 1
    if (typeof turn === 'number') this.#nextTurn = turn
  }

  #onTurnEnd(event: MigratedEvent, { turn }: JsonObject): void {
    this.#compactions.crosses(event)
    if (this.#turn === undefined || turn !== this.#turn) this.#report(event, 'turn', 'not-open')
    else {
      this.#leaves(event)
      if (this.#step !== undefined) this.#report(event, 'turn', 'open-step')
    }
    this.#calls.clear()
    this.#turn = undefined
    this.#step = undefined
    this.#nextTurn++
  }

  #onStepStart(event: MigratedEvent, { turn, step }: JsonObject): void {
    const fits =
      this.#turn !== undefined && turn === this.#turn && this.#step === undefined && step === this.#nextStep
    if (!fits) this.#report(event, 'turn', 'step', { part: this.#nextStep })
    this.#step = step
    if (typeof step === 'number') this.#nextStep = step
  }

  #inStep(event: MigratedEvent, { turn, step }: JsonObject): void {
    const isOpen =
      this.#turn !== undefined && this.#step !== undefined && turn === this.#turn && step === this.#step
    if (!isOpen) this.#report(event, 'turn', 'elsewhere')
  }

  #inTurn(event: MigratedEvent): void {
    if (this.#turn === undefined) this.#report(event, 'turn', 'outside')
  }

  // The surface ------------------------------------------------------------------------------------------------------------

  #onSurface(event: MigratedEvent): void {
    const { surfaceOp: op, seq } = event
    if (op === 'append') this.#surface.push(seq)
    else if (op === undefined) this.#report(event, 'surface', 'no-op')
    else if (isJsonObject(op)) this.#replaces(event, op)
    else this.#report(event, 'surface', 'op')
  }

  #replaces(event: MigratedEvent, op: JsonObject): void {
    const from = this.#surface.indexOf((op.start ?? op.startSeq) as number)
    const to = this.#surface.indexOf((op.end ?? op.endSeq) as number)
    if (from < 0 || to < from) {
      this.#report(event, 'surface', 'range')
      return
    }
    const sources = new Set(event.sourceEventSeqs ?? [])
    if (this.#surface.nodes.slice(from, to + 1).some((node) => !sources.has(node)))
      this.#report(event, 'surface', 'sources')
    this.#surface.replace(from, to, event.seq)
  }

  #shadows(event: MigratedEvent, { shadowedRange: range, shadowedSeqs: seqs }: JsonObject): void {
    if (!isJsonObject(range) || !Array.isArray(seqs)) return
    const from = this.#surface.indexOf(range.start as number)
    const to = this.#surface.indexOf(range.end as number)
    const length = from < 0 || to < from ? 0 : to - from + 1
    const fits = length === seqs.length && seqs.every((seq, at) => seq === this.#surface.nodes[from + at])
    if (!fits) this.#report(event, 'compaction', 'shadowed', { path: 'data.shadowedSeqs' })
  }

  // Tools ------------------------------------------------------------------------------------------------------------------

  #onAnswer(event: MigratedEvent, data: JsonObject): void {
    this.#inStep(event, data)
    for (const block of objectsIn(objectIn(data.message).content)) {
      if (block.type !== 'tool-call') continue
      if (this.#calls.has(block.id)) this.#report(event, 'tool', 'twice', { part: shown(block.id) })
      this.#calls.set(block.id, { name: block.name, arguments: block.arguments, isStarted: false })
    }
  }

  #onCall(event: MigratedEvent, data: JsonObject): void {
    this.#inStep(event, data)
    const call = this.#calls.get(data.callId)
    const refuse = (fault: FaultIn<'tool'>): void =>
      this.#report(event, 'tool', fault, { part: shown(data.callId) })
    if (call === undefined) refuse('not-announced')
    else if (call.isStarted) refuse('started')
    else if (call.name !== data.name) refuse('name')
    else if (call.arguments !== data.arguments) refuse('arguments')
    if (call !== undefined) call.isStarted = true
  }

  #onResult(event: MigratedEvent, data: JsonObject, { migratedSeq }: RelationContext): void {
    if (event.surfaceOp !== 'append') {
      if (this.#turn === undefined) this.#report(event, 'turn', 'rewritten-outside')
      return
    }
    this.#inStep(event, data)
    const message = objectIn(data.message)
    const { callId } = objectIn(message.source)
    const call = this.#calls.get(callId)
    if (call === undefined || (!call.isStarted && !isNotStarted(event, data, message)))
      this.#report(event, 'tool', call === undefined ? 'not-waiting' : 'not-started', { part: shown(callId) })
    else if (!call.isStarted && message.id !== interruptedResultId(wordOf(callId), migratedSeq))
      this.#report(event, 'closer-id', 'place', { targets: SECOND, path: 'data.message.id' })
    this.#calls.delete(callId)
  }

  /** What the end of a step or turn leaves without a result. */
  #leaves(event: MigratedEvent): void {
    const [callId] = this.#calls.keys()
    if (this.#calls.size === 0) return
    this.#report(event, 'tool', 'unanswered', { part: shown(callId) })
  }

  #onDispatch(event: MigratedEvent, data: JsonObject): void {
    this.#inTurn(event)
    const { rootCallId: root, parentCallId: parent, subCallId: child } = data
    const refuse = (fault: FaultIn<'dispatch'>): void => this.#report(event, 'dispatch', fault)
    const known = this.#roots.get(child)
    if (known !== undefined && known !== root) refuse('root')
    if (parent !== root && this.#roots.get(parent) !== root) refuse('parent')
    const start = this.#dispatches.get(child)
    if (event.type.endsWith('-start')) {
      if (start === undefined) this.#dispatches.set(child, { data, isSettled: false })
      else refuse('started')
    } else if (start === undefined || start.isSettled) refuse('not-waiting')
    else {
      if (MATCHING.some((key) => !sameJson(start.data[key], data[key]))) refuse('differs')
      start.isSettled = true
    }
    this.#roots.set(child, root)
  }

  // Titles and commands ----------------------------------------------------------------------------------------------

  #onTitle(event: MigratedEvent, data: JsonObject): void {
    const { messageSeqs, source, messages } = data
    const seqs = itemsIn(messageSeqs)
    if (event.type === 'session/title' && (seqs.length === 0) !== (objectIn(source).kind === 'user'))
      this.#report(event, 'title', 'author', { path: 'data.messageSeqs' })
    if (seqs.some((seq) => this.#messages.get(seq as number) !== 'human'))
      this.#report(event, 'title', 'messages', { path: 'data.messageSeqs' })
    if (event.type !== 'session/title-llm-request') return
    const [message, ...others] = itemsIn(messages)
    const { role, source: by, content } = objectIn(message)
    const { kind, plugin } = objectIn(by)
    const [block, ...more] = itemsIn(content)
    const fits =
      others.length === 0 &&
      role === 'user' &&
      kind === 'plugin' &&
      plugin === 'dsh-session-title-llm' &&
      more.length === 0 &&
      objectIn(block).type === 'text'
    if (!fits) this.#report(event, 'title', 'request', { path: 'data.messages' })
  }

  #onDone(event: MigratedEvent, { commandId, kind, sourceEventSeq: source }: JsonObject): void {
    this.#commandEvents.add(event.seq)
    if (!this.#commands.has(commandId)) this.#report(event, 'command', 'not-run')
    if (source === undefined) return
    if (kind !== 'success' || this.#commandEvents.has(source as number))
      this.#report(event, 'command', 'source', { path: 'data.sourceEventSeq' })
  }

  #onUser(event: MigratedEvent, { source }: JsonObject): void {
    if (!isJsonObject(source)) return
    this.#messages.set(event.seq, source.kind === 'user' ? 'human' : 'other')
    const isCheckpoint =
      event.surfaceOp !== 'append' && source.kind === 'plugin' && source.plugin === 'compact'
    if (isCheckpoint && !this.#compactions.isOf(source)) this.#report(event, 'compaction', 'checkpoint')
  }
}

const MATCHING = ['rootCallId', 'parentCallId', 'name', 'arguments'] as const

/** The result that a release writes for a call that never began, whatever its id. */
function isNotStarted(event: MigratedEvent, { error }: JsonObject, { content }: JsonObject): boolean {
  const block = objectIn(itemsIn(content)[0])
  const { name, code } = objectIn(error)
  return (
    name === NOT_STARTED.error.name &&
    code === NOT_STARTED.error.code &&
    event.sourceEventSeqs === undefined &&
    block.isError === true &&
    sameJson(block.content, [{ type: 'text', text: NOT_STARTED.text }])
  )
}

function shown(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : 'without an id'
}
