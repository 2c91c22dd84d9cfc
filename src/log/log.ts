/**
 * A log and what can be asked of it. The command line and library users ask here; how a report looks, and what a command
 * exits with, is not decided here. Nothing is kept between two questions: each reads the log once, `events` twice.
 */
import { migrationFacts } from '../core/compatibility/migration-facts.ts'
import { noLint, pluginLint } from '../core/compatibility/plugin-lint.ts'
import { RELEASE_LINES, releaseLine } from '../core/compatibility/release-lines.ts'
import { judgeForReleases } from '../core/compatibility/upgrade-findings.ts'
import { isFormatVersion } from '../core/dialect/dialect.ts'
import type { SessionEvent } from '../core/event/session-event.ts'
import type { Finding } from '../core/findings/finding.ts'
import type { FindingLog } from '../core/findings/finding-log.ts'
import { fixIn, ruleOf } from '../core/findings/rules.ts'
import type { Judgement } from '../core/findings/verdict.ts'
import type { MadeList } from '../core/json/made-list.ts'
import {
  type Classification,
  type ClassifiedEvent,
  classification,
} from '../core/projections/classification.ts'
import { type EventFilter, isChosen, isFiltered } from '../core/projections/event-filter.ts'
import { eventsBetween, pageBounds } from '../core/projections/event-pages.ts'
import { gaps } from '../core/projections/gaps.ts'
import { saysText } from '../core/projections/message-text.ts'
import { shadowedBy } from '../core/projections/shadowed-by.ts'
import {
  keptMessages,
  type SurfaceGap,
  type SurfaceMessage,
  type SurfaceNode,
  type SurfaceView,
  surfaceOutline,
} from '../core/projections/surface-view.ts'
import { type TranscriptEntry, transcript } from '../core/projections/transcript.ts'
import { filterEntries, type TranscriptFilter } from '../core/projections/transcript-filter.ts'
import { eachEvent, type Reducer } from '../core/replay/reducer.ts'
import {
  type JudgedLog,
  type JudgingOptions,
  type LoadSettings,
  loadInput,
  loadInputSteps,
  mustBeLog,
  SKIPS_STREAMS,
} from '../load/inputs/judged-log.ts'
import type { OpenedInput } from '../load/inputs/open-input.ts'
import type { RedactedLog } from '../load/redact/redacted-source.ts'
import type { ResultsOf } from '../load/sessions/load-log.ts'
import { surfaceDigest, transcriptDigest } from '../load/sessions/log-digests.ts'
import { checkData, reportFinding } from '../report/log-report.ts'
import { madeAnew } from '../report/main-list.ts'
import { remedyText } from '../report/remedy.ts'
import type { ReportData, ReportFinding } from '../report/report.ts'
import type { RecordSource } from '../storage/record-source.ts'
import { SpooledItems } from '../storage/spooled-items.ts'
import { SpooledTexts } from '../storage/spooled-texts.ts'
import { ToolError } from '../storage/tool-error.ts'

/** What a log is opened, read and judged with. */
export interface LogContext extends JudgingOptions {
  /** Collects the real paths of what is read; no output may replace one of them. */
  readonly opened: Set<string>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Puts marks in the place of the secrets of a log, and of texts that are shown with it. */
  readonly redact?: ((source: RecordSource, texts: readonly string[]) => Promise<RedactedLog>) | undefined
}

/** One reading of the log: its header, what was found, and what that means. */
export type Reading = JudgedLog<unknown>

/** A finding with the words of its rule, in which commands name the log. */
export interface ExplainedFinding extends ReportFinding {
  readonly title: string
  /** What DSH or the model provider does with such a log. */
  readonly why: string
  /** What to do now. */
  readonly fix: string
  /** Whether a repair can mend it; where only sometimes, `fix` says when. */
  readonly repairable: boolean
}

/** What else a check is to look at. */
export interface CheckOptions {
  /** A release of DSH by its line, its number or `latest`: what it refuses is an error. */
  readonly target?: string | undefined
  /** `plugin`: look for what authors of plugins should know, too. */
  readonly profile?: 'plugin' | undefined
}

/** What is wrong with a log, and what that means in each release. */
export type CheckedLog = ReportData<'check'> & {
  readonly verdict: Judgement['verdict']
  /** In the order of the file; the first thousand of each rule. `rules` counts them all. */
  readonly findings: readonly ExplainedFinding[]
  readonly reading: Reading
}

/** Which moment is meant. */
export interface SurfaceOptions {
  /** The surface as it was after the event with this seq. */
  readonly at?: number | undefined
  /** Adds the SHA-256 of the messages, in hexadecimal: the same in every container. */
  readonly digest?: boolean
}

/** What is said of a surface besides its nodes and replacements. */
export interface SurfaceFacts {
  readonly at?: number
  readonly digest?: string
  readonly reading: Reading
}

/** The messages for the model, and where others may be missing. */
export interface DerivedMessages<Messages = readonly SurfaceMessage[]> {
  readonly messages: Messages
  readonly gaps: readonly SurfaceGap[]
  readonly reading: Reading
}

/** Which entries are wanted. */
export interface TranscriptOptions extends TranscriptFilter {
  /** Adds the SHA-256 of all entries, in hexadecimal: the same in every container. */
  readonly digest?: boolean
}

/** Which events are wanted, and how much of them. */
export interface EventOptions extends EventFilter {
  /** Only events with this text in their data, in upper or lower case. */
  readonly text?: string | undefined
  /** The page that ends before this seq. */
  readonly before?: number | undefined
  /** Messages of users and answers on the page; all that there are when it is absent. */
  readonly maxMessages?: number | undefined
}

/** A log that is open. Every method reads it anew. */
export class Log {
  /** As it was named; of a database with the session. */
  readonly name: string
  readonly input: OpenedInput
  readonly context: LogContext
  readonly #release: () => Promise<void>

  /** @param release - what is to be done, besides closing the input, when nothing more is asked. */
  constructor(
    name: string,
    input: OpenedInput,
    context: LogContext,
    release: () => Promise<void> = async () => {},
  ) {
    this.name = name
    this.input = input
    this.context = context
    this.#release = release
  }

  /** Reads the log once, and shows every event to the reducers: for questions that no other method answers. */
  read<const Reducers extends Record<string, Reducer>>(
    reducers: Reducers,
    settings: LoadSettings = {},
  ): Promise<JudgedLog<ResultsOf<Reducers>>> {
    return loadInput(this.name, this.input, this.context, reducers, settings)
  }

  /**
   * Everything that is wrong with the log, and what that means. Nothing that a file holds makes it throw: one that is no
   * log has `reading.judgement.exitCode` 3. Throws a `ToolError` for a target that is no release.
   */
  async check({ target: wanted, profile }: CheckOptions = {}): Promise<CheckedLog> {
    const target = wanted === undefined ? undefined : releaseNamed(wanted)
    const lint = profile === 'plugin' ? pluginLint() : noLint
    const reducers = { facts: migrationFacts(), gaps: gaps(), lint }
    const read = await this.read(reducers, SKIPS_STREAMS)
    const { findings, header, results } = read
    if (isFormatVersion(header?.version ?? 0)) for (const finding of results.lint) findings.add(finding)
    const { failOn, limits } = this.context
    const released = judgeForReleases(findings, header?.version, results.facts, failOn, target)
    const reading = { ...read, judgement: released.judgement }
    return {
      ...checkData(reading, released.compatibility),
      ...(target !== undefined && { rehearsal: await rehearsed(this.input, target, limits) }),
      verdict: reading.judgement.verdict,
      findings: findings
        .findings()
        .map((finding) => explained(finding, findings, this.name, released.judgement)),
      reading,
    }
  }

  /**
   * What the model sees: the nodes of the surface in the order of the messages, and every replacement that made it so
   * (format.md §5). Throws a `ToolError` for a moment after the end of the log.
   */
  async surface(options: SurfaceOptions = {}): Promise<SurfaceView & SurfaceFacts> {
    const outline = await this.surfaceOutline(options)
    return { ...outline, nodes: [...outline.nodes] }
  }

  /** The same, with nodes that are made whenever they are read: a log may hold a million. */
  async surfaceOutline({
    at,
    digest = false,
  }: SurfaceOptions = {}): Promise<SurfaceView<MadeList<SurfaceNode>> & SurfaceFacts> {
    const reading = await this.#readAt(at, {
      surface: surfaceOutline(new SpooledTexts()),
      digest: digest ? surfaceDigest() : eachEvent(() => {}),
    })
    if (digest) mustBeLog(reading)
    const { surface, digest: hash } = reading.results
    return {
      ...(at !== undefined && { at }),
      ...surface,
      ...(typeof hash === 'string' && { digest: hash }),
      reading,
    }
  }

  /**
   * The messages that DSH derives from the surface for the model, each with the seq of its event (format.md §5.6), and
   * where others may be missing.
   */
  async messages(options: Pick<SurfaceOptions, 'at'> = {}): Promise<DerivedMessages> {
    const kept = await this.keptMessages(options)
    return { ...kept, messages: [...kept.messages] }
  }

  /** The same, with messages that are made whenever they are read. */
  async keptMessages({
    at,
  }: Pick<SurfaceOptions, 'at'> = {}): Promise<DerivedMessages<MadeList<SurfaceMessage>>> {
    const reading = await this.#readAt(at, {
      messages: keptMessages(new SpooledItems()),
      surface: surfaceOutline(new SpooledTexts()),
    })
    const { messages, surface } = reading.results
    return { messages, gaps: surface.gaps, reading }
  }

  async #readAt<const Reducers extends Record<string, Reducer>>(
    at: number | undefined,
    reducers: Reducers,
  ): Promise<JudgedLog<ResultsOf<Reducers>>> {
    const reading = await this.read(reducers, {
      ...SKIPS_STREAMS,
      ...(at !== undefined && { until: at }),
    })
    const last = reading.end.last?.event.seq ?? -1
    if (at === undefined || at <= last) return reading
    throw new ToolError('usage', `the log ends at seq ${last}`)
  }

  /**
   * The conversation as a human saw it, entry by entry, each as soon as no later event can change it; with `tail` only
   * at the end. What it returns, after the last entry, is what the reading found, and which messages the model no
   * longer sees: by their seqs, the seq of the replacement.
   */
  async *transcript({
    digest = false,
    tail,
    ...filter
  }: TranscriptOptions = {}): AsyncGenerator<
    TranscriptEntry,
    { readonly digest?: string; readonly shadowed: ReadonlyMap<number, number>; readonly reading: Reading },
    void
  > {
    const ready: TranscriptEntry[] = []
    const emit = (entry: TranscriptEntry): void => {
      ready.push(...filterEntries([entry], filter))
    }
    const entries: Reducer = digest ? transcriptDigest(emit) : transcript(emit)
    const reading = yield* pour(
      this.#steps({ entries, shadowed: shadowedBy() }, SKIPS_STREAMS),
      tail === undefined ? ready : [],
    )
    if (tail !== undefined) yield* filterEntries(ready, { tail })
    if (digest) mustBeLog(reading)
    const { entries: hash, shadowed } = reading.results
    return { ...(typeof hash === 'string' && { digest: hash }), shadowed, reading }
  }

  /**
   * Whether the model sees each event (`current`), a replacement has taken it away (`shadowed`), or it never was on the
   * surface (`log-only`). The list is in log order, and made while it is read: a log may hold millions of events.
   */
  async classify(
    filter: EventFilter = {},
  ): Promise<
    Omit<Classification, 'events'> & { readonly events: Iterable<ClassifiedEvent>; readonly reading: Reading }
  > {
    const reading = await this.read({ classes: classification() }, SKIPS_STREAMS)
    const { counts, events } = reading.results.classes
    return { counts, events: madeAnew(() => chosen(events(), filter)), reading }
  }

  /**
   * Whole events in log order, as DSH reads them. What it returns, after the last event, is whether there are earlier
   * events than those of the page (`hasMore`), and where the page begins (`firstSeq`; format.md §8.5).
   */
  async *events({
    text,
    before,
    maxMessages,
    ...filter
  }: EventOptions = {}): AsyncGenerator<
    SessionEvent,
    { readonly hasMore: boolean; readonly firstSeq?: number; readonly reading: Reading },
    void
  > {
    const bounds = pageBounds(maxMessages ?? Number.POSITIVE_INFINITY, before)
    const { results } = await this.read({ bounds, classes: classification() }, SKIPS_STREAMS)
    const { from, before: end, hasMore } = results.bounds
    const classes = results.classes.events()[Symbol.iterator]()
    const isWanted = (event: SessionEvent): boolean => {
      const { value: classified } = classes.next()
      if (classified !== undefined && !isChosen(classified, filter)) return false
      return text === undefined || saysText(event.data, text)
    }
    const ready: SessionEvent[] = []
    let firstSeq = (isFiltered(filter) || text !== undefined) && end > from ? from : undefined
    const emit = (event: SessionEvent): void => {
      firstSeq ??= event.seq
      ready.push(event)
    }
    const reading = yield* pour(this.#steps({ events: eventsBetween(from, end, emit, isWanted) }), ready)
    return { hasMore, ...(firstSeq !== undefined && { firstSeq }), reading }
  }

  #steps<const Reducers extends Record<string, Reducer>>(reducers: Reducers, settings: LoadSettings = {}) {
    return loadInputSteps(this.name, this.input, this.context, reducers, settings)
  }

  /** Takes away private copies: those of databases, of what gzip packed, and of standard input. */
  async close(): Promise<void> {
    await this.input.close()
    await this.#release()
  }
}

/** What has become ready with each step; then what the steps return. */
async function* pour<Item, End>(
  steps: AsyncGenerator<unknown, End, void>,
  ready: Item[],
): AsyncGenerator<Item, End, void> {
  try {
    for (;;) {
      const { done, value } = await steps.next()
      yield* ready.splice(0)
      if (done === true) return value
    }
  } finally {
    await steps.return(undefined as never)
  }
}

/** Hands every item of a generator to `take`. @returns what came after the last. */
export async function each<Item, End>(
  generator: AsyncGenerator<Item, End, void>,
  take: (item: Item) => void,
): Promise<End> {
  for (;;) {
    const { done, value } = await generator.next()
    if (done === true) return value
    take(value)
  }
}

/** All items of a generator, and what it returned after the last. */
export async function collected<Item, End>(
  generator: AsyncGenerator<Item, End, void>,
): Promise<{ readonly items: readonly Item[]; readonly end: End }> {
  const items: Item[] = []
  const end = await each(generator, (item) => items.push(item))
  return { items, end }
}

function* chosen(events: Iterable<ClassifiedEvent>, filter: EventFilter): Iterable<ClassifiedEvent> {
  for (const event of events) if (isChosen(event, filter)) yield event
}

function explained(
  finding: Finding,
  findings: FindingLog,
  name: string,
  { answers }: Judgement,
): ExplainedFinding {
  const { title, why, repairable } = ruleOf(finding.code)
  const told = reportFinding(finding, findings)
  const fix = remedyText(fixIn(finding.code, answers.opens !== 'no'), name, finding)
  return { ...told, title, why, fix, repairable }
}

/** The line of releases that a text means. */
export function releaseNamed(text: string): string {
  const line = releaseLine(text)
  if (line !== undefined) return line.name
  const names = RELEASE_LINES.map(({ name }) => name).join(', ')
  throw new ToolError('usage', `there is no release "${text}"`, `Releases are ${names}, and latest.`)
}

async function rehearsed(
  input: OpenedInput,
  target: string,
  limits: LogContext['limits'],
): Promise<NonNullable<ReportData<'check'>['rehearsal']>> {
  const { rehearse } = await import('../load/repair/rehearse.ts')
  return rehearse(input, target, limits)
}
