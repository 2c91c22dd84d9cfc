/**
 * What an upgrade changes so that the releases up to a target open a log: one pass over its events. It yields edits and
 * steps like every mending of a repair; whether the target opens what comes of it is for the caller to ask, and what
 * nothing in the log tells the value of is left as it is.
 */
import { type EventRefusal, eventRefusals } from '../compatibility/event-refusals.ts'
import type { SessionEvent } from '../event/session-event.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from '../json/json-value.ts'
import type { EventEdits, Mending } from '../repair/event-edits.ts'
import { moved } from '../repair/event-edits.ts'
import { step } from '../repair/repair-step.ts'
import type { MemberChange, RowPatch } from '../repair/row-patch.ts'
import { type MovedRange, SeqMap } from '../repair/seq-map.ts'
import { FAMILY_NAMES, type FamilyName } from '../repair/upgrade-families.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { BracketMendings } from './bracket-mendings.ts'
import { CallMendings } from './call-mendings.ts'
import { CloserMendings } from './closer-mendings.ts'
import { FirstStepMending } from './first-step-mending.ts'
import { type Known, mendMember } from './mend-member.ts'
import { QueuedIds } from './queued-ids.ts'
import { StreamMendings } from './stream-mendings.ts'
import type { NewRow, UpgradeSink } from './upgrade-sink.ts'

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
    this.#streams = new StreamMendings(changes)
    this.#calls = new CallMendings(changes)
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
    if (this.#format < LAST_MENDED) {
      this.#brackets.on(step)
      this.#calls.on(step)
      this.#closers.on(event)
      if (this.#goal.format >= LAST_MENDED) this.#firstStep.on(step)
    }
    this.#queued.on(event)
    this.#learn(event)
  }

  finish(): void {
    this.#brackets.finish()
    this.#closers.finish()
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
      const message = isJsonObject(data) && Array.isArray(data.inserted) ? data.inserted[position] : undefined
      if (isJsonObject(message as JsonValue)) this.#queued.queue(seq, position, message as JsonObject)
      return
    }
    const mending = mendMember(event, refusal, this.#known(event))
    if (mending !== undefined) this.#changes.change(seq, mending.family, mending.change)
  }

  #isRefusal({ targets }: EventRefusal): boolean {
    return targets.some((format) => format <= this.#goal.format)
  }

  #known({ data }: SessionEvent): Known {
    const stream = objectIn(data).stream
    const streamUsage = Array.isArray(stream) ? usageIn(stream) : this.#streams.usage()
    return { route: this.#route, streamUsage, compactionId: this.#compactionId }
  }

  #learn({ type, data }: SessionEvent): void {
    if (!isJsonObject(data)) return
    if (type === 'request/header' && isJsonObject(data.header) && isJsonObject(data.header.config))
      this.#route = data.header.config
    else if (type === 'compaction/start' && typeof data.compactionId === 'string')
      this.#compactionId = data.compactionId
    else if (type === 'compaction/end') this.#compactionId = undefined
  }
}

function usageIn(stream: readonly JsonValue[]): JsonValue | undefined {
  const chunks = stream.flatMap((record) =>
    isJsonObject(record) && isJsonObject(record.chunk) ? [record.chunk] : [],
  )
  return chunks.findLast(({ type }) => type === 'usage')?.usage
}

/** All changes of one pass, as edits and as steps, a step for each family. */
class Changes implements UpgradeSink {
  readonly #patches = new Map<number, RowPatch[]>()
  readonly #dropped = new Set<number>()
  readonly #inserted = new Map<number, NewRow[]>()
  readonly #seqs = new Map<FamilyName, Set<number>>()

  change(seq: number, family: FamilyName, ...changes: readonly MemberChange[]): void {
    this.patch(seq, family, { kind: 'members', changes })
  }

  patch(seq: number, family: FamilyName, patch: RowPatch): void {
    this.#note(seq, family)
    this.#patches.set(seq, [...(this.#patches.get(seq) ?? []), patch])
  }

  drop(seq: number, family: FamilyName): void {
    this.#note(seq, family)
    this.#dropped.add(seq)
  }

  insert(before: number, family: FamilyName, ...rows: readonly NewRow[]): void {
    this.#note(before, family)
    this.#inserted.set(before, [...(this.#inserted.get(before) ?? []), ...rows])
  }

  #note(seq: number, family: FamilyName): void {
    const seqs = this.#seqs.get(family) ?? new Set()
    this.#seqs.set(family, seqs.add(seq))
  }

  mending(): Mending {
    const steps = FAMILY_NAMES.flatMap((family) => {
      const seqs = this.#seqs.get(family)
      return seqs === undefined ? [] : [step('upgrade', { family }, { seqs: [...seqs].toSorted(rising) })]
    })
    return { steps, edits: this.#edits() }
  }

  #edits(): EventEdits {
    const places = new Set([...this.#dropped, ...this.#inserted.keys()])
    const patches = { patches: this.#patches }
    if (places.size === 0) return patches
    const ranges: MovedRange[] = []
    const inserted: JsonObject[] = []
    let first = 0
    let shift = 0
    for (const seq of [...places].toSorted(rising)) {
      const rows = this.#inserted.get(seq) ?? []
      if (seq > first) ranges.push({ first, end: seq, shift })
      first = seq
      for (const { type, time, data } of rows) inserted.push({ type, seq: seq + shift++, time, data })
      if (!this.#dropped.has(seq)) continue
      first = seq + 1
      shift--
    }
    ranges.push({ first, end: Number.POSITIVE_INFINITY, shift })
    return { ...patches, names: moved(new SeqMap(ranges)), why: 'upgrade', inserted }
  }
}

const rising = (a: number, b: number): number => a - b
