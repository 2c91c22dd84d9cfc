/**
 * Mends rows one after the other, each from what it says itself and what the rows before it have said. The rules that
 * readers judge a row by decide what is wrong; a row that they take is left as it is, and what the log does not tell is
 * not invented.
 */
import type { Dialect } from '../dialect/dialect.ts'
import { closingHazard, messageFinding } from '../event/decode-message.ts'
import { advertisedCalls, answeredCallId, type SessionEvent } from '../event/session-event.ts'
import { LegacyUpgrader, retiredVocabulary } from '../event/upgrade-legacy.ts'
import type { Finding } from '../findings/finding.ts'
import type { FindingCode } from '../findings/rules.ts'
import { isCount, isJsonObject, isName, type JsonObject, objectIn, sameJson } from '../json/json-value.ts'
import { ENVELOPE_MENDS } from './mend-envelope.ts'
import { mendMessage, messageIn, withMessage } from './mend-message.ts'
import { mendRelations, showsPlace } from './mend-relations.ts'
import { mendShape, mendTurn } from './mend-shape.ts'
import type { AnnouncedCall, MendedRow, RowContext, RowMend } from './row-mend.ts'

/** Faults of one row that are mended; each takes one round. */
const MOST_ROUNDS = 8
/** Stands for an id that a message lacks: it gets one later, and must not hide what else is wrong. */
const ANY_ID = 'any'

export class RowMender {
  readonly #dialect: Dialect
  readonly #context: Writable<RowContext> & {
    waiting: string[]
    announced: AnnouncedCall[]
    deltas: number[]
  }
  readonly #calls = new Map<number, string>()
  #due = 0

  /** @param model - the first model that the log names. */
  constructor(dialect: Dialect, sessionId: string, createdAt: number, model: RowContext['model']) {
    this.#dialect = dialect
    this.#context = {
      sessionId,
      time: createdAt,
      turn: undefined,
      step: undefined,
      lastTurn: 0,
      lastStep: 0,
      model,
      waiting: [],
      deltas: [],
      announced: [],
      isWhole: true,
      next: undefined,
      hasRequest: false,
      callAt: (seq) => this.#calls.get(seq),
    }
  }

  /**
   * @param seq - the seq of the row.
   * @param next - the next row that has to name a turn.
   * @returns nothing for a row that readers take.
   */
  mend(stored: JsonObject, seq: number, next?: RowContext['next']): MendedRow | undefined {
    const mends: RowMend[] = []
    const context = this.#context
    context.next = next
    context.isWhole &&= seq === this.#due
    this.#due = seq + 1
    if (!context.isWhole && showsPlace(stored, this.#dialect, next)) this.#enter(stored.data as JsonObject)
    let row = stored
    for (const [mend, apply] of ENVELOPE_MENDS) {
      const mended = apply(row, this.#dialect, this.#context, seq)
      if (mended === undefined) continue
      row = mended
      mends.push(mend)
    }
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const mended = this.#mendOne(row, seq)
      if (mended === undefined) break
      row = mended.row
      mends.push(mended.mend)
    }
    this.#follow(row, seq)
    return mends.length === 0 ? undefined : { row, mends: [...new Set(mends)] }
  }

  /**
   * The fault of a row that holds nothing where its type needs something; there is nothing in it to keep.
   * @param row - the mended row.
   */
  emptyFault({ data }: JsonObject, row: JsonObject, seq: number): FindingCode | undefined {
    const isEmpty = !isJsonObject(data) || Object.keys(data).length === 0
    if (!isEmpty) return undefined
    const event = eventOf(row, seq)
    return (messageFinding(event, NOWHERE, this.#dialect) ?? closingHazard(event, NOWHERE))?.code
  }

  #mendOne(row: JsonObject, seq: number): { readonly row: JsonObject; readonly mend: RowMend } | undefined {
    const dialect = this.#dialect
    const context = this.#context
    const named = isNameless(row) ? withMessage(row, (message) => ({ ...message, id: ANY_ID })) : row
    const take = (mended: JsonObject | undefined, mend: RowMend) =>
      mended === undefined || sameJson(mended, row) ? undefined : { row: mended, mend }
    if (dialect.refusal(named) !== undefined || dialect.rowDamage(named, seq) !== undefined) {
      const mended = take(mendShape(row, dialect, context), 'shape')
      if (mended !== undefined) return mended
    }
    const event = eventOf(named, seq)
    const upgrade = dialect.version === 0 ? new LegacyUpgrader(context.sessionId).upgrade(event) : undefined
    if (upgrade?.kind === 'malformed') return take(mendTurn(row, context), 'turn')
    const current = upgrade?.kind === 'upgraded' ? upgrade.event : event
    const finding = messageFinding(current, NOWHERE, dialect) ?? retiredRequest(current)
    const mended =
      finding === undefined
        ? mendRelations(row, dialect, context)
        : mendMessage(row, finding, dialect, context)
    return mended && take(mended[1], mended[0])
  }

  /** Takes in a packed row, which stands for several deltas. */
  passDeltas(seq: number, count: number): void {
    this.#context.isWhole &&= seq === this.#due
    this.#due = seq + count
    for (let delta = seq; delta < this.#due; delta++) this.#context.deltas.push(delta)
  }

  /** Two rows after a gap say which turn and step are open. */
  #enter({ turn, step }: JsonObject): void {
    const context = this.#context
    if (context.turn !== turn || context.step !== step) this.#leaveStep()
    context.turn = turn as number
    context.lastTurn = context.turn
    context.step = step as number
    context.lastStep = context.step
    context.isWhole = true
  }

  /** Takes in what a row says to the rows after it. */
  #follow(row: JsonObject, seq: number): void {
    const context = this.#context
    const { type, time, data } = row
    if (typeof time === 'number' && Number.isSafeInteger(time)) context.time = time
    if (!isJsonObject(data)) return
    switch (type) {
      case 'turn/start':
        context.turn = isCount(data.turn) ? data.turn : undefined
        context.lastTurn = context.turn ?? context.lastTurn + 1
        context.lastStep = 0
        context.isWhole = true
        this.#leaveStep()
        return
      case 'turn/end':
        context.turn = undefined
        this.#leaveStep()
        return
      case 'step/start':
        context.step = isCount(data.step) ? data.step : undefined
        context.lastStep = context.step ?? context.lastStep + 1
        return
      case 'step/end':
        this.#leaveStep()
        return
      case 'request/header': {
        const config = objectIn(objectIn(data.header).config)
        this.#model(config)
        context.hasRequest = true
        return
      }
      case 'request/context':
        this.#model(data)
        return
      case 'tool/call':
        if (isName(data.callId)) this.#calls.set(seq, data.callId)
        context.announced = context.announced.map((call) =>
          call.id === data.callId ? { ...call, isStarted: true } : call,
        )
        return
      case 'assistant/chunk':
        context.deltas.push(seq)
        return
      case 'assistant/attempt':
        context.deltas = []
        return
      case 'assistant/message': {
        context.deltas = []
        const source = messageIn(row)?.source
        if (isJsonObject(source)) this.#model(source)
        for (const call of advertisedCalls(eventOf(row, seq))) {
          context.waiting.push(call.id)
          context.announced.push({ ...call, isStarted: false })
        }
        return
      }
      case 'tool/result': {
        const answered = answeredCallId(eventOf(row, seq))
        context.waiting = context.waiting.filter((callId) => callId !== answered)
      }
    }
  }

  #leaveStep(): void {
    this.#context.step = undefined
    this.#context.deltas = []
    this.#context.waiting = []
    this.#context.announced = []
  }

  #model(object: JsonObject): void {
    this.#context.model = namedModel(object) ?? this.#context.model
  }
}

function namedModel({ provider, model }: JsonObject): RowContext['model'] {
  return isName(provider) && isName(model) ? { provider, model } : undefined
}

/** The model that a row names. */
export function modelOfRow({ type, data }: JsonObject): RowContext['model'] {
  if (!isJsonObject(data)) return undefined
  const { header, message } = data
  if (type === 'request/context') return namedModel(data)
  if (type === 'request/header' && isJsonObject(header) && isJsonObject(header.config))
    return namedModel(header.config)
  const source = type === 'assistant/message' && isJsonObject(message) ? message.source : data.provenance
  return isJsonObject(source) ? namedModel(source) : undefined
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

const NOWHERE = {}

function isNameless(row: JsonObject): boolean {
  const message = messageIn(row)
  return message !== undefined && !isName(message.id)
}

function eventOf(row: JsonObject, seq: number): SessionEvent {
  return { ...row, seq } as unknown as SessionEvent
}

/** No build reads a request header for the reason "fallback"; the place of the header tells its reason. */
function retiredRequest(event: SessionEvent): Finding | undefined {
  if (event.type !== 'request/header' || retiredVocabulary(event) === undefined) return undefined
  const args = { fault: 'retired-reason' } as const
  return { code: 'message/request-invalid', origin: NOWHERE, seq: event.seq, args }
}
