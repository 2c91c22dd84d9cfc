/**
 * What an upgrade changes so that the releases up to a target open a log: one pass over its events. It yields edits and
 * steps like every mending of a repair; whether the target opens what comes of it is for the caller to ask, and what
 * nothing in the log tells the value of is left as it is.
 */
import { type EventRefusal, eventRefusals } from '../compatibility/event-refusals.ts'
import type { SessionEvent } from '../event/session-event.ts'
import {
  isJsonObject,
  itemsIn,
  type JsonObject,
  type JsonValue,
  objectIn,
  objectsIn,
} from '../json/json-value.ts'
import type { Mending } from '../repair/event-edits.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { AttemptChunks } from './attempt-chunks.ts'
import { BracketMendings } from './bracket-mendings.ts'
import { CallMendings } from './call-mendings.ts'
import { Changes } from './changes.ts'
import { CloserMendings } from './closer-mendings.ts'
import { FirstStepMending } from './first-step-mending.ts'
import { type Known, mendMember } from './mend-member.ts'
import { QueuedIds } from './queued-ids.ts'
import { StreamMendings } from './stream-mendings.ts'

export interface UpgradeGoal {
  /** Format of the release that has to open the log. */
  readonly format: number
  /** Take required events of unknown types out as well. */
  readonly allowUnknown: boolean
}

/** An upgrade mends what the migrations from before format 4 refuse. */
const LAST_MENDED = 3
/** What is mended with the calls of a step. */
const OF_CALLS: ReadonlySet<EventRefusal['area']> = new Set(['error-unmarked', 'closer-id'])
const UPLOAD_MARK = 'session-log-deepseek/delivery-accepted'

export function upgradeMending(goal: UpgradeGoal): Reducer<Mending> {
  const changes = new Changes()
  let mendings: EventMendings | undefined
  return {
    on(step) {
      if (step.dialect.version > Math.min(LAST_MENDED, goal.format - 1)) return
      mendings ??= new EventMendings(step, goal, changes)
      mendings.on(step)
    },
    finish() {
      mendings?.finish()
      return changes.mending()
    },
  }
}

class EventMendings {
  readonly #goal: UpgradeGoal
  readonly #format: number
  readonly #sessionId: string
  readonly #changes: Changes
  readonly #chunks = new AttemptChunks()
  readonly #streams: StreamMendings
  readonly #calls: CallMendings
  readonly #closers: CloserMendings
  readonly #brackets: BracketMendings
  readonly #firstStep: FirstStepMending
  readonly #queued = new QueuedIds()
  #route: JsonObject | undefined
  #compactionId: string | undefined

  constructor({ dialect, header }: ReplayStep, goal: UpgradeGoal, changes: Changes) {
    this.#goal = goal
    this.#format = dialect.version
    this.#sessionId = header?.id ?? ''
    this.#changes = changes
    this.#streams = new StreamMendings(changes, this.#chunks)
    this.#calls = new CallMendings(changes, this.#chunks)
    this.#closers = new CloserMendings(changes, dialect.version, header)
    this.#firstStep = new FirstStepMending(changes)
    this.#brackets = new BracketMendings(changes)
  }

  on(step: ReplayStep): void {
    const { event, dialect } = step
    this.#envelope(event)
    if (!dialect.knows(event.type)) {
      if (event.ignorable === true || this.#goal.allowUnknown) this.#changes.drop(event.seq, 'unknown-events')
      return
    }
    if (event.type === UPLOAD_MARK && this.#isMisplaced(step)) {
      this.#changes.drop(event.seq, 'upload-marks')
      return
    }
    eventRefusals(event, this.#format, (refusal) => this.#refused(event, refusal))
    if (this.#format < 2) this.#streams.on(event)
    this.#chunks.on(event)
    if (this.#format < LAST_MENDED) {
      this.#brackets.on(step)
      this.#calls.on(step)
      this.#closers.on(step)
      if (this.#goal.format >= LAST_MENDED) this.#firstStep.on(step)
    }
    this.#queued.on(event)
    this.#learn(event)
  }

  finish(): void {
    this.#brackets.finish()
    this.#queued.finish(this.#sessionId, this.#changes)
  }

  #envelope({ seq, time }: SessionEvent): void {
    if (Object.is(time, -0)) this.#changes.change(seq, 'counts', { at: ['time'], value: 0 })
    if (Object.is(seq, -0)) this.#changes.change(seq, 'counts', { at: ['seq'], value: 0 })
  }

  /** A mark of a later format, of another session, or one that says nothing usable. */
  #isMisplaced({ event, header }: ReplayStep): boolean {
    const { data, seq } = event
    if (!isJsonObject(data)) return true
    const { sessionFormatVersion: version = 0, sessionId } = data
    if (typeof version === 'number' && version > this.#format) return true
    const isInherited = header?.parentSession !== undefined && seq < (header.seedLength ?? 0)
    if (version === this.#format && sessionId !== header?.id && !isInherited && this.#format < 2) return true
    let isRefused = false
    eventRefusals(event, this.#format, (refusal) => {
      isRefused ||= this.#isRefusal(refusal)
    })
    return isRefused
  }

  #refused(event: SessionEvent, refusal: EventRefusal): void {
    if (!this.#isRefusal(refusal) || OF_CALLS.has(refusal.area)) return
    const { at } = refusal
    const { data, seq } = event
    if (event.type === 'agent/inbox/spliced' && at.length === 4 && at[1] === 'inserted' && at[3] === 'id') {
      const position = at[2] as number
      const message = itemsIn(objectIn(data).inserted)[position]
      if (isJsonObject(message)) this.#queued.queue(seq, position, message)
      return
    }
    const mending = mendMember(event, refusal, this.#known(event))
    if (mending !== undefined) this.#changes.change(seq, mending.family, mending.change)
  }

  #isRefusal({ targets }: EventRefusal): boolean {
    return targets.some((format) => format <= this.#goal.format)
  }

  #known({ data }: SessionEvent): Known {
    const { stream } = objectIn(data)
    const streamUsage = Array.isArray(stream) ? usageIn(stream) : this.#chunks.usage()
    return { route: this.#route, streamUsage, compactionId: this.#compactionId }
  }

  #learn({ type, data }: SessionEvent): void {
    const { header, compactionId } = objectIn(data)
    const { config } = objectIn(header)
    if (type === 'request/header' && isJsonObject(config)) this.#route = config
    else if (type === 'compaction/start' && typeof compactionId === 'string')
      this.#compactionId = compactionId
    else if (type === 'compaction/end') this.#compactionId = undefined
  }
}

function usageIn(stream: readonly JsonValue[]): JsonValue | undefined {
  return objectsIn(objectsIn(stream).map(({ chunk }) => chunk)).findLast(({ type }) => type === 'usage')
    ?.usage
}
