/**
 * The plan of a repair: one kind of mending after the other, each on the log that the ones before it left. Nothing is
 * written. The planned log is a source of records like the original, so it is replayed and judged by the same code, and
 * the writer only has to read it.
 */
import type { SessionEvent } from '../../core/event/session-event.ts'
import type { Finding } from '../../core/findings/finding.ts'
import type { RuleFacts } from '../../core/findings/rule.ts'
import { ruleOf } from '../../core/findings/rules.ts'
import { judge } from '../../core/findings/verdict.ts'
import type { JsonObject } from '../../core/json/json-value.ts'
import { cancelingSplices } from '../../core/repair/cancel-waiting.ts'
import { readableClosersAt } from '../../core/repair/closers.ts'
import {
  cutAfter,
  type EventEdits,
  type Mending,
  moved,
  withoutEvents,
} from '../../core/repair/event-edits.ts'
import { fillGaps } from '../../core/repair/fill-gaps.ts'
import { denseGaps, gapEdits } from '../../core/repair/gap-edits.ts'
import type { GapLoss } from '../../core/repair/gaps.ts'
import { insertResults } from '../../core/repair/insert-results.ts'
import { mendTold } from '../../core/repair/mend-told.ts'
import { type NoteEvent, noteEvents } from '../../core/repair/note-events.ts'
import { isLasting, refusals } from '../../core/repair/refusals.ts'
import { type RepairStep, step } from '../../core/repair/repair-step.ts'
import { SeqMap } from '../../core/repair/seq-map.ts'
import { surfacePatches } from '../../core/repair/surface-patches.ts'
import { unplacedEvents } from '../../core/repair/unplaced-events.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { loadLog } from '../sessions/load-log.ts'
import { applyEventEdits } from './apply-edits.ts'
import { type Boundary, cutPlace } from './cut-place.ts'
import { dropBlocking } from './drop-blocking.ts'
import { dialectIn, type Examined, examine } from './examine.ts'
import { lostReferences } from './lost-references.ts'
import { patchSteps } from './order-steps.ts'
import { needsOrder, type OrderedLog, putInOrder } from './put-in-order.ts'
import { Quarantine } from './quarantine.ts'
import type { RepairOptions } from './repair-options.ts'
import type { LostAtEnd } from './scan-records.ts'
import { upgradeLog } from './upgrade-log.ts'

export interface PlannedRepair {
  readonly steps: readonly RepairStep[]
  /** Events that close the open turn. */
  readonly closers: readonly SessionEvent[]
  /** Results that are put between the events of the log. */
  readonly inserted: readonly SessionEvent[]
  /** Notes after the last event. */
  readonly notes: readonly NoteEvent[]
  /** Why the planned log still would not open; the steps are those that can be done all the same. */
  readonly refused: readonly string[]
  /** Events of the log that keep it shut, or else those with an error, by their stored seqs. */
  readonly blocking: readonly number[]
  /** The last event before all of that after which nothing is open, by its stored seq. */
  readonly lastSafe: number | undefined
  /** The log as it would be. */
  readonly planned: RecordSource
  /** What that log is, judged as any other. */
  readonly outcome: Examined
  readonly quarantine: Quarantine
  /** What gaps held, and what of it was put back. */
  readonly losses: readonly GapLoss[]
  /** What is taken out at the end of the log. */
  readonly lostAtEnd: LostAtEnd | undefined
  /** Branches that did not continue, as logs of their own. */
  readonly branches: readonly RecordSource[]
}

const NO_MODEL = 'no event names a provider and a model: name them with --model PROVIDER/MODEL'
const NO_LIKE =
  'the log does not tell everything that the header needs: name another session of the same store with --like OTHER; the id is then the name of the log, if that is made like the id of OTHER'

/** Events without a place may have others that belong to them. */
const MOST_ROUNDS = 5

export async function planRepair(
  source: RecordSource,
  original: Examined,
  options: RepairOptions,
): Promise<PlannedRepair> {
  const planned = await new Repair(source, original, options).plan()
  if (planned.refused.length === 0 || isChosen(options) || !judge(original.findings.counts()).opens)
    return planned
  // What DSH opens because it drops the end: what cannot be kept of that end is dropped here, too.
  const plan = (drop: readonly number[]): Promise<PlannedRepair> =>
    new Repair(source, original, { ...options, drop, dropsAsDsh: true }).plan()
  const dropped = await dropBlocking(planned, plan, ({ refused }) => refused.length === 0)
  return dropped?.planned ?? planned
}

function isChosen({ drop, truncateAfter, target }: RepairOptions): boolean {
  return drop !== undefined || truncateAfter !== undefined || target !== undefined
}

class Repair {
  readonly #given: RecordSource
  #source: RecordSource
  #state: Examined
  readonly #original: Examined
  readonly #options: RepairOptions
  readonly #quarantine = new Quarantine()
  readonly #steps: RepairStep[] = []
  readonly #refused: string[] = []
  #branches: readonly RecordSource[] = []
  /** Where the events of the log went when it was put in order, one renumbering after the other. */
  readonly #places: SeqMap[] = []
  /** Where they went after it. */
  readonly #moves: SeqMap[] = []
  #losses: readonly GapLoss[] = []
  #lostAtEnd: LostAtEnd | undefined
  /** The model that the log names, or that it was said to have. */
  #model: OrderedLog['model']
  /** What was put into gaps. */
  #filled: readonly SessionEvent[] = []

  constructor(source: RecordSource, original: Examined, options: RepairOptions) {
    this.#given = source
    this.#source = source
    this.#original = original
    this.#state = original
    this.#options = options
  }

  async plan(): Promise<PlannedRepair> {
    const before = this.#original.findings
    this.#refused.push(
      ...refusals({ counts: before.counts(), findings: before.findings() }, (code) => !isLasting(code)),
    )
    const isUnread = this.#refused.length > 0
    let inserted: readonly SessionEvent[] = []
    let closers: readonly SessionEvent[] = []
    let notes: readonly NoteEvent[] = []
    if (this.#refused.length === 0) await this.#putInOrder()
    if (this.#refused.length === 0) {
      await this.#drop()
      await this.#truncate()
      await this.#mendSurface()
      await this.#mendRelations()
      await this.#patch()
      inserted = await this.#insert()
      closers = await this.#close()
      notes = await this.#note()
      await this.#cancelWaiting()
      await this.#dropUnplaced()
      await this.#upgrade()
      const { findings } = this.#state
      this.#refused.push(
        ...refusals({ counts: findings.counts(), findings: findings.findings() }, () => false),
        ...this.#untold(),
      )
    }
    if (this.#refused.length > 0 && !isUnread && (await this.#upgradesAlone())) {
      inserted = []
      closers = []
      notes = []
    }
    return {
      steps: this.#steps,
      closers,
      inserted: [...this.#filled, ...inserted],
      notes,
      refused: this.#refused,
      ...this.#blocked(),
      planned: this.#source,
      outcome: this.#state,
      quarantine: this.#quarantine,
      losses: this.#losses,
      lostAtEnd: this.#lostAtEnd,
      branches: this.#branches,
    }
  }

  async #apply({ steps, edits }: Mending): Promise<void> {
    this.#steps.push(...steps)
    this.#source = applyEventEdits(this.#source, edits, this.#quarantine)
    await this.#examine()
  }

  async #examine(): Promise<void> {
    this.#state = await examine(this.#source, this.#options.limits, this.#options)
  }

  async #putInOrder(): Promise<void> {
    if (!needsOrder(this.#original)) return
    const ordered = await putInOrder(this.#source, this.#original, this.#options, this.#quarantine)
    if (ordered.kind === 'refused') {
      this.#refused.push(ordered.reason)
      return
    }
    this.#steps.push(...ordered.steps)
    this.#model = ordered.model
    this.#lostAtEnd = ordered.lostAtEnd
    this.#branches = ordered.branches
    await this.#fillGaps(ordered)
  }

  /** Puts back what the events around the gaps prove, and closes what is left of them. */
  async #fillGaps({ source, kept, gaps, model }: OrderedLog): Promise<void> {
    const closing = new SeqMap(kept)
    const dense = applyEventEdits(source, { names: moved(closing) }, this.#quarantine)
    const isEnforced = dialectIn(this.#state).relations
    if (gaps.length === 0 && !isEnforced) {
      this.#source = dense
      this.#places.push(closing)
      await this.#examine()
      return
    }
    const { limits } = this.#options
    const references = await lostReferences(source, closing)
    const found = { filled: fillGaps(denseGaps(gaps, closing), references, model) }
    const { results, header } = await loadLog(dense, found, { limits })
    const { filled } = results
    const log = { sessionId: header?.id ?? '', dialect: dialectIn({ header }) }
    const { edits, steps, patches } = gapEdits(kept, filled, log)
    this.#steps.push(...steps, ...patchSteps(patches, log.dialect))
    this.#losses = filled.losses
    this.#filled = (edits.inserted ?? []) as unknown as readonly SessionEvent[]
    this.#source = applyEventEdits(source, edits, this.#quarantine)
    if (edits.names !== undefined) this.#places.push(edits.names.map)
    await this.#examine()
  }

  /** Events that somebody wants out. */
  async #drop(): Promise<void> {
    const { drop = [], dropsAsDsh = false } = this.#options
    const seqs = drop.flatMap((number) => this.#placeOf({ unit: 'seq', number })?.number ?? [])
    if (seqs.length === 0) return
    const names = withoutEvents(seqs)
    await this.#apply({
      steps: [step('drop-events', { dropsAsDsh }, { seqs: drop })],
      edits: { names, why: 'dropped' },
    })
    this.#places.push(names.map)
  }

  /** What keeps the planned log shut, in the numbers of the stored one. */
  #blocked(): Pick<PlannedRepair, 'blocking' | 'lastSafe'> {
    const { findings, results } = this.#state
    const refusing = findings.findings().filter(({ code }) => ruleOf(code).refused === true)
    const errors = findings.findings().filter(({ code }) => findings.severityOf(code) === 'error')
    const left = refusing.length > 0 ? refusing : errors
    const seqsOf = (found: readonly Finding[]): readonly number[] => found.flatMap(({ seq }) => seq ?? [])
    const seqs = seqsOf(left.filter(({ code }) => ruleOf(code).ofManyEvents !== true))
    const first = seqsOf(left).reduce((least, seq) => Math.min(least, seq), Number.POSITIVE_INFINITY)
    const safe = results.cuts.findLast((range) => range.first < first)
    const lastSafe = safe === undefined ? undefined : this.#storedSeq(Math.min(safe.last, first - 1))
    return { blocking: [...new Set(seqs)].flatMap((seq) => this.#storedSeq(seq) ?? []), lastSafe }
  }

  #storedSeq(seq: number): number | undefined {
    return [...this.#places, ...this.#moves]
      .toReversed()
      .reduce<number | undefined>((now, map) => (now === undefined ? now : map.before(now)), seq)
  }

  /**
   * What belongs to lost events, or to nothing in the log, has no place without it; it goes to quarantine, where it is
   * no message.
   */
  async #dropUnplaced(): Promise<void> {
    const isLossy = this.#losses.length > 0
    const mayGo = ({ relation, unrelated }: RuleFacts): boolean =>
      unrelated === true || (isLossy && relation === true)
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const blocking = this.#state.findings.findings().filter(({ code }) => mayGo(ruleOf(code)))
      const seqs = new Set(blocking.flatMap(({ seq }) => seq ?? []))
      if (seqs.size === 0) return
      const { limits } = this.#options
      const { unplaced } = (await loadLog(this.#source, { unplaced: unplacedEvents(seqs) }, { limits }))
        .results
      if (unplaced.length === 0) return
      const names = withoutEvents(unplaced)
      const why = isLossy ? 'unplaced' : 'unrelated'
      const finding = isLossy ? 'order/seq-gap' : (blocking[0] as Finding).code
      const steps = [step('drop-rows', { why }, { finding, seqs: unplaced })]
      await this.#apply({ steps, edits: { names, why } })
      this.#moves.push(names.map)
      await this.#mendRelations()
    }
  }

  async #truncate(): Promise<void> {
    const { truncateAfter } = this.#options
    if (truncateAfter === undefined) return
    const boundary = this.#placeOf(truncateAfter)
    if (boundary === undefined) {
      this.#refused.push(`there is no event ${truncateAfter.number} to cut after`)
      return
    }
    const cut = cutPlace(boundary, this.#state)
    if (cut.kind === 'refused') this.#refused.push(cut.reason)
    else if (cut.events > 0) {
      const { after, events } = cut
      const steps = [step('truncate', { after }, { seqs: [after], count: events })]
      await this.#apply({ steps, edits: { names: cutAfter(after), why: 'truncated' } })
    }
  }

  /** Replacements that readers refuse, with the surface as it is when they come. */
  async #mendSurface(): Promise<void> {
    const isBroken = this.#state.findings
      .counts()
      .some(({ code }) => ruleOf(code).repairs?.includes('mend-surface'))
    if (!isBroken) return
    const { limits } = this.#options
    const { results } = await loadLog(this.#source, { patches: surfacePatches() }, { limits })
    const { patches } = results
    if (patches.size > 0)
      await this.#apply({ steps: patchSteps(patches, dialectIn(this.#state)), edits: { patches } })
  }

  /** What events say of others, as these tell it. What one says may depend on another that is mended. */
  async #mendRelations(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS && this.#state.findings.told.length > 0; round++)
      await this.#apply(mendTold(this.#state.findings.told))
  }

  /** A seq is meant as the log has it, before anything moves. */
  #placeOf({ unit, number }: Boundary): Boundary | undefined {
    const maps = unit === 'seq' ? this.#places : []
    const now = maps.reduce<number | undefined>((seq, map) => (seq === undefined ? seq : map.of(seq)), number)
    return now === undefined ? undefined : { unit, number: now }
  }

  async #patch(): Promise<void> {
    const { patches } = this.#state.results
    if (patches.size > 0)
      await this.#apply({ steps: patchSteps(patches, dialectIn(this.#state)), edits: { patches } })
  }

  async #insert(): Promise<readonly SessionEvent[]> {
    const missing = this.#state.results.missing.filter(({ call }) => call.callId !== '')
    if (missing.length === 0) return []
    const inserted = insertResults(missing, dialectIn(this.#state))
    await this.#apply(inserted)
    if (inserted.edits.names !== undefined) this.#moves.push(inserted.edits.names.map)
    return inserted.events
  }

  async #close(): Promise<readonly SessionEvent[]> {
    const { cursor, last } = this.#state.end
    const closers = readableClosersAt(cursor, last?.event, dialectIn(this.#state))
    if (closers.length === 0) return []
    const places = { finding: 'turn/open', seqs: closers.map(({ seq }) => seq) } as const
    await this.#apply({ steps: [step('close-turn', {}, places)], edits: appended(closers) })
    return closers
  }

  /** What the target refuses comes last: it is asked about the log as it will be. */
  async #upgrade(): Promise<void> {
    const { target, limits, allowUnknown } = this.#options
    if (target === undefined || this.#refused.length > 0) return
    const upgraded = await upgradeLog(this.#source, { limits, target, allowUnknown }, this.#quarantine)
    if (upgraded.kind === 'refused') {
      this.#refused.push(...upgraded.reasons.map((reason) => `${target} would still refuse it: ${reason}`))
      return
    }
    if (upgraded.steps.length === 0) return
    this.#steps.push(...upgraded.steps)
    this.#source = upgraded.source
    await this.#examine()
  }

  /** What its own releases refuse, and no plan can mend, another release may take as it is. */
  async #upgradesAlone(): Promise<boolean> {
    const { target, limits, allowUnknown, truncateAfter } = this.#options
    if (target === undefined || truncateAfter !== undefined) return false
    const upgraded = await upgradeLog(this.#given, { limits, target, allowUnknown }, this.#quarantine)
    if (upgraded.kind === 'refused') return false
    this.#refused.length = 0
    this.#steps.splice(0, Number.POSITIVE_INFINITY, ...upgraded.steps)
    this.#filled = []
    this.#branches = []
    this.#losses = []
    this.#lostAtEnd = undefined
    this.#source = upgraded.source
    await this.#examine()
    return true
  }

  /** A value that nothing tells and that can be given: with it, the rest can be mended. */
  #untold(): readonly string[] {
    const findings = this.#state.findings.findings()
    const needsModel = findings.some(
      ({ code, args }) =>
        code === 'message/request-invalid' ||
        ((code === 'message/id-missing' || code === 'message/source-invalid') &&
          args.type === 'assistant/message'),
    )
    const needsHeader = findings.some(({ code }) => code === 'header/invalid')
    return [
      ...(needsModel && this.#model === undefined ? [NO_MODEL] : []),
      ...(needsHeader && this.#options.like === undefined ? [NO_LIKE] : []),
    ]
  }

  /** Messages that wait would be sent when the session is resumed. */
  async #cancelWaiting(): Promise<void> {
    const { results, end } = this.#state
    const { waiting } = results
    if (this.#options.dropWaiting !== true || waiting.length === 0 || end.last === undefined) return
    const splices = cancelingSplices(waiting, end.last.event)
    const seqs = waiting.map(({ seq }) => seq)
    await this.#apply({ steps: [step('cancel-waiting', {}, { seqs })], edits: appended(splices) })
  }

  async #note(): Promise<readonly NoteEvent[]> {
    const { findings, results, end, header } = this.#state
    const broken = findings.counts().find(({ code }) => ruleOf(code).repairs?.includes('note-exchanges'))
    if (broken === undefined || end.last === undefined) return []
    const notes = noteEvents(results.notes, header?.id ?? '', end.last.event, dialectIn(this.#state))
    if (notes.length === 0) return []
    const places = { finding: broken.code, seqs: results.notes.map(({ node }) => node) }
    await this.#apply({ steps: [step('note-exchanges', {}, places)], edits: appended(notes) })
    return notes
  }
}

function appended(events: readonly object[]): EventEdits {
  return { inserted: events as readonly JsonObject[] }
}
